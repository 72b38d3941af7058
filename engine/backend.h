// The interface between the API's handles (Database, Table, Subscription) and their implementation.
//
// A handle forwards each operation by one virtual call. Each method has the contract of the
// handle's method of the same name: dolmen/database.h, dolmen/table.h and dolmen/subscription.h. Every
// method is thread-safe. This header is not installed.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dolmen/backup.h"
#include "dolmen/batch.h"
#include "dolmen/clock.h"
#include "dolmen/create_table.h"
#include "dolmen/describe_table.h"
#include "dolmen/import_table.h"
#include "dolmen/list_tables.h"
#include "dolmen/open_options.h"
#include "dolmen/operations.h"
#include "dolmen/point_in_time.h"
#include "dolmen/query.h"
#include "dolmen/repair.h"
#include "dolmen/result.h"
#include "dolmen/scan.h"
#include "dolmen/statement.h"
#include "dolmen/stats.h"
#include "dolmen/streams.h"
#include "dolmen/subscription.h"
#include "dolmen/table_backup.h"
#include "dolmen/table_ref.h"
#include "dolmen/time_to_live.h"
#include "dolmen/transaction.h"
#include "dolmen/update_table.h"
#include "dolmen/verify.h"
#include "engine/base/own_process.h"

namespace dolmen::internal {

// A function that takes the records of a page at once, in their order. It returns success once it has
// handled all of them. After an error or an exception it gets all of them again. The position moves past
// the whole page. A page of an embedded database has up to 100 records, and one of a remote database up
// to 1000.
using PageHandler = std::function<Status(const std::vector<const StreamRecord*>&)>;
// The handler of a subscription. Table::Subscribe passes a RecordHandler, and `dolmen copy` a PageHandler.
using SubscriptionHandler = std::variant<RecordHandler, PageHandler>;

// A running subscription. The destructor stops it and waits for its handler.
class Subscriber : public OfOwnProcess {
 public:
  virtual ~Subscriber() = default;
  virtual Result<std::size_t> Deliver() = 0;
  virtual Status Seek(const StreamPosition& position) = 0;
  virtual std::string sequence_number() const = 0;
  virtual Status status() const = 0;
};

// An executor of PartiQL statements. Contracts: the operations of Database of the same name.
class StatementExecutor {
 public:
  virtual ~StatementExecutor() = default;
  virtual Status ExecuteStatement(const ExecuteStatementInput& input,
                                  ExecuteStatementOutput* output) = 0;
  virtual Result<BatchExecuteStatementOutput> BatchExecuteStatement(
      const BatchExecuteStatementInput& input) = 0;
  virtual Result<ExecuteTransactionOutput> ExecuteTransaction(
      const ExecuteTransactionInput& input) = 0;
};

// An open database. The backend closes when its last owner releases it.
//
// A method that takes one TableRef REQUIRES that the table belongs to this backend. A method whose
// input holds several TableRefs checks them and returns kValidation for a table of a different
// backend.
class Backend : public OfOwnProcess {
 public:
  virtual ~Backend() = default;

  virtual Result<std::shared_ptr<TableState>> CreateTable(const CreateTableInput& input) = 0;
  virtual Result<std::shared_ptr<TableState>> OpenTable(std::string_view name) = 0;
  virtual Result<TableDescription> DescribeTable(std::string_view name, ContentSizes sizes) = 0;
  virtual Result<ListTablesOutput> ListTables(const ListTablesInput& input) = 0;
  virtual Result<TableDescription> UpdateTable(const UpdateTableInput& input) = 0;
  virtual Status DeleteTable(std::string_view name) = 0;
  virtual Result<TimeToLiveSpecification> UpdateTimeToLive(const UpdateTimeToLiveInput& input) = 0;
  virtual Result<TimeToLiveDescription> DescribeTimeToLive(std::string_view table_name) = 0;

  // If GetItem fails, it leaves `output` without an item. If Query or Scan fails, it leaves `page`
  // empty.
  virtual Status GetItem(const TableRef& table, const GetItemInput& input,
                         GetItemOutput* output) = 0;
  virtual Status Query(const TableRef& table, const QueryInput& input, QueryOutput* page) = 0;
  virtual Status Scan(const TableRef& table, const ScanInput& input, ScanOutput* page) = 0;
  // Return RocksDB's estimate of the bytes that the ranges of the request take. It may be several
  // times too high or too low. An invalid request is an error, as in Query and Scan.
  virtual Result<std::uint64_t> ApproximateBytes(const TableRef& table,
                                                 const QueryInput& input) = 0;
  virtual Result<std::uint64_t> ApproximateBytes(const TableRef& table, const ScanInput& input) = 0;
  virtual Result<WriteItemOutput> PutItem(const TableRef& table, const PutItemInput& input) = 0;
  virtual Result<WriteItemOutput> UpdateItem(const TableRef& table,
                                             const UpdateItemInput& input) = 0;
  virtual Result<WriteItemOutput> DeleteItem(const TableRef& table,
                                             const DeleteItemInput& input) = 0;

