// The planner of updates: it turns a ChangeList into an UpdateExpression.
//
// The expression contains the changes and the assignments that follow from them:
// - the attributes declared with Always, which every write sets
// - the version, plus 1
// - the keys of indexes whose parts change
// - with Changes::OrCreate, the attributes that a new item must have

#pragma once

#include <optional>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/condition_builder.h"
#include "dolmen/entity/changes.h"
#include "dolmen/entity/entity_spec.h"
#include "dolmen/entity/fill_functions.h"
#include "dolmen/expression.h"
#include "dolmen/result.h"

namespace dolmen::entity {

// An index key that an update sets in an item without this key. The key contains values of IfUnset.
struct GuardedKey {
  const KeySpec* index = nullptr;  // a constant of the program
  Item filled = {};                // the attributes in the key that have values of IfUnset
};

// An update, and the condition under which its index keys are right.
struct PlannedUpdate {
  UpdateExpression update = {};

  // A condition on the item before the update; nothing if all index keys are always right. With
  // Changes::OrCreate, an index key can contain values of IfUnset. If the item exists and lacks the
  // index key, the item may keep other values of these attributes. The condition is false then.
  std::optional<ConditionBuilder> guard = {};

  // The keys that `guard` protects.
  std::vector<GuardedKey> guarded = {};
};

// Returns the expression of an update. `key` points to a struct with the attributes of the primary
// key; no other member is read. `scratch` points to a default-constructed struct of the same type,
// which the function overwrites.
//
// The message of an error names the entity and the attribute.
// - kValidation: a change names a part of the primary key, or a read-only attribute.
// - kValidation: a change removes a required attribute.
// - kValidation: a value cannot be stored, or does not fit into an index's key.
// - kValidation: a part of an index's key changes, but the update does not set all other parts that
//   the primary key does not contain.
// - kValidation: the update may create the item, but a required attribute has no value.
Result<PlannedUpdate> PlanUpdateExpression(const EntitySpec& entity, const FillContext& context,
                                           const void* key, const ChangeList& changes,
                                           void* scratch);

}  // namespace dolmen::entity
