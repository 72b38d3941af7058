// The codecs of members that hold other values: sets, std::vector and std::map.
//
//   StringSet tags;                      SS; an empty set is not stored
//   std::vector<std::string> lines;      L; an empty list is stored
//   std::map<std::string, Address> homes;  M; Address has DescribeAttributes (nested_struct.h)
//
// Elements may be collections themselves. An element of a list or map cannot be a std::optional.
// The table limits the depth of an item to 32 levels (Table::PutItem).

#pragma once

#include <concepts>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/entity/codec.h"
#include "dolmen/item_view.h"

namespace dolmen {

namespace entity {

// The DynamoDB type of a C++ set type.
template <typename Set>
inline constexpr AttributeType kSetType = AttributeType::kSS;
template <>
inline constexpr AttributeType kSetType<NumberSet> = AttributeType::kNS;
template <>
inline constexpr AttributeType kSetType<BinarySet> = AttributeType::kBS;

// One of DynamoDB's three set types.
template <typename T>
concept AnySet =
    std::same_as<T, StringSet> || std::same_as<T, NumberSet> || std::same_as<T, BinarySet>;

}  // namespace entity

// Stores a set as SS, NS or BS. DynamoDB has no empty set. An empty set is therefore stored as an
// absent attribute, and an absent attribute is read as an empty set.
//
// Decode rejects a set of a different element type, and a list, even an empty one.
template <entity::AnySet Set>
struct AttributeCodec<Set> {
  static constexpr auto kPart = entity::PartKind::kNone;
  static Status Encode(const Set& set, AttributeValue* value) {
    *value = set;
    return {};
  }
  static Status Decode(AttributeView view, Set* set) {
    if (!view.Is(entity::kSetType<Set>)) return entity::WrongType(view, entity::kSetType<Set>);
    const Result<AttributeValue> copy = view.Copy();
    if (!copy.ok()) return Status::Validation("is damaged");
    *set = *copy->template get_if<Set>();
    return {};
  }
};

// Stores a vector as L, in order. An empty vector is an empty list, not an absent attribute. The
// codec of V stores the elements. Decode replaces the former elements.
//
// An error names the position of the first wrong element, counted from 0: "[2] has type S, not N".
template <typename V>
struct AttributeCodec<std::vector<V>> {
  static constexpr auto kPart = entity::PartKind::kNone;
  static Status Encode(const std::vector<V>& elements, AttributeValue* value) {
    List list(elements.size());
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (Status status = AttributeCodec<V>::Encode(elements[i], &list[i]); !status.ok()) {
        return At(i, status);
      }
    }
    *value = std::move(list);
    return {};
  }
  static Status Decode(AttributeView view, std::vector<V>* elements) {
    if (!view.Is(AttributeType::kL)) return entity::WrongType(view, AttributeType::kL);
    elements->clear();
    for (const AttributeView element : view.AsList()) {
      V decoded{};
      if (Status status = AttributeCodec<V>::Decode(element, &decoded); !status.ok()) {
        return At(elements->size(), status);
      }
      elements->push_back(std::move(decoded));
    }
    return {};
  }

 private:
  // Returns the error of a list whose element `i` has `error`.
  static Status At(std::size_t i, const Status& error) {
    return entity::NameAttribute("[" + std::to_string(i) + "]", error);
  }
};

// Stores a map as M; all elements have the type V. An empty map is stored, too. Use a struct with
// DescribeAttributes (nested_struct.h) if the names are known and the elements differ in type.
//
// An error names the first wrong element: ".child has type S, not N". Decode replaces the former
// elements.
template <typename V>
struct AttributeCodec<std::map<std::string, V>> {
  static constexpr auto kPart = entity::PartKind::kNone;
  static Status Encode(const std::map<std::string, V>& elements, AttributeValue* value) {
    Map map;
    for (const auto& [name, element] : elements) {
      if (Status status = AttributeCodec<V>::Encode(element, &map[name]); !status.ok()) {
        return entity::NameAttribute("." + std::string(name), status);
      }
    }
    *value = std::move(map);
    return {};
  }
  static Status Decode(AttributeView view, std::map<std::string, V>* elements) {
    if (!view.Is(AttributeType::kM)) return entity::WrongType(view, AttributeType::kM);
    elements->clear();
    for (const auto [name, element] : view.AsMap()) {
      V decoded{};
      if (Status status = AttributeCodec<V>::Decode(element, &decoded); !status.ok()) {
        return entity::NameAttribute("." + std::string(name), status);
      }
      elements->emplace(name, std::move(decoded));
    }
    return {};
  }
};

}  // namespace dolmen
