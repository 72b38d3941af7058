// The embedded engine: an open database with its store, tables, locks, clock and background
// threads.

#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "dolmen/backup.h"
#include "dolmen/clock.h"
#include "dolmen/open_options.h"
#include "dolmen/point_in_time.h"
#include "dolmen/repair.h"
#include "dolmen/result.h"
#include "dolmen/stats.h"
#include "dolmen/table_backup.h"
#include "dolmen/verify.h"
#include "engine/backend.h"
#include "engine/background/backfill.h"
#include "engine/background/sweeper.h"
#include "engine/read/read_context.h"
#include "engine/recovery/recovery.h"
#include "engine/schema/catalog.h"
#include "engine/storage/store.h"
#include "engine/stream/change_log.h"
#include "engine/stream/streams.h"
#include "engine/stream/subscriber.h"
#include "engine/write/atomic_write.h"
#include "engine/write/lock_table.h"
#include "engine/write/token_log.h"

namespace dolmen::engine {

// An open database. It owns the parts of the engine, and each operation passes the parts that it
// needs to the function that does the work. Thread-safe. Its destructor stops the background
// threads.
class Engine final : public internal::Backend {
 public:
  // Contract: Database::Open. `checks_row_cache` is for tests (RowCache::checks_reads()); the forks of the
  // engine inherit it.
  static Result<std::shared_ptr<Engine>> Open(const std::filesystem::path& directory,
                                              const OpenOptions& options,
                                              bool checks_row_cache = false);
  // Contract: Database::InMemory.
  static Result<std::shared_ptr<Engine>> InMemory(const OpenOptions& options,
                                                  bool checks_row_cache = false);
  // Contract: Database::InMemoryFrom.
  static Result<std::shared_ptr<Engine>> InMemoryFrom(const std::filesystem::path& directory,
                                                      const OpenOptions& options);
  // Contract: Database::Restore.
  static Result<CopyOutput> Restore(const std::string& backup, const std::string& directory,
                                    const RestoreOptions& options);

  // Returns the options with which Open opens the store. Public for tests that change some of
  // them.
  static StoreOptions StoreOptionsFor(const std::filesystem::path& directory,
                                      const OpenOptions& options);
  // Opens the store and the database in it. Public for tests.
  static Result<std::shared_ptr<Engine>> OpenStore(const StoreOptions& store_options,
                                                   const OpenOptions& options);

  // Each of these methods implements the operation of Database or Table with the same name, whose
  // contract holds here.
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

  Result<BatchGetItemOutput> BatchGetItem(const BatchGetItemInput& input) override;
  Result<BatchWriteItemOutput> BatchWriteItem(const BatchWriteItemInput& input) override;
  Result<TransactGetItemsOutput> TransactGetItems(const TransactGetItemsInput& input) override;
  Result<TransactWriteItemsOutput> TransactWriteItems(
      const TransactWriteItemsInput& input) override;

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
  Result<ImportTableOutput> ImportTable(const ImportTableInput& input) override;
  Result<TableBackup> CreateBackup(const CreateBackupInput& input) override {
    return recovery_.CreateBackup(input);
  }
  Result<TableBackup> DescribeBackup(std::string_view backup_id) override {
    return recovery_.DescribeBackup(backup_id);
  }
  Result<std::vector<TableBackup>> ListBackups() override { return recovery_.ListBackups(); }
  Result<TableBackup> DeleteBackup(std::string_view backup_id) override {
    return recovery_.DeleteBackup(backup_id);
  }
  Result<RestoreTableOutput> RestoreTableFromBackup(
      const RestoreTableFromBackupInput& input) override {
    return recovery_.RestoreTableFromBackup(input);
  }
  Result<RestoreTableOutput> RestoreTableToPointInTime(
      const RestoreTableToPointInTimeInput& input) override {
    return recovery_.RestoreTableToPointInTime(input);
  }
  Result<ReadChangesOutput> ReadChanges(const ReadChangesInput& input) override {
    return recovery_.ReadChanges(input);
  }
  Result<PointInTimeRecovery> UpdateContinuousBackups(
      const UpdateContinuousBackupsInput& input) override {
    return recovery_.UpdateContinuousBackups(input);
  }
  Result<PointInTimeRecovery> DescribeContinuousBackups(std::string_view table_name) override {
    return recovery_.DescribeContinuousBackups(table_name);
  }
  Status ReadUndamaged(const TableRef& table, const ItemHandler& on_item,
                       const RepairLossHandler& on_loss) override;
  Result<std::shared_ptr<internal::Backend>> Fork(const ForkOptions& options) override;
  Result<std::shared_ptr<internal::Backend>> Reset() override;
  Result<DatabaseStats> Stats() override;
  Status WriteFailure() override { return store_->WriteFailure(); }
  Status CheckWritable() override { return store_->CheckFiles(); }
  const SharedClock& clock() const override { return options_.clock; }

