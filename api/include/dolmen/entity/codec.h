// The codecs of attributes: one AttributeCodec for each C++ type that a member of an entity can
// have.
//
//   C++ type                        DynamoDB type
//   std::string                     S
//   bool                            BOOL
//   integers of 8 to 64 bits        N
//   double, float                   N, the shortest text that gives the same value
//   Number                          N, exact to 38 digits
//   Binary, std::vector<std::byte>  B
//   enum with Spellings             S
//   AttributeValue                  the type of the value
//   times, days and durations       S or N (time_codecs.h)
//   StringSet, NumberSet, BinarySet SS, NS, BS (collection_codecs.h)
//   std::set<V>                     SS, NS or BS (collection_codecs.h)
//   std::vector<V>                  L (collection_codecs.h)
//   std::map<std::string, V>        M (collection_codecs.h)
//   std::variant<V...>              the type of the current alternative (collection_codecs.h)
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

#include "dolmen/internal/hide_macros.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "dolmen/attribute_value.h"
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
Status NotAnInteger(AttributeView view, const Number& least, const Number& greatest);

// Read an integer from `least` to `greatest`.
// - kValidation: the error of NotAnInteger.
Status DecodeInteger(AttributeView view, std::int64_t least, std::int64_t greatest,
                     std::int64_t* integer);
Status DecodeInteger(AttributeView view, std::uint64_t least, std::uint64_t greatest,
                     std::uint64_t* integer);

}  // namespace entity

// The codec of a member type. The primary template is only declared: an attribute of a type that
// no specialisation covers does not compile, unless MemberAttribute::As names a codec.
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

namespace entity {

// A type that has an AttributeCodec.
template <typename V>
concept HasCodec = requires { AttributeCodec<V>::kPart; };

}  // namespace entity

namespace entity {

// True for the codecs whose Decode accepts every value that Encode returns and that can be stored. Nothing
// is known about the codecs of programs.
template <typename Codec>
inline constexpr bool kReadsBack = false;
template <>
inline constexpr bool kReadsBack<AttributeCodec<std::string>> = true;
template <>
inline constexpr bool kReadsBack<AttributeCodec<bool>> = true;
template <Integer I>
inline constexpr bool kReadsBack<AttributeCodec<I>> = true;
template <SpelledEnum Enum>
inline constexpr bool kReadsBack<AttributeCodec<Enum>> = true;

}  // namespace entity

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

// Stores an integer as N. Decode rejects a fraction, and a number outside the range of `I`. A
// character is not an integer (number.h) and has no codec.
template <Integer I>
struct AttributeCodec<I> {
  static constexpr auto kPart = entity::PartKind::kInteger;
  using Wide = std::conditional_t<std::is_signed_v<I>, std::int64_t, std::uint64_t>;
  static Status Encode(I number, AttributeValue* value) {
    *value = number;
    return {};
  }
  static Status Decode(AttributeView view, I* number) {
    Wide found = 0;
    const Status decoded = entity::DecodeInteger(view, Wide{std::numeric_limits<I>::min()},
                                                 Wide{std::numeric_limits<I>::max()}, &found);
    if (decoded.ok()) *number = static_cast<I>(found);
    return decoded;
  }
};

// Store a floating-point number as N: the shortest decimal number that is read as the same value.
// 0.1 and 0.1F are stored as 0.1. -0.0 is read as 0.0. A number in the item that lies between two
// values is read as the nearer one.
//
// Encode rejects infinity, NaN, and a magnitude outside the range of Number. Decode of a float
// rejects a number outside the range of a float.
template <>
struct AttributeCodec<double> {
  static constexpr auto kPart = entity::PartKind::kNone;
  static Status Encode(double number, AttributeValue* value);
  static Status Decode(AttributeView view, double* number);
};
template <>
struct AttributeCodec<float> {
  static constexpr auto kPart = entity::PartKind::kNone;
  static Status Encode(float number, AttributeValue* value);
  static Status Decode(AttributeView view, float* number);
};

// Stores a decimal number as N, exact to 38 digits.
template <>
struct AttributeCodec<Number> {
  static constexpr auto kPart = entity::PartKind::kNone;
  static Status Encode(const Number& number, AttributeValue* value);
  static Status Decode(AttributeView view, Number* number);
};

// Store bytes as B.
template <>
struct AttributeCodec<Binary> {
  static constexpr auto kPart = entity::PartKind::kNone;
  static Status Encode(const Binary& binary, AttributeValue* value);
  static Status Decode(AttributeView view, Binary* binary);
};
template <>
struct AttributeCodec<std::vector<std::byte>> {
  static constexpr auto kPart = entity::PartKind::kNone;
  static Status Encode(const std::vector<std::byte>& bytes, AttributeValue* value);
  static Status Decode(AttributeView view, std::vector<std::byte>* bytes);
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

#include "dolmen/internal/show_macros.h"
