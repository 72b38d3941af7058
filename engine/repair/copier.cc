#include "engine/repair/copier.h"

#include <algorithm>
#include <utility>

#include "dolmen/number.h"
#include "engine/base/status_macros.h"
#include "engine/key/encoded_key.h"
#include "engine/schema/catalog_entries.h"
#include "engine/stream/positions.h"
#include "engine/verify/key_text.h"
#include "engine/verify/table_check.h"
#include "engine/write/index_upkeep.h"

namespace dolmen::engine {
namespace {

constexpr std::size_t kBatchBytes = 1 << 20;

std::uint32_t NumberOf(KeyspaceId keyspace) { return static_cast<std::uint32_t>(keyspace); }

}  // namespace

Status Copier::Copy(std::string_view key, std::string_view value) {
  if (key.size() < kKeyspaceBytes) return {};
  const KeyspaceId keyspace = KeyspaceOf(key);
  if (keyspace > KeyspaceId::kCatalog && !has_owners_) FindOwners();
  if (keyspace == KeyspaceId::kMeta) {
    DOLMEN_RETURN_IF_ERROR(CopyMeta(key, value));
  } else if (keyspace == KeyspaceId::kCatalog) {
    const std::string name(key.substr(kKeyspaceBytes));
    DOLMEN_RETURN_IF_ERROR(CopySchema(name, ParseSchema(name, value)));
  } else if (keyspace == KeyspaceId::kPositions && !DecodePosition(value).ok()) {
    AddLoss("", "the position of a subscription is damaged");
  } else if (keyspace < KeyspaceId::kFirst) {
    Put(EncodedKey::FromBytes(key), value);
  } else if (const auto owner = owners_.find(keyspace); owner == owners_.end()) {
    ++ownerless_[keyspace];
  } else if (owner->second.stream != nullptr) {
    CopyRecord(owner->second, key, value);
  } else if (!owner->second.is_index) {
    DOLMEN_RETURN_IF_ERROR(CopyRow(*owner->second.table, key, value));
  }
  return WriteBatchIfLarge();
}

// Copies the records that hold for the database as a whole. A new store has no dropped keyspaces
// and no unfinished backfills.
Status Copier::CopyMeta(std::string_view key, std::string_view value) {
  const auto is_of = [&](const EncodedKey& prefix) { return key.starts_with(prefix.bytes()); };
  if (is_of(NextKeyspaceKey())) {
    const auto number = Number::Decode(value);
    const auto next = number.ok() ? number->ToInt64() : std::nullopt;
    if (next && *next > next_keyspace_ && *next < 0xFFFFFFFF) {
      next_keyspace_ = static_cast<std::uint32_t>(*next);
    }
    return {};
  }
  const EncodedKey dropped = DroppedPrefix();
  if (is_of(dropped)) {
    const std::string_view keyspace = key.substr(dropped.bytes().size());
    if (keyspace.size() == kKeyspaceBytes) dropped_.insert(KeyspaceOf(keyspace));
  } else if (is_of(BackfillPrefix())) {
    return {};
  } else if (is_of(DeletedTablePrefix())) {
    return CopySchema("", ParseDeletedSchema(value));
  } else if (value.size() != sizeof(SequenceNumber)) {  // the other records hold a number
    AddLoss("", "a sequence number of the streams is damaged");
  } else {
    Put(EncodedKey::FromBytes(key), value);
  }
  return {};
}

Status Copier::CopySchema(const std::string& name, Result<TableSchema> schema) {
  if (!schema.ok()) {
    const std::string lost =
        name.empty() ? "the description of a deleted table, and thereby its streams, are lost: "
                     : "the description of the table, and thereby the whole table, is lost: ";
    AddLoss(name, lost + std::string(schema.status().message()));
    return {};
  }
  for (const KeyspaceId keyspace : schema->Keyspaces()) {
    if (claimed_.insert(keyspace).second) continue;
    AddLoss(name, "the whole table is lost: its description names keys of another table or index");
    return {};
  }
  for (IndexSchema& index : schema->indexes) index.backfilling = false;
  if (schema->expiry) schema->expiry->index.backfilling = false;
  DOLMEN_RETURN_IF_ERROR(PutSchema(*schema, &batch_));
  tables_.push_back(*std::move(schema));
  return {};
}

void Copier::FindOwners() {
  has_owners_ = true;
  for (const TableSchema& table : tables_) {
    for (const KeyspaceId keyspace : table.Keyspaces()) {
      owners_[keyspace] = {.table = &table, .is_index = true};
      next_keyspace_ = std::max(next_keyspace_, NumberOf(keyspace) + 1);
    }
    if (!table.is_deleted) owners_[table.keyspace] = {.table = &table};
    for (const StreamSchema* stream : table.AllStreams()) {
      owners_[stream->keyspace] = {.table = &table, .stream = stream};
    }
  }
}

Status Copier::CopyRow(const TableSchema& table, std::string_view key, std::string_view value) {
  if (std::optional<std::string> damage = FindRowDamage(table, key, value)) {
    AddLoss(table.name, *std::move(damage));
    return {};
  }
  DOLMEN_ASSIGN_OR_RETURN(const ItemView item, ItemView::Parse(value));
  for (const IndexSchema* index : AllIndexes(table)) {
    IndexEntry entry;
    DOLMEN_ASSIGN_OR_RETURN(const bool has_entry, MakeEntry(table, *index, item, &entry));
    if (has_entry) Put(entry.key, entry.bytes);
  }
  Put(EncodedKey::FromBytes(key), value);
  ++output_.items;
  return {};
}

void Copier::CopyRecord(const Owner& owner, std::string_view key, std::string_view value) {
  const Status sound = CheckRecord(*owner.stream, owner.table->keys, key, value);
  if (!sound.ok()) {
    AddLoss(owner.table->name, "a record of a stream is damaged: " + std::string(sound.message()));
    return;
  }
  Put(EncodedKey::FromBytes(key), value);
  ++output_.stream_records;
}

void Copier::Put(const EncodedKey& key, std::string_view value) {
  batch_.Put(key, value);
  batch_bytes_ += key.bytes().size() + value.size();
}

Status Copier::WriteBatchIfLarge() {
  if (batch_bytes_ < kBatchBytes) return {};
  batch_bytes_ = 0;
  return store_.Write(std::exchange(batch_, WriteBatch()), WriteDurability::kLater);
}

Status Copier::Finish() {
  if (!has_owners_) FindOwners();
  for (const auto& [keyspace, count] : ownerless_) {
    next_keyspace_ = std::max(next_keyspace_, NumberOf(keyspace) + 1);
    if (dropped_.contains(keyspace)) continue;
    AddLoss("", std::to_string(count) +
                    " keys belong to a table, index or stream that no table's "
                    "description names (keyspace " +
                    std::to_string(NumberOf(keyspace)) + ")");
  }
  output_.tables = static_cast<std::size_t>(
      std::ranges::count(tables_, false, [](const TableSchema& t) { return t.is_deleted; }));
  DOLMEN_RETURN_IF_ERROR(ReserveKeyspaces(next_keyspace_, 0, &batch_).status());
  return store_.Write(std::move(batch_), WriteDurability::kLater);
}

}  // namespace dolmen::engine
