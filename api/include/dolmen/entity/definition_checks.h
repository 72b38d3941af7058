// Checks of an entity's declaration, which run at compile time. A check adds a mistake; mistakes.h
// tells how the compiler then rejects the declaration.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstddef>
#include <span>
#include <string_view>

#include "dolmen/entity/attribute_spec.h"
#include "dolmen/entity/entity_spec.h"
#include "dolmen/entity/key.h"
#include "dolmen/entity/key_template.h"
#include "dolmen/entity/member_path.h"
#include "dolmen/entity/mistakes.h"

namespace dolmen::entity {

// Returns the position of a member's attribute, or the number of attributes if no attribute has it.
consteval std::size_t PositionOf(const void* member_id, std::span<const AttributeSpec> attributes) {
  std::size_t i = 0;
  while (i < attributes.size() && attributes[i].member_id != member_id) ++i;
  return i;
}
template <auto... kPath>
consteval std::size_t PositionOf(std::span<const AttributeSpec> attributes) {
  return PositionOf(&MemberId<kPath...>::kByte, attributes);
}

// Checks that each attribute has a name and that no two attributes have the same name.
consteval void CheckNames(std::span<const AttributeSpec> attributes, Mistake* mistake) {
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    const std::string_view name = attributes[i].name;
    if (name.empty()) mistake->Add(Rule::kAttributeHasName, name);
    for (std::size_t j = 0; j < i; ++j) {
      if (attributes[j].name == name) mistake->Add(Rule::kAttributeNamesDiffer, name);
    }
  }
}

// Returns true if `name` is the declared or conventional name of a key attribute: of the partition
// key or of the sort key. If the key has no sort key, compares `name` with the name that a sort key
// would have.
consteval bool IsKeyName(const KeySpec& key, std::string_view name) {
  const auto is_called = [&](std::string_view given, std::string_view suffix) {
    if (!given.empty()) return name == given;
    return name.starts_with(key.index) && name.substr(key.index.size()) == suffix;
  };
  return is_called(key.partition_name, "PK") || is_called(key.sort_name, "SK");
}

// Returns true if an attribute is itself a key attribute: the template is {name} alone, and the
// attribute has the name of the key attribute. Both then hold the same text.
consteval bool IsKeyItself(std::string_view key_name, const KeyTemplate& key,
                           std::span<const AttributeSpec> attributes, std::size_t attribute) {
  const KeySegment& segment = key.segments[0];
  const PartKind kind = attributes[attribute].part_kind;
  return attributes[attribute].name == key_name && key.count == 1 && segment.literal.empty() &&
         segment.attribute == static_cast<std::int16_t>(attribute) &&
         (segment.format == PartFormat::kPlain || segment.format == PartFormat::kAny) &&
         (kind == PartKind::kText || kind == PartKind::kTime);
}
consteval bool IsKeyItself(const KeySpec& key, std::span<const AttributeSpec> attributes,
                           std::size_t attribute) {
  return IsKeyItself(key.partition_name, key.partition, attributes, attribute) ||
         IsKeyItself(key.sort_name, key.sort, attributes, attribute);
}

// Checks that each index has at most one key, and that no key attribute has the name of the type
// attribute. Otherwise one attribute would have to store two different values.
consteval void CheckKeys(std::span<const KeySpec> keys, std::string_view type_attribute,
                         Mistake* mistake) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (IsKeyName(keys[i], type_attribute))
      mistake->Add(Rule::kTypeAttributeIsNotKey, type_attribute);
    for (std::size_t j = 0; j < i; ++j) {
      if (keys[j].index == keys[i].index) mistake->Add(Rule::kOneKeyOfIndex, keys[i].index);
    }
  }
}

// Checks that the inputs of each Derived attribute have attributes, and that those which are Derived
// themselves are computed before it.
consteval void CheckInputs(std::span<const AttributeSpec> attributes, Mistake* mistake) {
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    for (const void* const input : attributes[i].inputs) {
      const std::size_t position = PositionOf(input, attributes);
      if (position == attributes.size()) {
        mistake->Add(Rule::kInputIsAttribute, attributes[i].name);
      } else if (attributes[position].derive != nullptr && position >= i) {
        mistake->Add(Rule::kInputIsDerivedBefore, attributes[i].name);
      }
    }
  }
}

