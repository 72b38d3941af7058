// The JSON types of a shape.

#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "wire/json.h"
#include "wire/shape.h"

namespace dolmen::wire {

// Returns the members of a structure or of an attribute value.
std::span<const MemberShape> MembersOf(const Shape& shape);

// Returns true if the value has the usual JSON type of the shape. Returns false for a value of a
// wrong type, and for a shape whose values only TypeFault can check.
inline bool HasType(const Shape& shape, const Json& json) {
  switch (shape.kind) {
    case Shape::Kind::kStructure:
    case Shape::Kind::kAttributeValue:
    case Shape::Kind::kMap:
      return json.type() == JsonType::OBJECT;
    case Shape::Kind::kList:
      return json.type() == JsonType::ARRAY;
    case Shape::Kind::kString:
      return json.type() == JsonType::STRING;
    case Shape::Kind::kBoolean:
      return json.type() == JsonType::BOOL;
    default:
      return false;
  }
}

// The place of a value: a field of a structure, or an element of a list or map.
enum class Part : std::uint8_t { kField, kElement };

// Checks the JSON type of a value for which HasType returns false. Does not check the values in it.
// Returns an empty string, or DynamoDB's message for a SerializationException.
std::string TypeFault(const Shape& shape, const Json& json, Part part);

}  // namespace dolmen::wire
