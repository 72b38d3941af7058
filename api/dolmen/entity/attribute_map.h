// The attributes of a struct to and from a map, one by one.

#pragma once

#include <span>
#include <string_view>

#include "dolmen/attribute_value.h"
#include "dolmen/entity/attribute_spec.h"
#include "dolmen/item_view.h"

namespace dolmen::entity {

// What is wrong with an item, and where.
struct AttributeProblem {
  std::string_view attribute = {};
  Problem problem = {};
};

AttributeProblem EncodeAttributes(std::span<const AttributeSpec> attributes, const void* value,
                                  Map* map);
AttributeProblem DecodeAttributes(std::span<const AttributeSpec> attributes, MapView map,
                                  void* value);

// A fault of a map's element, as a Problem of the map.
Problem ProblemInElement(const AttributeProblem& found);

}  // namespace dolmen::entity
