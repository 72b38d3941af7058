#include "engine/table/catalog.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/storage/cursor.h"
#include "engine/table/schema_codec.h"
#include "engine/value/codec.h"

namespace dolmen::engine {
namespace {

// In keyspace kMeta; the last two have the number of a keyspace behind them.
constexpr std::string_view kNextKeyspace = "next_keyspace";
constexpr std::string_view kDropped = "dropped";
constexpr std::string_view kBackfill = "backfill";

// No keyspace has this number: its keys would have no upper bound.
constexpr std::int64_t kKeyspacesEnd = 0xFFFFFFFF;

EncodedKey MetaKey(std::string_view name) {
  EncodedKey key(KeyspaceId::kMeta);
  key.AppendRaw(name);
  return key;
}

EncodedKey MetaKey(std::string_view name, KeyspaceId keyspace) {
  EncodedKey key = MetaKey(name);
  key.AppendRaw(EncodedKey(keyspace).bytes());
  return key;
}

EncodedKey EntryKey(std::string_view table) {
  EncodedKey key(KeyspaceId::kCatalog);
  key.AppendRaw(table);
  return key;
}

Result<std::uint32_t> ReadNextKeyspace(const Store& store) {
  PinnedValue value;
  const Result<bool> found = store.Get(MetaKey(kNextKeyspace), &value);
  if (!found.ok()) return found.status();
  if (!*found) return static_cast<std::uint32_t>(KeyspaceId::kFirst);
  const Result<Number> number = Number::Decode({value.data(), value.size()});
  if (!number.ok()) return number.status();
  const auto next = number->ToInt64();
  if (!next || *next < static_cast<std::int64_t>(KeyspaceId::kFirst) || *next > kKeyspacesEnd) {
    return Status::Corruption("the number of the next keyspace is damaged");
  }
  return static_cast<std::uint32_t>(*next);
}

// Of what a small table or index holds.
constexpr std::size_t kKeysDeletedEach = 1000;

Status KeyspacesClash() {
  return Status::Corruption("the catalog gives one keyspace to two tables or indexes");
}

Status PutSchema(const TableSchema& schema, WriteBatch* batch) {
  std::string entry;
  if (Status encoded = EncodeItem(EncodeTableSchema(schema), &entry); !encoded.ok()) {
    return encoded;
  }
  batch->Put(EntryKey(schema.name), entry);
  return {};
}

// Marks the keyspace as one to be deleted, which is done later.
void PutDropped(KeyspaceId keyspace, WriteBatch* batch) {
  batch->Put(MetaKey(kDropped, keyspace), {});
}

Result<TableSchema> ReadEntry(std::string_view name, std::string_view bytes) {
  const Result<ItemView> entry = ItemView::Parse(bytes);
  if (!entry.ok()) return entry.status();
  Result<TableSchema> schema = DecodeTableSchema(*entry);
  if (schema.ok() && schema->name != name) {
    return Status::Corruption("a table's entry in the catalog is under another table's name");
  }
  return schema;
}

Status CheckChanges(const UpdateTableInput& input) {
  const bool makes = input.create_index.has_value();
  const bool deletes = !input.delete_index.empty();
  if (makes && deletes) {
    return Status::LimitExceeded(
        "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously "
        "per table");
  }
  if (makes || deletes || input.deletion_protection) return {};
  return Status::Validation(
      "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
      "GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required");
}

bool IsBackfilling(const TableSchema& schema) {
  return std::any_of(schema.indexes.begin(), schema.indexes.end(),
                     [](const IndexSchema& index) { return index.backfilling; });
}

}  // namespace

EncodedKey BackfillKey(KeyspaceId index) { return MetaKey(kBackfill, index); }

Status Catalog::Load() {
  const Result<std::uint32_t> next = ReadNextKeyspace(*store_);
  if (!next.ok()) return next.status();
  next_keyspace_ = *next;
  std::set<KeyspaceId> taken;
  const auto take = [&](KeyspaceId id) {
    return static_cast<std::uint32_t>(id) < next_keyspace_ && taken.insert(id).second;
  };
  const EncodedKey prefix(KeyspaceId::kCatalog);
  Cursor cursor(*store_, PrefixRange(prefix));
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    Result<TableSchema> schema = ReadEntry(cursor.key().substr(kKeyspaceBytes), cursor.value());
    if (!schema.ok()) return schema.status();
    if (!take(schema->keyspace)) return KeyspacesClash();
    for (const IndexSchema& index : schema->indexes) {
      if (!take(index.keyspace)) return KeyspacesClash();
    }
    auto table = std::make_shared<LiveTable>(*std::move(schema));
    tables_.emplace(table->name(), std::move(table));
  }
  if (Status read = cursor.status(); !read.ok()) return read;
  return RemoveAllDropped(taken);
}

