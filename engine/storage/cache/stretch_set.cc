#include "engine/storage/cache/stretch_set.h"

#include <algorithm>
#include <string>
#include <utility>

namespace dolmen::engine {
namespace {

// Returns true if no key lies between the end of `left` and the start of `right`.
bool TouchesOrOverlaps(const KnownRange& left, const KnownRange& right) {
  return left.lower <= right.lower && (!left.upper || right.lower <= *left.upper);
}

// Returns `middle`, joined with the parts of `old` that lie before it and after it.
// REQUIRES: the two ranges overlap or touch.
StretchRef JoinAround(const Stretch& old, StretchRef middle) {
  const KnownRange inner = middle->range();
  if (old.range().lower < inner.lower) {
    middle = old.Part({old.range().lower, inner.lower})->Join(*middle);
  }
  if (inner.upper && (!old.range().upper || *inner.upper < *old.range().upper)) {
    middle = middle->Join(*old.Part({*inner.upper, old.range().upper}));
  }
  return middle;
}

}  // namespace

const Stretch* StretchSet::Find(std::string_view key) const {
  for (const StretchRef& stretch : stretches_) {
    if (stretch->range().Contains(key)) return stretch.get();
  }
  return nullptr;
}

const Stretch* StretchSet::FindBefore(const std::optional<std::string_view>& upper) const {
  for (const StretchRef& stretch : stretches_) {
    const KnownRange& range = stretch->range();
    if ((!upper || range.lower < *upper) && range.ReachesTo(upper)) return stretch.get();
  }
  return nullptr;
}

StretchSetRef StretchSet::WithRow(std::string_view key,
                                  std::optional<std::string_view> value) const {
  for (std::size_t i = 0; i < stretches_.size(); ++i) {
    if (!stretches_[i]->range().Contains(key)) continue;
    auto changed = std::make_shared<StretchSet>(*this);
    changed->stretches_[i] = stretches_[i]->WithRow(key, value);
    return changed;
  }
  return nullptr;
}

StretchSetRef StretchSet::WithStretch(StretchRef stretch, std::size_t bytes_max) const {
  auto changed = std::make_shared<StretchSet>();
  StretchRef joined = stretch;
  for (const StretchRef& old : stretches_) {
    const bool meets = TouchesOrOverlaps(old->range(), stretch->range()) ||
                       TouchesOrOverlaps(stretch->range(), old->range());
    if (meets) {
      joined = JoinAround(*old, std::move(joined));
    } else {
      changed->stretches_.push_back(old);
    }
  }
  if (joined->bytes() > bytes_max) joined = std::move(stretch);
  if (changed->stretches_.size() == kStretchesMax) {
    changed->stretches_.erase(changed->stretches_.begin());
  }
  const auto begins_after = [](const StretchRef& one, const StretchRef& other) {
    return one->range().lower < other->range().lower;
  };
  changed->stretches_.insert(std::upper_bound(changed->stretches_.begin(),
                                              changed->stretches_.end(), joined, begins_after),
                             joined);
  return changed;
}

std::size_t StretchSet::bytes() const {
  std::size_t bytes = sizeof(StretchSet);
  for (const StretchRef& stretch : stretches_) bytes += stretch->bytes();
  return bytes;
}

}  // namespace dolmen::engine
