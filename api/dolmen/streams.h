// A table's stream: a record of every change of its items, in order, for as long as they are
// retained; read here as DynamoDB Streams are.  subscription.h has what is easier in a program.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/create_table.h"
#include "dolmen/item_view.h"

namespace dolmen {

enum class EventName : std::uint8_t { kInsert, kModify, kRemove };

// "INSERT", "MODIFY", "REMOVE".
std::string_view EventNameText(EventName name);

// One change of one item.  There is one for each write that changed something, and it is stored
// with the change: neither is there without the other.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_Record.html
struct StreamRecord {
  std::string event_id = {};  // 32 hexadecimal digits, no other record's
  EventName event_name = EventName::kInsert;
  // 21 decimal digits.  Those of a database grow with time and sort as texts; two changes of an
  // item have them in the order in which they were made.
  std::string sequence_number = {};
  // When it was made, by the database's clock; never less than the record's before it.
  Timestamp approximate_creation_date_time = {};
  StreamViewType stream_view_type = StreamViewType::kKeysOnly;
  StoredItem keys = {};
  // As the view type says, if there is such an item: none is new in a REMOVE, none old in an
  // INSERT.
  std::optional<StoredItem> new_image = {};
  std::optional<StoredItem> old_image = {};
  std::uint32_t size_bytes = 0;  // of keys and images, as DynamoDB counts items
  // The item had expired: DynamoDB's userIdentity of type Service, dynamodb.amazonaws.com.
  bool by_service = false;
};

struct ListStreamsInput {
  std::string table_name = {};  // empty: of all tables
  std::uint32_t limit = 100;    // 1 to 100
  std::string exclusive_start_stream_arn = {};
};

struct StreamSummary {
  std::string stream_arn = {};
  std::string table_name = {};
  std::string stream_label = {};
};

struct ListStreamsOutput {
  std::vector<StreamSummary> streams = {};     // a table's in the order in which they were enabled
  std::string last_evaluated_stream_arn = {};  // empty: there are no more
};

// A stream that is disabled is not written to any more and can be read until its last record is
// no longer retained.
enum class StreamStatus : std::uint8_t { kEnabled, kDisabled };

// A stream of Dolmen's has one shard.
struct Shard {
  std::string shard_id = {};
  std::string starting_sequence_number = {};
  std::string ending_sequence_number = {};  // empty: the stream is enabled
};

struct DescribeStreamInput {
  std::string stream_arn = {};
  std::uint32_t limit = 100;  // shards; 1 to 100
  std::string exclusive_start_shard_id = {};
};

// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_StreamDescription.html
struct StreamDescription {
  std::string stream_arn = {};
  std::string stream_label = {};
  StreamStatus stream_status = StreamStatus::kEnabled;
  StreamViewType stream_view_type = StreamViewType::kKeysOnly;
  Timestamp creation_request_date_time = {};
  std::string table_name = {};
  KeyAttribute partition_key = {};
  std::optional<KeyAttribute> sort_key = {};
  std::vector<Shard> shards = {};
};

// From which record on to read.
enum class ShardIteratorType : std::uint8_t {
  kTrimHorizon,          // the oldest that is retained
  kLatest,               // the next that will be made
  kAtSequenceNumber,     // the one with this number
  kAfterSequenceNumber,  // the one behind it
};

struct GetShardIteratorInput {
  std::string stream_arn = {};
  std::string shard_id = {};
  ShardIteratorType shard_iterator_type = ShardIteratorType::kTrimHorizon;
  std::string sequence_number = {};  // for the last two types, and only for them
};

struct GetRecordsInput {
  std::string shard_iterator = {};  // good for 15 minutes of the database's clock
  std::uint32_t limit = 1000;       // 1 to 1000; a page also ends at 1 MB
};

struct GetRecordsOutput {
  std::vector<StreamRecord> records = {};
  // Where to go on, also if there were no records; empty once a disabled stream is read to its end.
  std::string next_shard_iterator = {};
};

}  // namespace dolmen
