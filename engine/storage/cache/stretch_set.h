// The stretches of one cache entry.

#pragma once

#include <boost/container/static_vector.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "engine/storage/cache/stretch.h"

namespace dolmen::engine {

class StretchSet;
using StretchSetRef = std::shared_ptr<const StretchSet>;

// A few stretches that do not overlap, in key order. Immutable and thread-safe.
class StretchSet {
 public:
  // The most stretches of a set. A set that would get more forgets the stretch with the least keys.
  static constexpr std::size_t kStretchesMax = 8;

  bool empty() const { return stretches_.empty(); }

  // Returns the stretch that contains `key`, or null. It lives as long as the set.
  const Stretch* Find(std::string_view key) const;
  // Returns the stretch that contains the keys right before `upper`, or null. No `upper` means that
  // the keys have no upper bound. The stretch lives as long as the set.
  const Stretch* FindBefore(const std::optional<std::string_view>& upper) const;

  // Returns the set after a write of the row, or null if no stretch contains the key. No value
  // means that the row is deleted.
  StretchSetRef WithRow(std::string_view key, std::optional<std::string_view> value) const;

  // Returns the set with another stretch. Joins the stretch with stretches that overlap it or touch
  // it; the rows of `stretch` win. If the joined stretch has more than `bytes_max`, the set gets
  // `stretch` alone in place of them.
  StretchSetRef WithStretch(StretchRef stretch, std::size_t bytes_max) const;

  // Returns the memory of the set.
  std::size_t bytes() const;

 private:
  boost::container::static_vector<StretchRef, kStretchesMax> stretches_;
};

}  // namespace dolmen::engine
