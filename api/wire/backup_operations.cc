#include "wire/backup_operations.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>

#include "engine/base/status_macros.h"
#include "wire/key_schema.h"
#include "wire/managed_table.h"
#include "wire/operation.h"
#include "wire/table_description.h"
#include "wire/table_features.h"
#include "wire/table_json.h"
#include "wire/table_settings.h"

namespace dolmen::wire {
namespace {

std::string ArnOf(const Place& place, const TableBackup& backup) {
  return BackupArn(place, backup.table.name, backup.id);
}

constexpr std::array<std::string_view, 2> kUnits = {"ReadCapacityUnits", "WriteCapacityUnits"};

// Writes the members that the details and the summary of a backup share.
void WriteCommonMembers(const Place& place, const TableBackup& backup, std::string_view status,
                        JsonWriter* json) {
  json->StringField("BackupArn", ArnOf(place, backup));
  json->StringField("BackupName", backup.name);
  json->UnsignedField("BackupSizeBytes", backup.table.content.size_bytes);
  json->StringField("BackupStatus", status);
  json->StringField("BackupType", backup.by_service ? "SYSTEM" : "USER");
  json->TimeField("BackupCreationDateTime", backup.created_at);
  if (backup.expires_at) json->TimeField("BackupExpiryDateTime", *backup.expires_at);
}

// Writes the members ProvisionedThroughput and OnDemandThroughput of a table or of an index.
void WriteRecordedThroughput(const Map& settings, JsonWriter* json) {
  json->Key("ProvisionedThroughput");
  json->BeginObject();
  for (const std::string_view name : kUnits) {
    json->IntegerField(name, IntegerIn(MapIn(settings, "ProvisionedThroughput"), name));
  }
  json->EndObject();
  const Map& maxima = MapIn(settings, "OnDemandThroughput");
  if (maxima.empty()) return;
  json->Key("OnDemandThroughput");
  WritePlain(maxima, json);
}

void WriteSourceTable(const Place& place, const TableDescription& table, JsonWriter* json) {
  const Map settings = SettingsOf(table);
  json->BeginObject();
  json->StringField("TableName", table.name);
  json->StringField("TableId", TableId(table));
  json->StringField("TableArn", TableArn(place, table.name));
  json->UnsignedField("TableSizeBytes", table.content.size_bytes);
  WriteKeySchema(table.partition_key, table.sort_key, json);
  json->TimeField("TableCreationDateTime", table.created_at);
  WriteRecordedThroughput(settings, json);
  json->UnsignedField("ItemCount", table.content.item_count);
  json->StringField("BillingMode", IsProvisioned(settings) ? "PROVISIONED" : "PAY_PER_REQUEST");
  json->EndObject();
}

void WriteLocalIndexes(const TableDescription& table, JsonWriter* json) {
  if (table.local_secondary_indexes.empty()) return;
  json->Key("LocalSecondaryIndexes");
  json->BeginArray();
  for (const auto& [index, content] : table.local_secondary_indexes) {
    json->BeginObject();
    WriteIndex(table.partition_key, index, json);
    json->EndObject();
  }
  json->EndArray();
}

void WriteGlobalIndexes(const TableDescription& table, JsonWriter* json) {
  if (table.global_secondary_indexes.empty()) return;
  const Map settings = SettingsOf(table);
  json->Key("GlobalSecondaryIndexes");
  json->BeginArray();
  for (const GlobalSecondaryIndexDescription& described : table.global_secondary_indexes) {
    const GlobalSecondaryIndex& index = described.index;
    json->BeginObject();
    EncodeMembers(kMembers<GlobalSecondaryIndex>, index, json);
    WriteRecordedThroughput(MapIn(MapIn(settings, "Indexes"), index.name), json);
    json->EndObject();
  }
  json->EndArray();
}

void WriteFeatures(const Place& place, const TableBackup& backup, JsonWriter* json) {
  const TableDescription& table = backup.table;
  json->BeginObject();
  if (!backup.by_service) {
    WriteLocalIndexes(table, json);
    WriteGlobalIndexes(table, json);
    WriteStreamSpecification("StreamDescription", table, json);
    if (!backup.time_to_live_attribute.empty()) {
      json->Key("TimeToLiveDescription");
      json->BeginObject();
      json->StringField("TimeToLiveStatus", "ENABLED");
      json->StringField("AttributeName", backup.time_to_live_attribute);
      json->EndObject();
    }
    WriteEncryption(SettingsOf(table), place, json);
  }
  json->EndObject();
}

// Each function below writes a value. `status` is a BackupStatus of DynamoDB.

void WriteBackupDetails(const Place& place, const TableBackup& backup, std::string_view status,
                        JsonWriter* json) {
  json->BeginObject();
  WriteCommonMembers(place, backup, status, json);
  json->EndObject();
}

void WriteBackupDescription(const Place& place, const TableBackup& backup, std::string_view status,
                            JsonWriter* json) {
  json->BeginObject();
  json->Key("BackupDetails");
  WriteBackupDetails(place, backup, status, json);
  json->Key("SourceTableDetails");
  WriteSourceTable(place, backup.table, json);
  json->Key("SourceTableFeatureDetails");
  WriteFeatures(place, backup, json);
  json->EndObject();
}

void WriteBackupSummary(const Place& place, const TableBackup& backup, JsonWriter* json) {
  json->BeginObject();
  json->StringField("TableName", backup.table.name);
  json->StringField("TableId", TableId(backup.table));
  json->StringField("TableArn", TableArn(place, backup.table.name));
  WriteCommonMembers(place, backup, "AVAILABLE", json);
  json->EndObject();
}

using Kind = Shape::Kind;

// ContinuousBackupsStatus is ENABLED for every table of DynamoDB.
void WriteRecovery(const Context& context, const PointInTimeRecovery& recovery, JsonWriter* json) {
  json->BeginObject();
  json->Key("ContinuousBackupsDescription");
  json->BeginObject();
  json->StringField("ContinuousBackupsStatus", "ENABLED");
  json->Key("PointInTimeRecoveryDescription");
  json->BeginObject();
  json->StringField("PointInTimeRecoveryStatus", recovery.enabled ? "ENABLED" : "DISABLED");
  if (recovery.enabled) {
    json->UnsignedField("RecoveryPeriodInDays", recovery.period_days);
    json->TimeField("EarliestRestorableDateTime", recovery.earliest_restore_time);
    json->TimeField("LatestRestorableDateTime",
                    LatestRestoreTime(recovery, context.database.clock()->Now()));
  }
  json->EndObject();
  json->EndObject();
  json->EndObject();
}

Status RunDescribe(const Context& context, const JsonObject& request, JsonWriter* response) {
  DOLMEN_ASSIGN_OR_RETURN(const std::string_view table, ManagedTableName(request));
  const auto recovery = context.database.DescribeContinuousBackups(table);
  if (!recovery.ok()) return TableNotFound(recovery.status(), table);
  WriteRecovery(context, *recovery, response);
  return {};
}

Status RunUpdate(const Context& context, const JsonObject& request, JsonWriter* response) {
  DOLMEN_ASSIGN_OR_RETURN(const std::string_view table, ManagedTableName(request));
  UpdateContinuousBackupsInput input;
  DOLMEN_RETURN_IF_ERROR(Decode(request, &input));
  input.table_name = table;
  const auto recovery = context.database.UpdateContinuousBackups(input);
  if (!recovery.ok()) return TableNotFound(recovery.status(), table);
  WriteRecovery(context, *recovery, response);
  return {};
}

}  // namespace

Timestamp LatestRestoreTime(const PointInTimeRecovery& recovery, Timestamp now) {
  return std::max(recovery.earliest_restore_time, now - std::chrono::minutes(5));
}

namespace {

Status RunCreateBackup(const Context& context, const JsonObject& request, JsonWriter* response) {
  DOLMEN_ASSIGN_OR_RETURN(const std::string_view table, ManagedTableName(request));
  CreateBackupInput input;
  DOLMEN_RETURN_IF_ERROR(Decode(request, &input));
  input.table_name = table;
  const auto backup = context.database.CreateBackup(input);
  if (!backup.ok()) return TableNotFound(backup.status(), table);
  response->BeginObject();
  response->Key("BackupDetails");
  WriteBackupDetails(context.place, *backup, "CREATING", response);
  response->EndObject();
  return {};
}

// Writes the backup that `find` returns for the id in the request.
template <typename Find>
Status WriteBackup(const Context& context, const JsonObject& request, std::string_view status,
                   const Find& find, JsonWriter* response) {
  BackupRequest input;
  DOLMEN_RETURN_IF_ERROR(Decode(request, &input));
  DOLMEN_ASSIGN_OR_RETURN(const std::string id, BackupIdOf(input.backup_arn));
  const Result<TableBackup> backup = find(id);
  if (!backup.ok()) return NamedByArn(backup.status(), id, input.backup_arn);
  response->BeginObject();
  response->Key("BackupDescription");
  WriteBackupDescription(context.place, *backup, status, response);
  response->EndObject();
  return {};
}

Status RunDescribeBackup(const Context& context, const JsonObject& request, JsonWriter* response) {
  const auto find = [&](const std::string& id) { return context.database.DescribeBackup(id); };
  return WriteBackup(context, request, "AVAILABLE", find, response);
}

Status RunDeleteBackup(const Context& context, const JsonObject& request, JsonWriter* response) {
  const auto remove = [&](const std::string& id) { return context.database.DeleteBackup(id); };
  return WriteBackup(context, request, "DELETED", remove, response);
}

// The backups that a request of ListBackups selects.
struct BackupFilter {
  ListBackupsInput input = {};
  std::string after = {};  // the id of the last backup of the page before; empty: the first page

