// Changes of index entries that follow from a change of a row.

#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "engine/expression/update.h"
#include "engine/read/capacity.h"
#include "engine/schema/table_schema.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// The values that an item has for the key attributes of its table's indexes: those of each index in
// turn, then the value of the time to live's attribute. The view of a value is absent if the item
// lacks the attribute. The views borrow from the item. A write looks the values up only once.
using IndexKeyValues = boost::container::small_vector<AttributeView, 8>;
IndexKeyValues FindIndexKeyValues(const TableSchema& table, const ItemView& item);

// Returns the values that an update assigns directly to the key attributes of the indexes, as SET a = :v does.
IndexKeyValues AssignedIndexKeyValues(const TableSchema& table, const Update& update);

// Checks the values of a new item. An absent value is valid: the item then has no entry in the
// index. If several indexes refuse a value, the message names the first one in the order of names.
// - kValidation, with PutItem's message: an attribute does not have the type that the index
//   requires, is empty or is too long.
Status CheckIndexKeys(const TableSchema& table, const IndexKeyValues& values);
// Checks only the types.
// - kValidation, with DynamoDB's message: an attribute does not have the type that the index requires.
Status CheckIndexKeyTypes(const TableSchema& table, const IndexKeyValues& values);

// Checks the values of an updated item that the update touches. Does not check the values of
// untouched attributes, because they may be older than the index. If `update` is null, checks all
// values.
// - kValidation, with UpdateItem's message: an attribute does not have the type that the index
//   requires, is empty or is too long.
Status CheckUpdatedIndexKeys(const TableSchema& table, const Update* update,
                             const IndexKeyValues& values);

// Returns true if the update changes an attribute whose value is an index key value.
bool TouchesIndexKeys(const TableSchema& table, const Update& update);

// Checks AssignedIndexKeyValues.
// - kValidation, with DynamoDB's message: a value is not valid for a key of the index.
Status CheckAssignedIndexKeys(const TableSchema& table, const Update& update);

// An item's entry in an index.
struct IndexEntry {
  EncodedKey key;
  std::string_view bytes;      // the projected item: a view of `projected`, or of the whole item
  std::string projected = {};  // empty if the index projects the whole item

  // Returns DynamoDB's size of the projected item, from which the capacity is computed.
  std::uint32_t size_bytes() const;
};

// Sets `entry` to the item's entry in the index. Returns false if the item has no entry in the
// index. The entry has a view of `item` or of its own member `projected`, so the entry must not be
// copied or moved. An entry of the expiry index has a key and no bytes.
// - kCorruption: the item is damaged.
// REQUIRES: `entry` was not used before.
Result<bool> MakeEntry(const TableSchema& table, const IndexSchema& index, const ItemView& item,
                       IndexEntry* entry);

// An item with its index key values. Borrows both.
struct IndexedItem {
  ItemView item;
  std::span<const AttributeView> key_values;
  bool keeps_key_values = false;  // true: the item replaces an item with the same values
};

// Adds to `batch` the changes of index entries that are necessary when the item `before` under the
// key `row` becomes `after`. `before` is nothing if the row had no item, and `after` is nothing if
// the row has no item any more. Does not write unchanged entries. Appends the changes to `changes`,
// except changes in the expiry index, which consume no capacity.
// - kCorruption: an item is damaged.
Status AppendIndexChanges(const TableSchema& table, const EncodedKey& row,
                          const std::optional<ItemView>& before,
                          const std::optional<IndexedItem>& after, WriteBatch* batch,
                          IndexChanges* changes);

}  // namespace dolmen::engine
