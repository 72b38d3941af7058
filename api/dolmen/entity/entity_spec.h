// Everything that an entity is, without its types.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "dolmen/entity/attribute_spec.h"
#include "dolmen/entity/key_template.h"
#include "dolmen/status.h"

namespace dolmen::entity {

struct KeySpec {
  std::string_view index = {};  // "" = the table's own
  std::string_view partition_name = {};
  std::string_view sort_name = {};
  KeyTemplate partition = {};
  KeyTemplate sort = {};
  bool has_sort = false;

  std::string PartitionName() const;
  std::string SortName() const;

  constexpr bool HasPart(std::size_t attribute) const {
    return partition.HasPart(attribute) || sort.HasPart(attribute);
  }
};

// Everything that an entity is, without its types.  All views are of constants.
struct EntitySpec {
  std::string_view name = {};
  std::string_view type_attribute = {};
  std::span<const AttributeSpec> attributes = {};
  std::span<const KeySpec> keys = {};  // the primary key first

  const KeySpec& primary() const { return keys.front(); }
  // Null if the entity is not in the index.
  const KeySpec* FindKey(std::string_view index) const;
  const AttributeSpec* version() const;  // null if it has none
};

// kValidation: the entity and its attribute that something is wrong with.
Status InvalidAttribute(const EntitySpec& entity, std::string_view attribute,
                        const Problem& problem);

}  // namespace dolmen::entity
