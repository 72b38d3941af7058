// The keys and values that Dolmen writes, for the stores that hold them without Dolmen, and for
// comparing what stores answer.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/data.h"
#include "bench/stores.h"
#include "dolmen/attribute_value.h"
#include "dolmen/item_view.h"
#include "engine/key/encoded_key.h"

namespace dolmen::bench {

// A key as RocksDB orders it, and an item in the stored form.
struct StoredRow {
  std::string key;
  std::string item;

  friend bool operator==(const StoredRow&, const StoredRow&) = default;
};

// An item's keys as it holds them, for stores that have columns.  Empty: it has no such attribute.
struct KeyTexts {
  std::string_view pk;
  std::string_view sk;
  std::string_view gsi1pk;
  std::string_view gsi1sk;
};

// They live as long as the item's bytes.
KeyTexts KeyTextsOf(const ItemView& item);

// What an item is asked for by.
struct ItemKey {
  std::string partition;
  std::string sort;
};

// The key under which Dolmen's first table has a row: that of `partition_key` and `sort_key`.
engine::EncodedKey RowKeyOf(std::string_view partition_key, std::string_view sort_key);

// The keys under which it has a stored item, and the item's entry in its first index, GSI1.
// REQUIRES: the item has the key attributes
engine::EncodedKey RowKeyOf(const ItemView& item);
engine::EncodedKey EntryKeyOf(const ItemView& item);
engine::EncodedKey EntryKeyOf(const KeyTexts& keys);

// The keys of all entries of one partition of GSI1.
engine::KeyRange EntriesOf(std::string_view index_partition);

// The value under all of these.  Items of the workloads are all valid.
std::string StoredForm(const Item& item);

// Appends the item's row and, if it has the key attributes for one, its entry in GSI1.
void AppendStoredRows(const Item& item, std::vector<StoredRow>* rows);

// Whether it is an entry in GSI1, and not a row.
bool IsEntry(const StoredRow& row);

// All rows and entries, in the order of their keys.
std::vector<StoredRow> SortedRows(const DataSet& data);

// Calls `put`, a Status(const StoredRow&), with all rows and entries, for stores that are B-trees
// and like to be filled in the order of the keys.
template <typename Put>
Status ForEachRow(const DataSet& data, Layout layout, Progress* progress, Put put) {
  std::vector<StoredRow> rows;
  if (layout == Layout::kCompacted) {
    rows = SortedRows(data);
    for (const StoredRow& row : rows) {
      if (Status done = put(row); !done.ok()) return done;
    }
    progress->Loaded(data.size);
    return {};
  }
  for (std::uint64_t i = 0; i < data.size; progress->Loaded(++i)) {
    rows.clear();
    AppendStoredRows(data.item(i), &rows);
    for (const StoredRow& row : rows) {
      if (Status done = put(row); !done.ok()) return done;
    }
  }
  return {};
}

// Of all keys and values, reckoned from a sample.
std::uint64_t BytesInRows(const DataSet& data);

// Rows copied out of a store.  Keeps its memory when it is cleared.
class RowBuffer {
 public:
  void Clear() {
    bytes_.clear();
    ends_.clear();
  }

  void Append(std::string_view key, std::string_view item) {
    AppendPart(key);
    AppendPart(item);
  }

  std::size_t size() const { return ends_.size() / 2; }

  // Lives until the buffer changes.  REQUIRES: size() > 0
  std::string_view last_key() const;

  std::vector<StoredRow> rows() const;

 private:
  void AppendPart(std::string_view part) {
    bytes_.append(part);
    ends_.push_back(bytes_.size());
  }

  std::string Part(std::size_t i) const;

  std::string bytes_;              // key, item, key, item, ...
  std::vector<std::size_t> ends_;  // where each of them ends
};

}  // namespace dolmen::bench
