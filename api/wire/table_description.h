// Tables as responses describe them.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/tables.h"
#include "wire/json_writer.h"

namespace dolmen::wire {

// All is there that a table needs as soon as it has been made, so that no client has to wait.
enum class TableStatus : std::uint8_t { kActive, kDeleting };

// The table at that time, as a value.  The global indexes of one that is being deleted are left
// out, as DynamoDB does.
void WriteTable(const TableDescription& table, TableStatus status, Timestamp now, JsonWriter* json);

// The key attributes of the table and its indexes, each once for every key that it is part of.
std::vector<KeyAttribute> KeysOf(const TableDescription& table);

}  // namespace dolmen::wire
