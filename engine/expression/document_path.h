// Document paths with resolved placeholders, and checks of sets of paths. A path is the name of a
// top-level attribute, then map keys and list indexes.
//
// Const methods and free functions may be called from any thread.

#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/internal/lifetime.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"

namespace dolmen::engine {

// A step of a path: a map key or a list index. Borrows the map key.
class PathStep {
 public:
  static PathStep Name(std::string_view name DOLMEN_LIFETIME_BOUND) {
    return PathStep(name, 0, false);
  }
  static PathStep Index(std::uint32_t index) { return PathStep({}, index, true); }

  bool is_index() const { return is_index_; }
  std::string_view name() const { return name_; }  // empty for an index
  std::uint32_t index() const { return index_; }   // 0 for a name

  friend bool operator==(const PathStep&, const PathStep&) = default;
  // Sorts indexes in ascending order, and after them names in byte order.
  friend std::strong_ordering operator<=>(const PathStep& a, const PathStep& b);

 private:
  PathStep(std::string_view name, std::uint32_t index, bool is_index)
      : name_(name), index_(index), is_index_(is_index) {}

  std::string_view name_;
  std::uint32_t index_;
  bool is_index_;
};

// A document path. A value type that borrows its names, so the owner of the names must outlive the
// path. A path of a single step allocates nothing.
class DocumentPath {
 public:
  explicit DocumentPath(std::string_view attribute DOLMEN_LIFETIME_BOUND) : attribute_(attribute) {}

  void Append(PathStep step) { nested_.push_back(step); }

  // Returns the first step: the name of the top-level attribute.
  std::string_view attribute() const { return attribute_; }
  // Returns true if there is more than one step.
  bool is_nested() const { return !nested_.empty(); }
  // Returns all steps except the first one.
  std::span<const PathStep> nested() const DOLMEN_LIFETIME_BOUND { return nested_; }

  // Returns the value at the path, or an absent view. The view borrows the bytes of the item.
  AttributeView Find(const ItemView& item) const {
    return nested_.empty() ? item[attribute_] : FindNested(item);
  }
  // Returns the map or list that would contain the value at the path, or an absent view. The view
  // borrows the bytes of the item.
  // REQUIRES: is_nested()
  AttributeView FindParent(const ItemView& item) const;

  // Formats the path as DynamoDB's error messages do: "[a, [1], b]".
  std::string ToString() const;

  friend bool operator==(const DocumentPath&, const DocumentPath&) = default;
  // Sorts a path before all paths that extend it.
  friend std::strong_ordering operator<=>(const DocumentPath& a, const DocumentPath& b);

 private:
  AttributeView FindNested(const ItemView& item) const;

  std::string_view attribute_;
  std::vector<PathStep> nested_;
};

// A pair of paths that a projection or an update must not contain together.
struct PathClash {
  enum class Kind : std::uint8_t {
    kOverlap,   // the paths are equal, or one extends the other
    kConflict,  // the same value is a map in one path and a list in the other
  };
  Kind kind;
  std::size_t first;   // index of a path; first < second
  std::size_t second;  // index of a path
};

// Returns the clash that DynamoDB reports: the first kOverlap or, if no two paths overlap, the last
// kConflict. Returns nothing if no two paths clash.
std::optional<PathClash> FindClash(std::span<const DocumentPath> paths);

// Returns DynamoDB's message for the clash, without a prefix.
std::string ClashMessage(const PathClash& clash, std::span<const DocumentPath> paths);

// Checks the paths of a filter or a projection. `is_index_key` is true if `key_names` are the key
// attributes of an index.
// - kValidation, with DynamoDB's message: a path has further steps after a key attribute, which is
//   always a scalar.
Status CheckKeysAreScalars(std::span<const DocumentPath> paths,
                           std::span<const std::string_view> key_names, bool is_index_key);

}  // namespace dolmen::engine
