// The write that changes an item only if no other writer has changed it since it was read.

#pragma once

#include <optional>

#include "dolmen/attribute_value.h"
#include "dolmen/entity/entity_spec.h"
#include "dolmen/entity/write_planner.h"
#include "dolmen/result.h"

namespace dolmen::entity {

// The number of times that a write is tried which depends on an item that other writers may change. Before
// nearly every repeated attempt, a write of another writer has succeeded.
inline constexpr int kAttemptsMax = 1000;

// Returns the write that makes `after` of the item `before`, or creates it if `before` is nothing: a
// PutItem, an UpdateItem, or a ConditionCheck if nothing changes. The table refuses it with
// kConditionalCheckFailed and the item if the item differs from `before`.
//
// A condition compares at most 150 attributes. A larger item must have a version (MemberAttribute::Version),
// which is compared instead.
// - kValidation: the item has more attributes, and its entity has no version.
// REQUIRES: both items have the same primary key.
Result<Action> ChangeOfItem(const EntitySpec& entity, const std::optional<Item>& before,
                            const Item& after);

}  // namespace dolmen::entity
