// The operations RestoreTableFromBackup and RestoreTableToPointInTime.
//
// The response is sent when the request is checked. The table is CREATING until it is complete. After
// an error or a crash the table does not exist.

#pragma once

namespace dolmen::wire {

struct Operation;

extern const Operation kRestoreTableFromBackup;
extern const Operation kRestoreTableToPointInTime;

}  // namespace dolmen::wire
