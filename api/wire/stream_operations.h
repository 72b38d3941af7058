// The JSON of the operations on streams.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Operations_Amazon_DynamoDB_Streams.html

#pragma once

#include <array>
#include <chrono>
#include <string_view>

#include "dolmen/streams.h"
#include "wire/json_writer.h"
#include "wire/members.h"

namespace dolmen::wire {

inline constexpr Shape kStreamArnShape = {.range = {37, 1024}};
inline constexpr Shape kShardIdShape = {.range = {28, 65}};
inline constexpr Shape kStreamTableShape = {
    .range = {3, 255}, .pattern = kNamePattern, .or_arn = true};
inline constexpr Shape kStreamsLimitShape = {.kind = Shape::Kind::kInteger, .range = {1, 100}};
inline constexpr Shape kRecordsLimitShape = {.kind = Shape::Kind::kInteger, .range = {1, 1000}};
inline constexpr Shape kSequenceNumberShape = {.range = {21, 40}};
inline constexpr Shape kShardIteratorShape = {.range = {1, 2048}};
inline constexpr Shape kIteratorTypeShape = {.values = kNames<ShardIteratorType>.names};

// --- ListStreams ---

template <>
inline constexpr Described kMembers<ListStreamsInput> = {{
    Optional<&ListStreamsInput::table_name>("TableName", &kStreamTableShape),
    Always<&ListStreamsInput::limit>("Limit", &kStreamsLimitShape),
    Optional<&ListStreamsInput::exclusive_start_stream_arn>("ExclusiveStartStreamArn",
                                                            &kStreamArnShape),
}};
template <>
inline constexpr Described kMembers<StreamSummary> = {{
    Always<&StreamSummary::stream_arn>("StreamArn"),
    Always<&StreamSummary::table_name>("TableName"),
    Always<&StreamSummary::stream_label>("StreamLabel"),
}};
template <>
inline constexpr Described kMembers<ListStreamsOutput> = {{
    Always<&ListStreamsOutput::streams>("Streams"),
    Optional<&ListStreamsOutput::last_evaluated_stream_arn>("LastEvaluatedStreamArn"),
}};

// --- DescribeStream ---

inline constexpr Enumeration kShardFilterTypeShape = {"CHILD_SHARDS"};
inline constexpr Structure kShardFilterShape = {{
    Named("ShardFilter"),
    {"Type", &kShardFilterTypeShape, true},
    {"ShardId", &kShardIdShape, true},
}};

Status ReadShardFilter(const Json& json, DescribeStreamInput* input);
void WriteShardFilter(std::string_view name, const DescribeStreamInput& input, JsonWriter* json);
// A stream does not say the types of its key attributes, so they are S.
Status ReadStreamKeys(const Json& json, StreamDescription* stream);
void WriteStreamKeys(std::string_view name, const StreamDescription& stream, JsonWriter* json);
// A stream that is being enabled is enabled.
Status ReadStreamStatus(const Json& json, StreamDescription* stream);

template <>
inline constexpr Described kMembers<DescribeStreamInput> = {{
    Required<&DescribeStreamInput::stream_arn>("StreamArn", &kStreamArnShape),
    Always<&DescribeStreamInput::limit>("Limit", &kStreamsLimitShape),
    Optional<&DescribeStreamInput::exclusive_start_shard_id>("ExclusiveStartShardId",
                                                             &kShardIdShape),
    {{"ShardFilter", &kShardFilterShape}, ReadShardFilter, WriteShardFilter},
}};
inline constexpr Described kSequenceNumberRange = {{
    Always<&Shard::starting_sequence_number>("StartingSequenceNumber"),
    Optional<&Shard::ending_sequence_number>("EndingSequenceNumber"),
}};
template <>
inline constexpr Described kMembers<Shard> = {{
    Always<&Shard::shard_id>("ShardId"),
    Optional<&Shard::parent_shard_id>("ParentShardId"),
    Inside<kSequenceNumberRange>("SequenceNumberRange"),
}};
inline constexpr Described kStreamMembers = {{
    Always<&StreamDescription::stream_arn>("StreamArn"),
    Always<&StreamDescription::stream_label>("StreamLabel"),
    Field<StreamDescription>{
        {"StreamStatus"}, ReadStreamStatus, Always<&StreamDescription::stream_status>({}).write},
    Always<&StreamDescription::stream_view_type>("StreamViewType"),
    Always<&StreamDescription::creation_request_date_time>("CreationRequestDateTime"),
    Always<&StreamDescription::table_name>("TableName"),
    Field<StreamDescription>{{"KeySchema"}, ReadStreamKeys, WriteStreamKeys},
    Always<&StreamDescription::shards>("Shards"),
    Optional<&StreamDescription::last_evaluated_shard_id>("LastEvaluatedShardId"),
}};
template <>
inline constexpr Described kMembers<StreamDescription> = {{
    Inside<kStreamMembers>("StreamDescription"),
}};

// --- GetShardIterator ---

template <>
inline constexpr Described kMembers<GetShardIteratorInput> = {{
    Required<&GetShardIteratorInput::stream_arn>("StreamArn", &kStreamArnShape),
    Required<&GetShardIteratorInput::shard_id>("ShardId", &kShardIdShape),
    Required<&GetShardIteratorInput::shard_iterator_type>("ShardIteratorType", &kIteratorTypeShape),
    Optional<&GetShardIteratorInput::sequence_number>("SequenceNumber", &kSequenceNumberShape),
}};
struct GetShardIteratorOutput {
  std::string shard_iterator = {};
};
template <>
inline constexpr Described kMembers<GetShardIteratorOutput> = {{
    Always<&GetShardIteratorOutput::shard_iterator>("ShardIterator"),
}};

// --- GetRecords ---

template <>
inline constexpr Described kMembers<GetRecordsInput> = {{
    Required<&GetRecordsInput::shard_iterator>("ShardIterator", &kShardIteratorShape),
    Always<&GetRecordsInput::limit>("Limit", &kRecordsLimitShape),
}};
// The member "dynamodb" of a record. The time is written in whole seconds.
inline constexpr Described kChangeMembers = {{
    Field<StreamRecord>{{"ApproximateCreationDateTime"},
                        Always<&StreamRecord::approximate_creation_date_time>({}).read,
                        [](std::string_view name, const StreamRecord& record, JsonWriter* json) {
                          json->TimeField(name, std::chrono::floor<std::chrono::seconds>(
                                                    record.approximate_creation_date_time));
                        }},
    Always<&StreamRecord::keys>("Keys"),
    Optional<&StreamRecord::new_image>("NewImage"),
    Optional<&StreamRecord::old_image>("OldImage"),
    Always<&StreamRecord::sequence_number>("SequenceNumber"),
    Always<&StreamRecord::size_bytes>("SizeBytes"),
    Always<&StreamRecord::stream_view_type>("StreamViewType"),
}};
Status ReadUserIdentity(const Json& json, StreamRecord* record);
void WriteUserIdentity(std::string_view name, const StreamRecord& record, JsonWriter* json);

// The members of a record before and after "awsRegion".
inline constexpr Described kEventMembers = {{
    Always<&StreamRecord::event_id>("eventID"),
    Always<&StreamRecord::event_name>("eventName"),
}};
template <>
inline constexpr Described kMembers<StreamRecord> = {{
    Inside<kChangeMembers>("dynamodb"),
    Field<StreamRecord>{{"userIdentity"}, ReadUserIdentity, WriteUserIdentity},
}};

// Writes an element of "Records" in the response of GetRecords. `region` is the region of the record.
void WriteStreamRecord(const StreamRecord& record, std::string_view region, JsonWriter* json);
Status ReadRecords(const Json& json, GetRecordsOutput* page);
// A server writes the records itself, because the response has their region.
template <>
inline constexpr Described kMembers<GetRecordsOutput> = {{
    {{"Records"}, ReadRecords, nullptr},
    Optional<&GetRecordsOutput::next_shard_iterator>("NextShardIterator"),
}};

}  // namespace dolmen::wire
