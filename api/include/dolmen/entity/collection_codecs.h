// The codecs of members that hold other values: sets, std::vector, std::map and std::variant.
//
//   StringSet tags;                        SS; an empty set is not stored
//   std::set<int> years;                   NS; an empty set is not stored
//   std::vector<std::string> lines;        L; an empty list is stored
//   std::map<std::string, Address> homes;  M; Address has DescribeAttributes (nested_struct.h)
//   std::variant<int, std::string> size;   N or S
//
// The unordered containers of the standard library are stored like the ordered ones.
// Elements may be collections themselves. An element of a list or map cannot be a std::optional.
// The table limits the depth of an item to 32 levels (Table::PutItem).

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <concepts>
#include <string>
#include <utility>
#include <variant>
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
concept DynamoSet =
    std::same_as<T, StringSet> || std::same_as<T, NumberSet> || std::same_as<T, BinarySet>;

// A std::set, or a container with its functions.
template <typename T>
concept StandardSet = !DynamoSet<T> && std::same_as<typename T::key_type, typename T::value_type> &&
                      requires(T set, typename T::value_type element) {
                        { set.insert(element).second } -> std::convertible_to<bool>;
                      };

// A std::map whose keys are texts, or a container with its functions.
template <typename T>
concept StandardMap = std::same_as<typename T::key_type, std::string> &&
                      requires(T map, typename T::mapped_type element) {
                        map.emplace(std::string(), element);
                        map[std::string()];
                      };

// A type that DynamoDB stores as a set.
template <typename T>
concept AnySet = DynamoSet<T> || StandardSet<T>;

// Writes the encoded elements as a set of their type. Writes an empty set as an empty SS.
// - kValidation: the elements are neither all S, nor all N, nor all B.
Status EncodeSet(List elements, AttributeValue* value);

// Returns the error of a value that no alternative of a variant accepts. `errors` has the errors of
// the alternatives, in their order.
Status NoAlternative(const std::vector<Status>& errors);

}  // namespace entity

// Stores a set as SS, NS or BS. DynamoDB has no empty set. An empty set is therefore stored as an
// absent attribute, and an absent attribute is read as an empty set.
//
// Decode rejects a set of a different element type, and a list, even an empty one.
template <entity::DynamoSet Set>
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

// Stores a std::set as SS, NS or BS; the codec of the elements decides. An empty set is stored as an
// absent attribute, and an absent attribute is read as an empty set.
//
// Encode rejects a set of elements that are not texts, numbers or bytes in the item.
template <entity::StandardSet Set>
  requires entity::HasCodec<typename Set::value_type>
struct AttributeCodec<Set> {
  static constexpr auto kPart = entity::PartKind::kNone;
  using V = typename Set::value_type;
  static Status Encode(const Set& set, AttributeValue* value) {
    List elements;
    for (const V& element : set) {
      Status status = AttributeCodec<V>::Encode(element, &elements.emplace_back());
      if (!status.ok()) return status;
    }
    return entity::EncodeSet(std::move(elements), value);
  }
  static Status Decode(AttributeView view, Set* set) {
    if (!view.Is(AttributeType::kSS) && !view.Is(AttributeType::kNS) &&
        !view.Is(AttributeType::kBS)) {
      return entity::WrongType(view, AttributeType::kSS);
    }
    set->clear();
    for (const AttributeView element : view.AsSet()) {
      V decoded{};
      if (Status status = AttributeCodec<V>::Decode(element, &decoded); !status.ok()) {
        return entity::NameAttribute("[" + std::to_string(set->size()) + "]", status);
      }
      set->insert(std::move(decoded));
    }
    return {};
  }
};

// Stores a vector as L, in order. An empty vector is an empty list, not an absent attribute. The
// codec of V stores the elements. Decode replaces the former elements.
//
// An error names the position of the first wrong element, counted from 0: "[2] has type S, not N".
template <entity::HasCodec V>
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
template <entity::StandardMap AnyMap>
  requires entity::HasCodec<typename AnyMap::mapped_type>
struct AttributeCodec<AnyMap> {
  static constexpr auto kPart = entity::PartKind::kNone;
  using V = typename AnyMap::mapped_type;
  static Status Encode(const AnyMap& elements, AttributeValue* value) {
    Map map;
    for (const auto& [name, element] : elements) {
      if (Status status = AttributeCodec<V>::Encode(element, &map[name]); !status.ok()) {
        return entity::NameAttribute("." + std::string(name), status);
      }
    }
    *value = std::move(map);
    return {};
  }
  static Status Decode(AttributeView view, AnyMap* elements) {
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

// Stores the alternative that a variant holds, by the codec of its type. Decode takes the first
// alternative that accepts the stored value. Therefore, a narrower type must stand before a wider
// one: an integer before a double, a Timestamp before a std::string, a struct with more required
// attributes before one with fewer.
template <entity::HasCodec... Vs>
struct AttributeCodec<std::variant<Vs...>> {
  static constexpr auto kPart = entity::PartKind::kNone;
  using Variant = std::variant<Vs...>;
  static Status Encode(const Variant& variant, AttributeValue* value) {
    Status status;
    (EncodeIf(std::get_if<Vs>(&variant), value, &status), ...);
    return status;
  }
  static Status Decode(AttributeView view, Variant* variant) {
    std::vector<Status> errors;
    if ((DecodeAs<Vs>(view, variant, &errors) || ...)) return {};
    return entity::NoAlternative(errors);
  }

 private:
  template <typename V>
  static void EncodeIf(const V* held, AttributeValue* value, Status* status) {
    if (held != nullptr) *status = AttributeCodec<V>::Encode(*held, value);
  }
  // Returns true if the value is a V. Otherwise appends the error.
  template <typename V>
  static bool DecodeAs(AttributeView view, Variant* variant, std::vector<Status>* errors) {
    errors->push_back(AttributeCodec<V>::Decode(view, &variant->template emplace<V>()));
    return errors->back().ok();
  }
};

// Stores NULL, as the alternative of a variant that holds nothing.
template <>
struct AttributeCodec<std::monostate> {
  static constexpr auto kPart = entity::PartKind::kNone;
  static Status Encode(std::monostate nothing, AttributeValue* value);
  static Status Decode(AttributeView view, std::monostate* nothing);
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
