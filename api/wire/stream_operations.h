// The operations ListStreams, DescribeStream, GetShardIterator and GetRecords.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Operations_Amazon_DynamoDB_Streams.html

#pragma once

#include "wire/operation.h"

namespace dolmen::wire {

extern const Operation kListStreams;
extern const Operation kDescribeStream;
extern const Operation kGetShardIterator;
extern const Operation kGetRecords;

}  // namespace dolmen::wire