  bool Selects(const TableBackup& backup) const {
    if (!input.table_name.empty() && backup.table.name != input.table_name) return false;
    if (input.type != "ALL" && input.type != (backup.by_service ? "SYSTEM" : "USER")) return false;
    if (input.lower && backup.created_at < *input.lower) return false;
    if (input.upper && backup.created_at >= *input.upper) return false;
    return after.empty() || backup.id > after;
  }
};

Result<BackupFilter> ReadFilter(const JsonObject& request) {
  BackupFilter filter;
  ListBackupsInput& input = filter.input;
  DOLMEN_RETURN_IF_ERROR(Decode(request, &input));
  input.table_name = std::string(TableNameOf(input.table_name));
  if (input.type.empty()) input.type = "USER";
  if (input.lower && input.upper && *input.lower > *input.upper) {
    return Status::Validation("Time range lower bound must be less than or equal to upper bound");
  }
  if (!input.start_arn.empty()) {
    DOLMEN_ASSIGN_OR_RETURN(filter.after, BackupIdOf(input.start_arn));
  }
  return filter;
}

Status RunListBackups(const Context& context, const JsonObject& request, JsonWriter* response) {
  DOLMEN_ASSIGN_OR_RETURN(const BackupFilter& filter, ReadFilter(request));
  DOLMEN_ASSIGN_OR_RETURN(const std::vector<TableBackup>& all, context.database.ListBackups());
  std::vector<const TableBackup*> selected;
  for (const TableBackup& backup : all) {
    if (filter.Selects(backup)) selected.push_back(&backup);
  }
  const std::size_t limit = filter.input.limit.value_or(100);
  const bool has_more = selected.size() > limit;
  if (has_more) selected.resize(limit);
  response->BeginObject();
  response->Key("BackupSummaries");
  response->BeginArray();
  for (const TableBackup* backup : selected) WriteBackupSummary(context.place, *backup, response);
  response->EndArray();
  if (has_more) {
    response->StringField("LastEvaluatedBackupArn", ArnOf(context.place, *selected.back()));
  }
  response->EndObject();
  return {};
}

}  // namespace

Result<std::string> BackupIdOf(std::string_view arn) {
  const std::optional<std::string_view> id = BackupOfArn(arn);
  if (!id) return Status::Validation("Invalid Backup ARN");
  return std::string(*id);
}

Status NamedByArn(const Status& error, std::string_view id, std::string_view arn) {
  std::string message(error.message());
  if (!message.ends_with(id)) return error;
  message.resize(message.size() - id.size());
  return error.WithMessage(message.append(arn));
}

std::span<const Operation> BackupOperations() {
  static constexpr Operation kOperations[] = {
      {.name = "DescribeContinuousBackups",
       .input = &kMembers<TableRequest>,
       .run = RunDescribe,
       .missing_table = "TableNotFoundException"},
      {.name = "UpdateContinuousBackups",
       .input = &kMembers<UpdateContinuousBackupsInput>,
       .run = RunUpdate,
       .missing_table = "TableNotFoundException"},
      {.name = "CreateBackup",
       .input = &kMembers<CreateBackupInput>,
       .run = RunCreateBackup,
       .missing_table = "TableNotFoundException",
       .is_long = true},
      {.name = "DescribeBackup",
       .input = &kMembers<BackupRequest>,
       .run = RunDescribeBackup,
       .missing_table = "BackupNotFoundException"},
      {.name = "ListBackups", .input = &kMembers<ListBackupsInput>, .run = RunListBackups},
      {.name = "DeleteBackup",
       .input = &kMembers<BackupRequest>,
       .run = RunDeleteBackup,
       .missing_table = "BackupNotFoundException",
       .is_long = true},
  };
  return kOperations;
}

}  // namespace dolmen::wire
