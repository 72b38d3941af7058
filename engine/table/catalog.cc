#include "engine/table/catalog.h"

#include <set>
#include <utility>

#include "engine/value/codec.h"

namespace dolmen::engine {
namespace {

constexpr std::string_view kNextKeyspace = "next_keyspace";  // in keyspace kMeta

// No keyspace has this number: its keys would have no upper bound.
constexpr std::int64_t kKeyspacesEnd = 0xFFFFFFFF;

EncodedKey NextKeyspaceKey() {
  EncodedKey key(KeyspaceId::kMeta);
  key.AppendRaw(kNextKeyspace);
  return key;
}

EncodedKey EntryKey(std::string_view table) {
  EncodedKey key(KeyspaceId::kCatalog);
  key.AppendRaw(table);
  return key;
}

Result<std::uint32_t> ReadNextKeyspace(const Store& store) {
  PinnedValue value;
  const Result<bool> found = store.Get(NextKeyspaceKey(), &value);
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

Status KeyspacesClash() {
  return Status::Corruption("the catalog gives one keyspace to two tables or indexes");
}

}  // namespace

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
    const Result<ItemView> entry = ItemView::Parse(cursor.value());
    if (!entry.ok()) return entry.status();
    Result<TableSchema> schema = DecodeTableSchema(*entry);
    if (!schema.ok()) return schema.status();
    auto table = std::make_shared<const TableSchema>(*std::move(schema));
    if (cursor.key().substr(prefix.bytes().size()) != table->name) {
      return Status::Corruption("a table's entry in the catalog is under another table's name");
    }
    if (!take(table->keyspace)) return KeyspacesClash();
    for (const IndexSchema& index : table->indexes) {
      if (!take(index.keyspace)) return KeyspacesClash();
    }
    tables_.emplace(table->name, std::move(table));
  }
  return cursor.status();
}

Result<TableSchemaRef> Catalog::Create(const CreateTableInput& input) {
  const std::lock_guard creating(create_);
  Result<TableSchema> schema = MakeTableSchema(input, static_cast<KeyspaceId>(next_keyspace_));
  if (!schema.ok()) return schema.status();
  if (Find(input.name).ok()) {
    return Status::ResourceInUse("Table already exists: " + input.name);
  }
  const std::size_t needed = KeyspacesNeeded(input);
  if (next_keyspace_ + static_cast<std::int64_t>(needed) > kKeyspacesEnd) {
    return Status::Validation("the database has made as many tables as it can in its life");
  }
  const auto next = next_keyspace_ + static_cast<std::uint32_t>(needed);
  std::string entry;
  if (Status encoded = EncodeItem(EncodeTableSchema(*schema), &entry); !encoded.ok()) {
    return encoded;
  }
  const Number next_keyspace(next);
  WriteBatch batch;
  batch.Put(NextKeyspaceKey(), next_keyspace.encoded());
  batch.Put(EntryKey(input.name), entry);
  if (Status written = store_->Write(std::move(batch)); !written.ok()) return written;
  auto table = std::make_shared<const TableSchema>(*std::move(schema));
  const std::unique_lock lock(mutex_);
  next_keyspace_ = next;
  tables_.emplace(table->name, table);
  return table;
}

Result<TableSchemaRef> Catalog::Find(std::string_view name) const {
  const std::shared_lock lock(mutex_);
  const auto found = tables_.find(name);
  if (found == tables_.end()) return Status::ResourceNotFound("Requested resource not found");
  return found->second;
}

}  // namespace dolmen::engine
