#include "remote/stream_requests.h"

#include "engine/base/status_macros.h"
#include "wire/stream_operations.h"

namespace dolmen::remote {
namespace {

// Sends a request that reads, and reads the response into `output`.
template <typename Input, typename Output>
Result<Output> Send(const Service& service, std::string_view operation, const Input& input,
                    Output output) {
  DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                          service.Send(operation, wire::ToJson(input), Repeat::kSafe));
  if constexpr (std::is_same_v<Output, GetRecordsOutput>) {
    DOLMEN_RETURN_IF_ERROR(wire::ReadRecords(response.object(), &output));
  } else {
    DOLMEN_RETURN_IF_ERROR(wire::Decode(response.object(), &output));
  }
  return output;
}

}  // namespace

Result<ListStreamsOutput> ListStreams(const Service& service, const ListStreamsInput& input) {
  return Send(service, "DynamoDBStreams.ListStreams", input, ListStreamsOutput());
}

Result<StreamDescription> DescribeStream(const Service& service, const DescribeStreamInput& input) {
  return Send(service, "DynamoDBStreams.DescribeStream", input,
              StreamDescription{.stream_status = StreamStatus::kDisabled,
                                .stream_view_type = StreamViewType::kNewAndOldImages});
}

Result<std::string> GetShardIterator(const Service& service, const GetShardIteratorInput& input) {
  DOLMEN_ASSIGN_OR_RETURN(
      wire::GetShardIteratorOutput output,
      Send(service, "DynamoDBStreams.GetShardIterator", input, wire::GetShardIteratorOutput()));
  return std::move(output.shard_iterator);
}

Result<GetRecordsOutput> GetRecords(const Service& service, const GetRecordsInput& input) {
  return Send(service, "DynamoDBStreams.GetRecords", input, GetRecordsOutput());
}

}  // namespace dolmen::remote
