// A copy of all items of a table to another table.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "command/checkpoint_store.h"
#include "command/database_command.h"
#include "command/pace.h"
#include "command/progress.h"
#include "engine/base/mutex.h"

namespace dolmen::command {

// The amounts that a copy has copied and consumed.
struct CopyCounts {
  std::uint64_t items = 0;
  std::uint64_t bytes = 0;  // DynamoDB's sizes of the items
  double read_units = 0;    // as the databases report them
  double write_units = 0;
};

struct CopierOptions {
  std::size_t parallel = 8;                // writes at a time
  double units_per_second = 0;             // of reads, and of writes; 0: no limit
  double bytes_per_second = 0;             // 0: no limit
  bool restart = false;                    // ignore the checkpoint of an earlier run
  std::function<bool()> interrupted = {};  // called for each page and in waits; true: stop
  Pace::Waiting waiting = Pace::Waiting::Real();
  std::function<bool()> pauses = {};         // called after each page, if not empty; true: stop
  std::function<void()> on_checkpoint = {};  // called after each checkpoint, if not empty
};

// A copy of the items that a table has, by a parallel scan. Each page is written by batches, side by
// side, and a checkpoint follows. A table in this process is scanned as one segment, because each
// reader of a segment visits the keys of all segments. Run may be called once.
class TableCopier {
 public:
  // REQUIRES: `checkpoints`, those of the table `to`, outlives this object. `name` is the checkpoint's.
  TableCopier(OpenedTable from, OpenedTable to, CheckpointStore* checkpoints, std::string name,
              CopierOptions options);

  // Copies until the end, a pause or an interrupt. Resumes after the checkpoint of an earlier run. After success
  // or failure the table `to` has each item of the pages before the checkpoint. An item that is copied
  // twice is the same item. Fails as Table::Scan and Database::BatchWriteItem do, and with:
  // - kValidation: the table `to` rejects an item. The message has its keys.
  // - kStorage: the checkpoint cannot be written.
  Status Run();

  bool complete() const;
  // The counts of all runs up to the checkpoint, and those of earlier runs.
  const CopyCounts& counts() const { return counts_; }
  const CopyCounts& counts_before() const { return counts_before_; }

 private:
  // A segment of the scan.
  struct Segment {
    Item next = {};  // the start key of the next page; empty: the first page
    bool done = false;
  };

  void Resume();
  Map Checkpoint() const DOLMEN_REQUIRES(mutex_);

  Status CopySegment(std::size_t segment);
  // Writes the items of a page. Adds the units to `write_units`.
  Status WritePage(const ScanOutput& page, double* write_units);
  Status WriteBatch(const ScanOutput& page, std::size_t first, double* write_units);
  // Ends a page: adds its counts and writes the checkpoint.
  Status EndPage(std::size_t segment, const ScanOutput& page, double write_units);
  bool stops() const { return failed_ || options_.interrupted(); }

  const OpenedTable from_;
  const OpenedTable to_;
  CheckpointStore& checkpoints_;
  const std::string name_;
  const CopierOptions options_;
  Pace read_units_;
  Pace write_units_;
  Pace bytes_;
  std::atomic<bool> failed_ = false;

  Mutex mutex_;
  std::vector<Segment> segments_;  // a thread changes only its own segment, with the mutex
  CopyCounts counts_;
  CopyCounts counts_before_;
  std::optional<ProgressLine> progress_;
};

// Returns the number of segments in which a table is scanned.
std::uint32_t SegmentsOf(const Database& database, std::size_t parallel);

// Returns the progress of a command that reads a table.
ProgressState ProgressOf(const CopyCounts& counts, const ContentSize& content);

}  // namespace dolmen::command
