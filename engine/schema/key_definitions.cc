#include "engine/schema/key_definitions.h"

#include <set>
#include <string>
#include <string_view>

#include "engine/base/status_macros.h"
#include "engine/value/invalid_parameter.h"

namespace dolmen::engine {
namespace {

constexpr std::size_t kKeyNameBytesMax = 255;

Status CheckKeyAttribute(const KeyAttribute& attribute) {
  if (attribute.name.empty() || attribute.name.size() > kKeyNameBytesMax) {
    return InvalidParameter("The name of a key attribute must have 1 to 255 bytes: " +
                            attribute.name);
  }
  if (attribute.type != AttributeType::kS && attribute.type != AttributeType::kN &&
      attribute.type != AttributeType::kB) {
    return InvalidParameter(
        "Member must satisfy enum value set: [B, N, S]: type of key attribute " + attribute.name);
  }
  return {};
}

// Returns the attribute and its type, for a message: "PK: S".
std::string NameAndType(const KeyAttribute& attribute) {
  return attribute.name + ": " + std::string(AttributeTypeName(attribute.type));
}

}  // namespace

Status KeyDefinitions::Add(const KeySchema& keys) {
  std::set<std::string_view> names;
  for (const KeyAttribute& attribute : keys.attributes()) {
    if (!names.insert(attribute.name).second) {
      return InvalidParameter(
          "Both the Hash Key and the Range Key element in the KeySchema have the same name");
    }
  }
  for (const KeyAttribute& attribute : keys.attributes()) {
    DOLMEN_RETURN_IF_ERROR(Add(attribute));
  }
  return {};
}

Status KeyDefinitions::Add(const KeyAttribute& attribute) {
  DOLMEN_RETURN_IF_ERROR(CheckKeyAttribute(attribute));
  for (const KeyAttribute& other : attributes_) {
    if (other.name == attribute.name && other.type != attribute.type) {
      return InvalidParameter("Duplicate AttributeName in AttributeDefinitions: " + attribute.name);
    }
  }
  attributes_.push_back(attribute);
  return {};
}

Status CheckNotRedefined(const KeySchema& existing, const KeySchema& added) {
  for (const KeyAttribute& attribute : added.attributes()) {
    for (const KeyAttribute& other : existing.attributes()) {
      if (other.name != attribute.name || other.type == attribute.type) continue;
      return InvalidParameter(
          "Attributes cannot be redefined. Please check that your attribute has the same type as "
          "previously defined. Existing schema: [" +
          NameAndType(other) + "]; new schema: [" + NameAndType(attribute) + "]");
    }
  }
  return {};
}

}  // namespace dolmen::engine
