// Checks of the size of items.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html

#pragma once

#include <cstdint>

#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "engine/schema/table_schema.h"

namespace dolmen::engine {

// The origin of an item: kItem if the request contains the item, kUpdate if an update produces it.
// The origin determines the error message if the item is too large.
enum class SizeSource : std::uint8_t { kItem, kUpdate };

// Checks the size of an item alone.
// - kValidation: the item is over 400 KB.
Status CheckItemSize(const ItemView& item, SizeSource source);

// Checks the size of an item together with its entries in local indexes.
// - kValidation: the item together with the entries is over 400 KB.
Status CheckItemSize(const TableSchema& table, const ItemView& item, SizeSource source);

}  // namespace dolmen::engine
