#include "engine/engine.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "engine/load/import_table.h"
#include "engine/read/get_item.h"
#include "engine/read/get_items.h"
#include "engine/read/page_writer.h"
#include "engine/read/query.h"
#include "engine/read/scan.h"
#include "engine/schema/content_size.h"
#include "engine/storage/backup/backup.h"
#include "engine/storage/files/directory.h"
#include "engine/storage/fork/directory_image.h"
#include "engine/storage/load/table_load.h"
#include "engine/storage/rocks_process.h"
#include "engine/value/violation.h"
#include "engine/verify/verify.h"
#include "engine/write/atomic_write.h"
#include "engine/write/write_items.h"

namespace dolmen::engine {
namespace {

Result<std::shared_ptr<internal::TableState>> ToState(Result<LiveTableRef> table) {
  if (!table.ok()) return table.status();
  return std::shared_ptr<internal::TableState>(*std::move(table));
}

Result<std::shared_ptr<internal::Backend>> ToBackend(Result<std::shared_ptr<Engine>> engine) {
  if (!engine.ok()) return engine.status();
  return std::shared_ptr<internal::Backend>(*std::move(engine));
}

Status WrongDatabase(const TableRef& table) {
  return Status::Validation("Table " + table.name() +
                            " belongs to another database. Use only tables of the database that "
                            "receives the request.");
}

// The bounds of OpenOptions. RocksDB and the row cache compute with multiples of these sizes.
constexpr std::size_t kCacheBytesMax = std::size_t{1} << 40;
constexpr std::size_t kWriteBufferBytesMax = std::size_t{4} << 30;

}  // namespace

StoreOptions Engine::StoreOptionsFor(const std::filesystem::path& directory,
                                     const OpenOptions& options) {
  return {.directory = directory.string(),
          .read_only = options.read_only,
          .sync = options.durability == Durability::kSync,
          .cache_bytes = std::min(options.cache_bytes, kCacheBytesMax),
          .row_cache_bytes = std::min(options.row_cache_bytes, kCacheBytesMax),
          .write_buffer_bytes = std::min(options.write_buffer_bytes, kWriteBufferBytesMax),
          .encryption_key = options.encryption_key};
}

Result<std::shared_ptr<Engine>> Engine::OpenStore(const StoreOptions& store_options,
                                                  const OpenOptions& options) {
  DOLMEN_ASSIGN_OR_RETURN(std::unique_ptr<Store> store, Store::Open(store_options));
  std::shared_ptr<Engine> engine =
      internal::ShareInOwnProcess(std::unique_ptr<Engine>(new Engine(std::move(store), options)));
  DOLMEN_RETURN_IF_ERROR(engine->Load());
  return engine;
}

Status Engine::Load() {
  DOLMEN_RETURN_IF_ERROR(catalog_.Load());
  std::vector<StreamSchema> streams;
  for (const LiveTableRef& table : catalog_.TablesWithStreams()) {
    for (const StreamSchema* stream : table->schema()->AllStreams()) streams.push_back(*stream);
  }
  DOLMEN_RETURN_IF_ERROR(changes_.Load(streams));
  DOLMEN_RETURN_IF_ERROR(recovery_.Load());
  if (!store_->CheckWritable().ok()) return {};
  DeleteUnfinishedLoads(*store_);
  // Ignores an error, because the next opening of the database tries again to drop the old streams.
  catalog_.DropOldStreams().IgnoreError();
  backfiller_.Wake();
  sweeper_.StartIfNeeded();
  return {};
}

Result<std::shared_ptr<Engine>> Engine::Open(const std::filesystem::path& directory,
                                             const OpenOptions& options, bool checks_row_cache) {
  DOLMEN_RETURN_IF_ERROR(CheckMayOpen());
  const bool create = options.create_if_missing && !options.read_only;
  DOLMEN_RETURN_IF_ERROR(PrepareDirectory(directory, create, options.encryption_key));
  // RocksDB compares directory names to detect that this process has already opened the directory.
  // Each directory has exactly one canonical path, so RocksDB gets the canonical path.
  std::error_code error;
  const std::filesystem::path name = std::filesystem::canonical(directory, error);
  if (error) return Status::Storage("can't open " + directory.string() + ": " + error.message());
  StoreOptions store_options = StoreOptionsFor(name, options);
  store_options.checks_row_cache = checks_row_cache;
  return OpenStore(store_options, options);
}

Result<std::shared_ptr<Engine>> Engine::InMemory(const OpenOptions& options,
                                                 bool checks_row_cache) {
  if (options.read_only) {
    return Status::Validation(
        "A database in memory is new and empty, so it cannot be opened read-only. Open it with "
        "read_only = false.");
  }
  DOLMEN_RETURN_IF_ERROR(CheckMayOpen());
  StoreOptions store_options = StoreOptionsFor({}, options);
  store_options.checks_row_cache = checks_row_cache;
  return OpenImage(nullptr, std::move(store_options), options);
}

Result<std::shared_ptr<Engine>> Engine::InMemoryFrom(const std::filesystem::path& directory,
                                                     const OpenOptions& options) {
  DOLMEN_RETURN_IF_ERROR(CheckMayOpen());
  DOLMEN_RETURN_IF_ERROR(PrepareDirectory(directory, /*create=*/false, options.encryption_key));
  DOLMEN_ASSIGN_OR_RETURN(std::shared_ptr<const MemoryDirectory> image,
                          CopyToMemory(directory.string(), options.encryption_key));
  OpenOptions in_memory = options;
  in_memory.read_only = false;
  return OpenImage(std::move(image), StoreOptionsFor({}, in_memory), in_memory);
}

Result<std::shared_ptr<Engine>> Engine::OpenImage(std::shared_ptr<const MemoryDirectory> image,
                                                  StoreOptions store_options,
                                                  const OpenOptions& options) {
  store_options.in_memory = true;
  if (image != nullptr) {
    DOLMEN_ASSIGN_OR_RETURN(store_options.memory, image->Link());
  }
  DOLMEN_ASSIGN_OR_RETURN(std::shared_ptr<Engine> engine, OpenStore(store_options, options));
  engine->origin_ = std::move(image);
  return engine;
}

StoreOptions Engine::SharedStoreOptions() const {
  StoreOptions store_options = StoreOptionsFor({}, options_);
  store_options.block_cache = store_->block_cache();
  store_options.checks_row_cache = store_->checks_row_cache();
  return store_options;
}

OpenOptions Engine::WithClock(OpenOptions options) {
  if (options.clock == nullptr) options.clock = Clock::System();
  return options;
}

Result<std::shared_ptr<internal::TableState>> Engine::CreateTable(const CreateTableInput& input) {
  return ToState(catalog_.Create(input));
}

Result<std::shared_ptr<internal::TableState>> Engine::OpenTable(std::string_view name) {
  return ToState(catalog_.Find(name));
}

Result<TableDescription> Engine::DescribeTable(std::string_view name, ContentSizes sizes) {
  // Looks for a prepared table first: it may become a table at any time, but never the reverse.
  if (const auto prepared = catalog_.FindPrepared(name)) {
    TableDescription description = ::dolmen::engine::Describe(*prepared);
    description.annotations = prepared->annotations;
    description.status = TableStatus::kCreating;
    return description;
  }
  DOLMEN_ASSIGN_OR_RETURN(const LiveTableRef& table, catalog_.FindToManage(name));
  return ReadWithSchema(*table, [&](const TableSchema& schema) -> Result<TableDescription> {
    TableDescription description = Describe(*table, schema);
    if (sizes == ContentSizes::kCount) DescribeContent(*store_, schema, {}, &description);
    return description;
  });
}

Result<ListTablesOutput> Engine::ListTables(const ListTablesInput& input) {
  constexpr std::uint32_t kLimitMax = 100;
  DOLMEN_RETURN_IF_ERROR(CheckRange(input.limit, "limit", 1, kLimitMax));
  ListTablesOutput output;
  output.table_names =
      catalog_.List(input.exclusive_start_table_name, std::size_t{input.limit} + 1);
  if (output.table_names.size() > input.limit) {
    output.table_names.pop_back();
    output.last_evaluated_table_name = output.table_names.back();
  }
  return output;
}

Result<TableDescription> Engine::UpdateTable(const UpdateTableInput& input) {
  DOLMEN_ASSIGN_OR_RETURN(const LiveTableRef& table, catalog_.Update(input));
  if (input.stream_specification) TidyStreams();
  backfiller_.Wake();
  const TableSchema* const schema = table->schema();
  if (schema == nullptr) return NoSuchTable();
  return Describe(*table, *schema);
}

// Old streams are dropped after each change that disables one, and by the sweeper's thread. Otherwise
// a program that often creates and deletes streams would accumulate them until the database is opened
// again.
void Engine::TidyStreams() {
  catalog_.DropOldStreams().IgnoreError();
  sweeper_.StartIfNeeded();
}

Status Engine::DeleteTable(std::string_view name) {
  Status dropped = recovery_.DropTable(name);
  if (dropped.ok()) TidyStreams();
  backfiller_.NotifyWaiters();
  return dropped;
}

Result<ImportTableOutput> Engine::ImportTable(const ImportTableInput& input) {
  return engine::ImportTable(store_.get(), &catalog_, input);
}

Result<TimeToLiveSpecification> Engine::UpdateTimeToLive(const UpdateTimeToLiveInput& input) {
  DOLMEN_RETURN_IF_ERROR(catalog_.UpdateTimeToLive(input).status());
  backfiller_.Wake();
  sweeper_.StartIfNeeded();
  return input.specification;
}

Result<TimeToLiveDescription> Engine::DescribeTimeToLive(std::string_view name) {
  DOLMEN_ASSIGN_OR_RETURN(const LiveTableRef& table, catalog_.FindToManage(name));
  const TableSchema* const schema = table->schema();
  if (schema == nullptr || !schema->expiry) return TimeToLiveDescription{};
  const ExpirySchema& expiry = *schema->expiry;
  return TimeToLiveDescription{
      expiry.index.backfilling ? TimeToLiveStatus::kEnabling : TimeToLiveStatus::kEnabled,
      expiry.attribute(), expiry.hide_expired};
}

Status Engine::GetItem(const TableRef& table, const GetItemInput& input, GetItemOutput* output) {
  Status read = ReadWithSchema(LiveTableOf(table), [&](const TableSchema& schema) {
    return engine::GetItem(read_context(), schema, input, output);
  });
  if (!read.ok()) *output = {};
  return read;
}

Status Engine::Query(const TableRef& table, const QueryInput& input, QueryOutput* page) {
  Status read = ReadWithSchema(LiveTableOf(table), [&](const TableSchema& schema) {
    return engine::Query(read_context(), schema, input, page);
  });
  if (!read.ok()) internal::PageWriter(page).Clear();
  return read;
}

Status Engine::Scan(const TableRef& table, const ScanInput& input, ScanOutput* page) {
  Status read = ReadWithSchema(LiveTableOf(table), [&](const TableSchema& schema) {
    return engine::Scan(read_context(), schema, input, page);
  });
  if (!read.ok()) internal::PageWriter(page).Clear();
  return read;
}

Result<std::uint64_t> Engine::ApproximateBytes(const TableRef& table, const QueryInput& input) {
  return ReadWithSchema(LiveTableOf(table), [&](const TableSchema& schema) {
    return engine::ApproximateBytes(read_context(), schema, input);
  });
}

Result<std::uint64_t> Engine::ApproximateBytes(const TableRef& table, const ScanInput& input) {
  return ReadWithSchema(LiveTableOf(table), [&](const TableSchema& schema) {
    return engine::ApproximateBytes(read_context(), schema, input);
  });
}

Result<WriteItemOutput> Engine::PutItem(const TableRef& table, const PutItemInput& input) {
  return WriteItem(write_context(), LiveTableOf(table), input);
}

Result<WriteItemOutput> Engine::UpdateItem(const TableRef& table, const UpdateItemInput& input) {
  return WriteItem(write_context(), LiveTableOf(table), input);
}

Result<WriteItemOutput> Engine::DeleteItem(const TableRef& table, const DeleteItemInput& input) {
  return WriteItem(write_context(), LiveTableOf(table), input);
}

template <typename Parts>
Result<std::vector<LiveTable*>> Engine::ResolveTables(const Parts& parts) const {
  std::vector<LiveTable*> tables;
  tables.reserve(parts.size());
  for (const auto& part : parts) {
    if (part.table.backend().get() != this) return WrongDatabase(part.table);
    tables.push_back(&LiveTableOf(part.table));
  }
  return tables;
}

Result<BatchGetItemOutput> Engine::BatchGetItem(const BatchGetItemInput& input) {
  DOLMEN_ASSIGN_OR_RETURN(const auto& tables, ResolveTables(input.requests));
  return ReadWithSchema(tables, [&](std::span<const TableSchema* const> schemas) {
    return engine::BatchGetItem(read_context(), input, schemas);
  });
}

Result<BatchWriteItemOutput> Engine::BatchWriteItem(const BatchWriteItemInput& input) {
  DOLMEN_ASSIGN_OR_RETURN(const auto& tables, ResolveTables(input.requests));
  return engine::BatchWriteItem(write_context(), input, tables);
}

Result<TransactGetItemsOutput> Engine::TransactGetItems(const TransactGetItemsInput& input) {
  DOLMEN_ASSIGN_OR_RETURN(const auto& tables, ResolveTables(input.items));
  return ReadWithSchema(tables, [&](std::span<const TableSchema* const> schemas) {
    return engine::TransactGetItems(read_context(), input, schemas);
  });
}

Result<TransactWriteItemsOutput> Engine::TransactWriteItems(const TransactWriteItemsInput& input) {
  DOLMEN_ASSIGN_OR_RETURN(const auto& tables, ResolveTables(input.actions));
  return engine::TransactWriteItems(write_context(), input, tables);
}

Status Engine::WaitForIndexes(const TableRef& table) {
  return backfiller_.Wait(LiveTableOf(table));
}

Result<std::uint64_t> Engine::ItemCollectionSize(const TableRef& table,
                                                 const AttributeValue& partition) {
  return ReadWithSchema(LiveTableOf(table), [&](const TableSchema& schema) {
    return engine::ItemCollectionSize(*store_, schema, partition);
  });
}

Result<std::uint64_t> Engine::ExpireNow(const TableRef& table, std::uint64_t items_max) {
  return sweeper_.Sweep(LiveTableOf(table), items_max);
}

Result<std::unique_ptr<internal::Subscriber>> Engine::Subscribe(
    const TableRef& table, const SubscribeInput& input, internal::SubscriptionHandler handler) {
  return Subscriber::Create(subscriber_context(), table, input, std::move(handler));
}

Status Engine::Unsubscribe(const TableRef& table, std::string_view name) {
  return engine::Unsubscribe(subscriber_context(), LiveTableOf(table), std::string(name));
}

Result<ListStreamsOutput> Engine::ListStreams(const ListStreamsInput& input) {
  return engine::ListStreams(stream_context(), input);
}

Result<StreamDescription> Engine::DescribeStream(const DescribeStreamInput& input) {
  return engine::DescribeStream(stream_context(), input);
}

Result<std::string> Engine::GetShardIterator(const GetShardIteratorInput& input) {
  return engine::GetShardIterator(stream_context(), input);
}

Result<GetRecordsOutput> Engine::GetRecords(const GetRecordsInput& input) {
  return engine::GetRecords(stream_context(), input);
}

Result<VerifyOutput> Engine::Verify(const VerifyProgressHandler& progress) {
  const std::vector<std::string> damage = recovery_.FindDamagedBackups();
  return engine::Verify(*store_, catalog_.TablesWithStreams(), damage, progress);
}

Result<CopyOutput> Engine::Backup(const std::string& directory, const BackupOptions& options) {
  return store_->Backup({.directory = directory, .encryption_key = options.encryption_key},
                        options.progress);
}

Result<CopyOutput> Engine::Restore(const std::string& backup, const std::string& directory,
                                   const RestoreOptions& options) {
  DOLMEN_RETURN_IF_ERROR(CheckMayOpen());
  return RestoreBackup({.directory = backup, .encryption_key = options.encryption_key},
                       {.directory = directory, .encryption_key = options.encryption_key},
                       options.progress);
}

Status Engine::ReadUndamaged(const TableRef& table, const ItemHandler& on_item,
                             const RepairLossHandler& on_loss) {
  const TableSchema* const schema = LiveTableOf(table).schema();
  if (schema == nullptr) return NoSuchTable();
  return engine::ReadUndamaged(*store_, *schema, on_item, on_loss);
}

Result<std::shared_ptr<internal::Backend>> Engine::Fork(const ForkOptions& fork) {
  OpenOptions options = options_;
  options.clock = fork.clock != nullptr ? fork.clock : options_.clock->Fork();
  if (options.clock == nullptr) options.clock = options_.clock;
  if (!fork.directory.empty()) {
    DOLMEN_RETURN_IF_ERROR(store_->ForkTo(fork.directory));
    return ToBackend(Open(fork.directory, options, store_->checks_row_cache()));
  }
  DOLMEN_ASSIGN_OR_RETURN(std::shared_ptr<const MemoryDirectory> image, store_->Image());
  return ToBackend(OpenImage(std::move(image), SharedStoreOptions(), options));
}

Result<std::shared_ptr<internal::Backend>> Engine::Reset() {
  if (!store_->is_in_memory()) {
    return Status::Validation(
        "Only a database in memory can be reset, because a reset deletes data. Fork the original "
        "into another directory instead.");
  }
  auto fresh = ToBackend(OpenImage(origin_, SharedStoreOptions(), options_));
  if (!fresh.ok()) return fresh;
  catalog_.Retire();
  backfiller_.NotifyWaiters();
  return fresh;
}

Result<DatabaseStats> Engine::Stats() {
  Result<DatabaseStats> stats = store_->Stats();
  if (stats.ok()) stats->tables = catalog_.Tables().size();
  return stats;
}

TableDescription Engine::Describe(const LiveTable& table, const TableSchema& schema) const {
  TableDescription description = ::dolmen::engine::Describe(schema);
  description.annotations = *table.annotations();
  for (GlobalSecondaryIndexDescription& index : description.global_secondary_indexes) {
    if (index.status == IndexStatus::kActive) continue;
    const KeyspaceId keyspace = schema.FindIndex(index.index.name)->keyspace;
    index.backfill = backfiller_.GetProgress(schema, keyspace);
  }
  return description;
}

}  // namespace dolmen::engine
