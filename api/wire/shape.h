// Shapes of requests: DynamoDB's API model with its constraints, as data. Each request is checked
// against its shape before the operation reads it (constraints.h). Like DynamoDB, which checks the
// types while it parses, the check reports the first wrong type in the text. If all types are right,
// the check reports up to ten violated constraints in one message. If an object repeats a name, the
// constraints apply only to the last member of that name (json.h).
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/CommonErrors.html

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "wire/json.h"
#include "wire/names.h"

namespace dolmen::wire {

struct Shape;

// A member of a structure. Members that a structure does not declare are ignored.
struct MemberShape {
  std::string_view name;  // as in the JSON: "TableName"
  const Shape* shape = nullptr;
  bool required = false;
};

// The limits of the length of a string, list or map, or of the value of an integer. Unlimited by
// default.
struct Range {
  std::int64_t min = std::numeric_limits<std::int64_t>::min();
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
};

// The type and the constraints of a value.
struct Shape {
  enum class Kind : std::uint8_t {
    kString,
    kInteger,
    kLong,
    kDouble,
    kBoolean,
    kBinary,  // base64 in a string
    kStructure,
    kList,
    kMap,
    kAttributeValue,
  };

  Kind kind = Kind::kString;
  // The class name in messages, for structures: the last part of
  // "com.amazonaws.dynamodb.v20120810.AttributeValue".
  std::string_view name = {};
  std::span<const MemberShape> members = {};      // kStructure
  const Shape* element = nullptr;                 // of the elements of a list or map
  Range range = {};                               // of the length, or of an integer's value
  std::string_view pattern = {};                  // kString: kNamePattern, or "" for any text
  std::span<const std::string_view> values = {};  // the allowed texts in print order; empty: any
  const Shape* key = nullptr;                     // kMap: the shape of its keys; null: any text
  bool or_arn = false;    // accepts a table's ARN; range and pattern do not apply to an ARN
  bool in_bytes = false;  // range counts bytes of UTF-8; false: units of UTF-16
  // The other members decide on the words and the order of messages. DynamoDB has three spellings, and similar
  // operations may differ: Query prints no value for Limit, Scan does.
  enum class Unquoted : std::uint8_t { kNever, kWhenEmpty, kAlways };
  // When a message about the range prints no value, and spells the path as in the JSON.
  Unquoted unquoted = Unquoted::kNever;
  // The allowed texts in a message that names neither the member nor its value: "[ALL, OR]". Empty: the usual words.
  std::string_view anonymous = {};
  // A text that is not allowed, or an empty text of kWhenEmpty, is reported without the violations of other members.
  bool alone = false;
  bool bare = false;     // `alone`, and without the number of violations
  bool yields = false;   // violations are reported only if no member before has one
  bool as_json = false;  // messages print the value as JSON
};

// The shape of a text of which only some values are allowed, with these values in print order.
template <std::size_t kCount>
struct Enumeration : Shape {
  template <typename... Texts>
  constexpr Enumeration(const Texts&... texts) : list{texts...} {
    values = list;
  }
  Enumeration(const Enumeration&) = delete;  // the base refers to `list`
  Enumeration& operator=(const Enumeration&) = delete;

  std::string_view list[kCount];
};
template <typename... Texts>
Enumeration(const Texts&...) -> Enumeration<sizeof...(Texts)>;

// Stands as the first member of a Structure and gives it Shape::name.
constexpr MemberShape Named(std::string_view name) { return {.name = name}; }

// The shape of a structure, with its members.
template <std::size_t kCount>
struct Structure : Shape {
  constexpr Structure(const MemberShape (&given)[kCount]) : Shape{.kind = Kind::kStructure} {
    std::copy(given, given + kCount, list);
    const bool is_named = list[0].shape == nullptr;
    if (is_named) name = list[0].name;
    members = std::span(list).subspan(is_named ? 1 : 0);
  }
  Structure(const Structure&) = delete;  // the base refers to `list`
  Structure& operator=(const Structure&) = delete;

  MemberShape list[kCount] = {};
};

// Returns the member with the given name, or null.
inline const MemberShape* FindMember(std::span<const MemberShape> members, std::string_view name) {
  for (const MemberShape& member : members) {
    if (member.name == name) return &member;
  }
  return nullptr;
}

inline constexpr Shape kString = {};
inline constexpr Shape kBoolean = {.kind = Shape::Kind::kBoolean};
inline constexpr Shape kAttributeValueShape = {.kind = Shape::Kind::kAttributeValue,
                                               .name = "AttributeValue"};
inline constexpr Shape kAttributeMapShape = {.kind = Shape::Kind::kMap,
                                             .element = &kAttributeValueShape};

// The shape of a text that holds the name or the ARN of a table. The least length is that of an ARN
// in DynamoDB's API model.
inline constexpr Shape kTableNameShape = {
    .range = {1, 255}, .pattern = kNamePattern, .or_arn = true};
// The table of a request for items. DynamoDB prints no value for an empty name.
inline constexpr Shape kItemTableNameShape = {.range = kTableNameShape.range,
                                              .pattern = kNamePattern,
                                              .or_arn = true,
                                              .unquoted = Shape::Unquoted::kWhenEmpty};
// The table of a request that writes one item. DynamoDB reports an empty name alone.
inline constexpr Shape kWrittenTableNameShape = {.range = kTableNameShape.range,
                                                 .pattern = kNamePattern,
                                                 .or_arn = true,
                                                 .unquoted = Shape::Unquoted::kWhenEmpty,
                                                 .alone = true};
// A table in the map of a batch.
inline constexpr Shape kBatchTableNameShape = {
    .range = {3, 255}, .pattern = kNamePattern, .or_arn = true};
// The parameter TableName of operations that manage tables. Its shape does not demand the name.
// ManagedTableName (managed_table.h) does, because DynamoDB's message about an absent name differs from
// the usual messages about constraints.
inline constexpr Shape kManagedTableNameShape = {
    .range = {3, 255}, .pattern = kNamePattern, .or_arn = true};
inline constexpr MemberShape kManagedTableName = {"TableName", &kManagedTableNameShape};

inline constexpr Shape kIndexNameShape = {.range = {3, 255}, .pattern = kNamePattern};
// A name whose length the operation checks, because DynamoDB reports it in a sentence (CheckNameLength).
inline constexpr Shape kNameOfAnyLengthShape = {.pattern = kNamePattern};

}  // namespace dolmen::wire
