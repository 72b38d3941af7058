// A subscription: a reader of a table's stream inside the program, whose position is stored in the
// database.
//
//   auto subscription = table.Subscribe({.name = "notifier"}, [](const StreamRecord& record) {
//     std::cout << EventNameText(record.event_name) << ' ' << record.keys.ToString() << '\n';
//     return Status();  // done: do not hand over this record again
//   });

#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "dolmen/expression.h"
#include "dolmen/operations.h"
#include "dolmen/result.h"
#include "dolmen/streams.h"

namespace dolmen {

namespace internal {
class Subscriber;
}  // namespace internal

// A position in a table's stream.
struct StreamPosition {
  ShardIteratorType type = ShardIteratorType::kTrimHorizon;

  // Required for kAtSequenceNumber and kAfterSequenceNumber, forbidden for the other types.
  std::string sequence_number = {};
};

// A function that takes one record.  It gets the records one after the other, in the order of the
// changes, and never two at a time.
//
// It returns success once it has handled the record.  If it returns an error or throws, it gets the
// same record again later, and no other record before that.
//
// It may use the database, but not its own subscription: Deliver, Seek and the destructor wait for
// the handler, so calling them from it never ends.
using RecordHandler = std::function<Status(const StreamRecord&)>;

// A subscription to begin or to resume (Table::Subscribe).
struct SubscribeInput {
  // The name under which the database stores the position; 1 to 255 bytes, unique in the table.
  std::string name = {};
  // The position of a new name.  Ignored if the name has a stored position, which is resumed.
  StreamPosition start = {};

  // The records that the handler gets: those that match this filter, or all without a filter.  The
  // subscription passes over the others.  A filter sees these attributes of a record:
  // - `eventName`: "INSERT", "MODIFY" or "REMOVE".
  // - `NewImage`, `OldImage`: maps; absent if the record does not have the image.
  // - `Keys`: a map.  A text must name it by a placeholder, as the word is reserved.
  // - `userIdentity`: a map; absent unless Dolmen removed an expired item.
  //
  //   .filter = Attr("eventName") == "INSERT" && Attr("NewImage")["type"] == "message"
  FilterExpression filter = {};
  Names names = {};
  Values values = {};

  // True: a thread of the subscription's own hands over each record soon after its commit.  False:
  // only Deliver() hands over records.
  bool in_background = true;
  // The pause of that thread after an error; 1 ms to 365 days, other values are clamped.
  std::chrono::milliseconds retry_after = std::chrono::seconds(1);
};

// A running subscription.  It keeps its database open.  Movable; its methods are thread-safe.
//
// Each record is handed over at least once.  The position is stored after the handler has returned,
// without waiting for the disk.  After a crash the handler may therefore get its last records
// again.
//
// Destroying the subscription ends it and waits for the handler.  The stored position stays, so
// that a later Subscribe resumes; Table::Unsubscribe deletes it.
class Subscription {
 public:
  Subscription(Subscription&&) noexcept;
  Subscription& operator=(Subscription&&) noexcept;
  ~Subscription();

  // Hands over, on the calling thread, all records of the writes that were acknowledged before the
  // call.  Waits first for another thread that hands over.  Returns the number of records that the
  // handler got.  After an error the position stays at the record that failed.
  // - The handler's own error, as it is.
  // - kValidation: the handler threw an exception; the message has its text.
  // - kTrimmedDataAccess: records that were not handed over are no longer retained.  The message
  //   has the number after which records remain; Seek() there to continue.
  // - kResourceNotFound: the table was deleted.
  Result<std::size_t> Deliver();

  // Moves the position, forward or back, and stores it.  Waits for the handler.  After an error the
  // position is as before.
  // - kValidation: the sequence number is missing, malformed, or not of this table's streams.
  // - kTrimmedDataAccess: the position is no longer retained.
  // - kResourceNotFound: the table was deleted.
  Status Seek(const StreamPosition& position);

  // Returns the number of the last record that was handed over or passed over, or that of the
  // start.  The next record has a greater number.  Empty before the first record of the database.
  std::string sequence_number() const;

  // Returns the error that keeps the subscription from continuing, or success.  It is the outcome
  // of the last attempt, whichever thread made it.
  // - kResourceNotFound: the table was deleted.
  Status status() const;

 private:
  friend class Table;
  explicit Subscription(std::unique_ptr<internal::Subscriber> subscriber);

  std::unique_ptr<internal::Subscriber> subscriber_;
};

}  // namespace dolmen
