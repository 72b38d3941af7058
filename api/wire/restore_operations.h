// The operations RestoreTableFromBackup and RestoreTableToPointInTime.
//
// The response is sent when the table is complete. It has the status CREATING, as in DynamoDB, and
// the next DescribeTable returns ACTIVE.

#pragma once

namespace dolmen::wire {

struct Operation;

extern const Operation kRestoreTableFromBackup;
extern const Operation kRestoreTableToPointInTime;

}  // namespace dolmen::wire
