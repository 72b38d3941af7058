#include "remote/backup_requests.h"

#include <algorithm>
#include <utility>

#include "engine/base/status_macros.h"
#include "remote/request_body.h"
#include "wire/backup_operations.h"

namespace dolmen::remote {
namespace {

using wire::Json;
using wire::JsonObject;

std::uint64_t NumberOf(const JsonObject& json, std::string_view name) {
  return static_cast<std::uint64_t>(
      std::max<std::int64_t>(0, wire::IntegerMember(json, name).value_or(0)));
}

// Reads the members that the details and the summary of a backup share.
TableBackup ReadDetails(const JsonObject& json) {
  TableBackup backup{.id = std::string(wire::StringMember(json, "BackupArn")),
                     .name = std::string(wire::StringMember(json, "BackupName")),
                     .by_service = wire::StringMember(json, "BackupType") == "SYSTEM",
                     .expires_at = wire::TimeMember(json, "BackupExpiryDateTime")};
  const auto created = wire::TimeMember(json, "BackupCreationDateTime");
  if (created) backup.created_at = *created;
  backup.table.name = wire::StringMember(json, "TableName");
  backup.table.content.size_bytes = NumberOf(json, "BackupSizeBytes");
  return backup;
}

TableBackup ReadDescription(const JsonObject& response) {
  const auto description = wire::Member(response, "BackupDescription");
  if (!description) return {};
  const JsonObject object = wire::ObjectOf(*description);
  const auto details = wire::Member(object, "BackupDetails");
  TableBackup backup = ReadDetails(details ? wire::ObjectOf(*details) : object);
  if (const auto source = wire::Member(object, "SourceTableDetails")) {
    backup.table.name = wire::StringMember(wire::ObjectOf(*source), "TableName");
    backup.table.content.item_count = NumberOf(wire::ObjectOf(*source), "ItemCount");
  }
  const auto features = wire::Member(object, "SourceTableFeatureDetails");
  const auto time_to_live =
      features ? wire::Member(wire::ObjectOf(*features), "TimeToLiveDescription") : std::nullopt;
  if (time_to_live) {
    backup.time_to_live_attribute =
        wire::StringMember(wire::ObjectOf(*time_to_live), "AttributeName");
  }
  return backup;
}

Result<TableBackup> SendForBackup(const Service& service, std::string_view operation,
                                  std::string_view backup_id, Repeat repeat) {
  const wire::BackupRequest input{.backup_arn = std::string(backup_id)};
  DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                          service.Send(operation, wire::ToJson(input), repeat));
  return ReadDescription(response.object());
}

Status WriteTarget(const RestoreTarget& target, wire::JsonWriter* json) {
  if (target.on_item || target.annotations || target.local_secondary_indexes) {
    return Status::Validation(
        "A service can only restore to a table, with the local indexes of its source and without "
        "annotations. Restore the table and read its items.");
  }
  json->StringField("TargetTableName", target.table_name);
  if (!target.global_secondary_indexes) return {};
  json->Key("GlobalSecondaryIndexOverride");
  wire::members::WriteFrom(*target.global_secondary_indexes, json);
  return {};
}

Result<RestoreTableOutput> FinishRestore(const Service& service, Tables& tables,
                                         const RestoreTarget& target, std::string_view operation,
                                         const std::string& body) {
  DOLMEN_RETURN_IF_ERROR(service.Send(operation, body, Repeat::kUnsafe).status());
  DOLMEN_RETURN_IF_ERROR(tables.WaitForNewTable(target.table_name));
  DOLMEN_ASSIGN_OR_RETURN(const TableDescription& table, tables.Describe(target.table_name));
  return RestoreTableOutput{.items = table.content.item_count};
}

PointInTimeRecovery ReadRecovery(const JsonObject& response) {
  PointInTimeRecovery recovery;
  const auto description = wire::Member(response, "ContinuousBackupsDescription");
  const auto json =
      description ? wire::Member(wire::ObjectOf(*description), "PointInTimeRecoveryDescription")
                  : std::nullopt;
  if (!json) return recovery;
  const JsonObject object = wire::ObjectOf(*json);
  recovery.enabled = wire::StringMember(object, "PointInTimeRecoveryStatus") == "ENABLED";
  recovery.period_days = static_cast<std::uint32_t>(NumberOf(object, "RecoveryPeriodInDays"));
  const auto earliest = wire::TimeMember(object, "EarliestRestorableDateTime");
  if (earliest) recovery.earliest_restore_time = *earliest;
  return recovery;
}

}  // namespace

