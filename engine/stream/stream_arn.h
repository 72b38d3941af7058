// The names of streams and shards.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/schema/stream_schema.h"

namespace dolmen::engine {

// Returns the stream's label: the time at which the stream was created, such as
// "2015-05-11T21:21:33.291".
std::string StreamLabel(const StreamSchema& stream);

// Returns the stream's ARN, in the region us-east-1 and a fictitious account.
std::string StreamArn(std::string_view table, std::string_view label);

// The parts of a stream's ARN, as views of the ARN.
struct StreamName {
  std::string_view table;
  std::string_view label;
};
// Returns the parts of `arn`, or nothing if it is not the ARN of a stream. Accepts every region and
// account, because clients sign for a region of their choice.
std::optional<StreamName> ParseStreamArn(std::string_view arn);

// Returns the ID of the stream's only shard.
std::string ShardId(const StreamSchema& stream);

}  // namespace dolmen::engine
