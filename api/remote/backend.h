// The backend of a remote database.

#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/backend.h"
#include "remote/service.h"
#include "remote/shard_reader.h"
#include "remote/subscriber.h"
#include "remote/tables.h"

namespace dolmen::remote {

// The tables of a service that speaks DynamoDB's protocol. An operation that only an embedded database
// has fails with kValidation; the message says what to use in its place. Thread-safe.
class RemoteBackend : public internal::Backend, public internal::StatementExecutor {
 public:
  RemoteBackend(std::unique_ptr<Client> client, SharedClock clock, Service::Pause pause,
                SubscriptionOptions subscriptions = {},
                Service::SteadyClock steady_clock = std::chrono::steady_clock::now)
      : service_(std::move(client), std::move(clock), std::move(pause), std::move(steady_clock)),
        subscription_options_(std::move(subscriptions)) {}

  Result<std::shared_ptr<internal::TableState>> CreateTable(const CreateTableInput& input) override;
  Result<std::shared_ptr<internal::TableState>> OpenTable(std::string_view name) override;
  Result<TableDescription> DescribeTable(std::string_view name, ContentSizes sizes) override;
  Result<ListTablesOutput> ListTables(const ListTablesInput& input) override {
    return tables_.List(input);
  }
  Result<TableDescription> UpdateTable(const UpdateTableInput& input) override;
  Status DeleteTable(std::string_view name) override { return tables_.Delete(name); }
  Result<TimeToLiveSpecification> UpdateTimeToLive(const UpdateTimeToLiveInput& input) override {
    return tables_.UpdateTimeToLive(input);
  }
  Result<TimeToLiveDescription> DescribeTimeToLive(std::string_view table_name) override {
    return tables_.DescribeTimeToLive(table_name);
  }

  Status GetItem(const TableRef& table, const GetItemInput& input, GetItemOutput* output) override;
  Status Query(const TableRef& table, const QueryInput& input, QueryOutput* page) override;
  Status Scan(const TableRef& table, const ScanInput& input, ScanOutput* page) override;
  Result<std::uint64_t> ApproximateBytes(const TableRef&, const QueryInput&) override {
    return OnlyEmbedded("An estimate of bytes",
                        "DescribeTable returns the size of a remote table.");
  }
  Result<std::uint64_t> ApproximateBytes(const TableRef&, const ScanInput&) override {
    return OnlyEmbedded("An estimate of bytes",
                        "DescribeTable returns the size of a remote table.");
  }
  Result<WriteItemOutput> PutItem(const TableRef& table, const PutItemInput& input) override;
  Result<WriteItemOutput> UpdateItem(const TableRef& table, const UpdateItemInput& input) override;
  Result<WriteItemOutput> DeleteItem(const TableRef& table, const DeleteItemInput& input) override;

  // A BatchGetItem does not read one snapshot.
  Result<BatchGetItemOutput> BatchGetItem(const BatchGetItemInput& input) override;
  Result<BatchWriteItemOutput> BatchWriteItem(const BatchWriteItemInput& input) override;
  Result<TransactGetItemsOutput> TransactGetItems(const TransactGetItemsInput& input) override;
  Result<TransactWriteItemsOutput> TransactWriteItems(
      const TransactWriteItemsInput& input) override;
  // Statements see expired items, because the service does not know hide_expired. A service without PartiQL
  // refuses them.
  internal::StatementExecutor* statements() override { return this; }
  Status ExecuteStatement(const ExecuteStatementInput& input,
                          ExecuteStatementOutput* output) override;
  Result<BatchExecuteStatementOutput> BatchExecuteStatement(
      const BatchExecuteStatementInput& input) override;
  Result<ExecuteTransactionOutput> ExecuteTransaction(
      const ExecuteTransactionInput& input) override;

  Status WaitForIndexes(const TableRef& table) override {
    return tables_.WaitUntilReady(table.name());
  }
  Result<std::uint64_t> ItemCollectionSize(const TableRef&, const AttributeValue&) override {
    return OnlyEmbedded("ItemCollectionSize",
                        "Query the partition and add up the sizes of its items.");
  }
  Result<std::uint64_t> ExpireNow(const TableRef&, std::uint64_t) override {
    return OnlyEmbedded("ExpireNow", "The service deletes expired items itself, later.");
  }

