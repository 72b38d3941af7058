// The shards of the streams of a simulation (SimulateOptions::stream_shards). The engine has one
// shard per stream. A simulation divides its records by their time into generations, and divides
// each generation by a hash of the partition key into shards. No state is stored: the records of
// the stream determine all shards.

#pragma once

#include <string>

#include "dolmen/result.h"
#include "dolmen/streams.h"
#include "dolmen/testing/simulate.h"
#include "engine/backend.h"

namespace dolmen::database {

// - kValidation: the number of shards is not a power of two up to 64, or the lifetime of a shard is
//   greater than 0 but less than a minute.
Status CheckShards(const SimulateOptions& options);

// The operations of DynamoDB Streams. Contracts: dolmen/database.h. `engine` owns the streams.
// If the options divide streams into several shards, each operation costs a pass over the retained
// records, at most. Otherwise it is the operation of the engine.
Result<StreamDescription> DescribeShards(internal::Backend& engine, const SimulateOptions& options,
                                         const DescribeStreamInput& input);
Result<std::string> GetIteratorOfShard(internal::Backend& engine, const SimulateOptions& options,
                                       const GetShardIteratorInput& input);
Result<GetRecordsOutput> GetRecordsOfShard(internal::Backend& engine,
                                           const SimulateOptions& options,
                                           const GetRecordsInput& input);

}  // namespace dolmen::database
