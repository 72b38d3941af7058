// BatchWriteItem and TransactWriteItems: several writes as one atomic write.

#pragma once

#include <span>

#include "dolmen/batch.h"
#include "dolmen/result.h"
#include "dolmen/transaction.h"
#include "engine/schema/live_table.h"
#include "engine/write/atomic_write.h"

namespace dolmen::engine {

using ActionInput = decltype(TransactWriteItem::action);

// Checks an action of a transaction, as far as this is possible without the table's schema.
// - kValidation: the action would be invalid for every table. Validate (prepare.h) lists the errors.
Status ValidateAction(const ActionInput& input);
// Checks only the placeholders and the syntax of the action's expressions.
// - kValidation: the errors of ValidateSyntax (prepare.h).
Status ValidateActionSyntax(const ActionInput& input);

// Contract: Database::TransactWriteItems. `tables[i]` is the table that action `i` names.
Result<TransactWriteItemsOutput> TransactWriteItems(const WriteContext& context,
                                                    const TransactWriteItemsInput& input,
                                                    std::span<LiveTable* const> tables);

// Contract: Database::BatchWriteItem. `tables[i]` is the table of `input.requests[i]`.
Result<BatchWriteItemOutput> BatchWriteItem(const WriteContext& context,
                                            const BatchWriteItemInput& input,
                                            std::span<LiveTable* const> tables);

}  // namespace dolmen::engine
