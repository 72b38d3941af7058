// Document paths with their placeholders resolved: a top-level attribute's name, then map keys and
// list indexes.

#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/item_view.h"
#include "dolmen/lifetime.h"
#include "dolmen/status.h"

namespace dolmen::engine {

// A map key or a list index.  Borrows the key.
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
  // Indexes ascending, then names in byte order.
  friend std::strong_ordering operator<=>(const PathStep& a, const PathStep& b);

 private:
  PathStep(std::string_view name, std::uint32_t index, bool is_index)
      : name_(name), index_(index), is_index_(is_index) {}

  std::string_view name_;
  std::uint32_t index_;
  bool is_index_;
};

// A value; borrows the names, whose owner must outlive it.  One of a single step, which is the
// usual one, allocates nothing.
class DocumentPath {
 public:
  explicit DocumentPath(std::string_view attribute DOLMEN_LIFETIME_BOUND) : attribute_(attribute) {}

  void Append(PathStep step) { nested_.push_back(step); }

  // The first step, a top-level attribute's name, and the steps into that attribute.
  std::string_view attribute() const { return attribute_; }
  bool is_nested() const { return !nested_.empty(); }
  std::span<const PathStep> nested() const DOLMEN_LIFETIME_BOUND { return nested_; }

  // What the path leads to, or an absent view.  Lives as long as the item's bytes.
  AttributeView Find(const ItemView& item) const;
  // What holds its last step, likewise.  REQUIRES: is_nested()
  AttributeView FindParent(const ItemView& item) const;

  // As error messages have it: "[a, [1], b]".
  std::string ToString() const;

  friend bool operator==(const DocumentPath&, const DocumentPath&) = default;
  // A path comes before those it leads to.
  friend std::strong_ordering operator<=>(const DocumentPath& a, const DocumentPath& b);

 private:
  std::string_view attribute_;
  std::vector<PathStep> nested_;
};

// How two of a projection's or an update's paths may not be to each other.
struct PathClash {
  enum class Kind : std::uint8_t {
    kOverlap,   // one leads to the other, or they are the same
    kConflict,  // one takes for a map what the other takes for a list
  };
  Kind kind;
  std::size_t first;  // first < second
  std::size_t second;
};

// The clash to report, if there is one: the first overlap, or else the last conflict.
std::optional<PathClash> FindClash(std::span<const DocumentPath> paths);

// DynamoDB's message, without a prefix.
std::string ClashMessage(const PathClash& clash, std::span<const DocumentPath> paths);

// For filters and projections: kValidation if one of `paths` leads into a key attribute, which is
// no map and no list.  `of_index` says whose key it is.
Status CheckKeysAreScalars(std::span<const DocumentPath> paths,
                           std::span<const std::string_view> key_names, bool of_index);

}  // namespace dolmen::engine
