// The attributes that an edge and its inverse share (EntityDefinition::Edge).

#pragma once

#include <cstddef>
#include <vector>

#include "dolmen/entity/entity_spec.h"
#include "dolmen/result.h"

namespace dolmen::entity {

// A shared attribute, as positions in EntitySpec::attributes of two entities.
struct SharedPosition {
  std::size_t from = 0;
  std::size_t to = 0;
};

// Returns true if each direction sets the attribute itself, so that both can differ.
inline bool IsFilled(const AttributeSpec& attribute) {
  return attribute.is_version || attribute.always != nullptr || attribute.derive != nullptr;
}

// Returns the attributes that the edge shares with its inverse, from the edge to the inverse.
// REQUIRES: the entity has an edge.
std::vector<SharedPosition> SharedAttributes(const EntitySpec& edge);

// Returns a struct of the entity `to` with the shared attributes of `value`, a struct of `from`.
// - kValidation: an attribute of `to` cannot hold a value.
Result<OwnedStruct> CopyShared(const EntitySpec& from, const void* value, const EntitySpec& to,
                               const std::vector<SharedPosition>& shared);

}  // namespace dolmen::entity