Status Catalog::RemoveAllDropped(const std::set<KeyspaceId>& in_use) {
  const EncodedKey prefix = MetaKey(kDropped);
  Cursor cursor(*store_, PrefixRange(prefix));
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    const std::string_view id = cursor.key().substr(prefix.bytes().size());
    if (id.size() != kKeyspaceBytes || KeyspaceOf(id) < KeyspaceId::kFirst ||
        in_use.contains(KeyspaceOf(id))) {
      return Status::Corruption("the list of dropped tables and indexes is damaged");
    }
    // Where nothing can be written, it can wait.
    RemoveDropped(KeyspaceOf(id)).IgnoreError();
  }
  return cursor.status();
}

// Nobody reads or writes there any more.
Status Catalog::RemoveDropped(KeyspaceId keyspace) {
  WriteBatch batch;
  const KeyRange range = PrefixRange(EncodedKey(keyspace));
  // Every deleted range costs all readers something until it is compacted away, so that the tables
  // which tests make by the thousand would add up.  A deleted key costs only who meets it.
  Cursor cursor(*store_, range);
  for (cursor.SeekToFirst(); cursor.Valid() && batch.count() < kKeysDeletedEach; cursor.Next()) {
    batch.Delete(EncodedKey::FromBytes(cursor.key()));
  }
  if (cursor.Valid() || !cursor.status().ok()) {
    batch = WriteBatch();
    batch.DeleteRange(range);
  }
  batch.Delete(BackfillKey(keyspace));
  batch.Delete(MetaKey(kDropped, keyspace));
  return store_->Write(std::move(batch), WriteDurability::kLater);
}

Result<std::uint32_t> Catalog::TakeKeyspaces(std::size_t count, WriteBatch* batch) const {
  if (next_keyspace_ + static_cast<std::int64_t>(count) > kKeyspacesEnd) {
    return Status::Validation("the database has made as many tables as it can in its life");
  }
  const auto next = next_keyspace_ + static_cast<std::uint32_t>(count);
  const Number number(next);
  batch->Put(MetaKey(kNextKeyspace), number.encoded());
  return next;
}

Result<LiveTableRef> Catalog::Create(const CreateTableInput& input) {
  const std::lock_guard changing(change_);
  Result<TableSchema> schema =
      MakeTableSchema(input, static_cast<KeyspaceId>(next_keyspace_), clock_->Now());
  if (!schema.ok()) return schema.status();
  if (Find(input.name).ok()) {
    return Status::ResourceInUse("Table already exists: " + input.name);
  }
  WriteBatch batch;
  const Result<std::uint32_t> next = TakeKeyspaces(KeyspacesNeeded(input), &batch);
  if (!next.ok()) return next.status();
  if (Status put = PutSchema(*schema, &batch); !put.ok()) return put;
  if (Status written = store_->Write(std::move(batch)); !written.ok()) return written;
  auto table = std::make_shared<LiveTable>(*std::move(schema));
  next_keyspace_ = *next;
  const std::unique_lock lock(mutex_);
  tables_.emplace(table->name(), table);
  return table;
}

Result<LiveTableRef> Catalog::Find(std::string_view name) const {
  const std::shared_lock lock(mutex_);
  const auto found = tables_.find(name);
  if (found == tables_.end()) return NoSuchTable();
  return found->second;
}

Result<LiveTableRef> Catalog::FindToManage(std::string_view name) const {
  Result<LiveTableRef> found = Find(name);
  if (found.ok()) return found;
  return Status::ResourceNotFound(
      std::string("Requested resource not found: Table: ").append(name).append(" not found"));
}

std::vector<std::string> Catalog::List(std::string_view after, std::size_t count_max) const {
  const std::shared_lock lock(mutex_);
  std::vector<std::string> names;
  for (auto it = tables_.upper_bound(after); it != tables_.end() && names.size() < count_max;
       ++it) {
    names.push_back(it->first);
  }
  return names;
}

std::vector<LiveTableRef> Catalog::Tables() const {
  const std::shared_lock lock(mutex_);
  std::vector<LiveTableRef> tables;
  for (const auto& [name, table] : tables_) tables.push_back(table);
  return tables;
}

