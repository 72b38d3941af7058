// The operations on Kinesis streaming destinations. Dolmen stores the destinations of a table and
// their states, and sends no records to them.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/kds.html

#pragma once

#include "wire/operation.h"

namespace dolmen::wire {

extern const Operation kEnableKinesisStreamingDestination;
extern const Operation kDisableKinesisStreamingDestination;
extern const Operation kUpdateKinesisStreamingDestination;
extern const Operation kDescribeKinesisStreamingDestination;

}  // namespace dolmen::wire
