// How the members of a struct are stored: for each C++ type an AttributeCodec.
//
//   std::string S, whole numbers N, Number N, bool BOOL, Binary B, enums S (see Spelling),
//   Timestamp S (ISO 8601 with milliseconds, always: texts of one length sort as the times do),
//   StringSet, NumberSet, BinarySet SS, NS, BS, std::vector<V> L, std::map<std::string, V> M, a
//   struct with DescribeAttributes M, AttributeValue whatever it is.
//
// A program's own type gets a specialisation of AttributeCodec, or a codec for one attribute by
// MemberAttribute::As.

#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/clock.h"
#include "dolmen/item_view.h"

namespace dolmen {

// What is wrong with a value, as the end of a sentence about its attribute ("has type N, not S");
// empty if nothing is.
using Problem = std::string;

// One value of an enum, and the text that it is stored as.  An enum becomes an attribute by a
// function next to it that lists all of them:
//
//   enum class Role { kMember, kAdmin };
//   constexpr auto Spellings(Role) {
//     return std::to_array<Spelling<Role>>({{Role::kMember, "member"}, {Role::kAdmin, "admin"}});
//   }
template <typename Enum>
struct Spelling {
  Enum value;
  std::string_view text;
};

template <typename T>
concept SpelledEnum = std::is_enum_v<T> && requires(T value) { Spellings(value); };

namespace entity {

// What a value can be in a key template.
enum class PartKind : std::uint8_t { kNone, kText, kInteger, kTime };

// "body is missing"; "address.city is missing", if the problem is within.
std::string Sentence(std::string_view attribute, const Problem& problem);

// For a view that is not of `type`: "is missing", or which type it has.
Problem WrongType(AttributeView view, AttributeType type);
Problem NotAnInteger(AttributeView view, std::int64_t least, std::int64_t greatest);

// "2026-04-15T10:30:00.000Z".  Years before 0 and past 9999, which have no such text, are a
// Problem.
Problem EncodeTime(Timestamp time, AttributeValue* value);
Problem DecodeTime(AttributeView view, Timestamp* time);

}  // namespace entity

// Encode makes the attribute's value of the member's, Decode the other way round; a Problem leaves
// the target in any state.
template <typename V>
struct AttributeCodec;

template <>
struct AttributeCodec<std::string> {
  static constexpr auto kPart = entity::PartKind::kText;
  static Problem Encode(const std::string& text, AttributeValue* value) {
    *value = text;
    return {};
  }
  static Problem Decode(AttributeView view, std::string* text) {
    const auto found = view.AsString();
    if (!found) return entity::WrongType(view, AttributeType::kS);
    *text = *found;
    return {};
  }
};

template <>
struct AttributeCodec<bool> {
  static constexpr auto kPart = entity::PartKind::kNone;
  static Problem Encode(bool flag, AttributeValue* value) {
    *value = flag;
    return {};
  }
  static Problem Decode(AttributeView view, bool* flag) {
    const auto found = view.AsBool();
    if (!found) return entity::WrongType(view, AttributeType::kBool);
    *flag = *found;
    return {};
  }
};

// 64 bits without a sign don't all fit: use Number.
template <std::integral I>
  requires(!std::same_as<I, bool> && (std::is_signed_v<I> || sizeof(I) < sizeof(std::int64_t)))
struct AttributeCodec<I> {
  static constexpr auto kPart = entity::PartKind::kInteger;
  static Problem Encode(I number, AttributeValue* value) {
    *value = number;
    return {};
  }
  static Problem Decode(AttributeView view, I* number) {
    constexpr std::int64_t kLeast = std::numeric_limits<I>::min();
    constexpr std::int64_t kGreatest = std::numeric_limits<I>::max();
    const auto found = view.AsInt64();
    if (!found || *found < kLeast || *found > kGreatest) {
      return entity::NotAnInteger(view, kLeast, kGreatest);
    }
    *number = static_cast<I>(*found);
    return {};
  }
};

template <>
struct AttributeCodec<Number> {
  static constexpr auto kPart = entity::PartKind::kNone;
  static Problem Encode(const Number& number, AttributeValue* value) {
    *value = number;
    return {};
  }
  static Problem Decode(AttributeView view, Number* number) {
    const auto found = view.AsNumber();
    if (!found) return entity::WrongType(view, AttributeType::kN);
    *number = *found;
    return {};
  }
};

template <>
struct AttributeCodec<Binary> {
  static constexpr auto kPart = entity::PartKind::kNone;
  static Problem Encode(const Binary& binary, AttributeValue* value) {
    *value = binary;
    return {};
  }
  static Problem Decode(AttributeView view, Binary* binary) {
    const auto found = view.AsBinary();
    if (!found) return entity::WrongType(view, AttributeType::kB);
    binary->bytes = *found;
    return {};
  }
};

template <>
struct AttributeCodec<Timestamp> {
  static constexpr auto kPart = entity::PartKind::kTime;
  static Problem Encode(Timestamp time, AttributeValue* value) {
    return entity::EncodeTime(time, value);
  }
  static Problem Decode(AttributeView view, Timestamp* time) {
    return entity::DecodeTime(view, time);
  }
};

// A time as seconds since 1970, rounded up: the form that a time to live wants.
struct EpochSecondsCodec {
  static constexpr auto kPart = entity::PartKind::kInteger;
  static Problem Encode(Timestamp time, AttributeValue* value) {
    *value = std::int64_t{std::chrono::ceil<std::chrono::seconds>(time).time_since_epoch().count()};
    return {};
  }
  static Problem Decode(AttributeView view, Timestamp* time) {
    constexpr std::int64_t kGreatest = std::numeric_limits<std::int64_t>::max() / 1000;
    const auto found = view.AsInt64();
    if (!found || *found < -kGreatest || *found > kGreatest) {
      return entity::NotAnInteger(view, -kGreatest, kGreatest);
    }
    *time = Timestamp(std::chrono::seconds(*found));
    return {};
  }
};

template <SpelledEnum Enum>
struct AttributeCodec<Enum> {
  static constexpr auto kPart = entity::PartKind::kText;
  static Problem Encode(Enum chosen, AttributeValue* value) {
    for (const auto& spelling : Spellings(Enum())) {
      if (spelling.value != chosen) continue;
      *value = spelling.text;
      return {};
    }
    return "has no such value (" + std::to_string(static_cast<std::int64_t>(chosen)) + ")";
  }
  static Problem Decode(AttributeView view, Enum* chosen) {
    const auto text = view.AsString();
    if (!text) return entity::WrongType(view, AttributeType::kS);
    for (const auto& spelling : Spellings(Enum())) {
      if (spelling.text != *text) continue;
      *chosen = spelling.value;
      return {};
    }
    return "has the unknown value \"" + std::string(*text) + "\"";
  }
};

template <>
struct AttributeCodec<AttributeValue> {
  static constexpr auto kPart = entity::PartKind::kNone;
  static Problem Encode(const AttributeValue& from, AttributeValue* value) {
    *value = from;
    return {};
  }
  static Problem Decode(AttributeView view, AttributeValue* to) {
    Result<AttributeValue> copy = view.Copy();
    if (!copy.ok()) return "is damaged";
    *to = *std::move(copy);
    return {};
  }
};

namespace entity {

template <typename Set>
inline constexpr AttributeType kSetType = AttributeType::kSS;
template <>
inline constexpr AttributeType kSetType<NumberSet> = AttributeType::kNS;
template <>
inline constexpr AttributeType kSetType<BinarySet> = AttributeType::kBS;

template <typename T>
concept AnySet =
    std::same_as<T, StringSet> || std::same_as<T, NumberSet> || std::same_as<T, BinarySet>;

}  // namespace entity

// An empty set can't be stored: it is no attribute, and no attribute is an empty set.
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
  static Problem At(std::size_t i, const Problem& problem) {
    return entity::Sentence("[" + std::to_string(i) + "]", problem);
  }
};

template <typename V>
struct AttributeCodec<std::map<std::string, V>> {
  static constexpr auto kPart = entity::PartKind::kNone;
  static Problem Encode(const std::map<std::string, V>& elements, AttributeValue* value) {
    Map map;
    for (const auto& [name, element] : elements) {
      Problem problem = AttributeCodec<V>::Encode(element, &map[name]);
      if (!problem.empty()) return "." + entity::Sentence(name, problem);
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
      if (!problem.empty()) return "." + entity::Sentence(name, problem);
      elements->emplace(name, std::move(decoded));
    }
    return {};
  }
};

}  // namespace dolmen
