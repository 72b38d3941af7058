#include "engine/schema/catalog_entries.h"

#include <utility>

#include "engine/base/status_macros.h"
#include "engine/schema/schema_codec.h"
#include "engine/storage/cursor.h"
#include "engine/stream/change_log.h"
#include "engine/stream/positions.h"
#include "engine/value/codec.h"

namespace dolmen::engine {
namespace {

// Parts of keys in keyspace kMeta. In a key, each of them but kNextKeyspace is followed by the
// number of a keyspace.
constexpr std::string_view kNextKeyspace = "next_keyspace";
constexpr std::string_view kDropped = "dropped";
constexpr std::string_view kBackfill = "backfill";
constexpr std::string_view kDeletedTable = "deleted_table";

// The number after the greatest possible keyspace number. No keyspace can have this number: the
// range of its keys would have to end at a greater key, and no greater key exists.
constexpr std::int64_t kKeyspacesEnd = 0xFFFFFFFF;

// The maximum number of keys in a keyspace that is purged key by key. A keyspace with more keys is
// purged by a range deletion.
constexpr std::size_t kKeysDeletedEach = 1000;

EncodedKey EntryKey(const TableSchema& table) {
  if (table.is_deleted) return MetaKey(kDeletedTable, table.keyspace);
  EncodedKey key(KeyspaceId::kCatalog);
  key.AppendRaw(table.name);
  return key;
}

}  // namespace

EncodedKey BackfillKey(KeyspaceId index) { return MetaKey(kBackfill, index); }

EncodedKey NextKeyspaceKey() { return MetaKey(kNextKeyspace); }

EncodedKey DroppedPrefix() { return MetaKey(kDropped); }

EncodedKey BackfillPrefix() { return MetaKey(kBackfill); }

EncodedKey DeletedTablePrefix() { return MetaKey(kDeletedTable); }

Result<std::uint32_t> ReadNextKeyspace(const Store& store) {
  PinnedValue value;
  DOLMEN_ASSIGN_OR_RETURN(const bool found, store.Get(NextKeyspaceKey(), &value));
  if (!found) return static_cast<std::uint32_t>(KeyspaceId::kFirst);
  DOLMEN_ASSIGN_OR_RETURN(const Number& number, Number::Decode({value.data(), value.size()}));
  const auto next = number.ToInt64();
  if (!next || *next < static_cast<std::int64_t>(KeyspaceId::kFirst) || *next > kKeyspacesEnd) {
    return Status::Corruption("the number of the next keyspace is damaged");
  }
  return static_cast<std::uint32_t>(*next);
}

Result<std::uint32_t> ReserveKeyspaces(std::uint32_t next, std::size_t count, WriteBatch* batch) {
  if (next + static_cast<std::int64_t>(count) > kKeyspacesEnd) {
    return Status::Validation(
        "The database cannot create another table, index or stream: all keyspace numbers are used. "
        "Export the tables into a new database.");
  }
  const auto after = next + static_cast<std::uint32_t>(count);
  const Number number(after);
  batch->Put(NextKeyspaceKey(), number.encoded());
  return after;
}

Result<std::vector<TableSchema>> ReadSchemas(const Store& store) {
  std::vector<TableSchema> schemas;
  Cursor cursor(store, PrefixRange(EncodedKey(KeyspaceId::kCatalog)));
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    Result<TableSchema> schema = ParseSchema(cursor.key().substr(kKeyspaceBytes), cursor.value());
    if (!schema.ok()) return schema.status();
    schemas.push_back(*std::move(schema));
  }
  DOLMEN_RETURN_IF_ERROR(cursor.status());
  Cursor deleted(store, PrefixRange(DeletedTablePrefix()));
  for (deleted.SeekToFirst(); deleted.Valid(); deleted.Next()) {
    Result<TableSchema> schema = ParseDeletedSchema(deleted.value());
    if (!schema.ok()) return schema.status();
    schemas.push_back(*std::move(schema));
  }
  DOLMEN_RETURN_IF_ERROR(deleted.status());
  return schemas;
}

