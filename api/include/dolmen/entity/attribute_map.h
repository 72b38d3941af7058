// The conversion between a struct's attributes and a map: an item, or a map inside an item.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <span>

#include "dolmen/attribute_value.h"
#include "dolmen/entity/attribute_spec.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"

namespace dolmen::entity {

// Adds all present attributes of the struct to `*map`, except those that are only in the key.
// - kValidation, with a message such as "city is missing": a required attribute is missing, or an
//   attribute is not allowed or cannot be encoded. The map then lacks the later attributes.
Status EncodeAttributes(std::span<const AttributeSpec> attributes, const void* value, Map* map);

// Checks the value of an attribute that is present (MemberAttribute::Check).
// - kValidation: the value is not allowed. The message is check_words.
Status CheckValue(const AttributeSpec& attribute, const void* value);

// Reads the attributes from `map` into the struct, except those that are only in the key.
//
// Ignores unknown attributes. An absent attribute, or NULL for an optional one, leaves its member
// as it is. An attribute of the primary key may be absent, because the key has its value.
// - kValidation, with a message such as "city is missing": a required attribute is missing, or an
//   attribute has a wrong value. The struct is then incomplete.
Status DecodeAttributes(std::span<const AttributeSpec> attributes, MapView map, void* value);

// Returns the error of a map's attribute as an error of the map: ".city is missing". ok stays ok.
Status ErrorInMap(const Status& error);

}  // namespace dolmen::entity

#include "dolmen/internal/show_macros.h"
