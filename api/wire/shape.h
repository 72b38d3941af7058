// What the JSON of a request looks like: the shapes of DynamoDB's API model, with their
// constraints, as data.  A request is checked against its shape before anything reads it: first the
// types of all that it has, as DynamoDB finds them while it reads the text, then the constraints of
// what it comes to (json.h), which are all reported at once.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/CommonErrors.html

#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "wire/json.h"
#include "wire/names.h"

namespace dolmen::wire {

struct Shape;

// A member of a structure.  What a structure does not name is ignored.
struct MemberShape {
  std::string_view name;  // as the JSON has it: "TableName"
  const Shape* shape = nullptr;
  bool required = false;
};

// How long a string, a list or a map may be, or between what an integer.
struct Range {
  std::int64_t min = std::numeric_limits<std::int64_t>::min();
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
};

struct Shape {
  enum class Kind : std::uint8_t {
    kString,
    kInteger,
    kLong,
    kBoolean,
    kBinary,  // base64 in a string
    kStructure,
    kList,
    kMap,
    kAttributeValue,
  };

  Kind kind = Kind::kString;
  // The class that messages name: "com.amazonaws.dynamodb.v20120810.AttributeValue"'s last part.
  // Structures only.
  std::string_view name = {};
  std::span<const MemberShape> members = {};      // kStructure
  const Shape* element = nullptr;                 // of a list, or the values of a map
  Range range = {};                               // of a value's length, or of an integer
  std::string_view pattern = {};                  // kString: kNamePattern, or "": any
  std::span<const std::string_view> values = {};  // kString: one of these, in the order printed
  const Shape* key = nullptr;                     // kMap: what its keys have to be; null: anything
  bool or_arn = false;    // kString: a table's ARN instead, to which range and pattern do not apply
  bool in_bytes = false;  // kString: its range is of its UTF-8, not of its UTF-16 units
};

// The member of that name; null: there is none.
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

// The name of a table, or its ARN, as operations on data take it.
inline constexpr Shape kTableNameShape = {
    .range = {3, 255}, .pattern = kNamePattern, .or_arn = true};
inline constexpr Shape kIndexNameShape = {.range = {3, 255}, .pattern = kNamePattern};

// Whether the value and all in it have the JSON types of the shape: empty, or DynamoDB's message
// for a SerializationException.  In shape_types.cc.
std::string CheckTypes(const Shape& shape, const Json& json);

// The constraints that `json`, a structure whose types are right, breaks, ten at most: empty, or
// DynamoDB's message "2 validation errors detected: ...".  In constraints.cc.
std::string CheckConstraints(const Shape& shape, const Json& json);

}  // namespace dolmen::wire
