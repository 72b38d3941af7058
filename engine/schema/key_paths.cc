#include "engine/schema/key_paths.h"

namespace dolmen::engine {

Status CheckKeyPaths(const TableSchema& table, std::span<const DocumentPath> paths) {
  Status valid = CheckKeysAreScalars(paths, KeyNames(table.keys).span(), false);
  for (const IndexSchema& index : table.indexes) {
    if (!valid.ok()) break;
    valid = CheckKeysAreScalars(paths, KeyNames(index.keys).span(), true);
  }
  return valid;
}

}  // namespace dolmen::engine
