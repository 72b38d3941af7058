// How far imports of a table are, kept in the table's annotations, so that each goes on there when
// it is run again.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "command/line_reader.h"
#include "dolmen/database.h"

namespace dolmen::command {

// Up to here, everything is in the table.
struct ImportCheckpoint {
  std::string inputs = {};             // ImportInputs::Identity
  std::size_t file = 0;                // of the inputs; those before it are done
  LineReader::Position position = {};  // in it; the hash is one of all files up to there
  std::uint64_t items = 0;             // that were put
  std::uint64_t skipped = 0;           // lines that were none
};

// The checkpoints of one table, the latest kCheckpointsMax of them: one of each import that has not
// ended.  Other annotations are left alone.
// REQUIRES: nobody else changes the table's annotations while this lives.
class ImportCheckpoints {
 public:
  static constexpr std::size_t kCheckpointsMax = 8;

  ImportCheckpoints(Database database, const TableDescription& table);

  // Of the import of these inputs; nothing if there is none that can be understood.
  std::optional<ImportCheckpoint> Read(const std::string& inputs) const;

  // In place of an earlier one of the same inputs.  Fail as Database::UpdateTable does.
  Status Write(const ImportCheckpoint& checkpoint);
  Status Remove(const std::string& inputs);

 private:
  bool Erase(const std::string& inputs);
  Status Update();

  Database database_;
  std::string table_;
  Map annotations_;   // the others
  List checkpoints_;  // from the earliest to the latest
};

}  // namespace dolmen::command
