#include "bench/stored_rows.h"

#include <algorithm>

#include "engine/key/key_codec.h"
#include "engine/value/codec.h"

namespace dolmen::bench {
namespace {

constexpr engine::KeyspaceId kTableKeyspace = engine::KeyspaceId::kFirst;
// The keyspace of GSI1. In Dolmen, the keyspace of a table's first index has the number that
// follows the number of the table's keyspace.
constexpr auto kIndexKeyspace =
    static_cast<engine::KeyspaceId>(static_cast<std::uint32_t>(kTableKeyspace) + 1);

std::string_view TextOf(const ItemView& item, std::string_view attribute) {
  return item[attribute].AsString().value_or("");
}

}  // namespace

KeyTexts KeyTextsOf(const ItemView& item) {
  return {.pk = TextOf(item, "PK"),
          .sk = TextOf(item, "SK"),
          .gsi1pk = TextOf(item, "GSI1PK"),
          .gsi1sk = TextOf(item, "GSI1SK")};
}

engine::EncodedKey RowKeyOf(std::string_view partition_key, std::string_view sort_key) {
  return engine::RowKey(kTableKeyspace, {partition_key, sort_key});
}

engine::EncodedKey RowKeyOf(const ItemView& item) {
  const KeyTexts keys = KeyTextsOf(item);
  return RowKeyOf(keys.pk, keys.sk);
}

engine::EncodedKey EntryKeyOf(const ItemView& item) { return EntryKeyOf(KeyTextsOf(item)); }

engine::EncodedKey EntryKeyOf(const KeyTexts& keys) {
  return engine::IndexEntryKey(kIndexKeyspace, {keys.gsi1pk, keys.gsi1sk}, {keys.pk, keys.sk});
}

engine::KeyRange EntriesOf(std::string_view index_partition) {
  return engine::PrefixRange(engine::KeyPrefix(kIndexKeyspace, {&index_partition, 1}));
}

std::string StoredForm(const Item& item) {
  std::string bytes;
  engine::EncodeItem(item, &bytes).IgnoreError();
  return bytes;
}

void AppendStoredRows(const Item& item, std::vector<StoredRow>* rows) {
  std::string bytes = StoredForm(item);
  const ItemView view = *ItemView::Parse(bytes);
  if (view["GSI1PK"]) rows->push_back({std::string(EntryKeyOf(view).bytes()), bytes});
  std::string key(RowKeyOf(view).bytes());
  rows->push_back({std::move(key), std::move(bytes)});
}

bool IsEntry(const StoredRow& row) { return engine::KeyspaceOf(row.key) == kIndexKeyspace; }

std::vector<StoredRow> SortedRows(const DataSet& data) {
  std::vector<StoredRow> rows;
  for (std::uint64_t i = 0; i < data.size; ++i) AppendStoredRows(data.item(i), &rows);
  std::ranges::sort(rows, {}, &StoredRow::key);
  return rows;
}

std::uint64_t BytesInRows(const DataSet& data) {
  constexpr std::uint64_t kSample = 1000;
  std::vector<StoredRow> rows;
  for (std::uint64_t i = 0; i < kSample; ++i) {
    AppendStoredRows(data.item(i * data.size / kSample), &rows);
  }
  std::uint64_t bytes = 0;
  for (const StoredRow& row : rows) bytes += row.key.size() + row.item.size();
  return bytes * data.size / kSample;
}

std::vector<StoredRow> RowBuffer::rows() const {
  std::vector<StoredRow> rows;
  for (std::size_t i = 0; i < size(); ++i) rows.push_back({Part(2 * i), Part(2 * i + 1)});
  return rows;
}

std::string_view RowBuffer::last_key() const {
  const std::size_t start = size() == 1 ? 0 : ends_[ends_.size() - 3];
  return std::string_view(bytes_).substr(start, ends_[ends_.size() - 2] - start);
}

std::string RowBuffer::Part(std::size_t i) const {
  const std::size_t start = i == 0 ? 0 : ends_[i - 1];
  return bytes_.substr(start, ends_[i] - start);
}

}  // namespace dolmen::bench
