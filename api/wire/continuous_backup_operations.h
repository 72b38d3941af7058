// The operations DescribeContinuousBackups and UpdateContinuousBackups. Tools that manage tables
// call the first one after every change.

#pragma once

#include "dolmen/clock.h"
#include "dolmen/point_in_time.h"

namespace dolmen::wire {

struct Operation;

extern const Operation kDescribeContinuousBackups;
extern const Operation kUpdateContinuousBackups;

// Returns the latest time to which DynamoDB restores a table: five minutes ago, but at least the
// earliest time.
Timestamp LatestRestoreTime(const PointInTimeRecovery& recovery, Timestamp now);

}  // namespace dolmen::wire
