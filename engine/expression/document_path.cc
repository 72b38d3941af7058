#include "engine/expression/document_path.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <utility>

namespace dolmen::engine {
namespace {

constexpr std::size_t kFewPaths = 6;

AttributeView Follow(AttributeView value, std::span<const PathStep> steps) {
  for (const PathStep& step : steps) {
    value = step.is_index() ? value[std::size_t{step.index()}] : value[step.name()];
  }
  return value;
}

std::optional<PathClash::Kind> FindClashKind(const DocumentPath& a, const DocumentPath& b) {
  if (a.attribute() != b.attribute()) return std::nullopt;
  const std::span<const PathStep> x = a.nested();
  const std::span<const PathStep> y = b.nested();
  const auto [in_x, in_y] = std::mismatch(x.begin(), x.end(), y.begin(), y.end());
  if (in_x == x.end() || in_y == y.end()) return PathClash::Kind::kOverlap;
  if (in_x->is_index() != in_y->is_index()) return PathClash::Kind::kConflict;
  return std::nullopt;
}

// Returns true if any two paths clash. Sorts the paths and checks only adjacent paths, which is
// enough for both kinds of clash. Overlap: the paths that extend a path directly follow this path.
// Conflict: among the paths into one value, all indexes sort before all names, so the last path
// with an index is adjacent to the first path with a name.
bool AnyClash(std::span<const DocumentPath> paths) {
  boost::container::small_vector<const DocumentPath*, 16> sorted;
  for (const DocumentPath& path : paths) sorted.push_back(&path);
  std::sort(sorted.begin(), sorted.end(),
            [](const DocumentPath* a, const DocumentPath* b) { return *a < *b; });
  return std::adjacent_find(sorted.begin(), sorted.end(),
                            [](const DocumentPath* a, const DocumentPath* b) {
                              return FindClashKind(*a, *b).has_value();
                            }) != sorted.end();
}

}  // namespace

std::strong_ordering operator<=>(const PathStep& a, const PathStep& b) {
  if (a.is_index_ != b.is_index_) {
    return a.is_index_ ? std::strong_ordering::less : std::strong_ordering::greater;
  }
  return a.is_index_ ? a.index_ <=> b.index_ : a.name_ <=> b.name_;
}

std::strong_ordering operator<=>(const DocumentPath& a, const DocumentPath& b) {
  if (a.attribute_ != b.attribute_) return a.attribute_ <=> b.attribute_;
  return a.nested_ <=> b.nested_;
}

AttributeView DocumentPath::FindNested(const ItemView& item) const {
  return Follow(item[attribute_], nested_);
}

AttributeView DocumentPath::FindParent(const ItemView& item) const {
  return Follow(item[attribute_], nested().first(nested_.size() - 1));
}

std::string DocumentPath::ToString() const {
  std::string text("[");
  text.append(attribute_);
  for (const PathStep& step : nested_) {
    text.append(", ");
    if (step.is_index()) {
      text.append("[").append(std::to_string(step.index())).append("]");
    } else {
      text.append(step.name());
    }
  }
  return text.append("]");
}

std::optional<PathClash> FindClash(std::span<const DocumentPath> paths) {
  // Only many paths are worth sorting.
  if (paths.size() > kFewPaths && !AnyClash(paths)) return std::nullopt;
  std::optional<PathClash> conflict;
  for (std::size_t second = 1; second < paths.size(); ++second) {
    for (std::size_t first = 0; first < second; ++first) {
      const std::optional<PathClash::Kind> kind = FindClashKind(paths[first], paths[second]);
      if (kind == PathClash::Kind::kOverlap) return PathClash{*kind, first, second};
      if (kind) conflict = PathClash{*kind, first, second};
    }
  }
  return conflict;
}

std::string ClashMessage(const PathClash& clash, std::span<const DocumentPath> paths) {
  return std::string("Two document paths ")
      .append(clash.kind == PathClash::Kind::kOverlap ? "overlap" : "conflict")
      .append(" with each other; must remove or rewrite one of these paths; path one: ")
      .append(paths[clash.first].ToString())
      .append(", path two: ")
      .append(paths[clash.second].ToString());
}

Status CheckKeysAreScalars(std::span<const DocumentPath> paths,
                           std::span<const std::string_view> key_names, bool is_index_key) {
  for (const DocumentPath& path : paths) {
    if (!path.is_nested()) continue;
    if (std::find(key_names.begin(), key_names.end(), path.attribute()) == key_names.end()) {
      continue;
    }
    return Status::Validation(
        std::string("Key attributes must be scalars; list random access '[]' and map lookup '.' "
                    "are not allowed: ")
            .append(is_index_key ? "IndexKey: " : "Key: ")
            .append(path.attribute()));
  }
  return {};
}

}  // namespace dolmen::engine
