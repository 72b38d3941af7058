// The description of an entity without its C++ types: attributes and keys.
//
// definition.h creates one constant EntitySpec for each entity (entity::kSpec).  The parts of the
// layer that are not templates take the EntitySpec and a pointer to the struct.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "dolmen/entity/attribute_spec.h"
#include "dolmen/entity/key_template.h"
#include "dolmen/status.h"

namespace dolmen::entity {

// A key of an entity, in the table or in an index.
struct KeySpec {
  // The index's name.  "" for the primary key.
  std::string_view index = {};

  // The declared names of the key attributes.  "" in an index that follows the convention; use
  // PartitionName and SortName there.
  std::string_view partition_name = {};
  std::string_view sort_name = {};

  KeyTemplate partition = {};
  KeyTemplate sort = {};

  // True if the key has a sort key.
  bool has_sort = false;

  // Returns the names of the key attributes, by the convention if none were declared: PK and SK, or
  // GSI1PK and GSI1SK.
  std::string PartitionName() const;
  std::string SortName() const;

  // Returns true if the attribute at this position is a part of either template.
  constexpr bool HasPart(std::size_t attribute) const {
    return partition.HasPart(attribute) || sort.HasPart(attribute);
  }
};

// Everything that an entity is, without its types.  All views are of constants.
// An entity.  A constant of the program, so every view in it stays valid.  Thread-safe.
struct EntitySpec {
  // The value of the type attribute in each item; also the entity's name in messages.
  std::string_view name = {};

  // The attribute that holds the entity's name, "entityType" by default.
  std::string_view type_attribute = {};

  // The attributes in the order of their declaration.  A position in this span identifies an
  // attribute everywhere in the layer.
  std::span<const AttributeSpec> attributes = {};

  // The keys: the primary key first, then the keys of indexes.
  std::span<const KeySpec> keys = {};

  const KeySpec& primary() const { return keys.front(); }

  // Returns the key in the index ("" = the table), or null if the entity declares none.
  const KeySpec* FindKey(std::string_view index) const;

  // Returns the version attribute, or null if the entity declares none.
  const AttributeSpec* version() const;
};

// Returns kValidation with the message "<entity>: attribute <attribute> <problem>".
Status InvalidAttribute(const EntitySpec& entity, std::string_view attribute,
                        const Problem& problem);

}  // namespace dolmen::entity
