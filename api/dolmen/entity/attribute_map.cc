#include "dolmen/entity/attribute_map.h"

#include <string>

#include "dolmen/internal/status_macros.h"

namespace dolmen::entity {
namespace {

// Returns the error of an attribute that is required, but absent. Any other attribute is ok.
Status CheckAbsent(const AttributeSpec& attribute, const void* value) {
  return attribute.is_required && attribute.is_reachable(value) ? Status::Validation("is missing")
                                                                : Status();
}

}  // namespace

Status EncodeAttributes(std::span<const AttributeSpec> attributes, const void* value, Map* map) {
  for (const AttributeSpec& attribute : attributes) {
    if (attribute.in_key_only) continue;
    const Status encoded = attribute.is_present(value)
                               ? attribute.encode(value, &(*map)[std::string(attribute.name)])
                               : CheckAbsent(attribute, value);
    DOLMEN_RETURN_IF_ERROR(NameAttribute(attribute.name, encoded));
  }
  return {};
}

Status DecodeAttributes(std::span<const AttributeSpec> attributes, MapView map, void* value) {
  for (const AttributeSpec& attribute : attributes) {
    if (attribute.in_key_only) continue;
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
