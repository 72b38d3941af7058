// The planner of updates: it turns a ChangeList into the steps of an UpdateExpression.
//
// The steps are the changes and the assignments that do not depend on the stored item:
// - the attributes declared with Always, which every write sets
// - the version, plus 1
// - with Changes::OrCreate, the type attribute and the attributes of the primary key
// The plain form of the update (plain_update.h) and its decision (decided_update.h) add the rest.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstddef>
#include <vector>

#include "dolmen/entity/changes.h"
#include "dolmen/entity/entity_spec.h"
#include "dolmen/entity/fill_functions.h"
#include "dolmen/entity/update_steps.h"
#include "dolmen/result.h"

namespace dolmen::entity {

// The steps of an update, and the attributes that it changes: positions in EntitySpec::attributes.
struct PlannedUpdate {
  std::vector<UpdateStep> steps = {};
  std::vector<std::size_t> changed = {};
};

// Returns the steps of an update. `key` points to a struct with the attributes of the primary
// key; no other member is read.
//
// The message of an error names the entity and the attribute.
// - kValidation: a change names a part of the primary key, or a read-only attribute.
// - kValidation: a change removes an attribute that cannot be absent.
// - kValidation: a value cannot be stored.
Result<PlannedUpdate> PlanUpdateSteps(const EntitySpec& entity, const FillContext& context,
                                      const void* key, const ChangeList& changes);

}  // namespace dolmen::entity

#include "dolmen/internal/show_macros.h"
