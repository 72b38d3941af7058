#include "engine/backend.h"

namespace dolmen::internal {
namespace {

// Every operation fails with RefusedAfterFork().
class RefusingStatements final : public StatementExecutor {
 public:
  Status ExecuteStatement(const ExecuteStatementInput&, ExecuteStatementOutput*) override {
    return RefusedAfterFork();
  }
  Result<BatchExecuteStatementOutput> BatchExecuteStatement(
      const BatchExecuteStatementInput&) override {
    return RefusedAfterFork();
  }
  Result<ExecuteTransactionOutput> ExecuteTransaction(const ExecuteTransactionInput&) override {
    return RefusedAfterFork();
  }
};

using TableStateRef = std::shared_ptr<TableState>;

// Every operation fails with RefusedAfterFork(). Has the clock of the operating system.
class RefusingBackend final : public Backend {
 public:
  Result<TableStateRef> CreateTable(const CreateTableInput&) override { return RefusedAfterFork(); }
  Result<TableStateRef> OpenTable(std::string_view) override { return RefusedAfterFork(); }
  Result<TableDescription> DescribeTable(std::string_view, ContentSizes) override {
    return RefusedAfterFork();
  }
  Result<ListTablesOutput> ListTables(const ListTablesInput&) override {
    return RefusedAfterFork();
  }
  Result<TableDescription> UpdateTable(const UpdateTableInput&) override {
    return RefusedAfterFork();
  }
  Status DeleteTable(std::string_view) override { return RefusedAfterFork(); }
  Result<TimeToLiveSpecification> UpdateTimeToLive(const UpdateTimeToLiveInput&) override {
    return RefusedAfterFork();
  }
  Result<TimeToLiveDescription> DescribeTimeToLive(std::string_view) override {
    return RefusedAfterFork();
  }

  Status GetItem(const TableRef&, const GetItemInput&, GetItemOutput* output) override {
    *output = {};
    return RefusedAfterFork();
  }
  Status Query(const TableRef&, const QueryInput&, QueryOutput* page) override {
    *page = {};
    return RefusedAfterFork();
  }
  Status Scan(const TableRef&, const ScanInput&, ScanOutput* page) override {
    *page = {};
    return RefusedAfterFork();
  }
  Result<std::uint64_t> ApproximateBytes(const TableRef&, const QueryInput&) override {
    return RefusedAfterFork();
  }
  Result<std::uint64_t> ApproximateBytes(const TableRef&, const ScanInput&) override {
    return RefusedAfterFork();
  }
  Result<WriteItemOutput> PutItem(const TableRef&, const PutItemInput&) override {
    return RefusedAfterFork();
  }
  Result<WriteItemOutput> UpdateItem(const TableRef&, const UpdateItemInput&) override {
    return RefusedAfterFork();
  }
  Result<WriteItemOutput> DeleteItem(const TableRef&, const DeleteItemInput&) override {
    return RefusedAfterFork();
  }

  Result<BatchGetItemOutput> BatchGetItem(const BatchGetItemInput&) override {
    return RefusedAfterFork();
  }
  Result<BatchWriteItemOutput> BatchWriteItem(const BatchWriteItemInput&) override {
    return RefusedAfterFork();
  }
  Result<TransactGetItemsOutput> TransactGetItems(const TransactGetItemsInput&) override {
    return RefusedAfterFork();
  }
  Result<TransactWriteItemsOutput> TransactWriteItems(const TransactWriteItemsInput&) override {
    return RefusedAfterFork();
  }
  StatementExecutor* statements() override { return &statements_; }

  Status WaitForIndexes(const TableRef&) override { return RefusedAfterFork(); }
  Result<std::uint64_t> ItemCollectionSize(const TableRef&, const AttributeValue&) override {
    return RefusedAfterFork();
  }
  Result<std::uint64_t> ExpireNow(const TableRef&, std::uint64_t) override {
    return RefusedAfterFork();
  }

  Result<std::unique_ptr<Subscriber>> Subscribe(const TableRef&, const SubscribeInput&,
                                                SubscriptionHandler) override {
    return RefusedAfterFork();
  }
  Status Unsubscribe(const TableRef&, std::string_view) override { return RefusedAfterFork(); }
  Result<ListStreamsOutput> ListStreams(const ListStreamsInput&) override {
    return RefusedAfterFork();
  }
  Result<StreamDescription> DescribeStream(const DescribeStreamInput&) override {
    return RefusedAfterFork();
  }
  Result<std::string> GetShardIterator(const GetShardIteratorInput&) override {
    return RefusedAfterFork();
  }
  Result<GetRecordsOutput> GetRecords(const GetRecordsInput&) override {
    return RefusedAfterFork();
  }

  Result<VerifyOutput> Verify(const VerifyProgressHandler&) override { return RefusedAfterFork(); }
  Result<CopyOutput> Backup(const std::string&, const BackupOptions&) override {
    return RefusedAfterFork();
  }
  Result<ImportTableOutput> ImportTable(const ImportTableInput&) override {
    return RefusedAfterFork();
  }
  Result<TableBackup> CreateBackup(const CreateBackupInput&) override { return RefusedAfterFork(); }
  Result<TableBackup> DescribeBackup(std::string_view) override { return RefusedAfterFork(); }
  Result<std::vector<TableBackup>> ListBackups() override { return RefusedAfterFork(); }
  Result<TableBackup> DeleteBackup(std::string_view) override { return RefusedAfterFork(); }
  Result<RestoreTableOutput> RestoreTableFromBackup(const RestoreTableFromBackupInput&) override {
    return RefusedAfterFork();
  }
  Result<RestoreTableOutput> RestoreTableToPointInTime(
      const RestoreTableToPointInTimeInput&) override {
    return RefusedAfterFork();
  }
  Result<ReadChangesOutput> ReadChanges(const ReadChangesInput&) override {
    return RefusedAfterFork();
  }
  Result<PointInTimeRecovery> UpdateContinuousBackups(
      const UpdateContinuousBackupsInput&) override {
    return RefusedAfterFork();
  }
  Result<PointInTimeRecovery> DescribeContinuousBackups(std::string_view) override {
    return RefusedAfterFork();
  }
  Status ReadUndamaged(const TableRef&, const ItemHandler&, const RepairLossHandler&) override {
    return RefusedAfterFork();
  }
  Result<std::shared_ptr<Backend>> Fork(const ForkOptions&) override { return RefusedAfterFork(); }
  Result<std::shared_ptr<Backend>> Reset() override { return RefusedAfterFork(); }
  Result<DatabaseStats> Stats() override { return RefusedAfterFork(); }
  Status WriteFailure() override { return RefusedAfterFork(); }
  Status CheckWritable() override { return RefusedAfterFork(); }
  const SharedClock& clock() const override { return clock_; }

 private:
  const SharedClock clock_ = Clock::System();
  RefusingStatements statements_;
};

}  // namespace

Backend& BackendAfterFork() {
  static RefusingBackend& backend = *new RefusingBackend();  // never destroyed
  return backend;
}

}  // namespace dolmen::internal
