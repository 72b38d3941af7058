#include "wire/stream_operations.h"

#include <array>
#include <chrono>
#include <string>

#include "wire/enum_names.h"
#include "wire/key_schema.h"
#include "wire/names.h"
#include "wire/operation.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

constexpr Shape kStreamArnShape = {.range = {37, 1024}};
constexpr Shape kShardIdShape = {.range = {28, 65}};
constexpr Shape kStreamTableShape = {.range = {3, 255}, .pattern = kNamePattern, .or_arn = true};
constexpr Shape kListLimitShape = {.kind = Kind::kInteger, .range = {1, 100}};
constexpr Shape kRecordsLimitShape = {.kind = Kind::kInteger, .range = {1, 1000}};
constexpr Shape kSequenceNumberShape = {.range = {21, 40}};
constexpr Shape kShardIteratorShape = {.range = {1, 2048}};

constexpr Shape kIteratorTypeShape = {.values = kShardIteratorTypeNames.names};

constexpr std::array<MemberShape, 3> kListStreamsMembers = {{
    {"TableName", &kStreamTableShape},
    {"Limit", &kListLimitShape},
    {"ExclusiveStartStreamArn", &kStreamArnShape},
}};
constexpr Shape kListStreamsInput = {.kind = Kind::kStructure, .members = kListStreamsMembers};

constexpr std::array<std::string_view, 1> kShardFilterTypes = {"CHILD_SHARDS"};
constexpr Shape kShardFilterTypeShape = {.values = kShardFilterTypes};
constexpr std::array<MemberShape, 2> kShardFilterMembers = {{
    {"Type", &kShardFilterTypeShape},
    {"ShardId", &kShardIdShape},
}};
constexpr Shape kShardFilterShape = {
    .kind = Kind::kStructure, .name = "ShardFilter", .members = kShardFilterMembers};
constexpr std::array<MemberShape, 4> kDescribeStreamMembers = {{
    {"StreamArn", &kStreamArnShape, true},
    {"Limit", &kListLimitShape},
    {"ExclusiveStartShardId", &kShardIdShape},
    {"ShardFilter", &kShardFilterShape},
}};
constexpr Shape kDescribeStreamInput = {.kind = Kind::kStructure,
                                        .members = kDescribeStreamMembers};

constexpr std::array<MemberShape, 4> kGetShardIteratorMembers = {{
    {"StreamArn", &kStreamArnShape, true},
    {"ShardId", &kShardIdShape, true},
    {"ShardIteratorType", &kIteratorTypeShape, true},
    {"SequenceNumber", &kSequenceNumberShape},
}};
constexpr Shape kGetShardIteratorInput = {.kind = Kind::kStructure,
                                          .members = kGetShardIteratorMembers};

constexpr std::array<MemberShape, 2> kGetRecordsMembers = {{
    {"ShardIterator", &kShardIteratorShape, true},
    {"Limit", &kRecordsLimitShape},
}};
constexpr Shape kGetRecordsInput = {.kind = Kind::kStructure, .members = kGetRecordsMembers};

std::string TextOf(const JsonObject& request, std::string_view name) {
  return std::string(StringMember(request, name));
}

std::uint32_t LimitOf(const JsonObject& request, std::uint32_t absent) {
  return static_cast<std::uint32_t>(IntegerMember(request, "Limit").value_or(absent));
}

Status RunListStreams(const Context& context, const JsonObject& request, JsonWriter* response) {
  const Result<ListStreamsOutput> page = context.database.ListStreams(
      {.table_name = std::string(TableNameOf(StringMember(request, "TableName"))),
       .limit = LimitOf(request, 100),
       .exclusive_start_stream_arn = TextOf(request, "ExclusiveStartStreamArn")});
  if (!page.ok()) return page.status();
  response->BeginObject();
  response->Key("Streams");
  response->BeginArray();
  for (const StreamSummary& stream : page->streams) {
    response->BeginObject();
    response->StringField("StreamArn",
                          StreamArn(context.place, stream.table_name, stream.stream_label));
    response->StringField("TableName", stream.table_name);
    response->StringField("StreamLabel", stream.stream_label);
    response->EndObject();
  }
  response->EndArray();
  if (!page->last_evaluated_stream_arn.empty()) {
    const StreamSummary& last = page->streams.back();
    response->StringField("LastEvaluatedStreamArn",
                          StreamArn(context.place, last.table_name, last.stream_label));
  }
  response->EndObject();
  return {};
}

void WriteShards(const StreamDescription& stream, JsonWriter* json) {
  json->Key("Shards");
  json->BeginArray();
  for (const Shard& shard : stream.shards) {
    json->BeginObject();
    json->StringField("ShardId", shard.shard_id);
    if (!shard.parent_shard_id.empty()) json->StringField("ParentShardId", shard.parent_shard_id);
    json->Key("SequenceNumberRange");
    json->BeginObject();
    json->StringField("StartingSequenceNumber", shard.starting_sequence_number);
    if (!shard.ending_sequence_number.empty()) {
      json->StringField("EndingSequenceNumber", shard.ending_sequence_number);
    }
    json->EndObject();
    json->EndObject();
  }
  json->EndArray();
}

