// An import of items from files into a table.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command/checkpoint_store.h"
#include "command/import_checkpoint.h"
#include "command/import_inputs.h"
#include "command/item_lines.h"
#include "command/progress.h"
#include "dolmen/database.h"

namespace dolmen::command {

// The options of an import.
struct ImporterOptions {
  bool skip_errors = false;           // skip invalid lines; false: the first ends the import
  bool restart = false;               // ignore the checkpoint of an earlier run
  std::function<bool()> interrupted;  // called for each imported line; true: stop
  std::uint64_t lines_between_checkpoints = 10'000;
};

// An import, which reads the inputs line by line and writes the items in order, 25 per batch. If
// several items have the same key, the table keeps the last of them. The import writes a checkpoint
// from time to time. A later import of the same inputs resumes after the latest checkpoint. Run may
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
  bool interrupted() const { return interrupted_; }
  std::uint64_t items_before() const { return items_before_; }  // items that earlier runs wrote

 private:
  using Position = LineReader::Position;

  Status ImportFiles();
  Status ImportLines(LineReader* reader);

  // Opens the file that the checkpoint names, and skips the lines before the checkpoint. Sets
  // `reader` to nothing if all inputs are imported, or after an interrupt.
  Status Resume(std::optional<LineReader>* reader);
  // Rereads the first `lines` lines of the file, or all lines if the file has fewer.
  Status RereadLines(LineReader* reader, std::uint64_t lines);
  // Opens a file. `hash` is the hash of all files before this file.
  Result<LineReader> OpenFile(std::size_t file, std::uint64_t hash);

  // Reads a line and adds its item to pending_. Returns false at the end of the file or after an
  // interrupt.
  Result<bool> ReadLine(LineReader* reader, const Position& before);
  Result<bool> SkipLongLine(LineReader* reader, const Position& before, const Status& why);

  // Writes the pending items if they fill a batch or if the next checkpoint is due. If the
  // checkpoint is due, writes the checkpoint after the items.
  Status FlushIfFull(const LineReader& reader);
  // Writes the pending items, and moves the checkpoint to `until`. If an item causes an error that
  // Flush returns, the checkpoint is before the line of that item.
  Status Flush(const LineReader& reader, const Position& until);
  // Moves the checkpoint to `until`.
  void AdvanceCheckpoint(const Position& until);

  // Records an invalid line. Returns ok if the options say to skip invalid lines.
  Status RejectLine(const LineReader& reader, const Position& before, const Status& why);

  bool Interrupted();
  Status SaveCheckpoint();
  ProgressState StateOf(const LineReader& reader) const;

  const Database database_;
  const Table table_;
  ImportInputs& inputs_;
  const ImporterOptions options_;
  CheckpointStore& checkpoints_;
  ImportCheckpoint checkpoint_;
  std::uint64_t items_before_ = 0;
  std::uint64_t lines_since_saved_ = 0;
  bool interrupted_ = false;

  ItemLineParser parser_;
  std::vector<WriteRequest> pending_;
  std::vector<Position> pending_before_;  // the position before the line of each pending item
  std::vector<std::uint64_t> rejected_;   // invalid lines after the checkpoint
  std::uint64_t rejected_shown_ = 0;
  std::optional<ProgressLine> progress_;
};

}  // namespace dolmen::command