  virtual Result<BatchGetItemOutput> BatchGetItem(const BatchGetItemInput& input) = 0;
  virtual Result<BatchWriteItemOutput> BatchWriteItem(const BatchWriteItemInput& input) = 0;
  virtual Result<TransactGetItemsOutput> TransactGetItems(const TransactGetItemsInput& input) = 0;
  virtual Result<TransactWriteItemsOutput> TransactWriteItems(
      const TransactWriteItemsInput& input) = 0;

  // Returns the executor of statements, which lives as long as this object. Null: a statement is
  // executed by the operations on items.
  virtual StatementExecutor* statements() { return nullptr; }

  virtual Status WaitForIndexes(const TableRef& table) = 0;
  virtual Result<std::uint64_t> ItemCollectionSize(const TableRef& table,
                                                   const AttributeValue& partition) = 0;
  virtual Result<std::uint64_t> ExpireNow(const TableRef& table, std::uint64_t items_max) = 0;

  virtual Result<std::unique_ptr<Subscriber>> Subscribe(const TableRef& table,
                                                        const SubscribeInput& input,
                                                        SubscriptionHandler handler) = 0;
  virtual Status Unsubscribe(const TableRef& table, std::string_view name) = 0;
  virtual Result<ListStreamsOutput> ListStreams(const ListStreamsInput& input) = 0;
  virtual Result<StreamDescription> DescribeStream(const DescribeStreamInput& input) = 0;
  virtual Result<std::string> GetShardIterator(const GetShardIteratorInput& input) = 0;
  virtual Result<GetRecordsOutput> GetRecords(const GetRecordsInput& input) = 0;

  virtual Result<VerifyOutput> Verify(const VerifyProgressHandler& progress) = 0;
  virtual Result<CopyOutput> Backup(const std::string& directory, const BackupOptions& options) = 0;
  virtual Result<ImportTableOutput> ImportTable(const ImportTableInput& input) = 0;
  virtual Result<TableBackup> CreateBackup(const CreateBackupInput& input) = 0;
  virtual Result<TableBackup> DescribeBackup(std::string_view backup_id) = 0;
  virtual Result<std::vector<TableBackup>> ListBackups() = 0;
  virtual Result<TableBackup> DeleteBackup(std::string_view backup_id) = 0;
  virtual Result<RestoreTableOutput> RestoreTableFromBackup(
      const RestoreTableFromBackupInput& input) = 0;
  virtual Result<RestoreTableOutput> RestoreTableToPointInTime(
      const RestoreTableToPointInTimeInput& input) = 0;
  virtual Result<ReadChangesOutput> ReadChanges(const ReadChangesInput& input) = 0;
  virtual Result<PointInTimeRecovery> UpdateContinuousBackups(
      const UpdateContinuousBackupsInput& input) = 0;
  virtual Result<PointInTimeRecovery> DescribeContinuousBackups(std::string_view table_name) = 0;
  virtual Status ReadUndamaged(const TableRef& table, const ItemHandler& on_item,
                               const RepairLossHandler& on_loss) = 0;
  virtual Result<std::shared_ptr<Backend>> Fork(const ForkOptions& options) = 0;
  // Returns a new backend with the state that Database::Reset describes. Afterwards this backend
  // has no tables.
  virtual Result<std::shared_ptr<Backend>> Reset() = 0;
  virtual Result<DatabaseStats> Stats() = 0;
  virtual Status WriteFailure() = 0;
  virtual Status CheckWritable() = 0;
  virtual const SharedClock& clock() const = 0;
};

// Returns a backend that refuses every operation with RefusedAfterFork().
Backend& BackendAfterFork();

// Returns the backend for an operation of a handle. In a child of fork(2) it is BackendAfterFork(), because another
// thread of the parent may have held any lock of the backend.
inline Backend& Reach(const std::shared_ptr<Backend>& backend) {
  return backend->IsInOwnProcess() ? *backend : BackendAfterFork();
}

}  // namespace dolmen::internal
