// What a change of a row does to the table's indexes.

#pragma once

#include <cstdint>
#include <optional>

#include "dolmen/item_view.h"
#include "dolmen/status.h"
#include "engine/expression/update.h"
#include "engine/storage/store.h"
#include "engine/table/table_schema.h"

namespace dolmen::engine {

// Where a new item comes from decides the words in which a wrong index key is refused.
enum class IndexKeySource : std::uint8_t { kItem, kUpdateExpression };

// kValidation if an attribute of `item` that is a key of an index has another type than the index
// asks for, is empty or too long.  An absent one is fine: then the index does not hold the item.
Status CheckIndexKeys(const TableSchema& table, const ItemView& item, IndexKeySource source);

// The same for the values that an update assigns as they are in the request, which are wrong
// whatever the table holds.
Status CheckAssignedIndexKeys(const TableSchema& table, const Update& update);

// Adds what the indexes need when the row's item `before` becomes `after`; nothing means no item.
// An entry that stays as it is is not written.
void AppendIndexChanges(const TableSchema& table, const std::optional<ItemView>& before,
                        const std::optional<ItemView>& after, WriteBatch* batch);

}  // namespace dolmen::engine
