#include "dolmen/database.h"

#include <string>
#include <utility>

#include "database/openers.h"
#include "database/statement/execute_statement.h"
#include "engine/backend.h"
#include "engine/base/status_macros.h"

namespace dolmen {
Result<Database> Database::Open(const std::string& directory, const OpenOptions& options) {
  return internal::openers.open(directory, options);
}

Result<Database> Database::InMemory(const OpenOptions& options) {
  return internal::openers.in_memory(options);
}

Result<Database> Database::InMemoryFrom(const std::string& directory, const OpenOptions& options) {
  return internal::openers.in_memory_from(directory, options);
}

Result<Table> Database::CreateTable(const CreateTableInput& input) const {
  DOLMEN_ASSIGN_OR_RETURN(auto table, internal::Reach(backend_).CreateTable(input));
  return Table(TableRef(backend_, std::move(table)));
}

Result<Table> Database::OpenTable(std::string_view name) const {
  DOLMEN_ASSIGN_OR_RETURN(auto table, internal::Reach(backend_).OpenTable(name));
  return Table(TableRef(backend_, std::move(table)));
}

Result<TableDescription> Database::DescribeTable(std::string_view name, ContentSizes sizes) const {
  return internal::Reach(backend_).DescribeTable(name, sizes);
}

Result<ListTablesOutput> Database::ListTables(const ListTablesInput& input) const {
  return internal::Reach(backend_).ListTables(input);
}

Result<TableDescription> Database::UpdateTable(const UpdateTableInput& input) const {
  return internal::Reach(backend_).UpdateTable(input);
}

Result<TimeToLiveSpecification> Database::UpdateTimeToLive(
    const UpdateTimeToLiveInput& input) const {
  return internal::Reach(backend_).UpdateTimeToLive(input);
}

Result<TimeToLiveDescription> Database::DescribeTimeToLive(std::string_view table_name) const {
  return internal::Reach(backend_).DescribeTimeToLive(table_name);
}

Status Database::DeleteTable(std::string_view name) const {
  return internal::Reach(backend_).DeleteTable(name);
}

Result<BatchGetItemOutput> Database::BatchGetItem(const BatchGetItemInput& input) const {
  return internal::Reach(backend_).BatchGetItem(input);
}

Result<BatchWriteItemOutput> Database::BatchWriteItem(const BatchWriteItemInput& input) const {
  return internal::Reach(backend_).BatchWriteItem(input);
}

Result<TransactWriteItemsOutput> Database::TransactWriteItems(
    const TransactWriteItemsInput& input) const {
  return internal::Reach(backend_).TransactWriteItems(input);
}

Result<TransactGetItemsOutput> Database::TransactGetItems(
    const TransactGetItemsInput& input) const {
  return internal::Reach(backend_).TransactGetItems(input);
}

Result<ExecuteStatementOutput> Database::Execute(std::string_view statement,
                                                 List parameters) const {
  ExecuteStatementOutput output;
  DOLMEN_RETURN_IF_ERROR(ExecuteStatement(
      {.statement = std::string(statement), .parameters = std::move(parameters)}, &output));
  return output;
}

Status Database::ExecuteStatement(const ExecuteStatementInput& input,
                                  ExecuteStatementOutput* output) const {
  if (auto* const own = internal::Reach(backend_).statements())
    return own->ExecuteStatement(input, output);
  return database::ExecuteStatement(backend_, input, output);
}

Result<BatchExecuteStatementOutput> Database::BatchExecuteStatement(
    const BatchExecuteStatementInput& input) const {
  if (auto* const own = internal::Reach(backend_).statements())
    return own->BatchExecuteStatement(input);
  return database::BatchExecuteStatement(backend_, input);
}

Result<ExecuteTransactionOutput> Database::ExecuteTransaction(
    const ExecuteTransactionInput& input) const {
  if (auto* const own = internal::Reach(backend_).statements())
    return own->ExecuteTransaction(input);
  return database::ExecuteTransaction(backend_, input);
}

Result<ListStreamsOutput> Database::ListStreams(const ListStreamsInput& input) const {
  return internal::Reach(backend_).ListStreams(input);
}

Result<StreamDescription> Database::DescribeStream(const DescribeStreamInput& input) const {
  return internal::Reach(backend_).DescribeStream(input);
}

Result<std::string> Database::GetShardIterator(const GetShardIteratorInput& input) const {
  return internal::Reach(backend_).GetShardIterator(input);
}

Result<GetRecordsOutput> Database::GetRecords(const GetRecordsInput& input) const {
  return internal::Reach(backend_).GetRecords(input);
}

Result<VerifyOutput> Database::Verify(const VerifyProgressHandler& progress) const {
  return internal::Reach(backend_).Verify(progress);
}

Result<CopyOutput> Database::Backup(const std::string& directory,
                                    const BackupOptions& options) const {
  return internal::Reach(backend_).Backup(directory, options);
}

Result<CopyOutput> Database::Restore(const std::string& backup, const std::string& directory,
                                     const RestoreOptions& options) {
  return internal::openers.restore(backup, directory, options);
}

Result<ImportTableOutput> Database::ImportTable(const ImportTableInput& input) const {
  return internal::Reach(backend_).ImportTable(input);
}

Result<TableBackup> Database::CreateBackup(const CreateBackupInput& input) const {
  return internal::Reach(backend_).CreateBackup(input);
}

Result<TableBackup> Database::DescribeBackup(std::string_view backup_id) const {
  return internal::Reach(backend_).DescribeBackup(backup_id);
}

Result<std::vector<TableBackup>> Database::ListBackups() const {
  return internal::Reach(backend_).ListBackups();
}

Result<TableBackup> Database::DeleteBackup(std::string_view backup_id) const {
  return internal::Reach(backend_).DeleteBackup(backup_id);
}

Result<RestoreTableOutput> Database::RestoreTableFromBackup(
    const RestoreTableFromBackupInput& input) const {
  return internal::Reach(backend_).RestoreTableFromBackup(input);
}

Result<RestoreTableOutput> Database::RestoreTableToPointInTime(
    const RestoreTableToPointInTimeInput& input) const {
  return internal::Reach(backend_).RestoreTableToPointInTime(input);
}

Result<ReadChangesOutput> Database::ReadChanges(const ReadChangesInput& input) const {
  return internal::Reach(backend_).ReadChanges(input);
}

Result<PointInTimeRecovery> Database::UpdateContinuousBackups(
    const UpdateContinuousBackupsInput& input) const {
  return internal::Reach(backend_).UpdateContinuousBackups(input);
}

Result<PointInTimeRecovery> Database::DescribeContinuousBackups(std::string_view table_name) const {
  return internal::Reach(backend_).DescribeContinuousBackups(table_name);
}

Result<Database> Database::Fork(const ForkOptions& options) const {
  return internal::Reach(backend_).Fork(options).transform(
      [](std::shared_ptr<internal::Backend> fork) { return Database(std::move(fork)); });
}

Status Database::Reset() {
  DOLMEN_ASSIGN_OR_RETURN(std::shared_ptr<internal::Backend> fresh,
                          internal::Reach(backend_).Reset());
  backend_ = std::move(fresh);
  return {};
}

Result<DatabaseStats> Database::Stats() const { return internal::Reach(backend_).Stats(); }

Status Database::WriteFailure() const { return internal::Reach(backend_).WriteFailure(); }

Status Database::CheckWritable() const { return internal::Reach(backend_).CheckWritable(); }

const SharedClock& Database::clock() const { return backend_->clock(); }

// A plug-in that links the archive has these functions of the headers, too. The linker hides them in it, because
// they are hidden here.
template class Result<Database>;
template class Result<Table>;

}  // namespace dolmen