// Checks names, keys and inputs, and that the attributes' rules agree with the keys:
// - No attribute has the name of the type attribute, or of a key attribute that holds another text.
// - At most one attribute is the version.
// - Each attribute in the primary key is required, because an item cannot exist without its key.
// - Each InKeyOnly attribute is in the primary key, and not as {name:date} or {name:lower}: a read
//   cannot restore the time from its day, nor the case of a text.
// REQUIRES: keys[0] is the primary key
consteval void CheckAttributes(std::span<const AttributeSpec> attributes,
                               std::span<const KeySpec> keys, std::string_view type_attribute,
                               Mistake* mistake) {
  CheckNames(attributes, mistake);
  CheckKeys(keys, type_attribute, mistake);
  CheckInputs(attributes, mistake);
  int versions = 0;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    const AttributeSpec& attribute = attributes[i];
    const bool in_key = keys[0].HasPart(i);
    const auto add = [&](Rule rule) { mistake->Add(rule, attribute.name); };
    if (attribute.name == type_attribute) add(Rule::kAttributeIsNotTypeAttribute);
    if (attribute.is_version && ++versions > 1) add(Rule::kOneVersion);
    if (attribute.in_key_only && !in_key) add(Rule::kInKeyOnlyIsInKey);
    if (attribute.hide != nullptr && in_key) add(Rule::kHiddenIsWhole);
    if (attribute.may_be_empty && !attribute.is_required && in_key) add(Rule::kKeyPartIsRequired);
    for (const KeySpec& key : keys) {
      if (IsKeyName(key, attribute.name) && !IsKeyItself(key, attributes, i)) {
        add(Rule::kAttributeIsNotKey);
      }
    }
  }
  for (const KeyTemplate& key : {keys[0].partition, keys[0].sort}) {
    for (const KeySegment& segment : key) {
      if (segment.attribute == KeySegment::kNoAttribute) continue;
      const AttributeSpec& part = attributes[static_cast<std::size_t>(segment.attribute)];
      if (part.in_key_only &&
          (segment.format == PartFormat::kDate || segment.format == PartFormat::kLower))
        mistake->Add(Rule::kInKeyOnlyIsWhole, part.name);
    }
  }
}

// Checks an attribute whose values are unique. `claim` becomes a part of a key before the value, so
// it must not contain the separator.
consteval void CheckUnique(const AttributeSpec& attribute, std::string_view claim,
                           Mistake* mistake) {
  if (claim.empty() || claim.find('#') != claim.npos) mistake->Add(Rule::kClaimHasName, claim);
  if (attribute.part_kind == PartKind::kNone) {
    mistake->Add(Rule::kPartHasCodecForKeys, attribute.name);
  }
  if (attribute.in_key_only || attribute.always != nullptr || attribute.derive != nullptr) {
    mistake->Add(Rule::kUniqueIsStored, attribute.name);
  }
}

// Returns the name that an attribute of an edge has in the inverse.
constexpr std::string_view NameInInverse(const EdgeSpec& edge, std::string_view name) {
  for (const SharedAttribute& shared : edge.renamed) {
    if (!name.empty() && shared.name == name) return shared.inverse_name;
  }
  return name;
}

// Checks that the primary keys of an edge and of its inverse contain the same attributes.
consteval Mistake CheckEdge(const EntitySpec& entity, const EntitySpec& inverse) {
  Mistake mistake;
  std::size_t shared = 0;
  for (const AttributeSpec& attribute : entity.attributes) {
    if (!attribute.in_key) continue;
    const std::string_view name = NameInInverse(entity.edges[0], attribute.name);
    for (const AttributeSpec& other : inverse.attributes) {
      if (other.in_key && other.name == name) ++shared;
    }
  }
  for (const AttributeSpec& attribute : entity.attributes) {
    const std::string_view name = NameInInverse(entity.edges[0], attribute.name);
    for (const AttributeSpec& other : inverse.attributes) {
      if (other.name != name || other.rest != nullptr) continue;
      if ((attribute.derive != nullptr) != (other.derive != nullptr) ||
          (attribute.always != nullptr) != (other.always != nullptr)) {
        mistake.Add(Rule::kFilledInBoth, attribute.name);
      }
    }
  }
  std::size_t parts = 0;
  for (const AttributeSpec& attribute : entity.attributes) parts += attribute.in_key ? 1 : 0;
  std::size_t inverse_parts = 0;
  for (const AttributeSpec& other : inverse.attributes) inverse_parts += other.in_key ? 1 : 0;
  if (shared != parts || shared != inverse_parts) mistake.Add(Rule::kEdgeHasKey, inverse.name);
  if (!inverse.uniques.empty()) mistake.Add(Rule::kInverseIsNotUnique, inverse.name);
  return mistake;
}

// Parses the templates of a declared key, and sets the default names of a primary key. The default
// names of an index stay empty: a name is a std::string_view, which cannot hold the concatenation
// of the index's name and a suffix. KeySpec::PartitionName builds them at run time.
// `primary` is the declaration of the primary key.
consteval KeySpec ResolveKey(KeyDeclaration key, const KeyDeclaration& primary,
                             std::span<const AttributeSpec> attributes, Mistake* mistake) {
  if (key.is_local) {
    if (key.sort.empty() || primary.sort.empty()) mistake->Add(Rule::kLocalHasSort, key.index);
    key.partition = primary.partition;
    key.partition_name = primary.partition_name.empty() ? "PK" : primary.partition_name;
  }
  if (key.partition.empty()) mistake->Add(Rule::kKeyHasPartition, key.index);
  return {
      .index = key.index,
      .partition_name = key.partition_name.empty() && key.index.empty() ? "PK" : key.partition_name,
      .sort_name = key.sort_name.empty() && key.index.empty() ? "SK" : key.sort_name,
      .partition = ParseTemplate(key.partition, false, attributes, mistake),
      .sort = ParseTemplate(key.sort, true, attributes, mistake),
      .has_sort = !key.sort.empty(),
      .is_local = key.is_local};
}

}  // namespace dolmen::entity

#include "dolmen/internal/show_macros.h"
