// What a change of a row does to the table's indexes.

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

// kValidation, in PutItem's words, if an attribute of `item` that is a key of an index has another
// type than the index asks for, is empty or too long.  An absent one is fine: then the index does
// not hold the item.
Status CheckIndexKeys(const TableSchema& table, const ItemView& item);

// The same in UpdateItem's words, for the attributes that the update touches: others may be from
// before the index.  Null: for all attributes.
Status CheckUpdatedIndexKeys(const TableSchema& table, const Update* update, const ItemView& item);

// And for the values that an update assigns as they are in the request, which are wrong whatever
// the table holds.
Status CheckAssignedIndexKeys(const TableSchema& table, const Update& update);

// An item's entry in an index.
struct IndexEntry {
  EncodedKey key;
  std::string_view bytes;  // the projected item; of `projected`, or of the item itself
  std::string projected = {};

  std::uint32_t size_bytes() const;  // as capacity counts it
};

// Fills a fresh entry, which stays where it is and borrows from `item`; that of an expiry is a key
// alone.  False: the index does not
// hold the item.  kCorruption: the item's bytes are damaged.
Result<bool> MakeEntry(const TableSchema& table, const IndexSchema& index, const ItemView& item,
                       IndexEntry* entry);

// Adds what the indexes need when the row's item `before` becomes `after`; nothing means no item.
// An entry that stays as it is is not written.  `changes` may be null; an expiry's are not among
// them, as nobody pays for them.
Status AppendIndexChanges(const TableSchema& table, const std::optional<ItemView>& before,
                          const std::optional<ItemView>& after, WriteBatch* batch,
                          IndexChanges* changes);

}  // namespace dolmen::engine
