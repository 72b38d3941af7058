// An import of items from files into a table.

#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "command/checkpoint_store.h"
#include "command/import_checkpoint.h"
#include "command/import_inputs.h"
#include "command/import_reader.h"
#include "dolmen/database.h"

namespace dolmen::command {

// The options of an import.
struct ImporterOptions {
  bool skip_errors = false;           // skip invalid lines; false: the first ends the import
  bool restart = false;               // ignore the checkpoint of an earlier run
  std::function<bool()> interrupted;  // called for each line; true: stop
  std::uint64_t lines_between_checkpoints = 10'000;
};

// The outcome of an import into a new table.
struct ImportedTable {
  std::uint64_t items = 0;    // that the table has
  std::uint64_t skipped = 0;  // invalid lines
  bool interrupted = false;   // the table does not exist
};

// Imports all inputs into a table that it creates in an embedded database. If several items have the same key, the table
// has the last of them. Ignores `restart`. After an error or an interrupt the table does not exist. Fails as LineReader
// and Database::ImportTable do, and with:
// - kValidation: a line is not an item for this table. The message names file and line.
Result<ImportedTable> ImportNewTable(const Database& database, const CreateTableInput& table,
                                     ImportInputs* inputs, ImporterOptions options);

// An import into an existing table, which reads the inputs line by line and writes the items in order, 25 per batch. If
// several items have the same key, the table keeps the last of them. The import writes a
// checkpoint from time to time. A later import of the same inputs resumes after the latest checkpoint. Run may
// be called once. Not thread-safe.
class Importer {
 public:
  // REQUIRES: `checkpoints`, those of the table, and `inputs` outlive this object.
  Importer(const Database& database, const Table& table, CheckpointStore* checkpoints,
           ImportInputs* inputs, ImporterOptions options);

  // Imports until the last line or an interrupt. Resumes after the checkpoint of the same inputs,
  // if the table has one, and prints the line at which the import resumes to standard error. After
  // success or failure, the table contains the item of each valid line before checkpoint(). The
  // checkpoint is stored if it could be written. Fails as LineReader and
  // Database::BatchWriteItem do, and with:
  // - kValidation: a line is not an item for this table. The message names file and line.
  // - kValidation: the input before the checkpoint has changed.
  Status Run();

  const ImportCheckpoint& checkpoint() const { return checkpoint_; }
  bool interrupted() const { return reader_.was_interrupted(); }
  std::uint64_t items_before() const { return items_before_; }  // items that earlier runs wrote

 private:
  Status ImportItems();
  // Writes the pending items if they fill a batch or if the next checkpoint is due. If the
  // checkpoint is due, writes the checkpoint after the items.
  Status FlushIfFull();
  // Writes the pending items, and moves the checkpoint to `until`. If an item causes an error that
  // Flush returns, the checkpoint is before the line of that item.
  Status Flush(const ImportPlace& until);
  // Moves the checkpoint to `until`.
  void AdvanceCheckpoint(const ImportPlace& until);
  Status SaveCheckpoint();

  const Database database_;
  const Table table_;
  ImportInputs& inputs_;
  const ImporterOptions options_;
  CheckpointStore& checkpoints_;
  ImportReader reader_;
  ImportCheckpoint checkpoint_;
  std::uint64_t items_before_ = 0;
  std::uint64_t lines_saved_ = 0;  // that had been read when the latest checkpoint was written
  std::vector<WriteRequest> pending_;
  std::vector<ImportPlace> pending_before_;  // the place before the line of each pending item
};

}  // namespace dolmen::command
