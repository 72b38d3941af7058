// Subscriptions: a function of the program gets every change of the items of a table, in order.
//
//   auto subscription = table.Subscribe({.name = "notifier"}, [](const StreamRecord& record) {
//     std::cout << EventNameText(record.event_name) << ' ' << record.keys.ToString() << '\n';
//     return Status();  // done: the handler does not get this record again
//   });

#pragma once

#include "dolmen/internal/hide_macros.h"

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

  // The number of a record, or the starting_sequence_number of a shard. Required if `type` is
  // kAtSequenceNumber or kAfterSequenceNumber, and forbidden for the other types.
  std::string sequence_number = {};
};

// A function that takes one record. It gets the records one after the other, in the order of the
// changes, and never two at a time.
//
// The function must return or throw. pthread_exit(3) and longjmp(3) out of it, and pthread_cancel(3) of its thread, end
// the process. The same holds for the other functions that a program passes to Dolmen, which must not throw either.
//
// The function returns success once it has handled the record. If the function returns an error or
// throws, it gets the same record again later. It gets the next record only after a success.
//
// The function may use the database, but not its own subscription: Deliver, Seek and the destructor
// wait for the function, so a call from the function would block forever.
using RecordHandler = std::function<Status(const StreamRecord&)>;

// A subscription to begin or to resume (Table::Subscribe).
struct SubscribeInput {
  // The name under which the database stores the position; 1 to 255 bytes, unique in the table. On
  // a remote database the name is UTF-8.
  std::string name = {};
  // The position at which a new subscription starts. Ignored if the database has stored a position
  // under the name; the subscription then resumes there.
  StreamPosition start = {};

  // The condition on the records that the handler gets. Empty: the handler gets all records. The
  // subscription skips records that do not match. The filter can use these attributes of a record:
  // - `eventName`: "INSERT", "MODIFY" or "REMOVE".
  // - `NewImage`, `OldImage`: maps; absent if the record does not have the image.
  // - `Keys`: a map. A filter text needs a placeholder for this name, because KEYS is a reserved
  //   word.
  // - `userIdentity`: a map; absent unless Dolmen removed an expired item.
  //
  //   .filter = Attr("eventName") == "INSERT" && Attr("NewImage")["type"] == "message"
  FilterExpression filter = {};
  Names names = {};
  Values values = {};

  // True: a thread of the subscription passes each record to the handler soon after the commit. On
  // a remote database the thread asks for records every ConnectOptions::poll_pause.
  // False: only Deliver() passes records to the handler.
  bool in_background = true;
  // The pause of the subscription's thread after an error; 1 ms to 365 days, other values are
  // clamped.
  std::chrono::milliseconds retry_after = std::chrono::seconds(1);
};

// A running subscription. It keeps its database open. Movable; its methods are thread-safe.
//
// The handler gets each record at least once. The subscription stores the position after the
// handler has returned, and does not wait for the disk. After a crash the handler may therefore
// get its last records again.
//
// The destructor ends the subscription and waits for the handler. It keeps the stored position, so
// a later Subscribe resumes there. Table::Unsubscribe deletes the position.
//
// On a remote database (Database::Connect), api/remote/README.md says where the position is stored
// and how often. These parts of the contract differ there:
// - A stream may have several shards. The handler gets the records of an item in their order;
//   records of different items may change places.
// - Several processes may subscribe with one name. One of them delivers. In the others, Deliver and
//   status() return kResourceInUse until they take over.
// - A program that was away for longer than the retention of the stream gets kTrimmedDataAccess if
//   records may be lost. Seek with kTrimHorizon continues at the oldest retained record.
class Subscription {
 public:
  Subscription(Subscription&&) noexcept;
  Subscription& operator=(Subscription&&) noexcept;
  ~Subscription();

  // Calls the handler, on the calling thread, for the records of all writes that were acknowledged
  // before Deliver was called. If a different thread is delivering records, waits for that thread
  // first. Returns the number of records that the handler got from this call, so 0 if the thread of
  // the subscription has passed all of them. After an error the position is before the record that
  // failed, so the next call begins with this record. DynamoDB itself shows a record some time after
  // its write was acknowledged, so Deliver may miss the newest records.
  // - The error that the handler returned, unchanged.
  // - kValidation: the handler threw an exception; the message has its text.
  // - kTrimmedDataAccess: records that the handler did not get are no longer retained. The message
  //   contains the sequence number after which records are retained. To continue, call Seek() with
  //   this number.
  // - kResourceNotFound: the table was deleted.
  // - kResourceInUse: another process delivers the records of a remote subscription.
  Result<std::size_t> Deliver();

  // Moves the position, forward or back, and stores it. Waits for the handler. An error leaves
  // the position unchanged.
  // - kValidation: the sequence number is missing, malformed, or from a stream of a different
  //   table.
  // - kTrimmedDataAccess: the position is no longer retained.
  // - kResourceNotFound: the table was deleted.
  // - kResourceInUse: another process delivers the records of a remote subscription.
  Status Seek(const StreamPosition& position);

  // Returns the sequence number of the current position: the last record that the handler got or
  // the filter skipped, or the start position. The next record has a greater number. The text is
  // empty if the position is before the first record of the database. On a remote database it is
  // empty, too, if the start position is not the number of a record.
  std::string sequence_number() const;

  // Returns the outcome of the latest attempt to deliver records, on any thread: the error, or
  // success.
  // - kResourceNotFound: the table was deleted.
  Status status() const;

 private:
  friend class Table;
  explicit Subscription(std::unique_ptr<internal::Subscriber> subscriber);

  std::shared_ptr<internal::Subscriber> subscriber_;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
