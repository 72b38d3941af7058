#include "bench/dolmen_store.h"

#include <algorithm>
#include <vector>

#include "engine/engine.h"

namespace dolmen::bench {
namespace {

constexpr const char* kTableName = "app";

// Limits of a transaction in DynamoDB: items and bytes.
constexpr std::uint64_t kItemsMax = 100;
constexpr std::uint64_t kBytesMax = 4 << 20;

OpenOptions ToFill() { return {.durability = Durability::kBuffered}; }

Status LoadItems(const DataSet& data, const std::filesystem::path& directory, Progress* progress) {
  Result<Database> database = Database::Open(directory, ToFill());
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
Status Compact(const std::filesystem::path& directory) {
  const auto engine = engine::Engine::Open(directory, ToFill());
  if (!engine.ok()) return engine.status();
  return (*engine)->store().Compact();
}

}  // namespace

Status DolmenStore::Fill(const DataSet& data, Layout layout,
                         const std::filesystem::path& directory) {
  Progress progress(kName, data.size);
  if (Status loaded = LoadItems(data, directory, &progress); !loaded.ok()) return loaded;
  if (layout == Layout::kAsWritten) return {};
  progress.Compacting();
  return Compact(directory);
}

Result<std::unique_ptr<DolmenStore>> DolmenStore::Open(const std::filesystem::path& directory,
                                                       const StoreSettings& settings) {
  const Result<Database> database = Database::Open(
      directory, {.durability = settings.durability, .cache_bytes = settings.cache_bytes});
  if (!database.ok()) return database.status();
  Result<Table> table = database->OpenTable(kTableName);
  if (!table.ok()) return table.status();
  return std::unique_ptr<DolmenStore>(new DolmenStore(*database, *std::move(table)));
}

Result<std::unique_ptr<DolmenStreamStore>> DolmenStreamStore::Open(
    const std::filesystem::path& directory, const StoreSettings& settings) {
  const auto opened = DolmenStore::Open(directory, settings);
  if (!opened.ok()) return opened.status();
  const DolmenStore& plain = **opened;
  UpdateTableInput change;
  change.name = kTableName;
  change.stream_specification = {.view_type = StreamViewType::kNewAndOldImages};
  const auto changed = plain.database().UpdateTable(change);
  if (!changed.ok()) return changed.status();
  return std::unique_ptr<DolmenStreamStore>(new DolmenStreamStore(plain.database(), plain.table()));
}

}  // namespace dolmen::bench
