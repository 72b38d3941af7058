// The stored positions of a table's subscriptions.

#pragma once

#include <optional>
#include <string_view>

#include "dolmen/result.h"
#include "engine/schema/stream_schema.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// In each function `table` is the keyspace of the table's rows. If the table is deleted and a new
// table gets its name, the new table has a different keyspace and thus no old positions.

// Returns the position in a stored value.
// - kCorruption: the value is damaged.
Result<SequenceNumber> DecodePosition(std::string_view value);

// Returns the position of a subscription, or nothing if none is stored.
// - kCorruption: the position is damaged.
// - kStorage: a file cannot be read.
Result<std::optional<SequenceNumber>> ReadPosition(const Store& store, KeyspaceId table,
                                                   std::string_view name);
// Each of these functions adds one operation to `batch`.
void PutPosition(KeyspaceId table, std::string_view name, SequenceNumber position,
                 WriteBatch* batch);
void DeletePosition(KeyspaceId table, std::string_view name, WriteBatch* batch);

// Returns the range of the keys of all positions of a table.
KeyRange PositionRange(KeyspaceId table);

}  // namespace dolmen::engine
