#include "engine/schema/catalog.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/schema/schema_codec.h"
#include "engine/storage/cursor.h"
#include "engine/stream/positions.h"
#include "engine/value/codec.h"

namespace dolmen::engine {
namespace {

// In keyspace kMeta; the last two have the number of a keyspace behind them.
constexpr std::string_view kNextKeyspace = "next_keyspace";
constexpr std::string_view kDropped = "dropped";
constexpr std::string_view kBackfill = "backfill";

// No keyspace has this number: its keys would have no upper bound.
constexpr std::int64_t kKeyspacesEnd = 0xFFFFFFFF;

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

Result<TableSchema> ReadEntry(std::string_view name, std::string_view bytes) {
  const Result<ItemView> entry = ItemView::Parse(bytes);
  if (!entry.ok()) return entry.status();
  Result<TableSchema> schema = DecodeTableSchema(*entry);
  if (schema.ok() && schema->name != name) {
    return Status::Corruption("a table's entry in the catalog is under another table's name");
  }
  return schema;
}

}  // namespace

EncodedKey BackfillKey(KeyspaceId index) { return MetaKey(kBackfill, index); }

Status Catalog::PutSchema(const TableSchema& schema, WriteBatch* batch) {
  std::string entry;
  if (Status encoded = EncodeItem(EncodeTableSchema(schema), &entry); !encoded.ok()) {
    return encoded;
  }
  batch->Put(EntryKey(schema.name), entry);
  return {};
}

void Catalog::PutDropped(std::span<const KeyspaceId> keyspaces, WriteBatch* batch) {
  for (const KeyspaceId keyspace : keyspaces) batch->Put(MetaKey(kDropped, keyspace), {});
}

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
    for (const KeyspaceId id : schema->Keyspaces()) {
      if (!take(id)) return KeyspacesClash();
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
    if (!store_->CheckWritable().ok()) continue;
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
  // Of a table's rows, an index or a stream each has one of these at most.
  Cursor positions(*store_, PositionsOf(keyspace));
  for (positions.SeekToFirst(); positions.Valid(); positions.Next()) {
    batch.Delete(EncodedKey::FromBytes(positions.key()));
  }
  batch.Delete(BackfillKey(keyspace));
  batch.Delete(TrimmedKey(keyspace));
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
  if (Status writable = store_->CheckWritable(); !writable.ok()) return writable;
  const std::lock_guard changing(change_);
  Result<TableSchema> schema = MakeTableSchema(input, static_cast<KeyspaceId>(next_keyspace_),
                                               clock_->Now(), changes_->next());
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

Status Catalog::Drop(std::string_view name) {
  if (Status writable = store_->CheckWritable(); !writable.ok()) return writable;
  const std::lock_guard changing(change_);
  const Result<LiveTableRef> table = FindToManage(name);
  if (!table.ok()) return table.status();
  const TableSchema& schema = *(*table)->schema();
  if (schema.deletion_protection) {
    return Status::Validation(
        "Resource cannot be deleted as it is currently protected against deletion. Disable "
        "deletion protection first.");
  }
  const std::vector<KeyspaceId> keyspaces = schema.Keyspaces();
  WriteBatch batch;
  batch.Delete(EntryKey(name));
  PutDropped(keyspaces, &batch);
  if (!schema.streams.empty()) changes_->KeepNext(&batch);
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

}  // namespace dolmen::engine
