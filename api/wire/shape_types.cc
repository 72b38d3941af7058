#include "wire/shape_types.h"

#include <array>
#include <string>
#include <string_view>

#include "wire/base64.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

// The members of an attribute value, which has the JSON type of a structure.
constexpr Shape kBinaryShape = {.kind = Kind::kBinary};
constexpr Shape kStringListShape = {.kind = Kind::kList, .element = &kString};
constexpr Shape kBinaryListShape = {.kind = Kind::kList, .element = &kBinaryShape};
constexpr Shape kValueListShape = {.kind = Kind::kList, .element = &kAttributeValueShape};

constexpr std::array<MemberShape, 10> kAttributeValueMembers = {{
    {"S", &kString},
    {"N", &kString},
    {"B", &kBinaryShape},
    {"M", &kAttributeMapShape},
    {"L", &kValueListShape},
    {"BOOL", &kBoolean},
    {"NULL", &kBoolean},
    {"SS", &kStringListShape},
    {"NS", &kStringListShape},
    {"BS", &kBinaryListShape},
}};

// Returns the Java class that DynamoDB's messages name for the shape.
std::string ClassOf(const Shape& shape) {
  switch (shape.kind) {
    case Kind::kInteger:
      return "class java.lang.Integer";
    case Kind::kLong:
      return "class java.lang.Long";
    case Kind::kDouble:
      return "class java.lang.Double";
    case Kind::kBoolean:
      return "class java.lang.Boolean";
    case Kind::kBinary:
      return "class java.nio.ByteBuffer";
    case Kind::kStructure:
    case Kind::kAttributeValue:
      return "class com.amazonaws.dynamodb.v20120810." + std::string(shape.name);
    case Kind::kMap: {
      std::string element = ClassOf(*shape.element);
      if (element.starts_with("class ")) element.erase(0, 6);
      return "java.util.Map<java.lang.String, " + element + ">";
    }
    case Kind::kList: {
      std::string element = ClassOf(*shape.element);
      if (element.starts_with("class ")) element.erase(0, 6);
      return "java.util.List<" + element + ">";
    }
    case Kind::kString:
      break;
  }
  return "class java.lang.String";
}

std::string_view ScalarName(Kind kind) {
  switch (kind) {
    case Kind::kInteger:
      return "Integer";
    case Kind::kLong:
      return "Long";
    case Kind::kDouble:
      return "Double";
    case Kind::kBoolean:
      return "Boolean";
    default:
      return "String";
  }
}

bool IsNumber(JsonType type) {
  return type == JsonType::INT64 || type == JsonType::UINT64 || type == JsonType::DOUBLE;
}

// Returns the name that DynamoDB's messages give to a scalar value of a wrong type.
std::string_view TokenOf(const Json& json) {
  switch (json.type()) {
    case JsonType::STRING:
      return "STRING_VALUE";
    case JsonType::DOUBLE:
      return "DECIMAL_VALUE";
    case JsonType::BOOL:
      return BooleanOf(json) ? "TRUE_VALUE" : "FALSE_VALUE";
    default:
      return "NUMBER_VALUE";
  }
}

// Returns an empty string, or DynamoDB's message about the wrong type.
std::string FaultOfScalar(const Shape& shape, const Json& json) {
  const JsonType type = json.type();
  if (type == JsonType::ARRAY) return "Unrecognized collection type " + ClassOf(shape);
  if (type == JsonType::OBJECT) return "Start of structure or map found where not expected";
  if (shape.kind == Kind::kBinary) {
    if (type != JsonType::STRING) return "only base-64-encoded strings are convertible to bytes";
    std::string bytes;
    return DecodeBase64(StringOf(json), &bytes).message();
  }
  if (shape.kind == Kind::kBoolean) {
    if (type == JsonType::STRING) {
      return BooleanText(StringOf(json)) ? "" : "Unexpected token received from parser";
    }
  }
  const bool numeric =
      shape.kind == Kind::kInteger || shape.kind == Kind::kLong || shape.kind == Kind::kDouble;
  if (numeric && IsNumber(type)) return {};
  return std::string(TokenOf(json))
      .append(" cannot be converted to ")
      .append(ScalarName(shape.kind));
}

}  // namespace

std::span<const MemberShape> MembersOf(const Shape& shape) {
  return shape.kind == Kind::kAttributeValue ? kAttributeValueMembers : shape.members;
}

std::string TypeFault(const Shape& shape, const Json& json, Part part) {
  const std::string_view scalar =
      part == Part::kField ? "Unexpected field type" : "Unexpected value type in payload";
  switch (shape.kind) {
    case Kind::kStructure:
    case Kind::kAttributeValue:
    case Kind::kMap:
      if (json.type() != JsonType::ARRAY) return std::string(scalar);
      return "Unrecognized collection type " + ClassOf(shape);
    case Kind::kList:
      if (json.type() != JsonType::OBJECT) return std::string(scalar);
      return "Start of structure or map found where not expected";
    default:
      return FaultOfScalar(shape, json);
  }
}

}  // namespace dolmen::wire
