// Putting the items of files into a table.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command/import_checkpoint.h"
#include "command/import_inputs.h"
#include "command/item_lines.h"
#include "command/progress.h"
#include "dolmen/database.h"

namespace dolmen::command {

struct ImporterOptions {
  bool skip_errors = false;           // else the first line that is no item ends it
  bool restart = false;               // begins at the first line, wherever an earlier run was
  std::function<bool()> interrupted;  // asked at each line that is imported
  std::uint64_t lines_between_checkpoints = 10'000;
};

// Reads inputs line by line and puts each item, 25 by one write, in the order of the lines: of two
// items with one key the later one stays.  Writes a checkpoint now and then; nothing that is before
// the latest one is put again.  For one thread, for one run.
class Importer {
 public:
  // REQUIRES: the inputs live as long as this.
  Importer(const Database& database, const Table& table, const TableDescription& description,
           ImportInputs* inputs, ImporterOptions options);

  // Goes on behind the checkpoint, if the table has one of the same inputs, and says so to standard
  // error; ends at the last line, or when it is interrupted.  Whatever ends it, also a failure:
  // each line before checkpoint() is in the table, and the table has the checkpoint, unless it
  // can't be written to. kValidation: a line is no item, or none for this table; with file and
  // line.  Or what is before the checkpoint is not what it was.  Else fails as LineReader and
  // Database::BatchWriteItem do.
  Status Run();

  const ImportCheckpoint& checkpoint() const { return checkpoint_; }
  bool interrupted() const { return interrupted_; }
  std::uint64_t items_before() const { return items_before_; }  // by earlier runs

 private:
  using Position = LineReader::Position;

  Status ImportFiles();
  Status ImportLines(LineReader* reader);

  // Opens the checkpoint's file behind the checkpoint; none if all is done, or after an interrupt.
  Status GoOn(std::optional<LineReader>* reader);
  Status ReadAgain(LineReader* reader, std::uint64_t lines);
  // The file, whose position's hash goes on from that of those before it.
  Result<LineReader> OpenFile(std::size_t file, std::uint64_t hash);

  // Reads a line and makes an item of it; false if there is none, or after an interrupt.
  Result<bool> TakeLine(LineReader* reader, const Position& before);
  Result<bool> SkipLongLine(LineReader* reader, const Position& before, const Status& why);

  Status FlushIfFull(const LineReader& reader);
  // Puts what is pending; then all before `until` is done.  On an error, all before the item that
  // it is about.
  Status Flush(const LineReader& reader, const Position& until);
  Status PutOneByOne(const LineReader& reader);
  void AllDoneBefore(const Position& until);

  // Success if the line is to be skipped.
  Status Refuse(const LineReader& reader, const Position& before, const Status& why);

  bool Interrupted();
  Status SaveCheckpoint();
  ProgressState StateOf(const LineReader& reader) const;

  const Database database_;
  const Table table_;
  ImportInputs& inputs_;
  const ImporterOptions options_;
  ImportCheckpoints checkpoints_;
  ImportCheckpoint checkpoint_;
  std::uint64_t items_before_ = 0;
  std::uint64_t lines_since_saved_ = 0;
  bool interrupted_ = false;

  ItemLineParser parser_;
  std::vector<WriteRequest> pending_;
  std::vector<Position> pending_before_;  // where the line of each begins
  std::vector<std::uint64_t> refused_;    // lines behind the checkpoint
  std::uint64_t refused_shown_ = 0;
  std::optional<ProgressLine> progress_;
};

}  // namespace dolmen::command
