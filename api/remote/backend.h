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
#include "remote/subscriber.h"
#include "remote/tables.h"

namespace dolmen::remote {

// The tables of a service that speaks DynamoDB's protocol. An operation that only an embedded database
// has fails with kValidation; the message says what to use in its place. Thread-safe.
class RemoteBackend final : public internal::Backend, public internal::StatementExecutor {
 public:
  RemoteBackend(std::unique_ptr<Client> client, SharedClock clock, Service::Pause pause,
                SubscriptionOptions subscriptions = {},
                Service::SteadyClock steady_clock = std::chrono::steady_clock::now)
      : service_(std::move(client), std::move(clock), std::move(pause), std::move(steady_clock)),
        subscription_options_(std::move(subscriptions)) {}

  Result<std::shared_ptr<internal::TableState>> CreateTable(const CreateTableInput& input) override;
  Result<std::shared_ptr<internal::TableState>> OpenTable(std::string_view name) override;
  Result<TableDescription> DescribeTable(std::string_view name, ContentSizes sizes) override;
  Result<ListTablesOutput> ListTables(const ListTablesInput& input) override;
  Result<TableDescription> UpdateTable(const UpdateTableInput& input) override;
  Status DeleteTable(std::string_view name) override;
  Result<TimeToLiveSpecification> UpdateTimeToLive(const UpdateTimeToLiveInput& input) override;
  Result<TimeToLiveDescription> DescribeTimeToLive(std::string_view table_name) override;

  Status GetItem(const TableRef& table, const GetItemInput& input, GetItemOutput* output) override;
  Status Query(const TableRef& table, const QueryInput& input, QueryOutput* page) override;
  Status Scan(const TableRef& table, const ScanInput& input, ScanOutput* page) override;
  Result<std::uint64_t> ApproximateBytes(const TableRef& table, const QueryInput& input) override;
  Result<std::uint64_t> ApproximateBytes(const TableRef& table, const ScanInput& input) override;
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

  Status WaitForIndexes(const TableRef& table) override;
  Result<std::uint64_t> ItemCollectionSize(const TableRef& table,
                                           const AttributeValue& partition) override;
  Result<std::uint64_t> ExpireNow(const TableRef& table, std::uint64_t items_max) override;

  Result<std::unique_ptr<internal::Subscriber>> Subscribe(
      const TableRef& table, const SubscribeInput& input,
      internal::SubscriptionHandler handler) override;
  Status Unsubscribe(const TableRef& table, std::string_view name) override;
  Result<ListStreamsOutput> ListStreams(const ListStreamsInput& input) override;
  Result<StreamDescription> DescribeStream(const DescribeStreamInput& input) override;
  Result<std::string> GetShardIterator(const GetShardIteratorInput& input) override;
  Result<GetRecordsOutput> GetRecords(const GetRecordsInput& input) override;

  Result<VerifyOutput> Verify(const VerifyProgressHandler& progress) override;
  Result<CopyOutput> Backup(const std::string& directory, const BackupOptions& options) override;
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
  Result<ReadChangesOutput> ReadChanges(const ReadChangesInput& input) override;
  Result<PointInTimeRecovery> UpdateContinuousBackups(
      const UpdateContinuousBackupsInput& input) override;
  Result<PointInTimeRecovery> DescribeContinuousBackups(std::string_view table_name) override;
  Status ReadUndamaged(const TableRef& table, const ItemHandler& on_item,
                       const RepairLossHandler& on_loss) override;
  Result<std::shared_ptr<internal::Backend>> Fork(const ForkOptions& options) override;
  Result<std::shared_ptr<internal::Backend>> Reset() override;
  Result<DatabaseStats> Stats() override;
  Status WriteFailure() override { return {}; }
  Status CheckWritable() override { return {}; }
  const SharedClock& clock() const override { return service_.clock(); }

  // Returns the service, for requests that Database does not have. Valid as long as this object.
  const Service& service() const { return service_; }

 private:
  // - kValidation: the table belongs to a different database.
  Status CheckOwner(const TableRef& table) const;

  const Service service_;
  Tables tables_{service_};
  const SubscriptionOptions subscription_options_;
  SubscriptionNames subscription_names_;
  const SubscriberContext subscriber_context_{service_, tables_, subscription_names_,
                                              subscription_options_};
};

}  // namespace dolmen::remote
