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
  DOLMEN_ASSIGN_OR_RETURN(auto table, backend_->CreateTable(input));
  return Table(TableRef(backend_, std::move(table)));
}

Result<Table> Database::OpenTable(std::string_view name) const {
  DOLMEN_ASSIGN_OR_RETURN(auto table, backend_->OpenTable(name));
  return Table(TableRef(backend_, std::move(table)));
}

Result<TableDescription> Database::DescribeTable(std::string_view name, ContentSizes sizes) const {
  return backend_->DescribeTable(name, sizes);
}

Result<ListTablesOutput> Database::ListTables(const ListTablesInput& input) const {
  return backend_->ListTables(input);
}

Result<TableDescription> Database::UpdateTable(const UpdateTableInput& input) const {
  return backend_->UpdateTable(input);
}

Result<TimeToLiveSpecification> Database::UpdateTimeToLive(
    const UpdateTimeToLiveInput& input) const {
  return backend_->UpdateTimeToLive(input);
}

Result<TimeToLiveDescription> Database::DescribeTimeToLive(std::string_view table_name) const {
  return backend_->DescribeTimeToLive(table_name);
}

Status Database::DeleteTable(std::string_view name) const { return backend_->DeleteTable(name); }

Result<BatchGetItemOutput> Database::BatchGetItem(const BatchGetItemInput& input) const {
  return backend_->BatchGetItem(input);
}

Result<BatchWriteItemOutput> Database::BatchWriteItem(const BatchWriteItemInput& input) const {
  return backend_->BatchWriteItem(input);
}

Result<TransactWriteItemsOutput> Database::TransactWriteItems(
    const TransactWriteItemsInput& input) const {
  return backend_->TransactWriteItems(input);
}

Result<TransactGetItemsOutput> Database::TransactGetItems(
    const TransactGetItemsInput& input) const {
  return backend_->TransactGetItems(input);
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
  if (auto* const own = backend_->statements()) return own->ExecuteStatement(input, output);
  return database::ExecuteStatement(backend_, input, output);
}

Result<BatchExecuteStatementOutput> Database::BatchExecuteStatement(
    const BatchExecuteStatementInput& input) const {
  if (auto* const own = backend_->statements()) return own->BatchExecuteStatement(input);
  return database::BatchExecuteStatement(backend_, input);
}

Result<ExecuteTransactionOutput> Database::ExecuteTransaction(
    const ExecuteTransactionInput& input) const {
  if (auto* const own = backend_->statements()) return own->ExecuteTransaction(input);
  return database::ExecuteTransaction(backend_, input);
}

Result<ListStreamsOutput> Database::ListStreams(const ListStreamsInput& input) const {
  return backend_->ListStreams(input);
}

Result<StreamDescription> Database::DescribeStream(const DescribeStreamInput& input) const {
  return backend_->DescribeStream(input);
}

Result<std::string> Database::GetShardIterator(const GetShardIteratorInput& input) const {
  return backend_->GetShardIterator(input);
}

Result<GetRecordsOutput> Database::GetRecords(const GetRecordsInput& input) const {
  return backend_->GetRecords(input);
}

Result<VerifyOutput> Database::Verify(const VerifyProgressHandler& progress) const {
  return backend_->Verify(progress);
}

Result<CopyOutput> Database::Backup(const std::string& directory,
                                    const BackupOptions& options) const {
  return backend_->Backup(directory, options);
}

Result<CopyOutput> Database::Restore(const std::string& backup, const std::string& directory,
                                     const RestoreOptions& options) {
  return internal::openers.restore(backup, directory, options);
}

Result<TableBackup> Database::CreateBackup(const CreateBackupInput& input) const {
  return backend_->CreateBackup(input);
}

Result<TableBackup> Database::DescribeBackup(std::string_view backup_id) const {
  return backend_->DescribeBackup(backup_id);
}

Result<std::vector<TableBackup>> Database::ListBackups() const { return backend_->ListBackups(); }

Result<TableBackup> Database::DeleteBackup(std::string_view backup_id) const {
  return backend_->DeleteBackup(backup_id);
}

Result<RestoreTableOutput> Database::RestoreTableFromBackup(
    const RestoreTableFromBackupInput& input) const {
  return backend_->RestoreTableFromBackup(input);
}

Result<RestoreTableOutput> Database::RestoreTableToPointInTime(
    const RestoreTableToPointInTimeInput& input) const {
  return backend_->RestoreTableToPointInTime(input);
}

Result<ReadChangesOutput> Database::ReadChanges(const ReadChangesInput& input) const {
  return backend_->ReadChanges(input);
}

Result<PointInTimeRecovery> Database::UpdateContinuousBackups(
    const UpdateContinuousBackupsInput& input) const {
  return backend_->UpdateContinuousBackups(input);
}

Result<PointInTimeRecovery> Database::DescribeContinuousBackups(std::string_view table_name) const {
  return backend_->DescribeContinuousBackups(table_name);
}

Result<Database> Database::Fork(const ForkOptions& options) const {
  return backend_->Fork(options).transform(
      [](std::shared_ptr<internal::Backend> fork) { return Database(std::move(fork)); });
}

Status Database::Reset() {
  DOLMEN_ASSIGN_OR_RETURN(std::shared_ptr<internal::Backend> fresh, backend_->Reset());
  backend_ = std::move(fresh);
  return {};
}

Result<DatabaseStats> Database::Stats() const { return backend_->Stats(); }

Status Database::WriteFailure() const { return backend_->WriteFailure(); }

Status Database::CheckWritable() const { return backend_->CheckWritable(); }

const SharedClock& Database::clock() const { return backend_->clock(); }

// A plug-in that links the archive has these functions of the headers, too. The linker hides them in it, because
// they are hidden here.
template class Result<Database>;
template class Result<Table>;

}  // namespace dolmen
