// The keys and values that Dolmen writes. The stores without Dolmen hold the same keys and values.
// The answers of every store are compared with these keys and values.

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

// An encoded key, and an item in the stored form.
struct StoredRow {
  std::string key;
  std::string item;

  friend bool operator==(const StoredRow&, const StoredRow&) = default;
};

// The key attributes of an item, for stores that have columns. An empty string means that the item
// does not have the attribute.
struct KeyTexts {
  std::string_view pk;
  std::string_view sk;
  std::string_view gsi1pk;
  std::string_view gsi1sk;
};

// Returns the key attributes of an item as views into the bytes of the item.
KeyTexts KeyTextsOf(const ItemView& item);

// The primary key of an item.
struct ItemKey {
  std::string partition;
  std::string sort;
};

// Returns the encoded key of an item in the first table that Dolmen creates in a database.
engine::EncodedKey RowKeyOf(std::string_view partition_key, std::string_view sort_key);

// Return the encoded key of an item's row, or of the item's entry in GSI1, which is the first
// index.
// REQUIRES: the item has the key attributes
engine::EncodedKey RowKeyOf(const ItemView& item);
engine::EncodedKey EntryKeyOf(const ItemView& item);
engine::EncodedKey EntryKeyOf(const KeyTexts& keys);

// Returns the range of keys that contains all entries of one partition of GSI1 and nothing else.
engine::KeyRange EntriesOf(std::string_view index_partition);

// Returns the stored form of an item. REQUIRES: the item is valid
std::string StoredForm(const Item& item);

// Appends the row of the item. If the item has the key attributes of GSI1, also appends its entry
// in GSI1.
void AppendStoredRows(const Item& item, std::vector<StoredRow>* rows);

// Returns true for an entry of GSI1, false for a row of the table.
bool IsEntry(const StoredRow& row);

// Returns all rows and entries, sorted by key.
std::vector<StoredRow> SortedRows(const DataSet& data);

// Calls `put`, a Status(const StoredRow&), once for each row and each entry. With
// Layout::kCompacted the calls are sorted by key, which suits B-trees.
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

// Estimates the total bytes of all keys and values from a sample.
std::uint64_t BytesInRows(const DataSet& data);

// A buffer of rows that were copied from a store. Clear keeps the allocated memory.
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

  // Returns the key of the last row. The view is valid until the buffer changes. REQUIRES: size()
  // > 0
  std::string_view last_key() const;

  std::vector<StoredRow> rows() const;

 private:
  void AppendPart(std::string_view part) {
    bytes_.append(part);
    ends_.push_back(bytes_.size());
  }

  std::string Part(std::size_t i) const;

  std::string bytes_;              // key, item, key, item, ...
  std::vector<std::size_t> ends_;  // the end of each part in bytes_
};

}  // namespace dolmen::bench
