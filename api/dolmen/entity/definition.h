// An entity, declared next to its struct:
//
//   struct Message {
//     std::string conversation_id;
//     std::string id;
//     std::string body;
//     Timestamp created_at;
//   };
//
//   constexpr auto DescribeEntity(const Message*) {
//     return DefineEntity<Message>("message",
//                                  {Attribute<&Message::conversation_id>("conversationId"),
//                                   Attribute<&Message::id>("messageId").IfUnset<NewUlid>(),
//                                   Attribute<&Message::body>("body"),
//                                   Attribute<&Message::created_at>("createdAt").IfUnset<Now>()},
//                                  {PrimaryKey("CONVO#{conversationId}", "MSG#{messageId}")});
//   }
//
// From that come its items, keys and index keys, and what EntityTable does with it.

#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>

#include "dolmen/entity/attribute.h"  // IWYU pragma: export
#include "dolmen/entity/definition_checks.h"
#include "dolmen/entity/entity_spec.h"
#include "dolmen/entity/key.h"            // IWYU pragma: export
#include "dolmen/entity/nested_struct.h"  // IWYU pragma: export

namespace dolmen {

// The attribute that says of which entity an item is, unless DefineEntity is told another one.
inline constexpr std::string_view kEntityType = "entityType";

// What DefineEntity makes.
template <typename T, std::size_t kAttributes, std::size_t kKeys>
struct EntityDefinition {
  using Struct = T;

  std::string_view name;
  std::string_view type_attribute;
  std::array<entity::AttributeSpec, kAttributes> attributes = {};
  std::array<entity::KeySpec, kKeys> keys = {};
};

// `name` is what the entity's items say they are, and messages about them.  The first of the keys
// is the primary key, the others are of indexes.
template <typename T, std::size_t kAttributes, std::size_t kKeys>
consteval auto DefineEntity(std::string_view name, const AttributeOf<T> (&attributes)[kAttributes],
                            const KeyDeclaration (&keys)[kKeys],
                            std::string_view type_attribute = kEntityType) {
  EntityDefinition<T, kAttributes, kKeys> entity = {.name = name, .type_attribute = type_attribute};
  for (std::size_t i = 0; i < kAttributes; ++i) entity.attributes[i] = attributes[i].spec;
  for (std::size_t i = 0; i < kKeys; ++i) {
    if (keys[i].index.empty() != (i == 0)) throw "the first key is the PrimaryKey, and only that";
    entity.keys[i] = entity::ResolveKey(keys[i], entity.attributes);
  }
  if (name.empty()) throw "an entity without a name";
  entity::CheckAttributes(entity.attributes, entity.keys, type_attribute);
  return entity;
}

// A struct with a DescribeEntity of its own.
template <typename T>
concept EntityStruct = requires(const T* none) {
  { DescribeEntity(none) };
  requires std::same_as<typename decltype(DescribeEntity(none))::Struct, T>;
};

// What the entity's items say they are.
template <EntityStruct T>
constexpr std::string_view EntityName() {
  return DescribeEntity(static_cast<const T*>(nullptr)).name;
}

namespace entity {

template <typename T>
inline constexpr auto kDefinition = DescribeEntity(static_cast<const T*>(nullptr));

template <EntityStruct T>
inline constexpr EntitySpec kSpec = {.name = kDefinition<T>.name,
                                     .type_attribute = kDefinition<T>.type_attribute,
                                     .attributes = kDefinition<T>.attributes,
                                     .keys = kDefinition<T>.keys};

// The place of a member among the entity's attributes.  Does not compile if it is none of them.
template <auto kFirst, auto... kRest>
consteval std::size_t AttributePosition() {
  using Struct = typename MemberPath<kFirst, kRest...>::Struct;
  const auto& attributes = kDefinition<Struct>.attributes;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (attributes[i].member_id == static_cast<const void*>(&kMemberId<kFirst, kRest...>)) return i;
  }
  throw "this member is no attribute of the entity";
}

}  // namespace entity

}  // namespace dolmen
