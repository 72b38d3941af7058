// A subscription: a program's own reader of a table's stream, which remembers how far it has come.

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

// A place in a table's stream.
struct StreamPosition {
  ShardIteratorType type = ShardIteratorType::kTrimHorizon;
  std::string sequence_number = {};  // for the two types that need one
};

// Is given one record after the other, in the order in which they were made, and says whether it
// has done what it had to.  If not, or if it throws, it is given the same record again later and no
// other before.  It may do anything with the database, but nothing with its own subscription.
using RecordHandler = std::function<Status(const StreamRecord&)>;

struct SubscribeInput {
  // Under which the position is stored, in the database; 1 to 255 bytes.  A name that has a
  // position goes on from there, whatever `start` says.
  std::string name = {};
  StreamPosition start = {};

  // Which records the handler is to be given: those for which this holds of the attributes
  // `eventName` ("INSERT", "MODIFY" or "REMOVE"), `NewImage` and `OldImage` (maps; absent as in the
  // record), `Keys` (a map, to be named by a placeholder, the word is reserved) and, if the change
  // was the database's own, `userIdentity`:
  //   .filter = "NewImage.entityType = :t AND eventName = :insert"
  // An image that the stream does not have is absent to the filter.
  FilterExpression filter = {};
  Names names = {};
  Values values = {};

  // A thread of its own hands over records as soon as they are there.  Else Deliver() alone does.
  bool in_background = true;
  // After which that thread tries again what has failed.
  std::chrono::milliseconds retry_after = std::chrono::seconds(1);
};

// Each record is handed over at least once: its position is stored when the handler has returned,
// so that after a crash the handler may get again what it was doing then.  The position is stored
// without waiting for the disk.
//
// Ends when it is destroyed, which waits for the handler; its position stays (Table::Unsubscribe
// deletes it).  Keeps its database open.  Movable; callable from any number of threads.
class Subscription {
 public:
  Subscription(Subscription&&) noexcept;
  Subscription& operator=(Subscription&&) noexcept;
  ~Subscription();

  // Hands over all records that are there at the beginning, on this thread, and waits before that
  // for whoever else does.  Returns how many the handler was given. The handler's own error, or
  // kValidation with what it threw: it stays at that record. kTrimmedDataAccess: records that it
  // has not had are no longer retained; Seek() goes on behind them, and the message says from where
  // on.  kResourceNotFound: the table is deleted.
  Result<std::size_t> Deliver();

  // Goes on from `position`, forward or back.  Waits for the handler.
  // kTrimmedDataAccess: it is no longer retained.  kValidation: not a position.
  Status Seek(const StreamPosition& position);

  // Behind which number it goes on: that of the last record it has come past, or of its start.
  std::string sequence_number() const;

  // Why it does not get on; ok while it does.  What the thread in the background has failed in
  // last.
  Status status() const;

 private:
  friend class Table;
  explicit Subscription(std::unique_ptr<internal::Subscriber> subscriber);

  std::unique_ptr<internal::Subscriber> subscriber_;
};

}  // namespace dolmen
