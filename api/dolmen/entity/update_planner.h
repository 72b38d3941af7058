// The UpdateExpression of an entity's changes, with what follows from them.

#pragma once

#include "dolmen/entity/changes.h"
#include "dolmen/entity/entity_spec.h"
#include "dolmen/entity/fill_functions.h"
#include "dolmen/expression.h"
#include "dolmen/result.h"

namespace dolmen::entity {

Result<UpdateExpression> PlanUpdateExpression(const EntitySpec& entity, const FillContext& context,
                                              const void* key, const ChangeList& changes,
                                              void* scratch);

}  // namespace dolmen::entity
