// Edges: entities whose writes also write an inverse, the other direction (EntityDefinition::Edge).

#pragma once

#include "dolmen/entity/write_planner.h"

namespace dolmen::entity {

// Add the write of the inverse to the planned write of an edge. Do nothing for other entities.
// `value` and `key` point to the struct of the edge; of `key` only the attributes of the primary key
// are read.
// - kValidation: a value does not fit into the inverse, or an update may create the edge.
Status AddCreatedInverse(const FillContext& context, const void* value, PlannedWrite* write);
Status AddPutInverse(const FillContext& context, const void* value, PlannedWrite* write);
Status AddUpdatedInverse(const FillContext& context, const void* key, const ChangeList& changes,
                         PlannedWrite* write);
Status AddRemovedInverse(const void* key, PlannedWrite* write);

}  // namespace dolmen::entity
