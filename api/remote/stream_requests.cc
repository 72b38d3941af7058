#include "remote/stream_requests.h"

#include <algorithm>
#include <utility>

#include "engine/base/status_macros.h"
#include "remote/request_body.h"
#include "wire/enum_names.h"

namespace dolmen::remote {
namespace {

using wire::Json;
using wire::JsonObject;

std::string Text(const JsonObject& json, std::string_view name) {
  return std::string(wire::StringMember(json, name));
}

StreamViewType ReadViewType(const JsonObject& json) {
  return wire::kStreamViewTypeNames.ValueOf(wire::StringMember(json, "StreamViewType"),
                                            StreamViewType::kNewAndOldImages);
}

Shard ReadShard(const JsonObject& json) {
  Shard shard{.shard_id = Text(json, "ShardId"), .parent_shard_id = Text(json, "ParentShardId")};
  if (const auto range = wire::Member(json, "SequenceNumberRange")) {
    shard.starting_sequence_number = Text(wire::ObjectOf(*range), "StartingSequenceNumber");
    shard.ending_sequence_number = Text(wire::ObjectOf(*range), "EndingSequenceNumber");
  }
  return shard;
}

// Reads the key schema. A stream does not say the types of the attributes, so they are S.
void ReadKeys(const JsonObject& json, StreamDescription* stream) {
  const auto schema = wire::Member(json, "KeySchema");
  if (!schema) return;
  for (const Json element : wire::ArrayOf(*schema)) {
    const JsonObject object = wire::ObjectOf(element);
    const KeyAttribute key{.name = Text(object, "AttributeName")};
    if (wire::StringMember(object, "KeyType") == "HASH") {
      stream->partition_key = key;
    } else {
      stream->sort_key = key;
    }
  }
}

EventName ReadEventName(std::string_view name) {
  if (name == EventNameText(EventName::kInsert)) return EventName::kInsert;
  return name == EventNameText(EventName::kModify) ? EventName::kModify : EventName::kRemove;
}

Result<StreamRecord> ReadRecord(const JsonObject& json) {
  StreamRecord record{.event_id = Text(json, "eventID"),
                      .event_name = ReadEventName(wire::StringMember(json, "eventName"))};
  if (const auto identity = wire::Member(json, "userIdentity")) {
    record.by_service = wire::StringMember(wire::ObjectOf(*identity), "Type") == "Service";
  }
  const auto change = wire::Member(json, "dynamodb");
  if (!change) return record;
  const JsonObject object = wire::ObjectOf(*change);
  record.sequence_number = Text(object, "SequenceNumber");
  record.size_bytes = static_cast<std::uint32_t>(
      std::max<std::int64_t>(0, wire::IntegerMember(object, "SizeBytes").value_or(0)));
  const auto created = wire::TimeMember(object, "ApproximateCreationDateTime");
  if (created) record.approximate_creation_date_time = *created;
  record.stream_view_type = ReadViewType(object);
  if (const auto keys = wire::Member(object, "Keys")) {
    DOLMEN_ASSIGN_OR_RETURN(record.keys, ReadStored(*keys));
  }
  DOLMEN_ASSIGN_OR_RETURN(record.new_image, ReadStoredMember(object, "NewImage"));
  DOLMEN_ASSIGN_OR_RETURN(record.old_image, ReadStoredMember(object, "OldImage"));
  return record;
}

}  // namespace

Result<ListStreamsOutput> ListStreams(const Service& service, const ListStreamsInput& input) {
  RequestBody body;
  WriteText("TableName", input.table_name, &body.json());
  body.json().UnsignedField("Limit", input.limit);
  WriteText("ExclusiveStartStreamArn", input.exclusive_start_stream_arn, &body.json());
  DOLMEN_ASSIGN_OR_RETURN(const Response& response, service.Send("DynamoDBStreams.ListStreams",
                                                                 body.Finish(), Repeat::kSafe));
  ListStreamsOutput output{.last_evaluated_stream_arn =
                               Text(response.object(), "LastEvaluatedStreamArn")};
  const auto streams = wire::Member(response.object(), "Streams");
  if (!streams) return output;
  for (const Json json : wire::ArrayOf(*streams)) {
    const JsonObject object = wire::ObjectOf(json);
    output.streams.push_back({.stream_arn = Text(object, "StreamArn"),
                              .table_name = Text(object, "TableName"),
                              .stream_label = Text(object, "StreamLabel")});
  }
  return output;
}

Result<StreamDescription> DescribeStream(const Service& service, const DescribeStreamInput& input) {
  RequestBody body;
  body.json().StringField("StreamArn", input.stream_arn);
  body.json().UnsignedField("Limit", input.limit);
  WriteText("ExclusiveStartShardId", input.exclusive_start_shard_id, &body.json());
  if (!input.parent_shard_id.empty()) {
    body.json().Key("ShardFilter");
    body.json().BeginObject();
    body.json().StringField("Type", "CHILD_SHARDS");
    body.json().StringField("ShardId", input.parent_shard_id);
    body.json().EndObject();
  }
  DOLMEN_ASSIGN_OR_RETURN(const Response& response, service.Send("DynamoDBStreams.DescribeStream",
                                                                 body.Finish(), Repeat::kSafe));
  const auto json = wire::Member(response.object(), "StreamDescription");
  const JsonObject object = json ? wire::ObjectOf(*json) : response.object();
  const bool is_enabled = wire::StringMember(object, "StreamStatus").starts_with("ENABL");
  StreamDescription stream{
      .stream_arn = Text(object, "StreamArn"),
      .stream_label = Text(object, "StreamLabel"),
      .stream_status = is_enabled ? StreamStatus::kEnabled : StreamStatus::kDisabled,
      .stream_view_type = ReadViewType(object),
      .table_name = Text(object, "TableName"),
      .last_evaluated_shard_id = Text(object, "LastEvaluatedShardId")};
  const auto created = wire::TimeMember(object, "CreationRequestDateTime");
  if (created) stream.creation_request_date_time = *created;
  ReadKeys(object, &stream);
  if (const auto shards = wire::Member(object, "Shards")) {
    for (const Json shard : wire::ArrayOf(*shards)) {
      stream.shards.push_back(ReadShard(wire::ObjectOf(shard)));
    }
  }
  return stream;
}

Result<std::string> GetShardIterator(const Service& service, const GetShardIteratorInput& input) {
  RequestBody body;
  body.json().StringField("StreamArn", input.stream_arn);
  body.json().StringField("ShardId", input.shard_id);
  body.json().StringField("ShardIteratorType",
                          wire::kShardIteratorTypeNames.NameOf(input.shard_iterator_type));
  WriteText("SequenceNumber", input.sequence_number, &body.json());
  DOLMEN_ASSIGN_OR_RETURN(const Response& response, service.Send("DynamoDBStreams.GetShardIterator",
                                                                 body.Finish(), Repeat::kSafe));
  return Text(response.object(), "ShardIterator");
}

Result<GetRecordsOutput> GetRecords(const Service& service, const GetRecordsInput& input) {
  RequestBody body;
  body.json().StringField("ShardIterator", input.shard_iterator);
  body.json().UnsignedField("Limit", input.limit);
  DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                          service.Send("DynamoDBStreams.GetRecords", body.Finish(), Repeat::kSafe));
  GetRecordsOutput output{.next_shard_iterator = Text(response.object(), "NextShardIterator")};
  if (const auto records = wire::Member(response.object(), "Records")) {
    for (const Json json : wire::ArrayOf(*records)) {
      DOLMEN_ASSIGN_OR_RETURN(StreamRecord record, ReadRecord(wire::ObjectOf(json)));
      output.records.push_back(std::move(record));
    }
  }
  return output;
}

}  // namespace dolmen::remote
