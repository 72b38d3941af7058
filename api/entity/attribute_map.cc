#include "dolmen/entity/attribute_map.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/status_macros.h"

namespace dolmen::entity {
namespace {

// Returns the error of an attribute that is required, but absent. Any other attribute is ok.
Status CheckAbsent(const AttributeSpec& attribute, const void* value) {
  return attribute.is_required && attribute.is_reachable(value) ? Status::Validation("is missing")
                                                                : Status();
}

// Checks and encodes an attribute that is present.
Status Encode(const AttributeSpec& attribute, const void* value, AttributeValue* to) {
  DOLMEN_RETURN_IF_ERROR(CheckValue(attribute, value));
  return attribute.encode(value, to);
}

bool IsDeclared(std::span<const AttributeSpec> attributes, std::string_view name) {
  return std::ranges::any_of(attributes, [&](const AttributeSpec& attribute) {
    return attribute.rest == nullptr && attribute.name == name;
  });
}

// Adds the undeclared attributes that the struct holds. Does not replace an attribute of the map.
void EncodeRest(std::span<const AttributeSpec> attributes, const Map& rest, Map* map) {
  for (const auto& [name, value] : rest) {
    if (!IsDeclared(attributes, name)) map->emplace(name, value);
  }
}

// Copies the undeclared attributes of the map.
Status DecodeRest(std::span<const AttributeSpec> attributes, MapView map, Map* rest) {
  rest->clear();
  for (const auto [name, view] : map) {
    if (IsDeclared(attributes, name)) continue;
    DOLMEN_ASSIGN_OR_RETURN(AttributeValue value, view.Copy());
    rest->emplace(name, std::move(value));
  }
  return {};
}

}  // namespace

Status CheckValue(const AttributeSpec& attribute, const void* value) {
  const bool is_allowed = attribute.check == nullptr || attribute.check(value);
  return is_allowed ? Status() : Status::Validation(std::string(attribute.check_words));
}

Status EncodeAttributes(std::span<const AttributeSpec> attributes, const void* value, Map* map) {
  for (const AttributeSpec& attribute : attributes) {
    if (attribute.in_key_only) {
      DOLMEN_RETURN_IF_ERROR(NameAttribute(attribute.name, CheckValue(attribute, value)));
      continue;
    }
    if (attribute.rest != nullptr) {
      // The member is only read, but a path through optionals has no const form.
      EncodeRest(attributes, *attribute.rest(const_cast<void*>(value)), map);
      continue;
    }
    const Status encoded = attribute.is_present(value)
                               ? Encode(attribute, value, &(*map)[attribute.name])
                               : CheckAbsent(attribute, value);
    DOLMEN_RETURN_IF_ERROR(NameAttribute(attribute.name, encoded));
  }
  return {};
}

Status DecodeAttributes(std::span<const AttributeSpec> attributes, MapView map, void* value) {
  for (const AttributeSpec& attribute : attributes) {
    if (attribute.in_key_only) continue;
    if (attribute.rest != nullptr) {
      DOLMEN_RETURN_IF_ERROR(DecodeRest(attributes, map, attribute.rest(value)));
      continue;
    }
    const AttributeView view = map[attribute.name];
    // NULL means absent if absent is a value: other programs write NULL for an absent value.
    if (!view || (view.IsNull() && attribute.may_be_empty && !attribute.is_required)) continue;
    DOLMEN_RETURN_IF_ERROR(NameAttribute(attribute.name, attribute.decode(view, value)));
  }
  for (const AttributeSpec& attribute : attributes) {
    if (!attribute.is_required || attribute.in_key || map[attribute.name]) continue;
    DOLMEN_RETURN_IF_ERROR(NameAttribute(attribute.name, CheckAbsent(attribute, value)));
  }
  return {};
}

Status ErrorInMap(const Status& error) {
  return error.ok() ? Status() : Status::Validation("." + error.message());
}

}  // namespace dolmen::entity
