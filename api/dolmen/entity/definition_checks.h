// Checks of an entity's declaration, which run at compile time.
//
// A failed check calls RejectDeclaration, so the compiler reports an error and shows the argument.
// tests/compile_fail has an example of each common mistake.

#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "dolmen/entity/attribute_spec.h"
#include "dolmen/entity/entity_spec.h"
#include "dolmen/entity/key.h"
#include "dolmen/entity/key_template.h"

namespace dolmen::entity {

// Checks that each attribute has a name and that no two attributes have the same name.
consteval void CheckNames(std::span<const AttributeSpec> attributes) {
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (attributes[i].name.empty()) RejectDeclaration("an attribute needs a name");
    for (std::size_t j = 0; j < i; ++j) {
      if (attributes[j].name == attributes[i].name)
        RejectDeclaration("two attributes have the same name");
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
consteval void CheckKeys(std::span<const KeySpec> keys, std::string_view type_attribute) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (IsKeyName(keys[i], type_attribute))
      RejectDeclaration("the type attribute has the name of a key");
    for (std::size_t j = 0; j < i; ++j) {
      if (keys[j].index == keys[i].index)
        RejectDeclaration("an entity has more than one key for an index");
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
                               std::span<const KeySpec> keys, std::string_view type_attribute) {
  CheckNames(attributes);
  CheckKeys(keys, type_attribute);
  int versions = 0;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (attributes[i].name == type_attribute)
      RejectDeclaration("an attribute has the name of the type attribute");
    if (attributes[i].is_version && ++versions > 1)
      RejectDeclaration("an entity has at most one version");
    if (attributes[i].in_key_only && !keys[0].HasPart(i))
      RejectDeclaration("InKeyOnly() is not in the primary key");
    if (attributes[i].may_be_empty && !attributes[i].is_required && keys[0].HasPart(i))
      RejectDeclaration("an attribute in the primary key must be Required()");
    for (const KeySpec& key : keys) {
      if (IsKeyName(key, attributes[i].name))
        RejectDeclaration("an attribute has the name of a key");
    }
  }
  for (const KeyTemplate& key : {keys[0].partition, keys[0].sort}) {
    for (const KeySegment& segment : key) {
      if (segment.attribute == KeySegment::kNoAttribute) continue;
      const AttributeSpec& part = attributes[static_cast<std::size_t>(segment.attribute)];
      if (part.in_key_only && segment.format == PartFormat::kDate)
        RejectDeclaration("{name:date} cannot be InKeyOnly()");
    }
  }
}

// Parses the templates of a declared key, and sets the default names of a primary key. The default
// names of an index stay empty: a name is a std::string_view, which cannot hold the concatenation
// of the index's name and a suffix. KeySpec::PartitionName builds them at run time.
consteval KeySpec ResolveKey(const KeyDeclaration& key, std::span<const AttributeSpec> attributes) {
  if (key.partition.empty()) RejectDeclaration("a key needs a template for the partition key");
  return {
      .index = key.index,
      .partition_name = key.partition_name.empty() && key.index.empty() ? "PK" : key.partition_name,
      .sort_name = key.sort_name.empty() && key.index.empty() ? "SK" : key.sort_name,
      .partition = ParseTemplate(key.partition, attributes),
      .sort = ParseTemplate(key.sort, attributes),
      .has_sort = !key.sort.empty()};
}

}  // namespace dolmen::entity
