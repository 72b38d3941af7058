// The operations on the auto scaling of replicas. Dolmen stores the settings, and never changes the
// throughput of a table by itself.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTableReplicaAutoScaling.html

#pragma once

#include "wire/operation.h"

namespace dolmen::wire {

extern const Operation kDescribeTableReplicaAutoScaling;
extern const Operation kUpdateTableReplicaAutoScaling;

}  // namespace dolmen::wire
