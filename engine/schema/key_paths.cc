#include "engine/schema/key_paths.h"

#include <algorithm>

namespace dolmen::engine {

Status CheckKeyPaths(const TableSchema& table, std::span<const DocumentPath> paths) {
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
