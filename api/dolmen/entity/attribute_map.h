// The conversion between a struct's attributes and a map: an item, or a map inside an item.

#pragma once

#include <span>
#include <string_view>

#include "dolmen/attribute_value.h"
#include "dolmen/entity/attribute_spec.h"
#include "dolmen/item_view.h"

namespace dolmen::entity {

// The first attribute that could not be converted, and the reason. `problem` is empty on success.
// `attribute` is borrowed from the AttributeSpec.
struct AttributeProblem {
  std::string_view attribute = {};
  Problem problem = {};
};

// Adds all present attributes of the struct to `*map`, except those that are only in the key.
// Stops at the first attribute that is required but missing, or that cannot be encoded.
AttributeProblem EncodeAttributes(std::span<const AttributeSpec> attributes, const void* value,
                                  Map* map);
// Reads the attributes from `map` into the struct, except those that are only in the key.
//
// Ignores unknown attributes. An absent attribute, or NULL for an optional one, leaves its member
// as it is. Fails if a required attribute is missing or an attribute has a wrong value; the struct
// is then incomplete.
AttributeProblem DecodeAttributes(std::span<const AttributeSpec> attributes, MapView map,
                                  void* value);

// Returns the problem of a map's element as a Problem of the map: ".city is missing".
Problem ProblemInElement(const AttributeProblem& found);

}  // namespace dolmen::entity
