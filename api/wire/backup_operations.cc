#include "wire/backup_operations.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>

#include "engine/base/status_macros.h"
#include "wire/managed_table.h"
#include "wire/operation.h"
#include "wire/table_description.h"
#include "wire/table_json.h"
#include "wire/table_settings.h"

namespace dolmen::wire {
namespace {

constexpr std::array<std::string_view, 2> kUnits = {"ReadCapacityUnits", "WriteCapacityUnits"};

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

// Returns the backup as responses have it. `status` is a BackupStatus of DynamoDB. DynamoDB has no status for a damaged
// backup: SDKs pass an unknown one on.
DescribedBackup Describe(const Context& context, TableBackup backup, std::string status) {
  if (!backup.damage.empty() && status == "AVAILABLE") status = "DAMAGED";
  backup.id = BackupArn(context.place, backup.table.name, backup.id);
  return {std::move(backup), std::move(status), context.place};
}

// Writes the response `kResponse` for the backup.
template <const auto& kResponse>
Status WriteBackup(const DescribedBackup& backup, JsonWriter* response) {
  response->BeginObject();
  EncodeMembers(kResponse, backup, response);
  response->EndObject();
  return {};
}

// Writes the recovery that an operation on the table has returned, or returns its error.
Status WriteRecovery(const Context& context, std::string_view table,
                     const Result<PointInTimeRecovery>& recovery, JsonWriter* response) {
  if (!recovery.ok()) return TableNotFound(recovery.status(), table);
  DescribedRecovery described;
  if (recovery->enabled) {
    described = {true, recovery->period_days, recovery->earliest_restore_time,
                 LatestRestoreTime(*recovery, context.database.clock()->Now())};
  }
  Encode(described, response);
  return {};
}

Status RunDescribe(const Context& context, const JsonObject& request, JsonWriter* response) {
  DOLMEN_ASSIGN_OR_RETURN(const std::string_view table, ManagedTableName(request));
  return WriteRecovery(context, table, context.database.DescribeContinuousBackups(table), response);
}

Status RunUpdate(const Context& context, const JsonObject& request, JsonWriter* response) {
  DOLMEN_ASSIGN_OR_RETURN(const std::string_view table, ManagedTableName(request));
  UpdateContinuousBackupsInput input;
  DOLMEN_RETURN_IF_ERROR(Decode(request, &input));
  input.table_name = table;
  return WriteRecovery(context, table, context.database.UpdateContinuousBackups(input), response);
}

Status RunCreateBackup(const Context& context, const JsonObject& request, JsonWriter* response) {
  DOLMEN_ASSIGN_OR_RETURN(const std::string_view table, ManagedTableName(request));
  CreateBackupInput input;
  DOLMEN_RETURN_IF_ERROR(Decode(request, &input));
  input.table_name = table;
  auto backup = context.database.CreateBackup(input);
  if (!backup.ok()) return TableNotFound(backup.status(), table);
  return WriteBackup<kCreatedBackup>(Describe(context, *std::move(backup), "CREATING"), response);
}

// Writes the backup that `find` returns for the id in the request.
template <typename Find>
Status FindBackup(const Context& context, const JsonObject& request, const char* status,
                  const Find& find, JsonWriter* response) {
  BackupRequest input;
  DOLMEN_RETURN_IF_ERROR(Decode(request, &input));
  DOLMEN_ASSIGN_OR_RETURN(const std::string id, BackupIdOf(input.backup_arn));
  Result<TableBackup> backup = find(id);
  if (!backup.ok()) return NamedByArn(backup.status(), id, input.backup_arn);
  return WriteBackup<kBackupResponse>(Describe(context, *std::move(backup), status), response);
}

Status RunDescribeBackup(const Context& context, const JsonObject& request, JsonWriter* response) {
  const auto find = [&](const std::string& id) { return context.database.DescribeBackup(id); };
  return FindBackup(context, request, "AVAILABLE", find, response);
}

Status RunDeleteBackup(const Context& context, const JsonObject& request, JsonWriter* response) {
  const auto remove = [&](const std::string& id) { return context.database.DeleteBackup(id); };
  return FindBackup(context, request, "DELETED", remove, response);
}

// The backups that a request of ListBackups selects.
struct BackupFilter {
  ListBackupsInput input = {};
  std::string after = {};  // the id of the last backup of the page before; empty: the first page

