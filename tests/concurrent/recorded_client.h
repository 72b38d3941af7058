// A client that sends the requests of one thread to the tracked items (tracked_items.h). The client
// records each request with the states that the request read and wrote.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/concurrent/history.h"
#include "tests/concurrent/tracked_items.h"
#include "tests/support/faults.h"

namespace dolmen::test {

// A recording client for one thread. A result that no order of operations explains fails the test.
// The client itself detects some of these results, and the checker of the history detects the
// others.
class RecordedClient {
 public:
  struct Options {
    std::size_t thread = 0;
    bool conflicts = false;  // operations may fail with a conflict (OnConflict::kFail)
    // A simulation makes operations fail and cuts pages. The client then deletes items only by
    // DeleteItem, for which no error may be unclear.
    bool faults = false;
    bool lags = false;  // only consistent reads and transactions see all earlier writes
  };

  // REQUIRES: database, items and recorder outlive this object
  RecordedClient(const Database& database, const TrackedItems& items, Recorder* recorder,
                 const Options& options);

  const TrackedItems& items() const { return *items_; }
  Mark NewMark() { return recorder_->NewMark(options_.thread); }

  std::vector<ItemRead> GetItem(std::size_t item);
  // Returns the states of the items, or an empty vector if the transaction conflicts with a write.
  // All reads return an empty vector after a fault.
  std::vector<ItemRead> TransactGetItems(const std::vector<std::size_t>& items);
  // Read one page and return the states of all items that the page can contain. All states of a
  // page are from one moment.
  std::vector<ItemRead> Query(std::size_t table, std::size_t partition);
  std::vector<ItemRead> Scan(std::size_t table);
  std::vector<ItemRead> ScanIndex();

  // Executes a PutItem, UpdateItem or DeleteItem. An item that the call returns is recorded as a
  // read. A DeleteItem always returns the deleted item.
  void WriteOne(const Change& change, ReturnValues returns = ReturnValues::kNone);

  // Executes a transaction. With `repeated`, the transaction has a token, and the client sends it
  // again after a success. The repetition must have no effect. It also repeats the transaction
  // after each fault until the outcome is clear.
  void TransactWriteItems(const std::vector<Change>& changes, bool repeated = false);

 private:
  // Returns true if the error is a fault of the simulation.
  bool IsSimulated(const Status& status) const { return options_.faults && IsFault(status); }
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
