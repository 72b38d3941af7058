// Changes of index entries that follow from a change of a row.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "dolmen/item_view.h"
#include "dolmen/status.h"
#include "engine/expression/update.h"
#include "engine/read/capacity.h"
#include "engine/schema/table_schema.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// Checks the attributes of a new item that are keys of an index.  An absent attribute is valid: the
// index then has no entry of the item.
// - kValidation, in PutItem's words: an attribute does not have the type that the index requires,
//   is empty or is too long.
Status CheckIndexKeys(const TableSchema& table, const ItemView& item);

// Checks the attributes of an updated item that are keys of an index and that the update touches.
// The others may be older than the index.  If `update` is null, checks all attributes.
// - kValidation, in UpdateItem's words: an attribute does not have the type that the index
//   requires, is empty or is too long.
Status CheckUpdatedIndexKeys(const TableSchema& table, const Update* update, const ItemView& item);

// Checks the values from the request that an update assigns unchanged to keys of an index.
// - kValidation, with DynamoDB's message: a value is wrong, whatever items the table holds.
Status CheckAssignedIndexKeys(const TableSchema& table, const Update& update);

// An item's entry in an index.
struct IndexEntry {
  EncodedKey key;
  std::string_view bytes;      // the projected item: a view of `projected`, or of the whole item
  std::string projected = {};  // empty if the index projects the whole item

  // Returns the size of the projected item, as capacity counts it.
  std::uint32_t size_bytes() const;
};

// Sets `entry` to the item's entry in the index.  Returns false if the index has no entry of the
// item.  The entry borrows from `item` and from itself, so it must not be copied or moved.  An
// entry of a time to live has a key and no bytes.
// - kCorruption: the item is damaged.
// REQUIRES: the entry is new.
Result<bool> MakeEntry(const TableSchema& table, const IndexSchema& index, const ItemView& item,
                       IndexEntry* entry);

// Adds to `batch` the changes of index entries when the row's item `before` becomes `after`.
// Nothing means no item.  An unchanged entry is not written.  Appends the changes to `changes`
// unless it is null.  Entries of the time to live are left out there, because they consume no
// capacity.
// - kCorruption: an item is damaged.
Status AppendIndexChanges(const TableSchema& table, const std::optional<ItemView>& before,
                          const std::optional<ItemView>& after, WriteBatch* batch,
                          IndexChanges* changes);

}  // namespace dolmen::engine
