#include "wire/stream_operations.h"

#include <string>

#include "engine/base/status_macros.h"
#include "wire/names.h"
#include "wire/operation.h"
#include "wire/table_json.h"

namespace dolmen::wire {
namespace {

Status RunListStreams(const Context& context, const JsonObject& request, JsonWriter* response) {
  ListStreamsInput input;
  DOLMEN_RETURN_IF_ERROR(Decode(request, &input));
  input.table_name = std::string(TableNameOf(input.table_name));
  DOLMEN_ASSIGN_OR_RETURN(ListStreamsOutput page, context.database.ListStreams(input));
  for (StreamSummary& stream : page.streams) {
    stream.stream_arn = StreamArn(context.place, stream.table_name, stream.stream_label);
  }
  if (!page.last_evaluated_stream_arn.empty()) {
    page.last_evaluated_stream_arn = page.streams.back().stream_arn;
  }
  Encode(page, response);
  return {};
}

Status RunDescribeStream(const Context& context, const JsonObject& request, JsonWriter* response) {
  DescribeStreamInput input;
  DOLMEN_RETURN_IF_ERROR(Decode(request, &input));
  DOLMEN_ASSIGN_OR_RETURN(StreamDescription stream, context.database.DescribeStream(input));
  stream.stream_arn = StreamArn(context.place, stream.table_name, stream.stream_label);
  Encode(stream, response);
  return {};
}

Status RunGetShardIterator(const Context& context, const JsonObject& request,
                           JsonWriter* response) {
  GetShardIteratorInput input;
  DOLMEN_RETURN_IF_ERROR(Decode(request, &input));
  GetShardIteratorOutput output;
  DOLMEN_ASSIGN_OR_RETURN(output.shard_iterator, context.database.GetShardIterator(input));
  Encode(output, response);
  return {};
}

Status RunGetRecords(const Context& context, const JsonObject& request, JsonWriter* response) {
  GetRecordsInput input;
  DOLMEN_RETURN_IF_ERROR(Decode(request, &input));
  DOLMEN_ASSIGN_OR_RETURN(const GetRecordsOutput& page, context.database.GetRecords(input));
  response->BeginObject();
  response->Key("Records");
  response->BeginArray();
  for (const StreamRecord& record : page.records) {
    WriteStreamRecord(record, context.place.region, response);
  }
  response->EndArray();
  EncodeMembers(kMembers<GetRecordsOutput>, page, response);
  response->EndObject();
  return {};
}

constexpr std::string_view kShardId = "ShardId";

}  // namespace

Status ReadShardFilter(const Json& json, DescribeStreamInput* input) {
  input->parent_shard_id = StringMember(ObjectOf(json), kShardId);
  return {};
}

void WriteShardFilter(std::string_view name, const DescribeStreamInput& input, JsonWriter* json) {
  if (input.parent_shard_id.empty()) return;
  json->Key(name);
  json->BeginObject();
  json->StringField("Type", kShardFilterTypeShape.list[0]);
  json->StringField(kShardId, input.parent_shard_id);
  json->EndObject();
}

Status ReadStreamKeys(const Json& json, StreamDescription* stream) {
  std::vector<KeySchemaElement> elements;
  DOLMEN_RETURN_IF_ERROR(members::ReadTo(json, &elements));
  for (const KeySchemaElement& element : elements) {
    if (element.type == KeyType::kHash) {
      stream->partition_key = {.name = element.name};
    } else {
      stream->sort_key = {.name = element.name};
    }
  }
  return {};
}

void WriteStreamKeys(std::string_view, const StreamDescription& stream, JsonWriter* json) {
  WriteKeySchema(stream.partition_key, stream.sort_key, json);
}

Status ReadStreamStatus(const Json& json, StreamDescription* stream) {
  stream->stream_status =
      StringOf(json).starts_with("ENABL") ? StreamStatus::kEnabled : StreamStatus::kDisabled;
  return {};
}

Status ReadUserIdentity(const Json& json, StreamRecord* record) {
  record->by_service = StringMember(ObjectOf(json), "Type") == "Service";
  return {};
}

void WriteUserIdentity(std::string_view name, const StreamRecord& record, JsonWriter* json) {
  if (!record.by_service) return;
  json->Key(name);
  json->BeginObject();
  json->StringField("PrincipalId", "dynamodb.amazonaws.com");
  json->StringField("Type", "Service");
  json->EndObject();
}

void WriteStreamRecord(const StreamRecord& record, std::string_view region, JsonWriter* json) {
  json->BeginObject();
  EncodeMembers(kEventMembers, record, json);
  json->StringField("eventVersion", "1.1");
  json->StringField("eventSource", "aws:dynamodb");
  json->StringField("awsRegion", region);
  EncodeMembers(kMembers<StreamRecord>, record, json);
  json->EndObject();
}

// A record without StreamViewType has both images.
Status ReadRecords(const Json& json, GetRecordsOutput* page) {
  for (const Json element : ArrayOf(json)) {
    StreamRecord& record = page->records.emplace_back();
    record.event_name = EventName::kRemove;
    record.stream_view_type = StreamViewType::kNewAndOldImages;
    DOLMEN_RETURN_IF_ERROR(DecodeMembers(kEventMembers, ObjectOf(element), &record));
    DOLMEN_RETURN_IF_ERROR(Decode(ObjectOf(element), &record));
  }
  return {};
}

std::span<const Operation> StreamOperations() {
  static constexpr Operation kOperations[] = {
      {"ListStreams", &kMembers<ListStreamsInput>, RunListStreams},
      {"DescribeStream", &kMembers<DescribeStreamInput>, RunDescribeStream},
      {"GetShardIterator", &kMembers<GetShardIteratorInput>, RunGetShardIterator},
      {"GetRecords", &kMembers<GetRecordsInput>, RunGetRecords},
  };
  return kOperations;
}

}  // namespace dolmen::wire
