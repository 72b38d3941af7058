// Parts of the operations on backups and on continuous backups that restores use, too.

#pragma once

#include <string>

#include "dolmen/clock.h"
#include "dolmen/health.h"
#include "dolmen/result.h"
#include "wire/names.h"
#include "wire/shape.h"

namespace dolmen::wire {

// The shape of the ARN of a backup.
inline constexpr Shape kBackupArnShape = {.range = {37, 1024}};

// Returns the id in the ARN of a backup.
// - kValidation: `arn` is not the ARN of a backup.
Result<std::string> BackupIdOf(std::string_view arn);

// Returns the error of a request for the backup with the id `id`. Its message names the backup by
// `arn`, as in the request.
Status NamedByArn(const Status& error, std::string_view id, std::string_view arn);

// Returns the latest time to which DynamoDB restores a table: five minutes ago, but at least the
// earliest time.
Timestamp LatestRestoreTime(const PointInTimeRecovery& recovery, Timestamp now);

}  // namespace dolmen::wire
