// How the catalog stores a table.  FORMAT.md (engine/storage) lists the attributes.

#pragma once

#include "dolmen/attribute_value.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "engine/schema/table_schema.h"

namespace dolmen::engine {

Item EncodeTableSchema(const TableSchema& schema);

// kCorruption if it is not a schema.  Reads what format 1 wrote, too.
Result<TableSchema> DecodeTableSchema(const ItemView& entry);

}  // namespace dolmen::engine
