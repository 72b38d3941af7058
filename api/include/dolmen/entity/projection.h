// Projections: entities of which a query reads only some attributes (EntityQuery::Project).

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstddef>
#include <vector>

#include "dolmen/entity/entity_spec.h"

namespace dolmen::entity {

// A copy of an entity's description in which the functions that read an attribute do nothing, unless
// the attribute is in the primary key or was added. The other members keep the values of their
// initialisers.
//
// The query still reads whole items, because an item in memory costs less than a copy of its parts.
class ProjectedEntity {
 public:
  // Copies the description without any attribute, and a projection with its attributes.
  explicit ProjectedEntity(const EntitySpec& entity);
  ProjectedEntity(const ProjectedEntity& other);
  ProjectedEntity& operator=(const ProjectedEntity&) = delete;

  // Adds the attribute at a position of EntitySpec::attributes.
  void Add(std::size_t attribute);

  const EntitySpec& spec() const DOLMEN_LIFETIME_BOUND { return spec_; }

 private:
  const EntitySpec* whole_;
  std::vector<AttributeSpec> attributes_;
  EntitySpec spec_;
};

}  // namespace dolmen::entity

#include "dolmen/internal/show_macros.h"