// Returns the shard whose children the request asks for. A filter without a shard asks for the
// children of a shard that does not exist.
std::string ParentShardOf(const JsonObject& request) {
  const std::optional<Json> filter = Member(request, "ShardFilter");
  if (!filter) return {};
  std::string shard = TextOf(ObjectOf(*filter), "ShardId");
  return shard.empty() ? "none" : shard;
}

Status RunDescribeStream(const Context& context, const JsonObject& request, JsonWriter* response) {
  const Result<StreamDescription> stream = context.database.DescribeStream(
      {.stream_arn = TextOf(request, "StreamArn"),
       .limit = LimitOf(request, 100),
       .exclusive_start_shard_id = TextOf(request, "ExclusiveStartShardId"),
       .parent_shard_id = ParentShardOf(request)});
  if (!stream.ok()) return stream.status();
  response->BeginObject();
  response->Key("StreamDescription");
  response->BeginObject();
  response->StringField("StreamArn",
                        StreamArn(context.place, stream->table_name, stream->stream_label));
  response->StringField("StreamLabel", stream->stream_label);
  response->StringField("StreamStatus",
                        stream->stream_status == StreamStatus::kEnabled ? "ENABLED" : "DISABLED");
  response->StringField("StreamViewType", kStreamViewTypeNames.NameOf(stream->stream_view_type));
  response->TimeField("CreationRequestDateTime", stream->creation_request_date_time);
  response->StringField("TableName", stream->table_name);
  WriteKeySchema(stream->partition_key, stream->sort_key, response);
  WriteShards(*stream, response);
  if (!stream->last_evaluated_shard_id.empty()) {
    response->StringField("LastEvaluatedShardId", stream->last_evaluated_shard_id);
  }
  response->EndObject();
  response->EndObject();
  return {};
}

Status RunGetShardIterator(const Context& context, const JsonObject& request,
                           JsonWriter* response) {
  const Result<std::string> iterator =
      context.database.GetShardIterator({.stream_arn = TextOf(request, "StreamArn"),
                                         .shard_id = TextOf(request, "ShardId"),
                                         .shard_iterator_type = kShardIteratorTypeNames.ValueOf(
                                             StringMember(request, "ShardIteratorType")),
                                         .sequence_number = TextOf(request, "SequenceNumber")});
  if (!iterator.ok()) return iterator.status();
  response->BeginObject();
  response->StringField("ShardIterator", *iterator);
  response->EndObject();
  return {};
}

void WriteChange(const StreamRecord& record, JsonWriter* json) {
  json->Key("dynamodb");
  json->BeginObject();
  json->TimeField("ApproximateCreationDateTime",
                  std::chrono::floor<std::chrono::seconds>(record.approximate_creation_date_time));
  json->Key("Keys");
  json->Attributes(record.keys.view());
  if (record.new_image) {
    json->Key("NewImage");
    json->Attributes(record.new_image->view());
  }
  if (record.old_image) {
    json->Key("OldImage");
    json->Attributes(record.old_image->view());
  }
  json->StringField("SequenceNumber", record.sequence_number);
  json->UnsignedField("SizeBytes", record.size_bytes);
  json->StringField("StreamViewType", kStreamViewTypeNames.NameOf(record.stream_view_type));
  json->EndObject();
}

Status RunGetRecords(const Context& context, const JsonObject& request, JsonWriter* response) {
  const Result<GetRecordsOutput> page = context.database.GetRecords(
      {.shard_iterator = TextOf(request, "ShardIterator"), .limit = LimitOf(request, 1000)});
  if (!page.ok()) return page.status();
  response->BeginObject();
  response->Key("Records");
  response->BeginArray();
  for (const StreamRecord& record : page->records)
    WriteStreamRecord(record, context.place.region, response);
  response->EndArray();
  if (!page->next_shard_iterator.empty()) {
    response->StringField("NextShardIterator", page->next_shard_iterator);
  }
  response->EndObject();
  return {};
}

}  // namespace

void WriteStreamRecord(const StreamRecord& record, std::string_view region, JsonWriter* json) {
  json->BeginObject();
  json->StringField("eventID", record.event_id);
  json->StringField("eventName", EventNameText(record.event_name));
  json->StringField("eventVersion", "1.1");
  json->StringField("eventSource", "aws:dynamodb");
  json->StringField("awsRegion", region);
  WriteChange(record, json);
  if (record.by_service) {
    json->Key("userIdentity");
    json->BeginObject();
    json->StringField("PrincipalId", "dynamodb.amazonaws.com");
    json->StringField("Type", "Service");
    json->EndObject();
  }
  json->EndObject();
}

const Operation kListStreams = {"ListStreams", &kListStreamsInput, RunListStreams};
const Operation kDescribeStream = {"DescribeStream", &kDescribeStreamInput, RunDescribeStream};
const Operation kGetShardIterator = {"GetShardIterator", &kGetShardIteratorInput,
                                     RunGetShardIterator};
const Operation kGetRecords = {"GetRecords", &kGetRecordsInput, RunGetRecords};

}  // namespace dolmen::wire
