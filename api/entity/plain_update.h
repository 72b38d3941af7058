// The plain form of an entity's update: one UpdateItem, which reads nothing.
//
// An update does more than its steps, and that depends on the item: it upgrades an item of an older version,
// corrects Derived attributes and sets the keys of indexes. Most items need nothing of this, or only values that
// are known beforehand. The plain form adds these known values to the steps, and has a condition that is
// false for every other item:
// - The item exists and has the type attribute of the entity, or the update may create it.
// - It has the entity's version (EntityDefinition::Version) or a newer one, so it needs no upgrade.
// - It has the keys of indexes that the update does not set, or it lacks an optional part of them.
// - It has the values of the Derived attributes that depend on the primary key alone.
// - Its optional structs have their required members after the update.
// - A number to which the update adds stays within the range of its member.
//
// All values of a new item are known. With Changes::OrCreate the plain form sets these values with
// if_not_exists. The condition then requires that an existing item has them, except for those with
// IfUnset.
//
// An update has no plain form if it depends on unknown stored values:
// - The entity has a Derived attribute outside its primary key that does not name its inputs, or an input
//   of it is neither set nor in the primary key.
// - The update sets a part of an index's key, and other parts are neither set nor in the primary key. If
//   it removes a part, the item has no such key.
// - The update changes an attribute with Check by Add, Delete or SetIfAbsent.
// - The update removes a required member of an optional struct, and may leave another member.
// - The update may create the item, and the new item has other values than the steps set.

#pragma once

#include <optional>

#include "dolmen/entity/write_planner.h"
#include "dolmen/operations.h"

namespace dolmen::entity {

// Returns the plain form of a planned update, or nothing if it has none. An item that passes the condition
// can still hold an attribute that cannot be read, if another program has damaged it.
// REQUIRES: the write is an update.
std::optional<UpdateItemInput> MakePlainUpdate(const PlannedWrite& write);

}  // namespace dolmen::entity
