// Checks of document paths against key attributes.

#pragma once

#include <algorithm>
#include <boost/container/static_vector.hpp>
#include <span>
#include <string_view>

#include "dolmen/internal/lifetime.h"
#include "dolmen/result.h"
#include "engine/expression/document_path.h"
#include "engine/schema/table_schema.h"

namespace dolmen::engine {

// The names of a key's attributes. Borrows them from the KeySchema.
class KeyNames {
 public:
  explicit KeyNames(const KeySchema& keys DOLMEN_LIFETIME_BOUND) {
    for (const KeyAttribute& attribute : keys.attributes()) names_.push_back(attribute.name);
  }

  std::span<const std::string_view> span() const DOLMEN_LIFETIME_BOUND {
    return {names_.data(), names_.size()};
  }

 private:
  boost::container::static_vector<std::string_view, 2 * kKeyAttributesMax> names_;
};

// Checks that no path leads into a key attribute of the table or of one of its indexes.
// - kValidation: a path leads into a key attribute, which is a scalar and has no parts.
inline Status CheckKeyPaths(const TableSchema& table, std::span<const DocumentPath> paths) {
  const auto is_nested = [](const DocumentPath& path) { return path.is_nested(); };
  if (std::none_of(paths.begin(), paths.end(), is_nested)) return {};
  Status valid = CheckKeysAreScalars(paths, KeyNames(table.keys).span(), false);
  for (const IndexSchema& index : table.indexes) {
    if (!valid.ok()) break;
    valid = CheckKeysAreScalars(paths, KeyNames(index.keys).span(), true);
  }
  return valid;
}

}  // namespace dolmen::engine
