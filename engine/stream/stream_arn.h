// What streams and their shards are called.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/schema/stream_schema.h"

namespace dolmen::engine {

// When the stream was made: "2015-05-11T21:21:33.291".
std::string StreamLabel(const StreamSchema& stream);

// Region and account are those of nowhere, as DynamoDB's emulators have them.
std::string StreamArn(std::string_view table, std::string_view label);

// The parts of a stream's ARN; nothing if it is none.  Views of `arn`.
struct StreamName {
  std::string_view table;
  std::string_view label;
};
std::optional<StreamName> ParseStreamArn(std::string_view arn);

// Of the stream's only shard.
std::string ShardId(const StreamSchema& stream);

}  // namespace dolmen::engine
