// How far a table's subscriptions have come.

#pragma once

#include <optional>
#include <string_view>

#include "dolmen/result.h"
#include "engine/schema/stream_schema.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// `table` is the keyspace of the table's rows, by which another table of the same name is another
// one.
Result<std::optional<SequenceNumber>> ReadPosition(const Store& store, KeyspaceId table,
                                                   std::string_view name);
void PutPosition(KeyspaceId table, std::string_view name, SequenceNumber position,
                 WriteBatch* batch);
void DeletePosition(KeyspaceId table, std::string_view name, WriteBatch* batch);

// All of a table.
KeyRange PositionsOf(KeyspaceId table);

}  // namespace dolmen::engine
