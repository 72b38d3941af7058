#include "engine/engine.h"

#include <system_error>
#include <utility>
#include <vector>

#include "engine/schema/content_size.h"
#include "engine/storage/directory.h"
#include "engine/storage/log_check.h"

namespace dolmen::engine {

StoreOptions Engine::StoreOptionsFor(const std::filesystem::path& directory,
                                     const OpenOptions& options) {
  return {.directory = directory.string(),
          .read_only = options.read_only,
          .sync = options.durability == Durability::kSync,
          .cache_bytes = options.cache_bytes,
          .write_buffer_bytes = options.write_buffer_bytes};
}

Result<std::shared_ptr<Engine>> Engine::OpenStore(const StoreOptions& store_options,
                                                  const OpenOptions& options) {
  Result<std::unique_ptr<Store>> store = Store::Open(store_options);
  if (!store.ok()) return store.status();
  std::shared_ptr<Engine> engine(new Engine(*std::move(store), options));
  if (Status loaded = engine->Load(); !loaded.ok()) return loaded;
  return engine;
}

Status Engine::Load() {
  if (Status loaded = catalog_.Load(); !loaded.ok()) return loaded;
  std::vector<StreamSchema> streams;
  for (const LiveTableRef& table : catalog_.Tables()) {
    const std::vector<StreamSchema>& of_table = table->schema()->streams;
    streams.insert(streams.end(), of_table.begin(), of_table.end());
  }
  if (Status loaded = changes_.Load(streams); !loaded.ok()) return loaded;
  if (!store_->CheckWritable().ok()) return {};
  // Where nothing can be written, it can wait.
  catalog_.DropOldStreams().IgnoreError();
  backfiller_.Wake();
  sweeper_.Wake();
  return {};
}

Result<std::shared_ptr<Engine>> Engine::Open(const std::filesystem::path& directory,
                                             const OpenOptions& options) {
  const bool create = options.create_if_missing && !options.read_only;
  Status prepared = PrepareDirectory(directory, create);
  if (!prepared.ok()) return prepared;
  // RocksDB knows by its name what this process has open already, so each directory has to have
  // one.
  std::error_code error;
  const std::filesystem::path name = std::filesystem::canonical(directory, error);
  if (error) return Status::Storage("can't open " + directory.string() + ": " + error.message());
  if (Status logs = CheckLogs(name); !logs.ok()) return logs;
  Result<std::shared_ptr<Engine>> engine = OpenStore(StoreOptionsFor(name, options), options);
  if (!engine.ok() || options.read_only) return engine;
  if (Status raised = RaiseMark(name); !raised.ok()) return raised;
  return engine;
}

Result<std::shared_ptr<Engine>> Engine::InMemory(const OpenOptions& options) {
  if (options.read_only) {
    return Status::Validation("a new database in memory has nothing that could only be read");
  }
  StoreOptions store_options = StoreOptionsFor("/dolmen", options);
  store_options.in_memory = true;
  return OpenStore(store_options, options);
}

Result<TableDescription> Engine::DescribeTable(std::string_view name, ContentSizes sizes) const {
  const Result<LiveTableRef> table = catalog_.FindToManage(name);
  if (!table.ok()) return table.status();
  return ReadLive(**table, [&](const TableSchema& schema) -> Result<TableDescription> {
    TableDescription description = Describe(**table, schema);
    if (sizes == ContentSizes::kCount) DescribeContent(*store_, schema, {}, &description);
    return description;
  });
}

Result<TableDescription> Engine::UpdateTable(const UpdateTableInput& input) {
  const Result<LiveTableRef> table = catalog_.Update(input);
  if (!table.ok()) return table.status();
  // Who changes streams again and again would pile up those that have ended.
  if (input.stream_specification) catalog_.DropOldStreams().IgnoreError();
  backfiller_.Wake();
  const TableSchema* const schema = (*table)->schema();
  if (schema == nullptr) return NoSuchTable();
  return Describe(**table, *schema);
}

Status Engine::DeleteTable(std::string_view name) {
  Status dropped = catalog_.Drop(name);
  backfiller_.TellWaiters();
  return dropped;
}

Result<TimeToLiveSpecification> Engine::UpdateTimeToLive(const UpdateTimeToLiveInput& input) {
  const Result<LiveTableRef> table = catalog_.UpdateTimeToLive(input);
  if (!table.ok()) return table.status();
  backfiller_.Wake();
  sweeper_.Wake();
  return input.specification;
}

Result<TimeToLiveDescription> Engine::DescribeTimeToLive(std::string_view name) const {
  const Result<LiveTableRef> table = catalog_.FindToManage(name);
  if (!table.ok()) return table.status();
  const TableSchema* const schema = (*table)->schema();
  if (schema == nullptr || !schema->expiry) return TimeToLiveDescription{};
  const ExpirySchema& expiry = *schema->expiry;
  return TimeToLiveDescription{
      expiry.index.backfilling ? TimeToLiveStatus::kEnabling : TimeToLiveStatus::kEnabled,
      expiry.attribute(), expiry.hide_expired};
}

Result<DatabaseStats> Engine::Stats() const {
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
    index.backfill = backfiller_.ProgressOf(schema, keyspace);
  }
  return description;
}

}  // namespace dolmen::engine
