// How far an import of a table is, kept in the table's annotations, so that it goes on there when
// it is run again.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "dolmen/database.h"
#include "server/commands/line_reader.h"

namespace dolmen::server {

// Up to here, everything is in the table.
struct ImportCheckpoint {
  std::string inputs = {};  // ImportInputs::Identity
  std::size_t file = 0;     // of the inputs; those before it are done
  LineReader::Position position = {};
  std::uint64_t items = 0;    // that were put
  std::uint64_t skipped = 0;  // lines that were none
};

// The checkpoints of one table, whose other annotations it leaves alone.
// REQUIRES: nobody else changes the table's annotations while this lives.
class ImportCheckpoints {
 public:
  ImportCheckpoints(Database database, const TableDescription& table)
      : database_(std::move(database)), table_(table.name), annotations_(table.annotations) {}

  // The one that there is; nothing if there is none, or none that can be understood.
  std::optional<ImportCheckpoint> Read() const;

  // Fail as Database::UpdateTable does.
  Status Write(const ImportCheckpoint& checkpoint);
  Status Remove();

 private:
  Status Update();

  Database database_;
  std::string table_;
  Map annotations_;
};

}  // namespace dolmen::server
