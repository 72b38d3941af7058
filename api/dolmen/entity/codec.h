// The codecs of attributes: one AttributeCodec for each C++ type that a member of an entity can
// have.
//
//   C++ type                        DynamoDB type
//   std::string                     S
//   bool                            BOOL
//   signed integers up to 64 bits   N
//   unsigned integers, to 32 bits   N
//   Number                          N, exact to 38 digits
//   Binary                          B
//   Timestamp                       S, ISO 8601 in UTC, always with milliseconds
//   enum with Spellings             S
//   AttributeValue                  the type of the value
//   StringSet, NumberSet, BinarySet SS, NS, BS (collection_codecs.h)
//   std::vector<V>                  L (collection_codecs.h)
//   std::map<std::string, V>        M (collection_codecs.h)
//   struct with DescribeAttributes  M (nested_struct.h)
//
// A std::optional<V> member is stored like a V, or not at all if it is empty.
//
// For a type of its own, a program specialises AttributeCodec, or names a codec for one attribute
// (MemberAttribute::As). A codec has this shape:
//
//   template <>
//   struct dolmen::AttributeCodec<Minutes> {
//     static constexpr auto kPart = entity::PartKind::kNone;
//     static Status Encode(const Minutes& minutes, AttributeValue* value) {
//       if (minutes.since_midnight >= 24 * 60) return Status::Validation("is past midnight");
//       *value = minutes.since_midnight;
//       return {};
//     }
//     static Status Decode(AttributeView view, Minutes* minutes) {
//       const auto found = view.AsInt64();
//       if (!found) return entity::WrongType(view, AttributeType::kN);
//       minutes->since_midnight = static_cast<int>(*found);
//       return {};
//     }
//   };
//
// Codecs have no state. Their functions are thread-safe.

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
#include "dolmen/result.h"

