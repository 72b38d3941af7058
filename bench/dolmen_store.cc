#include "bench/dolmen_store.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/engine.h"

namespace dolmen::bench {
namespace {

constexpr const char* kTableName = "app";

// Limits of a transaction in DynamoDB: items and bytes.
constexpr std::uint64_t kItemsMax = 100;
constexpr std::uint64_t kBytesMax = 4 << 20;

constexpr EncryptionKey kKey = {std::byte{7}};

Status LoadItems(const DataSet& data, const std::filesystem::path& directory,
                 const OpenOptions& options, Progress* progress) {
  Result<Database> database = Database::Open(directory, options);
  if (!database.ok()) return database.status();
  CreateTableInput description;
  description.name = kTableName;
  description.global_secondary_indexes = data.indexes;
  const Result<Table> table = database->CreateTable(description);
  if (!table.ok()) return table.status();
  const std::uint64_t at_once = std::min(kItemsMax, kBytesMax / data.row_bytes_max);
  std::vector<TransactWriteItem> actions;
  for (std::uint64_t i = 0; i < data.size;) {
    const std::uint64_t end = std::min(i + at_once, data.size);
    actions.clear();
    for (; i < end; ++i) actions.push_back({*table, PutItemInput{.item = data.item(i)}});
    Status written = database->TransactWriteItems({.actions = actions}).status();
    if (!written.ok()) return written;
    progress->Loaded(i);
  }
  return {};
}

// Compacts the database. Uses the engine, because the public API has no function for compaction.
Status Compact(const std::filesystem::path& directory, const OpenOptions& options) {
  const auto engine = engine::Engine::Open(directory, options);
  if (!engine.ok()) return engine.status();
  return (*engine)->store().Compact();
}

Status FillWith(const std::optional<EncryptionKey>& key, std::string_view name, const DataSet& data,
                Layout layout, const std::filesystem::path& directory) {
  const OpenOptions options{.durability = Durability::kBuffered, .encryption_key = key};
  Progress progress(name, data.size);
  if (Status loaded = LoadItems(data, directory, options, &progress); !loaded.ok()) return loaded;
  if (layout == Layout::kAsWritten) return {};
  progress.Compacting();
  return Compact(directory, options);
}

struct DatabaseAndTable {
  Database database;
  Table table;
};

Result<DatabaseAndTable> OpenWith(const std::optional<EncryptionKey>& key,
                                  const std::filesystem::path& directory,
                                  const StoreSettings& settings) {
  const Result<Database> database =
      Database::Open(directory, {.durability = settings.durability,
                                 .encryption_key = key,
                                 .cache_bytes = settings.cache_bytes,
                                 .row_cache_bytes = settings.row_cache_bytes});
  if (!database.ok()) return database.status();
  Result<Table> table = database->OpenTable(kTableName);
  if (!table.ok()) return table.status();
  return DatabaseAndTable{*database, *std::move(table)};
}

}  // namespace

Status DolmenStore::Fill(const DataSet& data, Layout layout,
                         const std::filesystem::path& directory) {
  return FillWith(std::nullopt, kName, data, layout, directory);
}

Result<std::unique_ptr<DolmenStore>> DolmenStore::Open(const std::filesystem::path& directory,
                                                       const StoreSettings& settings) {
  auto opened = OpenWith(std::nullopt, directory, settings);
  if (!opened.ok()) return opened.status();
  return std::unique_ptr<DolmenStore>(new DolmenStore(opened->database, opened->table));
}

Status DolmenEncryptedStore::Fill(const DataSet& data, Layout layout,
                                  const std::filesystem::path& directory) {
  return FillWith(kKey, kName, data, layout, directory);
}

Result<std::unique_ptr<DolmenEncryptedStore>> DolmenEncryptedStore::Open(
    const std::filesystem::path& directory, const StoreSettings& settings) {
  auto opened = OpenWith(kKey, directory, settings);
  if (!opened.ok()) return opened.status();
  return std::unique_ptr<DolmenEncryptedStore>(
      new DolmenEncryptedStore(opened->database, opened->table));
}

Result<std::unique_ptr<DolmenStreamStore>> DolmenStreamStore::Open(
    const std::filesystem::path& directory, const StoreSettings& settings) {
  const auto opened = OpenWith(std::nullopt, directory, settings);
  if (!opened.ok()) return opened.status();
  UpdateTableInput change;
  change.name = kTableName;
  change.stream_specification = {.view_type = StreamViewType::kNewAndOldImages};
  const auto changed = opened->database.UpdateTable(change);
  if (!changed.ok()) return changed.status();
  return std::unique_ptr<DolmenStreamStore>(new DolmenStreamStore(opened->database, opened->table));
}

}  // namespace dolmen::bench
