// The items in the inputs of an import.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "command/import_inputs.h"
#include "command/item_lines.h"
#include "command/line_reader.h"
#include "command/progress.h"
#include "dolmen/attribute_value.h"
#include "dolmen/result.h"

namespace dolmen::command {

// A place between two lines of the inputs of an import.
struct ImportPlace {
  std::size_t file = 0;                // number of the input; earlier inputs are done
  LineReader::Position position = {};  // in this input; the hash covers all inputs so far
};

struct ImportReaderOptions {
  bool skip_errors = false;           // skip invalid lines; false: the first is an error
  std::function<bool()> interrupted;  // called for each line; true: stop
};

// A reader of items, line by line. Shows its progress. Not thread-safe.
class ImportReader {
 public:
  // REQUIRES: `inputs`, whose Identity has been called, outlive this object.
  ImportReader(ImportInputs* inputs, ImportReaderOptions options)
      : inputs_(*inputs), options_(std::move(options)) {}

  // Goes to the place at which an earlier run ended, and prints it to standard error. Reads the lines before it.
  // Fails as LineReader does, and with:
  // - kValidation: these lines have changed.
  Status GoTo(const ImportPlace& place);

  // Sets `item` to the next one. Leaves it empty after many lines without an item, so that the caller can note how far it
  // has come. Returns false after the last line, or after an interrupt. Fails as LineReader does, and with:
  // - kValidation: a line is not an item. The message names file and line.
  Result<bool> Next(Item* item);

  // The places before the line of the last item, and after it and what was skipped behind it. After an error of Next, the
  // latter is the place before the line of the error.
  const ImportPlace& before() const { return before_; }
  const ImportPlace& after() const { return place_; }

  // Skips the line at the place, because the table rejects its item.
  // - kValidation: the options do not say to skip invalid lines. The message names file and line.
  Status Reject(const ImportPlace& place, const Status& why);
  // Returns the number of lines before the place that were skipped, and that no earlier call has counted.
  std::uint64_t TakeSkippedBefore(const ImportPlace& place);

  // Returns the number of lines that Next has read.
  std::uint64_t lines() const { return lines_; }

  // Asks the options. After a first interrupt the answer stays.
  bool Interrupted();
  bool was_interrupted() const { return interrupted_; }

  // Shows the progress. `items` is the number of items that were imported.
  void ShowProgress(std::uint64_t items);

 private:
  // Opens the input of place_.
  Status Open();
  // Reads the first `lines` lines of the input, or all lines if it has fewer.
  Status Reread(std::uint64_t lines);
  // Reads a line and sets `item` if it has one. Returns false if the line has none, or after an interrupt.
  Result<bool> ReadLine(Item* item);
  // Skips a line that is too long.
  Result<bool> SkipLongLine(const Status& why);
  // Returns file and line, for messages.
  std::string NameOf(const ImportPlace& place) const;
  ProgressState StateAt(std::uint64_t items) const;

  ImportInputs& inputs_;
  const ImportReaderOptions options_;
  ItemLineParser parser_;
  std::optional<LineReader> reader_;  // of the input of place_; nothing: it is not open
  ImportPlace before_;
  ImportPlace place_;
  // The places before the lines that were skipped and that TakeSkippedBefore has not counted.
  std::vector<ImportPlace> skipped_;
  std::uint64_t skipped_shown_ = 0;
  std::uint64_t lines_ = 0;
  bool interrupted_ = false;
  std::optional<ProgressLine> progress_;
};

}  // namespace dolmen::command
