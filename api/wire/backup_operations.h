// The JSON of backups and of continuous backups, and functions that restores use, too.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

// --- responses ---

// A backup in a response. The id of `backup` is its ARN. A client reads `backup` only.
struct DescribedBackup {
  TableBackup backup = {};
  std::string status = {};  // a BackupStatus of DynamoDB
  Place place = {};
};
inline constexpr Described kBackupDetails = {{
    Always<&DescribedBackup::backup, &TableBackup::id>("BackupArn"),
    Always<&DescribedBackup::backup, &TableBackup::name>("BackupName"),
    Always<&DescribedBackup::backup, &TableBackup::table, &TableDescription::content,
           &ContentSize::size_bytes>("BackupSizeBytes"),
    Always<&DescribedBackup::status>("BackupStatus"),
    Field<DescribedBackup>{
        {"BackupType"},
        [](const Json& json, DescribedBackup* to) {
          to->backup.by_service = StringOf(json) == "SYSTEM";
          return Status();
        },
        [](std::string_view name, const DescribedBackup& from, JsonWriter* json) {
          json->StringField(name, from.backup.by_service ? "SYSTEM" : "USER");
        }},
    Always<&DescribedBackup::backup, &TableBackup::created_at>("BackupCreationDateTime"),
    Optional<&DescribedBackup::backup, &TableBackup::expires_at>("BackupExpiryDateTime"),
}};
inline constexpr Field kBackedUpTable =
    Always<&DescribedBackup::backup, &TableBackup::table, &TableDescription::name>("TableName");

void WriteTableIds(std::string_view, const DescribedBackup& from, JsonWriter* json);
template <>
inline constexpr Described kMembers<DescribedBackup> = Joined<DescribedBackup>(
    {kBackedUpTable, {{"TableId"}, nullptr, WriteTableIds}}, kBackupDetails);
struct ListBackupsOutput {
  std::vector<DescribedBackup> backups = {};
  std::string last_arn = {};  // empty: the last page
};
template <>
inline constexpr Described kMembers<ListBackupsOutput> = {{
    Always<&ListBackupsOutput::backups>("BackupSummaries"),
    Optional<&ListBackupsOutput::last_arn>("LastEvaluatedBackupArn"),
}};

void WriteSourceTable(std::string_view, const DescribedBackup& from, JsonWriter* json);
void WriteSourceBilling(std::string_view name, const DescribedBackup& from, JsonWriter* json);
inline constexpr Described kSourceTable = {{
    kBackedUpTable,
    Field<DescribedBackup>{{"TableId"}, nullptr, WriteSourceTable},
    Always<&DescribedBackup::backup, &TableBackup::table, &TableDescription::content,
           &ContentSize::item_count>("ItemCount"),
    Field<DescribedBackup>{{"BillingMode"}, nullptr, WriteSourceBilling},
}};
Status ReadSourceFeatures(const Json& json, DescribedBackup* to);
void WriteSourceFeatures(std::string_view name, const DescribedBackup& from, JsonWriter* json);
inline constexpr Described kBackupDescription = {{
    Inside<kBackupDetails>("BackupDetails"),
    Inside<kSourceTable>("SourceTableDetails"),
    Field<DescribedBackup>{{"SourceTableFeatureDetails"}, ReadSourceFeatures, WriteSourceFeatures},
}};
// The responses of CreateBackup, and of DescribeBackup and DeleteBackup.
inline constexpr Described kCreatedBackup = {{Inside<kBackupDetails>("BackupDetails")}};
inline constexpr Described kBackupResponse = {{Inside<kBackupDescription>("BackupDescription")}};

// The point-in-time recovery of a table in a response. The optional fields are those of enabled recovery.
struct DescribedRecovery {
  bool enabled = false;
  std::optional<std::uint32_t> period_days = {};
  std::optional<Timestamp> earliest = {};
  std::optional<Timestamp> latest = {};
};
inline constexpr Described kRecoveryDescription = {{
    Field<DescribedRecovery>{
        {"PointInTimeRecoveryStatus"},
        [](const Json& json, DescribedRecovery* to) {
          to->enabled = StringOf(json) == "ENABLED";
          return Status();
        },
        [](std::string_view name, const DescribedRecovery& from, JsonWriter* json) {
          json->StringField(name, from.enabled ? "ENABLED" : "DISABLED");
        }},
    Optional<&DescribedRecovery::period_days>("RecoveryPeriodInDays"),
    Optional<&DescribedRecovery::earliest>("EarliestRestorableDateTime"),
    Optional<&DescribedRecovery::latest>("LatestRestorableDateTime"),
}};
// Every table of DynamoDB has the status ENABLED.
inline constexpr Described kContinuousBackups = {{
    Field<DescribedRecovery>{{"ContinuousBackupsStatus"},
                             nullptr,
                             [](std::string_view name, const DescribedRecovery&, JsonWriter* json) {
                               json->StringField(name, "ENABLED");
                             }},
    Inside<kRecoveryDescription>("PointInTimeRecoveryDescription"),
}};
template <>
inline constexpr Described kMembers<DescribedRecovery> = {{
    Inside<kContinuousBackups>("ContinuousBackupsDescription"),
}};

// --- restores ---

inline constexpr Shape kSourceNameShape = {.range = {3, 255}, .pattern = kNamePattern};
template <typename S>
inline constexpr Field<S> kTargetNameMember =
    Required<&S::target, &RestoreTarget::table_name>("TargetTableName", &kNameOfAnyLengthShape);
template <typename S>
inline constexpr Described<S, 6> kRestoreOverrides = {{
    Only<S>({"BillingModeOverride", &kBillingModeShape}),
    {{"GlobalSecondaryIndexOverride", &kGlobalSecondaryIndexesShape},
     nullptr,
     Optional<&S::target, &RestoreTarget::global_secondary_indexes>({}).write},
    Only<S>({"LocalSecondaryIndexOverride", &kLocalSecondaryIndexesShape}),
    Only<S>({"ProvisionedThroughputOverride", &kProvisionedThroughputShape}),
    Only<S>({"OnDemandThroughputOverride", &kOnDemandThroughputShape}),
    Only<S>({"SSESpecificationOverride", &kSseSpecificationShape}),
}};
// The id of the backup is its ARN.
template <>
inline constexpr Described kMembers<RestoreTableFromBackupInput> =
    Joined<RestoreTableFromBackupInput>(
        {
            kTargetNameMember<RestoreTableFromBackupInput>,
            Required<&RestoreTableFromBackupInput::backup_id>("BackupArn", &kBackupArnShape),
        },
        kRestoreOverrides<RestoreTableFromBackupInput>);
using ToPointInTimeInput = RestoreTableToPointInTimeInput;
template <>
inline constexpr Described kMembers<ToPointInTimeInput> = Joined<ToPointInTimeInput>(
    {
        Only<ToPointInTimeInput>({"SourceTableArn", &kString}),
        Optional<&ToPointInTimeInput::source_table_name>("SourceTableName", &kSourceNameShape),
        kTargetNameMember<ToPointInTimeInput>,
        {{"UseLatestRestorableTime", &kBoolean},
         nullptr,
         [](std::string_view name, const ToPointInTimeInput& input, JsonWriter* json) {
           if (!input.restore_time) json->BooleanField(name, true);
         }},
        Optional<&ToPointInTimeInput::restore_time>("RestoreDateTime", &kLong),
    },
    kRestoreOverrides<ToPointInTimeInput>);

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