Result<TableSchema> ParseSchema(std::string_view name, std::string_view entry) {
  DOLMEN_ASSIGN_OR_RETURN(const ItemView item, ItemView::Parse(entry));
  Result<TableSchema> schema = DecodeTableSchema(item);
  if (schema.ok() && schema->name != name) {
    return Status::Corruption(
        "a table's entry in the catalog is stored under another table's name");
  }
  return schema;
}

Result<TableSchema> ParseDeletedSchema(std::string_view entry) {
  DOLMEN_ASSIGN_OR_RETURN(const ItemView item, ItemView::Parse(entry));
  DOLMEN_ASSIGN_OR_RETURN(TableSchema schema, DecodeTableSchema(item));
  schema.is_deleted = true;
  return schema;
}

Status PutSchema(const TableSchema& schema, WriteBatch* batch) {
  std::string entry;
  DOLMEN_RETURN_IF_ERROR(EncodeItem(EncodeTableSchema(schema), &entry));
  batch->Put(EntryKey(schema), entry);
  return {};
}

void DeleteSchema(const TableSchema& schema, WriteBatch* batch) { batch->Delete(EntryKey(schema)); }

void PutDropped(std::span<const KeyspaceId> keyspaces, WriteBatch* batch) {
  for (const KeyspaceId keyspace : keyspaces) batch->Put(MetaKey(kDropped, keyspace), {});
}

void DeleteDropped(std::span<const KeyspaceId> keyspaces, WriteBatch* batch) {
  for (const KeyspaceId keyspace : keyspaces) batch->Delete(MetaKey(kDropped, keyspace));
}

Status PurgeKeyspace(Store* store, KeyspaceId keyspace) {
  WriteBatch batch;
  const KeyRange range = PrefixRange(EncodedKey(keyspace));
  // Deletes a small keyspace key by key. A range deletion slows down every reader until a
  // compaction removes it, and a test suite drops thousands of tables. A key deletion slows down
  // only the readers that pass over it.
  Cursor cursor(*store, range);
  for (cursor.SeekToFirst(); cursor.Valid() && batch.count() < kKeysDeletedEach; cursor.Next()) {
    batch.Delete(EncodedKey::FromBytes(cursor.key()));
  }
  if (cursor.Valid() || !cursor.status().ok()) {
    batch = WriteBatch();
    batch.DeleteRange(range);
  }
  // Deletes the records that the database keeps about the keyspace. A keyspace of rows may have
  // positions of subscriptions, an index may have a backfill mark, and a stream may have a trim
  // mark.
  Cursor positions(*store, PositionRange(keyspace));
  for (positions.SeekToFirst(); positions.Valid(); positions.Next()) {
    batch.Delete(EncodedKey::FromBytes(positions.key()));
  }
  batch.Delete(BackfillKey(keyspace));
  batch.Delete(TrimmedKey(keyspace));
  batch.Delete(MetaKey(kDropped, keyspace));
  batch.OnlyDeletes();
  return store->Write(std::move(batch), WriteDurability::kLater);
}

void PurgeKeyspaces(Store* store, std::span<const KeyspaceId> keyspaces) {
  for (const KeyspaceId keyspace : keyspaces) PurgeKeyspace(store, keyspace).IgnoreError();
}

Status PurgeDroppedKeyspaces(Store* store, const std::set<KeyspaceId>& in_use) {
  const EncodedKey prefix = MetaKey(kDropped);
  Cursor cursor(*store, PrefixRange(prefix));
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    const std::string_view id = cursor.key().substr(prefix.bytes().size());
    if (id.size() != kKeyspaceBytes || KeyspaceOf(id) < KeyspaceId::kFirst ||
        in_use.contains(KeyspaceOf(id))) {
      return Status::Corruption("the list of dropped tables and indexes is damaged");
    }
    if (!store->CheckWritable().ok()) continue;
    // A failed purge is harmless: the purge is repeated when the database opens again.
    PurgeKeyspace(store, KeyspaceOf(id)).IgnoreError();
  }
  return cursor.status();
}

}  // namespace dolmen::engine
