// Calls of one thread on tracked items, each of which is recorded with what it did and saw.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/concurrent/history.h"
#include "tests/concurrent/tracked_items.h"

namespace dolmen::test {

// For one thread.  A result that no order of operations explains fails the test: at once, if it can
// be seen here; else the recorded history will not be serializable.
class RecordedClient {
 public:
  struct Options {
    std::size_t thread = 0;
    bool conflicts = false;  // operations may fail for meeting others: OnConflict::kFail
  };

  // REQUIRES: database, items and recorder live as long as this does
  RecordedClient(const Database& database, const TrackedItems& items, Recorder* recorder,
                 const Options& options);

  const TrackedItems& items() const { return *items_; }
  Mark NewMark() { return recorder_->NewMark(options_.thread); }

  std::vector<ItemRead> GetItem(std::size_t item);
  // Empty: it met a write.
  std::vector<ItemRead> TransactGetItems(const std::vector<std::size_t>& items);
  // One page holds all, and so is of one moment.
  std::vector<ItemRead> Query(std::size_t table, std::size_t partition);
  std::vector<ItemRead> Scan(std::size_t table);
  std::vector<ItemRead> ScanIndex();

  // PutItem, UpdateItem or DeleteItem.  What it returns is a read as well; a DeleteItem always
  // returns what it deleted.
  void WriteOne(const Change& change, ReturnValues returns = ReturnValues::kNone);

  // `repeated`: under a token, and if it succeeds, again, which must do nothing.
  void TransactWriteItems(const std::vector<Change>& changes, bool repeated = false);

 private:
  std::vector<ItemRead> Recorded(Operation operation, std::vector<ItemRead> reads);
  std::vector<ItemRead> RecordPage(Operation operation, const Result<QueryOutput>& page,
                                   const std::vector<std::size_t>& items);
  Result<WriteItemOutput> Write(const Change& change, ReturnValues returns);
  void NoteFailure(const Status& status, const std::vector<Change>& changes, Operation* operation);
  void NoteFalseCondition(const Status& status, const Change& change, Operation* operation);

  const Database* database_;
  const TrackedItems* items_;
  Recorder* recorder_;
  Options options_;
  std::size_t tokens_ = 0;
};

}  // namespace dolmen::test