Status Catalog::Show(LiveTable& table, TableSchema schema, WriteBatch batch) {
  if (Status put = PutSchema(schema, &batch); !put.ok()) return put;
  if (Status written = store_->Write(std::move(batch)); !written.ok()) return written;
  table.Replace(std::move(schema));
  locks_->WaitForAll();
  return {};
}

Result<LiveTableRef> Catalog::Update(const UpdateTableInput& input) {
  if (Status valid = CheckChanges(input); !valid.ok()) return valid;
  const std::lock_guard changing(change_);
  Result<LiveTableRef> table = FindToManage(input.name);
  if (!table.ok()) return table;
  TableSchema schema = *(*table)->schema();
  if (input.deletion_protection) schema.deletion_protection = *input.deletion_protection;
  Status changed;
  if (input.create_index) {
    changed = AddIndex(**table, std::move(schema), *input.create_index);
  } else if (!input.delete_index.empty()) {
    changed = DropIndex(**table, std::move(schema), input.delete_index);
  } else {
    changed = Show(**table, std::move(schema), {});
  }
  if (!changed.ok()) return changed;
  return table;
}

Status Catalog::AddIndex(LiveTable& table, TableSchema schema, const GlobalSecondaryIndex& index) {
  if (IsBackfilling(schema)) {
    return Status::LimitExceeded(
        "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously "
        "per table");
  }
  Result<TableSchema> with = WithIndex(schema, index, static_cast<KeyspaceId>(next_keyspace_));
  if (!with.ok()) return with.status();
  WriteBatch batch;
  const Result<std::uint32_t> next = TakeKeyspaces(1, &batch);
  if (!next.ok()) return next.status();
  Status shown = Show(table, *std::move(with), std::move(batch));
  if (shown.ok()) next_keyspace_ = *next;
  return shown;
}

Status Catalog::DropIndex(LiveTable& table, TableSchema schema, const std::string& name) {
  const auto is_it = [&](const IndexSchema& index) {
    return index.name == name && !index.is_local();
  };
  const auto index = std::find_if(schema.indexes.begin(), schema.indexes.end(), is_it);
  if (index == schema.indexes.end()) {
    return Status::ResourceNotFound("Requested resource not found: Index: " + name + " not found");
  }
  const KeyspaceId keyspace = index->keyspace;
  WriteBatch batch;
  PutDropped(keyspace, &batch);
  schema.indexes.erase(index);
  if (Status shown = Show(table, std::move(schema), std::move(batch)); !shown.ok()) return shown;
  // It is gone, whether or not its entries are deleted now; else they are when the database opens.
  RemoveDropped(keyspace).IgnoreError();
  return {};
}

Status Catalog::Drop(std::string_view name) {
  const std::lock_guard changing(change_);
  const Result<LiveTableRef> table = FindToManage(name);
  if (!table.ok()) return table.status();
  const TableSchema& schema = *(*table)->schema();
  if (schema.deletion_protection) {
    return Status::Validation(
        "Resource cannot be deleted as it is currently protected against deletion. Disable "
        "deletion protection first.");
  }
  std::vector<KeyspaceId> keyspaces = {schema.keyspace};
  for (const IndexSchema& index : schema.indexes) keyspaces.push_back(index.keyspace);
  WriteBatch batch;
  batch.Delete(EntryKey(name));
  for (const KeyspaceId keyspace : keyspaces) PutDropped(keyspace, &batch);
  if (Status written = store_->Write(std::move(batch)); !written.ok()) return written;
  (*table)->Drop();
  {
    const std::unique_lock lock(mutex_);
    tables_.erase(tables_.find(name));
  }
  locks_->WaitForAll();
  for (const KeyspaceId keyspace : keyspaces) RemoveDropped(keyspace).IgnoreError();
  return {};
}

Status Catalog::FinishBackfill(LiveTable& table, KeyspaceId keyspace) {
  const std::lock_guard changing(change_);
  const TableSchema* const current = table.schema();
  if (current == nullptr || current->FindIndex(keyspace) == nullptr) return {};
  TableSchema schema = *current;
  for (IndexSchema& index : schema.indexes) {
    if (index.keyspace == keyspace) index.backfilling = false;
  }
  WriteBatch batch;
  batch.Delete(BackfillKey(keyspace));
  return Show(table, std::move(schema), std::move(batch));
}

}  // namespace dolmen::engine
