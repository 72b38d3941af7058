#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "wire/backup_operations.h"
#include "wire/managed_table.h"
#include "wire/operation.h"
#include "wire/table_description.h"
#include "wire/table_json.h"
#include "wire/table_requests.h"
#include "wire/table_settings.h"

namespace dolmen::wire {
namespace {

// The state of the source that a restore copies.
struct RestoredState {
  std::string_view backup_arn = {};  // empty: a point in time
  Timestamp time = {};
};

// Reads GlobalSecondaryIndexOverride. The settings of the indexes replace those of the source.
Status ReadGlobalIndexes(const JsonObject& request, const AttributeDefinitions& definitions,
                         Map* settings, RestoreTarget* target) {
  const std::optional<Json> indexes = Member(request, "GlobalSecondaryIndexOverride");
  if (!indexes) return {};
  Remove("Indexes", settings);
  const bool provisioned = IsProvisioned(*settings);
  target->global_secondary_indexes.emplace();
  for (const Json json : ArrayOf(*indexes)) {
    GlobalSecondaryIndex& index = target->global_secondary_indexes->emplace_back();
    Map billing;
    DOLMEN_RETURN_IF_ERROR(ReadGlobalIndex(ObjectOf(json), definitions, &index));
    DOLMEN_RETURN_IF_ERROR(ReadIndexBilling(provisioned, ObjectOf(json), &billing));
    Set(index.name, std::move(billing), &MapToChange(settings, "Indexes"));
  }
  return {};
}

Status ReadLocalIndexes(const JsonObject& request, const AttributeDefinitions& definitions,
                        const TableDescription& source, RestoreTarget* target) {
  const std::optional<Json> indexes = Member(request, "LocalSecondaryIndexOverride");
  if (!indexes) return {};
  const CreateTableInput table{
      .name = source.name, .partition_key = source.partition_key, .sort_key = source.sort_key};
  target->local_secondary_indexes.emplace();
  for (const Json json : ArrayOf(*indexes)) {
    LocalSecondaryIndex& index = target->local_secondary_indexes->emplace_back();
    DOLMEN_RETURN_IF_ERROR(ReadLocalIndex(ObjectOf(json), definitions, table, &index));
  }
  return {};
}

// Records the restore in the settings. The description of the table shows it while the table is
// CREATING.
void SetRestoreSummary(std::string table_arn, const RestoredState& restored, Map* settings) {
  Map summary = {{"SourceTableArn", std::move(table_arn)}};
  if (!restored.backup_arn.empty()) {
    Set("SourceBackupArn", std::string(restored.backup_arn), &summary);
  }
  SetTime("RestoreDateTime", restored.time, &summary);
  Set("RestoreSummary", std::move(summary), settings);
}

// Reads the target of a restore of `source`. The target keeps the billing and the encryption of the
// source, and its annotations that are not Dolmen's. It does not keep tags and the table class. Its
// description has a RestoreSummary with `restored` while the table is CREATING.
// - kValidation: an index override or a billing override is invalid.
Result<RestoreTarget> ReadTarget(const Context& context, const JsonObject& request,
                                 const TableDescription& source, const RestoredState& restored) {
  RestoreTarget target{.table_name = std::string(StringMember(request, "TargetTableName"))};
  Map settings = SettingsOf(source);
  for (const char* name : {"Tags", "TableClassSummary", "WarmThroughput", "Import"}) {
    Remove(name, &settings);
  }
  SetRestoreSummary(TableArn(context.place, source.name), restored, &settings);
  DOLMEN_RETURN_IF_ERROR(OverrideBilling(request, context.database.clock()->Now(), &settings));
  OverrideEncryption(request, &settings);
  AttributeDefinitions definitions(request);
  for (const KeyAttribute& attribute : KeysOf(source)) definitions.AddKnown(attribute);
  DOLMEN_RETURN_IF_ERROR(ReadGlobalIndexes(request, definitions, &settings, &target));
  DOLMEN_RETURN_IF_ERROR(ReadLocalIndexes(request, definitions, source, &target));
  Map annotations;
  for (const auto& [name, value] : source.annotations) {
    if (!name.starts_with("dolmen:")) annotations.emplace(name, value);
  }
  SetSettings(std::move(settings), &annotations);
  target.annotations = std::move(annotations);
  return target;
}

// A function that restores a table.
using Restore = std::function<Result<RestoreTableOutput>(const CopyProgressHandler& progress)>;

// Returns the job that restores the table `name`. Keeps the error of a restore that fails after it has
// begun, because the response may have been sent.
Jobs::Work RestoreWork(const Context& context, const std::string& name, Restore restore) {
  return [restore = std::move(restore), name, failures = context.restore_failures,
          clock = context.database.clock()](Job& job) -> Status {
    const Status restored = restore([&job](const CopyProgress&) { return job.Proceed(); }).status();
    if (restored.ok() || !job.has_proceeded()) return restored;
    const std::string text = "The restore of table " + name + " has failed at " +
                             ToIso8601(clock->Now()) + ": " + restored.message();
    failures->Add(name, text);
    return restored.WithMessage(text);
  };
}

// Returns the error `status` of a restore into the table `name`. If the table is being created, the
// error is a TableInUseException, which no operation of Database returns.
Status TargetInUse(const Context& context, const std::string& name, Status status) {
  const bool is_restored = status.code() == StatusCode::kResourceInUse;
  if (!is_restored && status.code() != StatusCode::kTableAlreadyExists) return status;
  const auto table = DescribeTable(context, name, ContentSizes::kOmit);
  const bool is_creating = table.ok() && table->status == TableStatus::kCreating;
  if (!is_restored && !is_creating) return status;
  const Map settings = is_creating ? SettingsOf(*table) : Map();
  const std::string_view backup = TextIn(MapIn(settings, "RestoreSummary"), "SourceBackupArn");
  return Fail(
      context, "TableInUseException",
      backup.empty()
          ? "Table: " + name + " is being created"
          : "Table: " + name + " is already being restored from backup: " + std::string(backup));
}

// Starts a restore into the table `name`, and writes the description of the table.
// - the errors of `restore` before it copies anything.
Status StartRestore(const Context& context, const std::string& name, Restore restore,
                    JsonWriter* response) {
  const Status started = context.jobs.Start({}, {}, RestoreWork(context, name, std::move(restore)));
  if (!started.ok()) return TargetInUse(context, name, started);
  DOLMEN_ASSIGN_OR_RETURN(const TableDescription& table,
                          context.database.DescribeTable(name, ContentSizes::kOmit));
  response->BeginObject();
  response->Key("TableDescription");
  WriteTable(table,
             {.status = TableStatus::kCreating,
              .now = context.database.clock()->Now(),
              .place = context.place},
             response);
  response->EndObject();
  return {};
}

Status CheckTargetName(const JsonObject& request) {
  return CheckNameLength("TableName", StringMember(request, "TargetTableName"));
}

Status RunFromBackup(const Context& context, const JsonObject& request, JsonWriter* response) {
  DOLMEN_RETURN_IF_ERROR(CheckTargetName(request));
  const std::string_view arn = StringMember(request, "BackupArn");
  DOLMEN_ASSIGN_OR_RETURN(const std::string id, BackupIdOf(arn));
  const Result<TableBackup> backup = context.database.DescribeBackup(id);
  if (!backup.ok()) return NamedByArn(backup.status(), id, arn);
  RestoreTableFromBackupInput input{.backup_id = id};
  DOLMEN_ASSIGN_OR_RETURN(
      input.target,
      ReadTarget(context, request, backup->table, {.backup_arn = arn, .time = backup->created_at}));
  const auto restore = [database = context.database,
                        input](const CopyProgressHandler& progress) mutable {
    input.target.progress = progress;
    return database.RestoreTableFromBackup(input);
  };
  return NamedByArn(StartRestore(context, input.target.table_name, restore, response), id, arn);
}

Result<std::string> SourceTable(const JsonObject& request) {
  const std::string_view name = StringMember(request, "SourceTableName");
  const std::string_view arn = StringMember(request, "SourceTableArn");
  if (!name.empty() && !arn.empty()) {
    return Status::Validation("Must provide exactly one of: sourceTableArn, sourceTableName");
  }
  if (name.empty() && arn.empty()) {
    return Status::Validation(
        "The parameter 'TableName' is required but was not present in the request");
  }
  if (!arn.empty() && !TableOfArn(arn)) {
    return Status::Validation("sourceTableArn is not a valid ARN");
  }
  return std::string(arn.empty() ? name : *TableOfArn(arn));
}

// Returns the time in the request, or the latest time.
Result<Timestamp> TimeOf(const JsonObject& request, const PointInTimeRecovery& recovery,
                         Timestamp now) {
  const std::optional<Timestamp> time = TimeMember(request, "RestoreDateTime");
  const bool uses_latest = BooleanMember(request, "UseLatestRestorableTime");
  const Timestamp latest = LatestRestoreTime(recovery, now);
  if (time.has_value() == uses_latest) {
    return Status::Validation(
        "Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime must be "
        "specified, but not both");
  }
  if (uses_latest) return latest;
  if (recovery.earliest_restore_time <= *time && *time <= latest) return *time;
  return Status::InvalidRestoreTime("RestoreDateTime '" + ToIso8601(*time) +
                                    "' must be within EarliestRestorableDateTime '" +
                                    ToIso8601(recovery.earliest_restore_time) +
                                    "' and LatestRestorableDateTime '" + ToIso8601(latest) + "'");
}

Status RunToPointInTime(const Context& context, const JsonObject& request, JsonWriter* response) {
  DOLMEN_RETURN_IF_ERROR(CheckTargetName(request));
  DOLMEN_ASSIGN_OR_RETURN(const std::string source, SourceTable(request));
  const auto recovery = context.database.DescribeContinuousBackups(source);
  if (!recovery.ok()) return TableNotFound(recovery.status(), source);
  if (!recovery->enabled) return Status::PointInTimeRecoveryUnavailable(source);
  RestoreTableToPointInTimeInput input{.source_table_name = source};
  DOLMEN_ASSIGN_OR_RETURN(input.restore_time,
                          TimeOf(request, *recovery, context.database.clock()->Now()));
  const auto table = context.database.DescribeTable(source, ContentSizes::kOmit);
  if (!table.ok()) return TableNotFound(table.status(), source);
  DOLMEN_ASSIGN_OR_RETURN(
      input.target,
      ReadTarget(context, request, *table, {.backup_arn = {}, .time = *input.restore_time}));
  const auto restore = [database = context.database,
                        input](const CopyProgressHandler& progress) mutable {
    input.target.progress = progress;
    return database.RestoreTableToPointInTime(input);
  };
  return TableNotFound(StartRestore(context, input.target.table_name, restore, response), source);
}

}  // namespace

std::span<const Operation> RestoreOperations() {
  static constexpr Operation kOperations[] = {
      {.name = "RestoreTableFromBackup",
       .input = &kMembers<RestoreTableFromBackupInput>,
       .run = RunFromBackup,
       .missing_table = "BackupNotFoundException",
       .is_long = true},
      {.name = "RestoreTableToPointInTime",
       .input = &kMembers<RestoreTableToPointInTimeInput>,
       .run = RunToPointInTime,
       .missing_table = "TableNotFoundException",
       .is_long = true},
  };
  return kOperations;
}

}  // namespace dolmen::wire
