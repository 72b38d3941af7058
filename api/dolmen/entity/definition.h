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

#include "dolmen/entity/attribute.h"
#include "dolmen/entity/key.h"

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

namespace entity {

// Whether one of the key's two attributes is called so; KeySpec says by which convention.
consteval bool IsKeyName(const KeySpec& key, std::string_view name) {
  const auto is_called = [&](std::string_view given, std::string_view suffix) {
    if (!given.empty()) return name == given;
    return name.starts_with(key.index) && name.substr(key.index.size()) == suffix;
  };
  return is_called(key.partition_name, "PK") || is_called(key.sort_name, "SK");
}

consteval void CheckNames(std::span<const AttributeSpec> attributes) {
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (attributes[i].name.empty()) throw "an attribute without a name";
    for (std::size_t j = 0; j < i; ++j) {
      if (attributes[j].name == attributes[i].name) throw "two attributes with one name";
    }
  }
}

consteval void CheckKeys(std::span<const KeySpec> keys, std::string_view type_attribute) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (IsKeyName(keys[i], type_attribute)) throw "the entity's type is called like a key";
    for (std::size_t j = 0; j < i; ++j) {
      if (keys[j].index == keys[i].index) throw "two keys in one index";
    }
  }
}

consteval void CheckAttributes(std::span<const AttributeSpec> attributes,
                               std::span<const KeySpec> keys, std::string_view type_attribute) {
  CheckNames(attributes);
  CheckKeys(keys, type_attribute);
  int versions = 0;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (attributes[i].name == type_attribute) throw "this attribute is the entity's type";
    if (attributes[i].is_version && ++versions > 1) throw "an entity has one version";
    if (attributes[i].in_key_only && !keys[0].Names(i)) throw "it is not in the primary key";
    if (!attributes[i].is_required && keys[0].Names(i))
      throw "the primary key needs it: Required()";
    for (const KeySpec& key : keys) {
      if (IsKeyName(key, attributes[i].name)) throw "an attribute is called like a key";
    }
  }
  for (const KeyTemplate& key : {keys[0].partition, keys[0].sort}) {
    for (const KeySegment& segment : key) {
      if (segment.attribute == KeySegment::kNoAttribute) continue;
      const AttributeSpec& part = attributes[static_cast<std::size_t>(segment.attribute)];
      if (part.in_key_only && segment.format == PartFormat::kDate) throw "a day is not a time";
    }
  }
}

consteval KeySpec ResolveKey(const KeyDeclaration& key, std::span<const AttributeSpec> attributes) {
  if (key.partition.empty()) throw "a key needs a partition key";
  return {
      .index = key.index,
      .partition_name = key.partition_name.empty() && key.index.empty() ? "PK" : key.partition_name,
      .sort_name = key.sort_name.empty() && key.index.empty() ? "SK" : key.sort_name,
      .partition = ParseTemplate(key.partition, attributes),
      .sort = ParseTemplate(key.sort, attributes),
      .has_sort = !key.sort.empty()};
}

// A map has no key, and is not filled.
consteval void CheckNested(std::span<const AttributeSpec> attributes) {
  CheckNames(attributes);
  for (const AttributeSpec& attribute : attributes) {
    if (attribute.in_key_only) throw "a map has no key to store it in";
    if (attribute.if_unset != nullptr || attribute.always != nullptr ||
        attribute.derive != nullptr || attribute.is_version) {
      throw "the attributes of a map are not filled";
    }
  }
}

// The attributes of a struct that is stored as a map: what DescribeAttributes returns.
template <typename T, std::size_t kCount>
struct NestedAttributes {
  using Struct = T;
  std::array<AttributeSpec, kCount> attributes = {};
};

}  // namespace entity

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

// The attributes of a struct that is no entity, but stored in one as a map:
//
//   constexpr auto DescribeAttributes(const Address*) {
//     return DefineAttributes<Address>({Attribute<&Address::city>("city")});
//   }
template <typename T, std::size_t kCount>
consteval auto DefineAttributes(const AttributeOf<T> (&attributes)[kCount]) {
  entity::NestedAttributes<T, kCount> nested;
  for (std::size_t i = 0; i < kCount; ++i) nested.attributes[i] = attributes[i].spec;
  entity::CheckNested(nested.attributes);
  return nested;
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
consteval std::size_t PlaceOf() {
  using Struct = typename MemberPath<kFirst, kRest...>::Struct;
  const auto& attributes = kDefinition<Struct>.attributes;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (attributes[i].member == static_cast<const void*>(&kMemberId<kFirst, kRest...>)) return i;
  }
  throw "this member is no attribute of the entity";
}

template <typename T>
concept NestedStruct = requires(const T* none) {
  { DescribeAttributes(none) };
  requires std::same_as<typename decltype(DescribeAttributes(none))::Struct, T>;
};

// The attributes of a struct to and from a map, one by one.  A Problem is the first attribute's.
Problem EncodeAttributes(std::span<const AttributeSpec> attributes, const void* value, Map* map);
Problem DecodeAttributes(std::span<const AttributeSpec> attributes, MapView map, void* value);

}  // namespace entity

template <entity::NestedStruct T>
struct AttributeCodec<T> {
  static constexpr auto kPart = entity::PartKind::kNone;
  static constexpr auto kNested = DescribeAttributes(static_cast<const T*>(nullptr));

  static Problem Encode(const T& nested, AttributeValue* value) {
    Map map;
    Problem problem = entity::EncodeAttributes(kNested.attributes, &nested, &map);
    *value = std::move(map);
    return problem;
  }
  static Problem Decode(AttributeView view, T* nested) {
    if (!view.Is(AttributeType::kM)) return entity::WrongType(view, AttributeType::kM);
    return entity::DecodeAttributes(kNested.attributes, view.AsMap(), nested);
  }
};

}  // namespace dolmen
