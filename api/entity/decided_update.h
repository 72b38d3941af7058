// The update of an entity that depends on its stored item. It is computed for the item that was read, and
// written if the item is still the same.

#pragma once

#include <optional>

#include "dolmen/entity/entity_spec.h"
#include "dolmen/entity/write_planner.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"

namespace dolmen::entity {

struct DecidedUpdate {
  Action action = {};      // ChangeOfItem
  OwnedStruct value = {};  // the entity after the update
};

// Returns the effect of a planned update on the item `stored`, which is nothing if it does not exist:
// - It upgrades an item of an older version of the entity. Conditions see the upgraded item.
// - It applies the steps, and reads the updated item as its entity.
// - It completes an item that the update creates, as EntityTable::Create does.
// - It checks the values that the update changes (MemberAttribute::Check).
// - It computes the Derived attributes again.
// - It sets the keys of indexes that the item lacks, and those whose parts the update changes.
//
// - kConditionalCheckFailed, with the item if it exists: it belongs to another entity, it does not exist and
//   the update may not create it, or a condition is false.
// - kValidation: the update cannot be applied to the item.
// - kValidation: the update changes an attribute to a value that the entity cannot hold, or that is not
//   allowed.
// - kValidation: a value does not fit into the key of an index.
// - kValidation: the update creates an item without a required attribute.
// - kCorruption: the item could not be read before the update either.
// - the errors of ChangeOfItem.
// REQUIRES: the write is an update.
Result<DecidedUpdate> DecideUpdate(const PlannedWrite& write,
                                   const std::optional<StoredItem>& stored);

}  // namespace dolmen::entity