namespace dolmen {

// One value of an enum and the text under which it is stored. An enum can be the type of an
// attribute if a function Spellings in the enum's namespace lists all values:
//
//   enum class Role { kMember, kAdmin };
//   constexpr auto Spellings(Role) {
//     return std::to_array<Spelling<Role>>({{Role::kMember, "member"}, {Role::kAdmin, "admin"}});
//   }
//
// Encoding a value that is not in the list fails. Decoding a text that is not in the list fails,
// too. Texts are compared byte by byte, so "Admin" is not "admin". In a key, enum values sort by
// their texts, not in the order of the enum.
template <typename Enum>
struct Spelling {
  Enum value;
  std::string_view text;
};

// An enum for which argument-dependent lookup finds a function Spellings.
template <typename T>
concept SpelledEnum = std::is_enum_v<T> && requires(T value) { Spellings(value); };

namespace entity {

// The form that an attribute's value can take in a key template (key.h):
// - kNone: none; a template that names the attribute does not compile.
// - kText: the text itself, as {name} or {name:any}.
// - kInteger: decimal digits, as {name}, or padded with zeros, as {name:04}.
// - kTime: ISO 8601 text with milliseconds, as {name}, or only its day, as {name:date}.
enum class PartKind : std::uint8_t { kNone, kText, kInteger, kTime };

// Returns a message from the attribute's name and the message of a codec: "body is missing". If the
// codec's message is about an element, no blank follows the name: "address.city is missing".
std::string NameAttribute(std::string_view attribute, const std::string& message);

// Returns the codec's error with the attribute's name before the message. ok stays ok.
Status NameAttribute(std::string_view attribute, const Status& error);

// Returns the error of a view that does not have the expected type: "is missing" if the attribute
// is absent, otherwise "has type N, not S".
Status WrongType(AttributeView view, AttributeType type);

// Returns the error of a view that is not an integer from `least` to `greatest`, both included. If
// the view is not a number, returns the error of WrongType.
Status NotAnInteger(AttributeView view, std::int64_t least, std::int64_t greatest);

}  // namespace entity

// The codec of a member type. The primary template is only declared: an attribute of a type that
// no specialisation covers does not compile.
//
// A specialisation has three static members:
// - kPart: the form that the value can take in a key template.
// - Encode: writes the member's value to `*value`.
// - Decode: reads the member's value from `view`, which may be absent or have any type.
//
// Encode and Decode return kValidation if the value is wrong. The message is the end of a sentence
// whose subject is the attribute: "has type N, not S". A message about an element inside the value
// begins with the path to that element: "[2] has type S, not N", ".city is missing". The caller adds
// the name of the attribute.
//
// After an error the target has an unspecified but valid value. Decode must copy what it keeps,
// because `view` is only valid during the call.
template <typename V>
struct AttributeCodec;

// Stores text as S. Encode accepts any bytes; the table rejects text that is not UTF-8.
template <>
struct AttributeCodec<std::string> {
  static constexpr auto kPart = entity::PartKind::kText;
  static Status Encode(const std::string& text, AttributeValue* value);
  static Status Decode(AttributeView view, std::string* text);
};

// Stores a bool as BOOL. Decode rejects a number and a text.
template <>
struct AttributeCodec<bool> {
  static constexpr auto kPart = entity::PartKind::kNone;
  static Status Encode(bool flag, AttributeValue* value);
  static Status Decode(AttributeView view, bool* flag);
};

// Stores an integer as N. Decode rejects a fraction, and a number outside the range of `I`.
// std::uint64_t has no codec, because its greatest values exceed the range of std::int64_t. Use a
// Number instead.
template <std::integral I>
  requires(!std::same_as<I, bool> && (std::is_signed_v<I> || sizeof(I) < sizeof(std::int64_t)))
struct AttributeCodec<I> {
  static constexpr auto kPart = entity::PartKind::kInteger;
  static Status Encode(I number, AttributeValue* value) {
    *value = number;
    return {};
  }
  static Status Decode(AttributeView view, I* number) {
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

// Stores a decimal number as N, exact to 38 digits.
template <>
struct AttributeCodec<Number> {
  static constexpr auto kPart = entity::PartKind::kNone;
  static Status Encode(const Number& number, AttributeValue* value);
  static Status Decode(AttributeView view, Number* number);
};

// Stores bytes as B.
template <>
struct AttributeCodec<Binary> {
  static constexpr auto kPart = entity::PartKind::kNone;
  static Status Encode(const Binary& binary, AttributeValue* value);
  static Status Decode(AttributeView view, Binary* binary);
};

// Stores a time as S: "2026-04-15T10:30:00.000Z". All texts have the same length, so they sort as
// the times do. Decode also accepts a text without milliseconds.
//
// Encode rejects a time before the year 0 or after the year 9999, because the year in the text has
// exactly four digits.
template <>
struct AttributeCodec<Timestamp> {
  static constexpr auto kPart = entity::PartKind::kTime;
  static Status Encode(Timestamp time, AttributeValue* value);
  static Status Decode(AttributeView view, Timestamp* time);
};

// A codec that stores a time as N: whole seconds since 1970, the form that a time to live needs
// (EntityTableInput::time_to_live). Select it with MemberAttribute::AsEpochSeconds.
//
// Encode rounds up to the next second, so that an item does not expire too early. Decode therefore
// returns the rounded time. Decode rejects a time whose milliseconds do not fit into 64 bits.
struct EpochSecondsCodec {
  static constexpr auto kPart = entity::PartKind::kInteger;
  static Status Encode(Timestamp time, AttributeValue* value);
  static Status Decode(AttributeView view, Timestamp* time);
};

// Stores an enum as S: the text of its Spelling.
template <SpelledEnum Enum>
struct AttributeCodec<Enum> {
  static constexpr auto kPart = entity::PartKind::kText;
  static Status Encode(Enum chosen, AttributeValue* value) {
    for (const auto& spelling : Spellings(Enum())) {
      if (spelling.value != chosen) continue;
      *value = spelling.text;
      return {};
    }
    return Status::Validation("is " + std::to_string(static_cast<std::int64_t>(chosen)) +
                              ", which Spellings does not list");
  }
  static Status Decode(AttributeView view, Enum* chosen) {
    const auto text = view.AsString();
    if (!text) return entity::WrongType(view, AttributeType::kS);
    for (const auto& spelling : Spellings(Enum())) {
      if (spelling.text != *text) continue;
      *chosen = spelling.value;
      return {};
    }
    return Status::Validation("has the unknown value \"" + std::string(*text) + "\"");
  }
};

// Stores a value of any type as it is. Use it for an attribute whose type the program does not
// know. An AttributeValue is always stored, even with its default value NULL.
template <>
struct AttributeCodec<AttributeValue> {
  static constexpr auto kPart = entity::PartKind::kNone;
  static Status Encode(const AttributeValue& from, AttributeValue* value);
  static Status Decode(AttributeView view, AttributeValue* to);
};

}  // namespace dolmen
