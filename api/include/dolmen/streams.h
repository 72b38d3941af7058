// The records of tables' streams: a record of every change of the items of a table, in order. The
// operations are those of DynamoDB Streams: list the streams, describe one of them, get an iterator
// for its shard, get records page by page. Inside a program a subscription is simpler (subscription.h).
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

#include "dolmen/internal/hide_macros.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/create_table.h"
#include "dolmen/item_view.h"

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

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
