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
  static Problem Encode(const Set& set, AttributeValue* value) {
    *value = set;
    return {};
  }
  static Problem Decode(AttributeView view, Set* set) {
    if (!view.Is(entity::kSetType<Set>)) return entity::WrongType(view, entity::kSetType<Set>);
    const Result<AttributeValue> copy = view.Copy();
    if (!copy.ok()) return "is damaged";
    *set = *copy->template get_if<Set>();
    return {};
  }
};

// Stores a vector as L, in order. An empty vector is an empty list, not an absent attribute. The
// codec of V stores the elements. If one element cannot be encoded or decoded, the whole list is a
// Problem.
//
// A Problem names the position of the first wrong element, counted from 0: "[2] has type S, not N".
// Decode replaces the former elements.
template <typename V>
struct AttributeCodec<std::vector<V>> {
  static constexpr auto kPart = entity::PartKind::kNone;
  static Problem Encode(const std::vector<V>& elements, AttributeValue* value) {
    List list(elements.size());
    for (std::size_t i = 0; i < elements.size(); ++i) {
      Problem problem = AttributeCodec<V>::Encode(elements[i], &list[i]);
      if (!problem.empty()) return At(i, problem);
    }
    *value = std::move(list);
    return {};
  }
  static Problem Decode(AttributeView view, std::vector<V>* elements) {
    if (!view.Is(AttributeType::kL)) return entity::WrongType(view, AttributeType::kL);
    elements->clear();
    for (const AttributeView element : view.AsList()) {
      V decoded{};
      Problem problem = AttributeCodec<V>::Decode(element, &decoded);
      if (!problem.empty()) return At(elements->size(), problem);
      elements->push_back(std::move(decoded));
    }
    return {};
  }

 private:
  // Returns the Problem of a list whose element `i` has `problem`.
  static Problem At(std::size_t i, const Problem& problem) {
    return entity::DescribeProblem("[" + std::to_string(i) + "]", problem);
  }
};

// Stores a map as M; all elements have the type V. An empty map is stored, too. Use a struct with
// DescribeAttributes (nested_struct.h) if the names are known and the elements differ in type.
//
// A Problem names the first wrong element: ".child has type S, not N". Decode replaces the former
// elements.
template <typename V>
struct AttributeCodec<std::map<std::string, V>> {
  static constexpr auto kPart = entity::PartKind::kNone;
  static Problem Encode(const std::map<std::string, V>& elements, AttributeValue* value) {
    Map map;
    for (const auto& [name, element] : elements) {
      Problem problem = AttributeCodec<V>::Encode(element, &map[name]);
      if (!problem.empty()) return "." + entity::DescribeProblem(name, problem);
    }
    *value = std::move(map);
    return {};
  }
  static Problem Decode(AttributeView view, std::map<std::string, V>* elements) {
    if (!view.Is(AttributeType::kM)) return entity::WrongType(view, AttributeType::kM);
    elements->clear();
    for (const auto [name, element] : view.AsMap()) {
      V decoded{};
      Problem problem = AttributeCodec<V>::Decode(element, &decoded);
      if (!problem.empty()) return "." + entity::DescribeProblem(name, problem);
      elements->emplace(name, std::move(decoded));
    }
    return {};
  }
};

}  // namespace dolmen