  Result<std::unique_ptr<internal::Subscriber>> Subscribe(
      const TableRef& table, const SubscribeInput& input,
      internal::SubscriptionHandler handler) override;
  Status Unsubscribe(const TableRef& table, std::string_view name) override;
  Result<ListStreamsOutput> ListStreams(const ListStreamsInput& input) override {
    return remote::ListStreams(service_, input);
  }
  Result<StreamDescription> DescribeStream(const DescribeStreamInput& input) override {
    return remote::DescribeStream(service_, input);
  }
  Result<std::string> GetShardIterator(const GetShardIteratorInput& input) override {
    return remote::GetShardIterator(service_, input);
  }
  Result<GetRecordsOutput> GetRecords(const GetRecordsInput& input) override {
    return remote::GetRecords(service_, input);
  }

  Result<VerifyOutput> Verify(const VerifyProgressHandler&) override {
    return OnlyEmbedded("Verify",
                        "For a server of Dolmen, run `dolmen verify` beside its directory.");
  }
  Result<CopyOutput> Backup(const std::string&, const BackupOptions&) override {
    return OnlyEmbedded("Backup", "CreateBackup makes a backup of a remote table in its service.");
  }
  Result<ImportTableOutput> ImportTable(const ImportTableInput&) override {
    return OnlyEmbedded("ImportTable",
                        "CreateTable and BatchWriteItem import into a remote table.");
  }
  // The id of a backup is its ARN. TableBackup::table has only the name and the size of the table. A restore
  // returns when the table is ready; it cannot be interrupted, and cannot hand out the items instead of
  // creating a table.
  Result<TableBackup> CreateBackup(const CreateBackupInput& input) override;
  Result<TableBackup> DescribeBackup(std::string_view backup_id) override;
  Result<std::vector<TableBackup>> ListBackups() override;
  Result<TableBackup> DeleteBackup(std::string_view backup_id) override;
  Result<RestoreTableOutput> RestoreTableFromBackup(
      const RestoreTableFromBackupInput& input) override;
  Result<RestoreTableOutput> RestoreTableToPointInTime(
      const RestoreTableToPointInTimeInput& input) override;
  Result<ReadChangesOutput> ReadChanges(const ReadChangesInput&) override {
    return OnlyEmbedded("ReadChanges",
                        "ExportTableToPointInTime exports the changes of a remote table.");
  }
  Result<PointInTimeRecovery> UpdateContinuousBackups(
      const UpdateContinuousBackupsInput& input) override;
  Result<PointInTimeRecovery> DescribeContinuousBackups(std::string_view table_name) override;
  Status ReadUndamaged(const TableRef&, const ItemHandler&, const RepairLossHandler&) override {
    return OnlyEmbedded("ReadUndamaged", "Scan the remote table.");
  }
  Result<std::shared_ptr<internal::Backend>> Fork(const ForkOptions&) override {
    return OnlyEmbedded("Fork", "CreateBackup and RestoreTableFromBackup copy a remote table.");
  }
  Result<std::shared_ptr<internal::Backend>> Reset() override {
    return OnlyEmbedded("Reset", "Delete the tables and create them again.");
  }
  Result<DatabaseStats> Stats() override {
    return OnlyEmbedded("Stats", "DescribeTable returns the sizes of a remote table.");
  }
  Status WriteFailure() override { return {}; }
  Status CheckWritable() override { return {}; }
  const SharedClock& clock() const override { return service_.clock(); }

  // Returns the service, for requests that Database does not have. Valid as long as this object.
  const Service& service() const { return service_; }
  // See Service.
  void SkipUnreadable(Service::OnUnreadable on_unreadable) {
    service_.SkipUnreadable(std::move(on_unreadable));
  }

 private:
  // Returns the error of an operation that a service does not have.
  static Status OnlyEmbedded(std::string_view operation, std::string_view instead);
  // - kValidation: the table belongs to a different database.
  Status CheckOwner(const TableRef& table) const;

  Service service_;
  Tables tables_{service_};
  const SubscriptionOptions subscription_options_;
  SubscriptionNames subscription_names_;
  const SubscriberContext subscriber_context_{service_, tables_, subscription_names_,
                                              subscription_options_};
};

}  // namespace dolmen::remote
