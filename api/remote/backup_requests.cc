#include <utility>

#include "engine/base/status_macros.h"
#include "remote/backend.h"
#include "wire/backup_operations.h"

namespace dolmen::remote {
namespace {

// Sends a request for the backup, and reads its description.
Result<TableBackup> SendForBackup(const Service& service, std::string_view operation,
                                  std::string_view backup_id, Repeat repeat) {
  const wire::BackupRequest input{.backup_arn = std::string(backup_id)};
  DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                          service.Send(operation, wire::ToJson(input), repeat));
  wire::DescribedBackup described;
  DOLMEN_RETURN_IF_ERROR(wire::DecodeMembers(wire::kBackupResponse, response.object(), &described));
  return std::move(described.backup);
}

// Sends a request about the recovery of a table.
template <typename Input>
Result<PointInTimeRecovery> SendForRecovery(const Service& service, std::string_view operation,
                                            const Input& input) {
  DOLMEN_ASSIGN_OR_RETURN(const wire::DescribedRecovery& described,
                          service.Call<wire::DescribedRecovery>(operation, input, Repeat::kSafe));
  return PointInTimeRecovery{.enabled = described.enabled,
                             .period_days = described.period_days.value_or(0),
                             .earliest_restore_time = described.earliest.value_or(Timestamp())};
}

// Sends the request of a restore, and waits for the table.
template <typename Input>
Result<RestoreTableOutput> Restore(const Service& service, Tables& tables,
                                   std::string_view operation, const Input& input) {
  const RestoreTarget& target = input.target;
  if (target.on_item || target.annotations || target.local_secondary_indexes) {
    return Status::Validation(
        "A service can only restore to a table, with the local indexes of its source and without "
        "annotations. Restore the table and read its items.");
  }
  DOLMEN_RETURN_IF_ERROR(service.Send(operation, wire::ToJson(input), Repeat::kUnsafe).status());
  DOLMEN_RETURN_IF_ERROR(tables.WaitForNewTable(target.table_name));
  DOLMEN_ASSIGN_OR_RETURN(const TableDescription& table, tables.Describe(target.table_name));
  return RestoreTableOutput{.items = table.content.item_count};
}

}  // namespace

Result<TableBackup> RemoteBackend::CreateBackup(const CreateBackupInput& input) {
  DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                          service_.Send("CreateBackup", wire::ToJson(input), Repeat::kUnsafe));
  wire::DescribedBackup created;
  DOLMEN_RETURN_IF_ERROR(wire::DecodeMembers(wire::kCreatedBackup, response.object(), &created));
  created.backup.table.name = input.table_name;
  return std::move(created.backup);
}

Result<TableBackup> RemoteBackend::DescribeBackup(std::string_view backup_id) {
  return SendForBackup(service_, "DescribeBackup", backup_id, Repeat::kSafe);
}

Result<TableBackup> RemoteBackend::DeleteBackup(std::string_view backup_id) {
  return SendForBackup(service_, "DeleteBackup", backup_id, Repeat::kUnsafe);
}

Result<std::vector<TableBackup>> RemoteBackend::ListBackups() {
  std::vector<TableBackup> backups;
  wire::ListBackupsInput input{.type = "ALL"};
  do {
    DOLMEN_ASSIGN_OR_RETURN(wire::ListBackupsOutput page, service_.Call<wire::ListBackupsOutput>(
                                                              "ListBackups", input, Repeat::kSafe));
    for (wire::DescribedBackup& one : page.backups) backups.push_back(std::move(one.backup));
    input.start_arn = std::move(page.last_arn);
  } while (!input.start_arn.empty());
  return backups;
}

Result<RestoreTableOutput> RemoteBackend::RestoreTableFromBackup(
    const RestoreTableFromBackupInput& input) {
  return Restore(service_, tables_, "RestoreTableFromBackup", input);
}

Result<RestoreTableOutput> RemoteBackend::RestoreTableToPointInTime(
    const RestoreTableToPointInTimeInput& input) {
  return Restore(service_, tables_, "RestoreTableToPointInTime", input);
}

Result<PointInTimeRecovery> RemoteBackend::UpdateContinuousBackups(
    const UpdateContinuousBackupsInput& input) {
  return SendForRecovery(service_, "UpdateContinuousBackups", input);
}

Result<PointInTimeRecovery> RemoteBackend::DescribeContinuousBackups(std::string_view table_name) {
  return SendForRecovery(service_, "DescribeContinuousBackups",
                         wire::TableRequest{.table_name = std::string(table_name)});
}

}  // namespace dolmen::remote
