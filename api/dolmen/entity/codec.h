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

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

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
std::string DescribeProblem(std::string_view attribute, const Problem& problem);

// For a view that is not of `type`: "is missing", or which type it has.
Problem WrongType(AttributeView view, AttributeType type);
Problem NotAnInteger(AttributeView view, std::int64_t least, std::int64_t greatest);

}  // namespace entity

// Encode makes the attribute's value of the member's, Decode the other way round; a Problem leaves
// the target in any state.
template <typename V>
struct AttributeCodec;

template <>
struct AttributeCodec<std::string> {
  static constexpr auto kPart = entity::PartKind::kText;
  static Problem Encode(const std::string& text, AttributeValue* value);
  static Problem Decode(AttributeView view, std::string* text);
};

template <>
struct AttributeCodec<bool> {
  static constexpr auto kPart = entity::PartKind::kNone;
  static Problem Encode(bool flag, AttributeValue* value);
  static Problem Decode(AttributeView view, bool* flag);
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
  static Problem Encode(const Number& number, AttributeValue* value);
  static Problem Decode(AttributeView view, Number* number);
};

template <>
struct AttributeCodec<Binary> {
  static constexpr auto kPart = entity::PartKind::kNone;
  static Problem Encode(const Binary& binary, AttributeValue* value);
  static Problem Decode(AttributeView view, Binary* binary);
};

template <>
struct AttributeCodec<Timestamp> {
  static constexpr auto kPart = entity::PartKind::kTime;
  static Problem Encode(Timestamp time, AttributeValue* value);
  static Problem Decode(AttributeView view, Timestamp* time);
};

// A time as seconds since 1970, rounded up: the form that a time to live wants.
struct EpochSecondsCodec {
  static constexpr auto kPart = entity::PartKind::kInteger;
  static Problem Encode(Timestamp time, AttributeValue* value);
  static Problem Decode(AttributeView view, Timestamp* time);
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
  static Problem Encode(const AttributeValue& from, AttributeValue* value);
  static Problem Decode(AttributeView view, AttributeValue* to);
};

}  // namespace dolmen
