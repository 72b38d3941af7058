// Structs that are stored as a map (M) inside an entity. They have attributes but no keys.
//
//   struct Address {
//     std::string street;
//     std::string city;
//     std::optional<std::string> zip;
//   };
//   constexpr auto DescribeAttributes(const Address*) {
//     return DefineAttributes<Address>({Attribute<&Address::street>("street"),
//                                       Attribute<&Address::city>("city"),
//                                       Attribute<&Address::zip>("zip")});
//   }
//
// Address is then a member type like any other, also inside std::optional, std::vector and
// std::map. An update replaces the whole map. To update one member alone, bind the members to
// attributes of the entity by a path instead (attribute.h): Attribute<&Hotel::address,
// &Address::city>("city").

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <utility>

#include "dolmen/entity/attribute.h"
#include "dolmen/entity/attribute_map.h"
#include "dolmen/entity/definition_checks.h"
#include "dolmen/entity/mistakes.h"

namespace dolmen {

namespace entity {

// Checks the attributes of a nested struct at compile time. Their names must be non-empty and
// distinct. InKeyOnly, IfUnset, Always, Derived, Hidden and Version are not allowed, because a map has no
// key, and is read and written as a whole.
consteval Mistake CheckNested(std::span<const AttributeSpec> attributes) {
  Mistake mistake;
  CheckNames(attributes, &mistake);
  for (const AttributeSpec& attribute : attributes) {
    if (attribute.hide != nullptr) mistake.Add(Rule::kHiddenIsWhole, attribute.name);
    if (attribute.in_key_only) mistake.Add(Rule::kMapHasNoKey, attribute.name);
    if (attribute.if_unset != nullptr || attribute.always != nullptr ||
        attribute.derive != nullptr || attribute.is_version) {
      mistake.Add(Rule::kMapIsNotFilled, attribute.name);
    }
  }
  return mistake;
}

// The declared attributes of a nested struct; DefineAttributes creates it.
template <typename T, std::size_t kCount>
struct NestedAttributes {
  using Struct = T;
  std::array<AttributeSpec, kCount> attributes = {};
  Mistake mistake = {};
};

}  // namespace entity

// Declares the attributes of T, a struct that is stored as a map. Call it in a constexpr function
// DescribeAttributes in T's namespace. A mistake is a compile error.
template <typename T, std::size_t kCount>
consteval auto DefineAttributes(const AttributeOf<T> (&attributes)[kCount]) {
  entity::NestedAttributes<T, kCount> nested;
  for (std::size_t i = 0; i < kCount; ++i) nested.attributes[i] = attributes[i].spec;
  nested.mistake = entity::CheckNested(nested.attributes);
  return nested;
}

namespace entity {

// A struct with its own DescribeAttributes, found by argument-dependent lookup.
template <typename T>
concept NestedStruct = requires(const T* none) {
  { DescribeAttributes(none) };
  requires std::same_as<typename decltype(DescribeAttributes(none))::Struct, T>;
};

// Returns the declaration of T. Does not compile if the declaration has a mistake.
template <NestedStruct T>
consteval auto FindAttributes() {
  constexpr auto kDeclared = DescribeAttributes(static_cast<const T*>(nullptr));
  constexpr Mistake kMistake = kDeclared.mistake;
  Report<T, kMistake.rule, Text<kMistake.name.size()>(kMistake.name)>();
  return kDeclared;
}

}  // namespace entity

// Stores a nested struct as M. Decode ignores attributes that the struct does not declare, so
// programs with different versions of the struct can share items. An error names the first wrong
// attribute.
template <entity::NestedStruct T>
struct AttributeCodec<T> {
  static constexpr auto kPart = entity::PartKind::kNone;
  static constexpr auto kNested = entity::FindAttributes<T>();

  static Status Encode(const T& nested, AttributeValue* value) {
    Map map;
    const Status encoded = entity::EncodeAttributes(kNested.attributes, &nested, &map);
    *value = std::move(map);
    return entity::ErrorInMap(encoded);
  }
  static Status Decode(AttributeView view, T* nested) {
    if (!view.Is(AttributeType::kM)) return entity::WrongType(view, AttributeType::kM);
    return entity::ErrorInMap(entity::DecodeAttributes(kNested.attributes, view.AsMap(), nested));
  }
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
