// The operations of DynamoDB Streams.

#pragma once

#include <string>

#include "dolmen/result.h"
#include "dolmen/streams.h"
#include "remote/service.h"

namespace dolmen::remote {

// Contracts: the operations of Database of the same name.
Result<ListStreamsOutput> ListStreams(const Service& service, const ListStreamsInput& input);
Result<StreamDescription> DescribeStream(const Service& service, const DescribeStreamInput& input);
Result<std::string> GetShardIterator(const Service& service, const GetShardIteratorInput& input);
Result<GetRecordsOutput> GetRecords(const Service& service, const GetRecordsInput& input);

}  // namespace dolmen::remote