Result<TableBackup> CreateBackup(const Service& service, const CreateBackupInput& input) {
  DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                          service.Send("CreateBackup", wire::ToJson(input), Repeat::kUnsafe));
  const auto details = wire::Member(response.object(), "BackupDetails");
  TableBackup backup = ReadDetails(details ? wire::ObjectOf(*details) : response.object());
  backup.table.name = input.table_name;
  return backup;
}

Result<TableBackup> DescribeBackup(const Service& service, std::string_view backup_id) {
  return SendForBackup(service, "DescribeBackup", backup_id, Repeat::kSafe);
}

Result<TableBackup> DeleteBackup(const Service& service, std::string_view backup_id) {
  return SendForBackup(service, "DeleteBackup", backup_id, Repeat::kUnsafe);
}

Result<std::vector<TableBackup>> ListBackups(const Service& service) {
  std::vector<TableBackup> backups;
  wire::ListBackupsInput input{.type = "ALL"};
  do {
    DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                            service.Send("ListBackups", wire::ToJson(input), Repeat::kSafe));
    if (const auto summaries = wire::Member(response.object(), "BackupSummaries")) {
      for (const Json json : wire::ArrayOf(*summaries)) {
        backups.push_back(ReadDetails(wire::ObjectOf(json)));
      }
    }
    input.start_arn = wire::StringMember(response.object(), "LastEvaluatedBackupArn");
  } while (!input.start_arn.empty());
  return backups;
}

Result<RestoreTableOutput> RestoreFromBackup(const Service& service, Tables& tables,
                                             const RestoreTableFromBackupInput& input) {
  RequestBody body;
  body.json().StringField("BackupArn", input.backup_id);
  DOLMEN_RETURN_IF_ERROR(WriteTarget(input.target, &body.json()));
  return FinishRestore(service, tables, input.target, "RestoreTableFromBackup", body.Finish());
}

Result<RestoreTableOutput> RestoreToPointInTime(const Service& service, Tables& tables,
                                                const RestoreTableToPointInTimeInput& input) {
  RequestBody body;
  body.json().StringField("SourceTableName", input.source_table_name);
  DOLMEN_RETURN_IF_ERROR(WriteTarget(input.target, &body.json()));
  if (input.restore_time) {
    body.json().TimeField("RestoreDateTime", *input.restore_time);
  } else {
    body.json().BooleanField("UseLatestRestorableTime", true);
  }
  return FinishRestore(service, tables, input.target, "RestoreTableToPointInTime", body.Finish());
}

Result<PointInTimeRecovery> UpdateContinuousBackups(const Service& service,
                                                    const UpdateContinuousBackupsInput& input) {
  DOLMEN_ASSIGN_OR_RETURN(
      const Response& response,
      service.Send("UpdateContinuousBackups", wire::ToJson(input), Repeat::kSafe));
  return ReadRecovery(response.object());
}

Result<PointInTimeRecovery> DescribeContinuousBackups(const Service& service,
                                                      std::string_view table_name) {
  const wire::TableRequest input{.table_name = std::string(table_name)};
  DOLMEN_ASSIGN_OR_RETURN(
      const Response& response,
      service.Send("DescribeContinuousBackups", wire::ToJson(input), Repeat::kSafe));
  return ReadRecovery(response.object());
}

}  // namespace dolmen::remote
