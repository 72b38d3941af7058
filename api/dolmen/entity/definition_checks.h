// Checks of an entity's declaration, which run at compile time. A check adds a mistake; mistakes.h
// tells how the compiler then rejects the declaration.

#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "dolmen/entity/attribute_spec.h"
#include "dolmen/entity/entity_spec.h"
#include "dolmen/entity/key.h"
#include "dolmen/entity/key_template.h"
#include "dolmen/entity/mistakes.h"

namespace dolmen::entity {

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

// Checks names and keys, and that the attributes' rules agree with the keys:
// - No attribute has the name of the type attribute or of a key attribute.
// - At most one attribute is the version.
// - Each attribute in the primary key is required, because an item cannot exist without its key.
// - Each InKeyOnly attribute is in the primary key, and not as {name:date}: a read cannot restore
//   the time from its day.
// REQUIRES: keys[0] is the primary key
consteval void CheckAttributes(std::span<const AttributeSpec> attributes,
                               std::span<const KeySpec> keys, std::string_view type_attribute,
                               Mistake* mistake) {
  CheckNames(attributes, mistake);
  CheckKeys(keys, type_attribute, mistake);
  int versions = 0;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    const AttributeSpec& attribute = attributes[i];
    const bool in_key = keys[0].HasPart(i);
    const auto add = [&](Rule rule) { mistake->Add(rule, attribute.name); };
    if (attribute.name == type_attribute) add(Rule::kAttributeIsNotTypeAttribute);
    if (attribute.is_version && ++versions > 1) add(Rule::kOneVersion);
    if (attribute.in_key_only && !in_key) add(Rule::kInKeyOnlyIsInKey);
    if (attribute.may_be_empty && !attribute.is_required && in_key) add(Rule::kKeyPartIsRequired);
    for (const KeySpec& key : keys) {
      if (IsKeyName(key, attribute.name)) add(Rule::kAttributeIsNotKey);
    }
  }
  for (const KeyTemplate& key : {keys[0].partition, keys[0].sort}) {
    for (const KeySegment& segment : key) {
      if (segment.attribute == KeySegment::kNoAttribute) continue;
      const AttributeSpec& part = attributes[static_cast<std::size_t>(segment.attribute)];
      if (part.in_key_only && segment.format == PartFormat::kDate)
        mistake->Add(Rule::kInKeyOnlyIsWhole, part.name);
    }
  }
}

// Parses the templates of a declared key, and sets the default names of a primary key. The default
// names of an index stay empty: a name is a std::string_view, which cannot hold the concatenation
// of the index's name and a suffix. KeySpec::PartitionName builds them at run time.
consteval KeySpec ResolveKey(const KeyDeclaration& key, std::span<const AttributeSpec> attributes,
                             Mistake* mistake) {
  if (key.partition.empty()) mistake->Add(Rule::kKeyHasPartition, key.index);
  return {
      .index = key.index,
      .partition_name = key.partition_name.empty() && key.index.empty() ? "PK" : key.partition_name,
      .sort_name = key.sort_name.empty() && key.index.empty() ? "SK" : key.sort_name,
      .partition = ParseTemplate(key.partition, false, attributes, mistake),
      .sort = ParseTemplate(key.sort, true, attributes, mistake),
      .has_sort = !key.sort.empty()};
}

}  // namespace dolmen::entity
