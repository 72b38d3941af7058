// The keys and values that Dolmen writes.  The bare stores hold them, and answers are compared with
// them.

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

// An encoded key and an item in the stored form.
struct StoredRow {
  std::string key;
  std::string item;

  friend bool operator==(const StoredRow&, const StoredRow&) = default;
};

// An item's key attributes, for stores that have columns.  Empty: the item lacks the attribute.
struct KeyTexts {
  std::string_view pk;
  std::string_view sk;
  std::string_view gsi1pk;
  std::string_view gsi1sk;
};

// Returns views into the item's bytes.
KeyTexts KeyTextsOf(const ItemView& item);

// The primary key of an item.
struct ItemKey {
  std::string partition;
  std::string sort;
};

// Returns the encoded key of a row of Dolmen's first table.
engine::EncodedKey RowKeyOf(std::string_view partition_key, std::string_view sort_key);

// Returns the encoded key of an item's row, or of its entry in the first index, GSI1.
// REQUIRES: the item has the key attributes
engine::EncodedKey RowKeyOf(const ItemView& item);
engine::EncodedKey EntryKeyOf(const ItemView& item);
engine::EncodedKey EntryKeyOf(const KeyTexts& keys);

// Returns the range of the keys of all entries of one partition of GSI1.
engine::KeyRange EntriesOf(std::string_view index_partition);

// Returns the stored form of an item.  REQUIRES: the item is valid
std::string StoredForm(const Item& item);

// Appends the item's row and, if it has the key attributes for one, its entry in GSI1.
void AppendStoredRows(const Item& item, std::vector<StoredRow>* rows);

// Returns true for an entry of GSI1, false for a row of the table.
bool IsEntry(const StoredRow& row);

// Returns all rows and entries in the order of their keys.
std::vector<StoredRow> SortedRows(const DataSet& data);

// Calls `put`, a Status(const StoredRow&), with all rows and entries.  With Layout::kCompacted the
// calls are in the order of the keys, which suits B-trees.
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

// Estimates the bytes of all keys and values from a sample.
std::uint64_t BytesInRows(const DataSet& data);

// A buffer of rows that were copied from a store.  Clear keeps the memory.
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

  // Returns the key of the last row, valid until the buffer changes.  REQUIRES: size() > 0
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
