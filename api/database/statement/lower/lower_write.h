// Lowering of INSERT, UPDATE, DELETE and EXISTS to the requests that write or check one item.

#pragma once

#include <cstdint>

#include "database/statement/parameters.h"
#include "database/statement/syntax/statement.h"
#include "dolmen/result.h"
#include "dolmen/transaction.h"
#include "engine/schema/table_schema.h"

namespace dolmen::database {

// The request of a statement: a put, an update, a deletion, or a check of a condition.
using LoweredWrite = decltype(TransactWriteItem::action);

// Returns the request. Its conditions make sure that INSERT replaces no item, that UPDATE and
// EXISTS fail without an item, and that DELETE succeeds without an item. The caller sets
// return_values, return_item_on_condition_failure and options.
// - kValidation, with DynamoDB's message: the statement does not name exactly one item by its key.
// - kValidation, with DynamoDB's message: a key attribute is missing or has the wrong type.
// - kValidation, with DynamoDB's message: EXISTS has no condition besides the key.
// REQUIRES: the statement is not a SELECT, and its parameters are checked.
Result<LoweredWrite> LowerWrite(const Statement& statement, const engine::TableSchema& table,
                                const Parameters& parameters);

// Returns DynamoDB's size of the item in bytes, or 0 if EncodeItem rejects the item.
std::uint32_t SizeOfItem(const Item& item);

// Returns the key of the item that the request writes or checks.
Item KeyOfWrite(const LoweredWrite& write, const engine::KeySchema& keys);

}  // namespace dolmen::database
