#include "engine/verify/table_check.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/key/key_codec.h"
#include "engine/stream/change_record.h"
#include "engine/stream/stream_arn.h"
#include "engine/verify/key_text.h"
#include "engine/write/index_upkeep.h"

namespace dolmen::engine {
namespace {

constexpr std::size_t kKeysBetweenProgressReports = 1000;

std::uint64_t EstimateKeyspaceBytes(const Store& store, KeyspaceId keyspace) {
  return store.ApproximateBytes(PrefixRange(EncodedKey(keyspace)));
}

// Returns the key of the row that an entry belongs to.
EncodedKey RowKeyOfEntry(const TableSchema& table, const IndexSchema& index,
                         std::string_view entry) {
  EncodedKey row(table.keyspace);
  row.AppendRaw(entry.substr(PrefixBytes(entry, index.keys.attributes().size())));
  return row;
}

Result<ItemView> ParseAndCheckItem(std::string_view bytes) {
  Result<ItemView> item = ItemView::Parse(bytes);
  if (!item.ok()) return item;
  const Status sound = item->Check();
  return sound.ok() ? item : sound;
}

// Returns ok in place of an error which says that a block cannot be read. A lookup uses this
// function, because a lookup would add one finding for each key in the block. The pass that reads
// the block adds a single finding for the whole block.
Status IgnoreUnreadable(const Status& status) { return IsUnreadable(status) ? Status() : status; }

// Returns the number of a stored record, or nothing if `key` is not the key of a record.
std::optional<SequenceNumber> ParseRecordNumber(std::string_view key) {
  const std::string_view number = key.substr(kKeyspaceBytes);
  if (number.size() != sizeof(SequenceNumber)) return std::nullopt;
  return ReadBigEndian(number);
}

std::string NumberText(std::string_view key) {
  const std::optional<SequenceNumber> number = ParseRecordNumber(key);
  return number ? ToText(*number) : "without a number";
}

}  // namespace

std::vector<const IndexSchema*> AllIndexes(const TableSchema& table) {
  std::vector<const IndexSchema*> indexes;
  for (const IndexSchema& index : table.indexes) indexes.push_back(&index);
  if (table.expiry) indexes.push_back(&table.expiry->index);
  return indexes;
}

Status CheckRecord(const StreamSchema& stream, const KeySchema& keys, std::string_view key,
                   std::string_view value) {
  const std::optional<SequenceNumber> number = ParseRecordNumber(key);
  if (!number) return Status::Corruption("its key holds no sequence number");
  DOLMEN_ASSIGN_OR_RETURN(const StreamRecord& record, DecodeRecord(stream, keys, *number, value));
  Status sound = record.keys.view().Check();
  if (sound.ok() && record.new_image) sound = record.new_image->view().Check();
  if (sound.ok() && record.old_image) sound = record.old_image->view().Check();
  return sound;
}

std::optional<std::string> FindRowDamage(const TableSchema& table, std::string_view key,
                                         std::string_view value) {
  const Result<ItemView> item = ParseAndCheckItem(value);
  if (!item.ok()) {
    return "the item " + KeyText(table.keys, key) +
           " is damaged: " + std::string(item.status().message());
  }
  const std::optional<KeyBytes> own = KeyOfStoredItem(table.keys, *item);
  if (own && RowKey(table.keyspace, *own).bytes() == key) return std::nullopt;
  return "the item under the key " + KeyText(table.keys, key) + " has the key " +
         KeyText(table.keys, *item);
}

std::uint64_t BytesToCheck(const Store& store, const TableSchema& table) {
  std::uint64_t bytes = 0;
  for (const KeyspaceId keyspace : table.Keyspaces()) {
    bytes += EstimateKeyspaceBytes(store, keyspace);
  }
  return bytes;
}

Status TableCheck::Run() {
  Status status = table_.is_deleted ? Status() : CheckRows();
  for (const IndexSchema* index : AllIndexes(table_)) {
    if (!status.ok() || report_.is_stopped()) return status;
    status = CheckIndex(*index);
  }
  for (const StreamSchema* stream : table_.AllStreams()) {
    if (!status.ok() || report_.is_stopped()) return status;
    status = CheckStream(*stream);
  }
  return status;
}

template <typename Visit>
Status TableCheck::Walk(KeyspaceId keyspace, SalvagingCursor::GapHandler on_gap, Visit visit) {
  const KeyRange all = PrefixRange(EncodedKey(keyspace));
  const std::uint64_t bytes = store_.ApproximateBytes(all);
  const auto report_progress = [&](const EncodedKey& here) {
    report_.ReportProgress(table_.name,
                           std::min(bytes, store_.ApproximateBytes({all.lower, here})));
    return !report_.is_stopped();
  };
  report_progress(all.lower);
  std::size_t count = 0;
  SalvagingCursor cursor(store_, all, snapshot_, std::move(on_gap), report_progress);
  for (cursor.SeekToFirst(); cursor.Valid() && !report_.is_stopped(); cursor.Next()) {
    DOLMEN_RETURN_IF_ERROR(visit(cursor.key(), cursor.value()));
    if (++count % kKeysBetweenProgressReports == 0)
      report_progress(EncodedKey::FromBytes(cursor.key()));
  }
  report_.AddFinishedBytes(bytes);
  return cursor.status();
}

Status TableCheck::CheckRows() {
  const auto on_gap = [&](const SalvagingCursor::Gap& gap) {
    AddFinding(nullptr, GapText("items", gap, [&](auto key) { return KeyText(table_.keys, key); }));
  };
  return Walk(table_.keyspace, on_gap, [&](std::string_view key, std::string_view value) {
    report_.CountItem();
    return CheckRow(key, value);
  });
}

Status TableCheck::CheckIndex(const IndexSchema& index) {
  const bool is_expiry = index.kind == IndexSchema::Kind::kExpiry;
  if (index.backfilling) report_.AddUnfinished({table_.name, is_expiry ? "" : index.name});
  const auto on_gap = [&](const SalvagingCursor::Gap& gap) {
    AddFinding(&index, GapText("entries", gap, [&](auto key) {
      return "that of " + KeyText(table_.keys, RowKeyOfEntry(table_, index, key).bytes());
    }));
  };
  return Walk(index.keyspace, on_gap, [&](std::string_view key, std::string_view) {
    if (!is_expiry) report_.CountIndexEntry();
    return CheckEntry(index, key);
  });
}

Status TableCheck::CheckStream(const StreamSchema& stream) {
  const std::string stream_text = "stream " + StreamLabel(stream) + ": ";
  const auto on_gap = [&](const SalvagingCursor::Gap& gap) {
    AddFinding(nullptr, stream_text + GapText("records", gap, NumberText));
  };
  return Walk(stream.keyspace, on_gap, [&](std::string_view key, std::string_view value) {
    report_.CountStreamRecord();
    return AddFindingIfUnreadable(CheckRecord(stream, table_.keys, key, value), nullptr,
                                  stream_text + "the record " + NumberText(key) + " is damaged");
  });
}

Status TableCheck::CheckRow(std::string_view key, std::string_view value) {
  if (std::optional<std::string> damage = FindRowDamage(table_, key, value)) {
    AddFinding(nullptr, *std::move(damage));
    return {};
  }
  DOLMEN_ASSIGN_OR_RETURN(const ItemView item, ItemView::Parse(value));
  for (const IndexSchema* index : AllIndexes(table_)) {
    DOLMEN_RETURN_IF_ERROR(CheckEntryOfRow(key, item, *index));
  }
  return {};
}

Status TableCheck::CheckEntryOfRow(std::string_view row, const ItemView& item,
                                   const IndexSchema& index) {
  IndexEntry expected;
  DOLMEN_ASSIGN_OR_RETURN(const bool has_entry, MakeEntry(table_, index, item, &expected));
  if (!has_entry) return {};
  const auto item_text = [&] { return "the entry of the item " + KeyText(table_.keys, row); };
  PinnedValue bytes;
  const Result<bool> found = Get(expected.key, &bytes);
  if (!found.ok()) return IgnoreUnreadable(found.status());
  if (!*found) {
    if (!index.backfilling) AddFinding(&index, item_text() + " is missing");
  } else if (std::string_view(bytes.data(), bytes.size()) != expected.bytes) {
    AddFinding(&index, item_text() + " does not match the item's attributes");
  }
  return {};
}

Status TableCheck::CheckEntry(const IndexSchema& index, std::string_view key) {
  const EncodedKey row = RowKeyOfEntry(table_, index, key);
  const auto item_text = [&] { return "the item " + KeyText(table_.keys, row.bytes()); };
  PinnedValue bytes;
  const Result<bool> found = Get(row, &bytes);
  if (!found.ok()) return IgnoreUnreadable(found.status());
  if (!*found) {
    AddFinding(&index, "an entry exists for " + item_text() + ", which does not exist");
    return {};
  }
  const Result<ItemView> item = ParseAndCheckItem({bytes.data(), bytes.size()});
  if (!item.ok()) return {};  // the pass over the rows has reported it
  IndexEntry expected;
  DOLMEN_ASSIGN_OR_RETURN(const bool has_entry, MakeEntry(table_, index, *item, &expected));
  if (!has_entry || expected.key.bytes() != key) {
    AddFinding(&index, "an entry exists for " + item_text() + " that does not match the item");
  }
  return {};
}

void TableCheck::AddFinding(const IndexSchema* index, std::string message) {
  const bool is_expiry = index != nullptr && index->kind == IndexSchema::Kind::kExpiry;
  report_.AddFinding({.table = table_.name,
                      .index = index != nullptr ? index->name : "",
                      .message = is_expiry ? "time to live: " + message : std::move(message)});
}

Status TableCheck::AddFindingIfUnreadable(const Status& status, const IndexSchema* index,
                                          const std::string& what) {
  if (!IsUnreadable(status)) return status;
  AddFinding(index, what + ": " + status.message());
  return {};
}

}  // namespace dolmen::engine
