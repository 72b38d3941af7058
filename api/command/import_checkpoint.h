// The checkpoint of an import, from which the import resumes.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "command/import_reader.h"
#include "dolmen/attribute_value.h"

namespace dolmen::command {

// The point up to which an import has processed its inputs.
struct ImportCheckpoint {
  std::string inputs = {};  // ImportInputs::Identity
  ImportPlace place = {};
  std::uint64_t items = 0;    // the number of items written
  std::uint64_t skipped = 0;  // the number of invalid lines skipped
};

// Converts a checkpoint to a map that a CheckpointStore stores under the name `inputs`.
Map ToMap(const ImportCheckpoint& checkpoint);

// Returns the checkpoint of an import of `inputs`, or nothing if the map is not one.
std::optional<ImportCheckpoint> ImportCheckpointIn(const std::string& inputs, const Map& map);

}  // namespace dolmen::command
