// The stored form of a table's schema, which is an item. engine/storage/FORMAT.md lists its
// attributes.

#pragma once

#include "dolmen/attribute_value.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "engine/schema/table_schema.h"

namespace dolmen::engine {

// Returns the stored form of the schema.
Item EncodeTableSchema(const TableSchema& schema);

// Returns the schema that an entry of the catalog holds.
// - kCorruption: the entry is not the stored form of a schema.
Result<TableSchema> DecodeTableSchema(const ItemView& entry);

}  // namespace dolmen::engine
