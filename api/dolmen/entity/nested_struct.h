// Structs that are no entities, but stored in one as a map.

#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <utility>

#include "dolmen/entity/attribute.h"
#include "dolmen/entity/attribute_map.h"
#include "dolmen/entity/definition_checks.h"

namespace dolmen {

namespace entity {

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

namespace entity {

template <typename T>
concept NestedStruct = requires(const T* none) {
  { DescribeAttributes(none) };
  requires std::same_as<typename decltype(DescribeAttributes(none))::Struct, T>;
};

}  // namespace entity

template <entity::NestedStruct T>
struct AttributeCodec<T> {
  static constexpr auto kPart = entity::PartKind::kNone;
  static constexpr auto kNested = DescribeAttributes(static_cast<const T*>(nullptr));

  static Problem Encode(const T& nested, AttributeValue* value) {
    Map map;
    const auto problem = entity::EncodeAttributes(kNested.attributes, &nested, &map);
    *value = std::move(map);
    return entity::ProblemInElement(problem);
  }
  static Problem Decode(AttributeView view, T* nested) {
    if (!view.Is(AttributeType::kM)) return entity::WrongType(view, AttributeType::kM);
    return entity::ProblemInElement(
        entity::DecodeAttributes(kNested.attributes, view.AsMap(), nested));
  }
};

}  // namespace dolmen
