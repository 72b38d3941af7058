// The update of an entity as one UpdateItem, for a table on a service.
//
// A service cannot run UpdateRewriter. But for most updates the effect of the rewriter is known without
// the item: the rewriter does nothing, or it sets a few more attributes. The plain form of an update has
// these attributes, and a condition under which it does what the rewriter does:
// - The item exists, or the update may create it. It does not belong to another entity.
// - It has the entity's version (EntityDefinition::Version) or a newer one, so it needs no upgrade.
// - It has the keys of indexes that the update does not set, or it lacks an optional part of them.
// - It has the values of the Derived attributes that depend on the primary key alone.
// - Its attributes have the types of the entity, and its optional structs their required members, so it can
//   usually be read.
// - A number to which the update adds stays within the range of its member.
//
// The plain form sets a Derived attribute if the update sets an input of it. The value replaces a stored
// value that has the right type but cannot be read; the rewriter refuses such an item.
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

#pragma once

#include <optional>

#include "dolmen/condition_builder.h"
#include "dolmen/entity/entity_spec.h"
#include "dolmen/entity/fill_functions.h"
#include "dolmen/entity/update_planner.h"
#include "dolmen/operations.h"

namespace dolmen::entity {

// The facts about one update that its plain form depends on. Borrows all that it refers to.
struct UpdateFacts {
  const EntitySpec& entity;
  const FillContext& context;
  const Item& key;  // the primary key
  const PlannedUpdate& plan;
  bool or_create = false;
  bool reads_item = false;  // true: the update fails if the updated item cannot be read
};

// The plain form of an update.
struct PlainUpdate {
  UpdateExpression update = {};
  ConditionBuilder condition;  // without the conditions of the caller
};

// Returns the plain form of the update, or nothing if it has none. An item that passes the condition can
// still hold a value that cannot be read: a number with a fraction or outside the range of its member, a
// text without a meaning, or such an element of a list or map.
std::optional<PlainUpdate> MakePlainUpdate(const UpdateFacts& facts);

}  // namespace dolmen::entity
