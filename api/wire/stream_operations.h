// The operations ListStreams, DescribeStream, GetShardIterator and GetRecords.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Operations_Amazon_DynamoDB_Streams.html

#pragma once

#include <string_view>

#include "dolmen/streams.h"
#include "wire/json_writer.h"
#include "wire/operation.h"

namespace dolmen::wire {

extern const Operation kListStreams;
extern const Operation kDescribeStream;
extern const Operation kGetShardIterator;
extern const Operation kGetRecords;

// Writes an element of "Records" in the response of GetRecords. `region` is the region of the record.
void WriteStreamRecord(const StreamRecord& record, std::string_view region, JsonWriter* json);

}  // namespace dolmen::wire
