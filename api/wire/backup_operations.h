// The JSON of backups and of continuous backups, and functions that restores use, too.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "dolmen/clock.h"
#include "dolmen/point_in_time.h"
#include "dolmen/result.h"
#include "dolmen/table_backup.h"
#include "wire/names.h"
#include "wire/table_json.h"

namespace dolmen::wire {

inline constexpr Shape kBackupArnShape = {.range = {37, 1024}};
inline constexpr Shape kBackupNameShape = {.range = {3, 255}, .pattern = kNamePattern};
template <>
inline constexpr Described kMembers<CreateBackupInput> = {{
    Always<&CreateBackupInput::table_name>(kManagedTableName.name, kManagedTableName.shape),
    Required<&CreateBackupInput::backup_name>("BackupName", &kBackupNameShape),
}};

// The request of DescribeBackup and DeleteBackup.
struct BackupRequest {
  std::string backup_arn = {};
};
template <>
inline constexpr Described kMembers<BackupRequest> = {{
    Required<&BackupRequest::backup_arn>("BackupArn", &kBackupArnShape),
}};

inline constexpr Shape kBackupLimitShape = {.kind = Shape::Kind::kInteger, .range = {1, 100}};
inline constexpr Enumeration kBackupTypeShape = {"USER", "SYSTEM", "AWS_BACKUP", "ALL"};
struct ListBackupsInput {
  std::string table_name = {};  // empty: all tables
  std::optional<std::uint32_t> limit = {};
  std::optional<Timestamp> lower = {};
  std::optional<Timestamp> upper = {};
  std::string start_arn = {};  // the last backup of the page before; empty: the first page
  std::string type = {};       // empty: USER
};
template <>
inline constexpr Described kMembers<ListBackupsInput> = {{
    Optional<&ListBackupsInput::table_name>("TableName", &kTableNameShape),
    Optional<&ListBackupsInput::limit>("Limit", &kBackupLimitShape),
    Optional<&ListBackupsInput::lower>("TimeRangeLowerBound", &kLong),
    Optional<&ListBackupsInput::upper>("TimeRangeUpperBound", &kLong),
    Optional<&ListBackupsInput::start_arn>("ExclusiveStartBackupArn", &kBackupArnShape),
    Optional<&ListBackupsInput::type>("BackupType", &kBackupTypeShape),
}};

inline constexpr Shape kRecoveryPeriodShape = {.kind = Shape::Kind::kInteger, .range = {1, 35}};
inline constexpr Described kRecoverySpecification = {{
    ClassName<UpdateContinuousBackupsInput>("PointInTimeRecoverySpecification"),
    Required<&UpdateContinuousBackupsInput::enabled>("PointInTimeRecoveryEnabled", &kBoolean),
    Optional<&UpdateContinuousBackupsInput::period_days>("RecoveryPeriodInDays",
                                                         &kRecoveryPeriodShape),
}};
template <>
inline constexpr Described kMembers<UpdateContinuousBackupsInput> = {{
    Always<&UpdateContinuousBackupsInput::table_name>(kManagedTableName.name,
                                                      kManagedTableName.shape),
    Inside<kRecoverySpecification>("PointInTimeRecoverySpecification", &kRecoverySpecification,
                                   true),
}};

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
