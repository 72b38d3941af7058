// A table's stream: a record of every change of its items, in order. Inside a program a
// subscription reads it:
//
//   auto subscription = table.Subscribe({.name = "notifier"}, [](const StreamRecord& record) {
//     std::cout << EventNameText(record.event_name) << ' ' << record.keys.ToString() << '\n';
//     return Status();  // done: the handler does not get this record again
//   });
//
// The other operations are those of DynamoDB Streams: list the streams, describe one of them, get
// an iterator for its shard, get records page by page.
//
//   const auto streams = db.ListStreams({.table_name = "app"});
//   const std::string arn = streams->streams.back().stream_arn;
//   const auto stream = db.DescribeStream({.stream_arn = arn});
//   const std::string shard = stream->shards.front().shard_id;
//   const auto iterator = db.GetShardIterator({.stream_arn = arn, .shard_id = shard});
//   const auto page = db.GetRecords({.shard_iterator = *iterator});
//   for (const StreamRecord& record : page->records) std::cout << record.keys.ToString();
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/create_table.h"
#include "dolmen/expression.h"
#include "dolmen/internal/function.h"
#include "dolmen/internal/shared.h"
#include "dolmen/item_view.h"
#include "dolmen/operations.h"
#include "dolmen/result.h"

namespace dolmen {

// The kind of a change.
enum class EventName : std::uint8_t {
  kInsert,  // the item did not exist before
  kModify,  // the item existed before and after
  kRemove   // the item does not exist after
};

// Returns "INSERT", "MODIFY" or "REMOVE".
std::string_view EventNameText(EventName name);

// One change of one item. Each write that changes an item adds a record. The change and the
// record are stored in one atomic step. A write that does not change the item adds no record.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_Record.html
struct StreamRecord {
  std::string event_id = {};  // 32 hexadecimal digits, unique
  EventName event_name = EventName::kInsert;

  // The number of the record: 21 decimal digits, unique in the database. A later change of the
  // same item has a greater number. Numbers grow with time, and their texts sort as the numbers
  // do.
  std::string sequence_number = {};

  // The time of the change, by the database's clock. Never earlier than the time of the previous
  // record.
  Timestamp approximate_creation_date_time = {};

  StreamViewType stream_view_type = StreamViewType::kKeysOnly;  // as in the stream
  StoredItem keys = {};                                         // the key attributes of the item

  // The item after the change (new_image) and before the change (old_image). An image is present
  // only if stream_view_type includes it. A REMOVE has no new image, an INSERT has no old image.
  std::optional<StoredItem> new_image = {};
  std::optional<StoredItem> old_image = {};

  std::uint32_t size_bytes = 0;  // of keys and images, by DynamoDB's rules for item sizes

  // True: the item had expired and Dolmen removed it. DynamoDB's userIdentity then has the type
  // Service and the principal dynamodb.amazonaws.com.
  bool by_service = false;
};

// A page of streams to list.
struct ListStreamsInput {
  std::string table_name = {};                  // empty: the streams of all tables
  std::uint32_t limit = 100;                    // 1 to 100 streams
  std::string exclusive_start_stream_arn = {};  // from the previous page; empty: the first
};

// The names of a stream.
struct StreamSummary {
  std::string stream_arn = {};  // unique; the other operations take it
  std::string table_name = {};
  std::string stream_label = {};  // the time at which the stream was enabled; unique in the table
};

// A page of streams.
struct ListStreamsOutput {
  // The streams, sorted by the table's name. Streams of one table are in the order in which they
  // were enabled.
  std::vector<StreamSummary> streams = {};
  std::string last_evaluated_stream_arn = {};  // empty: this is the last page
};

// The state of a stream.
enum class StreamStatus : std::uint8_t {
  kEnabled,  // changes of the table are recorded
  kDisabled  // no records are added; the retained records can still be read
};

// A part of a stream. In Dolmen a stream has exactly one shard, which holds all records of the
// stream. A simulation can divide a stream into several shards (SimulateOptions::stream_shards).
struct Shard {
  std::string shard_id = {};
  std::string parent_shard_id = {};           // empty: the first shard, or the only one
  std::string starting_sequence_number = {};  // no record has this or a lesser number
  std::string ending_sequence_number = {};    // empty: the stream is enabled
};

// A stream to describe.
struct DescribeStreamInput {
  std::string stream_arn = {};
  std::uint32_t limit = 100;                  // 1 to 100 shards
  std::string exclusive_start_shard_id = {};  // from the previous page; empty: the first
  // If given, only the children of this shard are returned (ShardFilter CHILD_SHARDS).
  std::string parent_shard_id = {};
};

// The current state of a stream.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_StreamDescription.html
struct StreamDescription {
  std::string stream_arn = {};
  std::string stream_label = {};
  StreamStatus stream_status = StreamStatus::kEnabled;
  StreamViewType stream_view_type = StreamViewType::kKeysOnly;
  Timestamp creation_request_date_time = {};  // when the stream was enabled
  std::string table_name = {};
  KeyAttribute partition_key = {};  // the table's keys
  std::optional<KeyAttribute> sort_key = {};
  std::vector<Shard> shards = {};            // a parent stands before its children
  std::string last_evaluated_shard_id = {};  // empty: this is the last page
};

// The record at which reading starts.
enum class ShardIteratorType : std::uint8_t {
  kTrimHorizon,          // the oldest record that is retained
  kLatest,               // the next record that will be added
  kAtSequenceNumber,     // the record with the given number
  kAfterSequenceNumber,  // the record after the given number
};

// A position in a shard, for which GetShardIterator returns an iterator.
struct GetShardIteratorInput {
  std::string stream_arn = {};
  std::string shard_id = {};  // from DescribeStream
  ShardIteratorType shard_iterator_type = ShardIteratorType::kTrimHorizon;

  // The number of a record, or the shard's starting_sequence_number. Required if the type is
  // kAtSequenceNumber or kAfterSequenceNumber, and forbidden for the other types.
  std::string sequence_number = {};
};

// A page of records to read.
struct GetRecordsInput {
  std::string shard_iterator = {};  // valid for 15 minutes of the database's clock
  std::uint32_t limit = 1000;       // 1 to 1,000 records; a page also ends at 1 MB
};

// A page of records.
struct GetRecordsOutput {
  std::vector<StreamRecord> records = {};  // in order; may be empty

  // The iterator for the next page. The text is empty only if the last record of the shard was read,
  // and the shard has ended. The only shard of a stream ends when the stream is disabled.
  std::string next_shard_iterator = {};
};

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
// The function returns success once it has handled the record. If the function returns an error or
// throws, it gets the same record again later. It gets the next record only after a success.
//
// The function may use the database, but not its own subscription: Deliver, Seek and the destructor
// wait for the function, so a call from the function would block forever.
using RecordHandler = internal::Function<Status(const StreamRecord&)>;

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
  explicit Subscription(internal::Shared<internal::Subscriber> subscriber);

  internal::Shared<internal::Subscriber> subscriber_;
};

}  // namespace dolmen