  // The parts of the engine. They live as long as the engine.
  Store& store() { return *store_; }
  LockTable& locks() { return locks_; }
  Catalog& catalog() { return catalog_; }
  Backfiller& backfiller() { return backfiller_; }
  ReadContext read_context() const {
    return {*store_, locks_, *options_.clock, options_.on_conflict};
  }
  WriteContext write_context() {
    return {*store_, locks_, tokens_, changes_, *options_.clock, options_.on_conflict};
  }

 private:
  Engine(std::unique_ptr<Store> store, const OpenOptions& options)
      : options_(WithClock(options)),
        store_(std::move(store)),
        changes_(store_.get(), options_.clock.get()),
        catalog_(store_.get(), &locks_, &changes_, options_.clock.get()),
        tokens_(store_.get()),
        recovery_({*store_, catalog_, changes_, *options_.clock}),
        backfiller_(store_.get(), &locks_, &catalog_),
        sweeper_(write_context(), &catalog_, options.expiry_lag) {}

  // Returns the options with the clock of the operating system instead of null.
  static OpenOptions WithClock(OpenOptions options);
  // Opens a database in memory with links to the files in `image`, or an empty one if it is null. Takes
  // the directory and the files from `image`, and all else from both options.
  static Result<std::shared_ptr<Engine>> OpenImage(std::shared_ptr<const MemoryDirectory> image,
                                                   StoreOptions store_options,
                                                   const OpenOptions& options);
  // Returns options of a store that shares the block cache of this one.
  StoreOptions SharedStoreOptions() const;

  // Loads the catalog and the change log, and starts the background work.
  Status Load();

  // Returns the tables that the parts of a request name, in the order of the parts.
  // - kValidation: a table belongs to another database.
  template <typename Parts>
  Result<std::vector<LiveTable*>> ResolveTables(const Parts& parts) const;

  // Drops old streams, and starts the thread that drops the disabled ones later.
  void TidyStreams();

  // Returns the description of the table, with its annotations and the progress of its backfills.
  TableDescription Describe(const LiveTable& table, const TableSchema& schema) const;

  StreamContext stream_context() { return {catalog_, changes_, locks_, *options_.clock}; }
  SubscriberContext subscriber_context() { return {*store_, changes_, subscriber_names_}; }

  const OpenOptions options_;  // with a clock that is not null
  // The files with which the database in memory began. Null: it began empty, or is on the disk.
  std::shared_ptr<const MemoryDirectory> origin_;
  std::unique_ptr<Store> store_;
  LockTable locks_;
  ChangeLog changes_;
  Catalog catalog_;
  TokenLog tokens_;
  SubscriberNames subscriber_names_;
  Recovery recovery_;
  // These members are declared last and destroyed first, because their threads use all other
  // members.
  Backfiller backfiller_;
  Sweeper sweeper_;
};

}  // namespace dolmen::engine
