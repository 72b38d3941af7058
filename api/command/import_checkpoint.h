// The checkpoints of imports, stored in the table's annotations, from which an import resumes.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "command/line_reader.h"
#include "dolmen/database.h"

namespace dolmen::command {

// The point up to which an import has processed its inputs.
struct ImportCheckpoint {
  std::string inputs = {};             // ImportInputs::Identity
  std::size_t file = 0;                // index of the current input; earlier inputs are done
  LineReader::Position position = {};  // in the current input; the hash covers all inputs so far
  std::uint64_t items = 0;             // the number of items written
  std::uint64_t skipped = 0;           // the number of invalid lines skipped
};

// The checkpoints of incomplete imports into one table, stored in the table's annotations. At most
// the latest kCheckpointsMax checkpoints are stored. The table's other annotations stay unchanged.
// Not thread-safe.
// REQUIRES: no other code changes the table's annotations during the object's lifetime.
class ImportCheckpoints {
 public:
  static constexpr std::size_t kCheckpointsMax = 8;

  ImportCheckpoints(Database database, const TableDescription& table);

  // Returns the checkpoint that an import of `inputs` wrote. `inputs` is the text that
  // ImportInputs::Identity returns. Returns nothing if the table has no such checkpoint, or if it
  // cannot be read.
  std::optional<ImportCheckpoint> Read(const std::string& inputs) const;

  // Write stores the checkpoint, and removes the earlier checkpoint that has the same `inputs`.
  // Remove removes the checkpoint that has the given `inputs`. Both fail as Database::UpdateTable
  // does.
  Status Write(const ImportCheckpoint& checkpoint);
  Status Remove(const std::string& inputs);

 private:
  bool Erase(const std::string& inputs);
  Status Update();

  Database database_;
  std::string table_;
  Map annotations_;   // the table's annotations without the checkpoints
  List checkpoints_;  // from the earliest to the latest
};

}  // namespace dolmen::command