  // A damaged backup may be of any table and type.
  bool Selects(const TableBackup& backup) const {
    const bool is_known = backup.damage.empty();
    const char* const type = backup.by_service ? "SYSTEM" : "USER";
    if (is_known && !input.table_name.empty() && backup.table.name != input.table_name)
      return false;
    if (is_known && input.type != "ALL" && input.type != type) return false;
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
  DOLMEN_ASSIGN_OR_RETURN(std::vector<TableBackup> all, context.database.ListBackups());
  ListBackupsOutput page;
  for (TableBackup& backup : all) {
    if (!filter.Selects(backup)) continue;
    if (page.backups.size() == filter.input.limit.value_or(100)) {
      page.last_arn = page.backups.back().backup.id;
      break;
    }
    page.backups.push_back(Describe(context, std::move(backup), "AVAILABLE"));
  }
  Encode(page, response);
  return {};
}

}  // namespace

Timestamp LatestRestoreTime(const PointInTimeRecovery& recovery, Timestamp now) {
  return std::max(recovery.earliest_restore_time, now - std::chrono::minutes(5));
}

void WriteTableIds(std::string_view, const DescribedBackup& from, JsonWriter* json) {
  json->StringField("TableId", from.backup.table.table_id);
  json->StringField("TableArn", TableArn(from.place, from.backup.table.name));
}

void WriteSourceTable(std::string_view name, const DescribedBackup& from, JsonWriter* json) {
  const TableDescription& table = from.backup.table;
  WriteTableIds(name, from, json);
  json->UnsignedField("TableSizeBytes", table.content.size_bytes);
  WriteKeySchema(table.partition_key, table.sort_key, json);
  json->TimeField("TableCreationDateTime", table.created_at);
  WriteRecordedThroughput(SettingsOf(table), json);
}

void WriteSourceBilling(std::string_view name, const DescribedBackup& from, JsonWriter* json) {
  const bool is_provisioned = IsProvisioned(SettingsOf(from.backup.table));
  json->StringField(name, is_provisioned ? "PROVISIONED" : "PAY_PER_REQUEST");
}

Status ReadSourceFeatures(const Json& json, DescribedBackup* to) {
  const std::optional<Json> time_to_live = Member(ObjectOf(json), "TimeToLiveDescription");
  TimeToLiveDescription described;
  if (time_to_live) DOLMEN_RETURN_IF_ERROR(Decode(ObjectOf(*time_to_live), &described));
  to->backup.time_to_live_attribute = std::move(described.attribute_name);
  return {};
}

void WriteSourceFeatures(std::string_view name, const DescribedBackup& from, JsonWriter* json) {
  const TableDescription& table = from.backup.table;
  const std::string& expiry = from.backup.time_to_live_attribute;
  json->Key(name);
  json->BeginObject();
  if (!from.backup.by_service) {
    WriteLocalIndexes(table, json);
    WriteGlobalIndexes(table, json);
    WriteStreamSpecification("StreamDescription", table, json);
    if (!expiry.empty()) {
      json->Key("TimeToLiveDescription");
      Encode(TimeToLiveDescription{TimeToLiveStatus::kEnabled, expiry}, json);
    }
    WriteEncryption(SettingsOf(table), from.place, json);
  }
  json->EndObject();
}

Result<std::string> BackupIdOf(std::string_view arn) {
  const std::optional<std::string_view> id = BackupOfArn(arn);
  if (!id) return Status::Validation("Invalid Backup ARN");
  // The ARN of another partition of AWS, or of none.
  if (!arn.starts_with("arn:aws:")) return Status::Validation("BackupArn is not valid");
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
