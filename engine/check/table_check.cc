#include "engine/check/table_check.h"

#include <algorithm>
#include <utility>

#include "engine/check/key_text.h"
#include "engine/key/key_codec.h"
#include "engine/storage/cursor.h"
#include "engine/table/index_upkeep.h"

namespace dolmen::engine {
namespace {

constexpr std::size_t kKeysBetweenTellings = 1000;

std::vector<const IndexSchema*> IndexesOf(const TableSchema& table) {
  std::vector<const IndexSchema*> indexes;
  for (const IndexSchema& index : table.indexes) indexes.push_back(&index);
  if (table.expiry) indexes.push_back(&table.expiry->index);
  return indexes;
}

bool IsDamage(const Status& status) {
  return status.code() == StatusCode::kCorruption ||
         status.code() == StatusCode::kUnsupportedFormat;
}

std::uint64_t BytesIn(const Store& store, KeyspaceId keyspace) {
  return store.ApproximateBytes(PrefixRange(EncodedKey(keyspace)));
}

// The key of the row whose entry this is.
EncodedKey RowOfEntry(const TableSchema& table, const IndexSchema& index, std::string_view entry) {
  EncodedKey row(table.keyspace);
  row.AppendRaw(entry.substr(PrefixBytes(entry, index.keys.attributes().size())));
  return row;
}

Result<ItemView> SoundItem(std::string_view bytes) {
  Result<ItemView> item = ItemView::Parse(bytes);
  if (!item.ok()) return item;
  const Status sound = item->Check();
  return sound.ok() ? item : sound;
}

}  // namespace

std::uint64_t BytesToCheck(const Store& store, const TableSchema& table) {
  std::uint64_t bytes = BytesIn(store, table.keyspace);
  for (const IndexSchema* index : IndexesOf(table)) bytes += BytesIn(store, index->keyspace);
  return bytes;
}

Status TableCheck::Run() {
  Status status = Walk(table_.keyspace, nullptr, [&](std::string_view key, std::string_view value) {
    report_.CountItem();
    return CheckRow(key, value);
  });
  for (const IndexSchema* index : IndexesOf(table_)) {
    if (!status.ok() || report_.is_ended()) break;
    status = Walk(index->keyspace, index, [&](std::string_view key, std::string_view) {
      if (index->kind != IndexSchema::Kind::kExpiry) report_.CountIndexEntry();
      return CheckEntry(*index, key);
    });
  }
  return status;
}

template <typename Visit>
Status TableCheck::Walk(KeyspaceId keyspace, const IndexSchema* index, Visit visit) {
  const KeyRange all = PrefixRange(EncodedKey(keyspace));
  const std::uint64_t bytes = store_.ApproximateBytes(all);
  report_.Tell(table_.name, 0);
  EncodedKey last = all.lower;
  std::size_t count = 0;
  Cursor cursor(store_, all, &snapshot_);
  for (cursor.SeekToFirst(); cursor.Valid() && !report_.is_ended(); cursor.Next()) {
    last = EncodedKey::FromBytes(cursor.key());
    if (Status visited = visit(cursor.key(), cursor.value()); !visited.ok()) return visited;
    if (++count % kKeysBetweenTellings == 0) {
      report_.Tell(table_.name, std::min(bytes, store_.ApproximateBytes({all.lower, last})));
    }
  }
  report_.Finish(bytes);
  return Sort(cursor.status(), index,
              count == 0 ? "nothing can be read"
                         : "only " + std::to_string(count) + " of what it holds can be read");
}

Status TableCheck::CheckRow(std::string_view key, std::string_view value) {
  const Result<ItemView> item = SoundItem(value);
  if (!item.ok()) {
    return Sort(item.status(), nullptr, "the item " + KeyText(table_.keys, key) + " is damaged");
  }
  const std::optional<KeyBytes> own = KeyOfStoredItem(table_.keys, *item);
  if (!own || RowKey(table_.keyspace, *own).bytes() != key) {
    Find(nullptr, "the item under the key " + KeyText(table_.keys, key) + " has the key " +
                      KeyText(table_.keys, *item));
    return {};
  }
  for (const IndexSchema* index : IndexesOf(table_)) {
    if (Status checked = CheckEntryOf(key, *item, *index); !checked.ok()) return checked;
  }
  return {};
}

Status TableCheck::CheckEntryOf(std::string_view row, const ItemView& item,
                                const IndexSchema& index) {
  IndexEntry expected;
  const Result<bool> asked = MakeEntry(table_, index, item, &expected);
  if (!asked.ok()) return asked.status();
  if (!*asked) return {};
  const auto of_item = [&] { return "the entry of the item " + KeyText(table_.keys, row); };
  PinnedValue bytes;
  const Result<bool> found = store_.Get(expected.key, &bytes, &snapshot_);
  if (!found.ok()) return Sort(found.status(), &index, of_item() + " can't be read");
  if (!*found) {
    if (!index.backfilling) Find(&index, of_item() + " is missing");
  } else if (std::string_view(bytes.data(), bytes.size()) != expected.bytes) {
    Find(&index, of_item() + " holds something else than the item");
  }
  return {};
}

Status TableCheck::CheckEntry(const IndexSchema& index, std::string_view key) {
  const EncodedKey row = RowOfEntry(table_, index, key);
  const auto of_item = [&] { return "the item " + KeyText(table_.keys, row.bytes()); };
  PinnedValue bytes;
  const Result<bool> found = store_.Get(row, &bytes, &snapshot_);
  if (!found.ok()) {
    return Sort(found.status(), nullptr, of_item() + " can't be read");
  }
  if (!*found) {
    Find(&index, "there is an entry of " + of_item() + ", which is not there");
    return {};
  }
  const Result<ItemView> item = SoundItem({bytes.data(), bytes.size()});
  if (!item.ok()) return {};  // the rows' walk has found it
  IndexEntry expected;
  const Result<bool> asked = MakeEntry(table_, index, *item, &expected);
  if (!asked.ok()) return asked.status();
  if (!*asked || expected.key.bytes() != key) {
    Find(&index, "there is an entry of " + of_item() + " that it does not ask for");
  }
  return {};
}

void TableCheck::Find(const IndexSchema* index, std::string message) {
  const bool is_expiry = index != nullptr && index->kind == IndexSchema::Kind::kExpiry;
  report_.Find({.table = table_.name,
                .index = index != nullptr ? index->name : "",
                .message = is_expiry ? "time to live: " + message : std::move(message)});
}

Status TableCheck::Sort(const Status& status, const IndexSchema* index, const std::string& what) {
  if (!IsDamage(status)) return status;
  Find(index, what + ": " + status.message());
  return {};
}

}  // namespace dolmen::engine
