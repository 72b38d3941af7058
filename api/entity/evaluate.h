// Expressions that are joined or evaluated here, before their request is sent or after the table has refused it.

#pragma once

#include <vector>

#include "dolmen/condition_builder.h"
#include "dolmen/expression.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"

namespace dolmen::entity {

// Returns the conditions joined by AND. REQUIRES: there is at least one.
ConditionBuilder All(const std::vector<ConditionBuilder>& conditions);

// Returns true if the item satisfies the condition, or if there is none. `item` has no attributes if the
// item does not exist.
// - kValidation: the condition breaks a limit.
// - kCorruption: the item is damaged.
// REQUIRES: a builder has made the condition.
Result<bool> Holds(const ConditionExpression& condition, const ItemView& item);

// Returns the item that the update makes of `item`, which has only a primary key if it does not exist.
// - kValidation: the update cannot be applied to the item, or breaks a limit.
// - kCorruption: the item is damaged.
// REQUIRES: ComposeUpdate has made the update.
Result<StoredItem> Apply(const UpdateExpression& update, const ItemView& item);

}  // namespace dolmen::entity
