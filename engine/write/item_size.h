// How large an item may be.

#pragma once

#include <optional>

#include "dolmen/item_view.h"
#include "dolmen/status.h"
#include "engine/schema/table_schema.h"

namespace dolmen::engine {

// Which operation makes an item decides the words in which one that is too large is refused.
enum class SizeSource : std::uint8_t { kItem, kUpdate };

// kValidation if the item is over 400 KB by itself, whatever its table is.
Status CheckItemSize(const ItemView& item, SizeSource source);

// And if it is together with its entries in local indexes, which are of its item collection.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
Status CheckItemSize(const TableSchema& table, const ItemView& item, SizeSource source);

// Of an item that an update makes of `old`.  One that is too large together with its entries
// already, since earlier releases did not count these, may stay so, but not grow.
Status CheckUpdatedItemSize(const TableSchema& table, const std::optional<ItemView>& old,
                            const ItemView& item);

}  // namespace dolmen::engine
