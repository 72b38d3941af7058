#include "dolmen/entity/attribute_map.h"

#include <string>
#include <utility>

namespace dolmen::entity {
namespace {

// Returns the Problem of an absent attribute; an empty Problem if the attribute is optional.
Problem CheckAbsent(const AttributeSpec& attribute, const void* value) {
  return attribute.is_required && attribute.is_reachable(value) ? "is missing" : "";
}

}  // namespace

AttributeProblem EncodeAttributes(std::span<const AttributeSpec> attributes, const void* value,
                                  Map* map) {
  for (const AttributeSpec& attribute : attributes) {
    if (attribute.in_key_only) continue;
    Problem problem = attribute.is_present(value)
                          ? attribute.encode(value, &(*map)[std::string(attribute.name)])
                          : CheckAbsent(attribute, value);
    if (!problem.empty()) return {attribute.name, std::move(problem)};
  }
  return {};
}

AttributeProblem DecodeAttributes(std::span<const AttributeSpec> attributes, MapView map,
                                  void* value) {
  for (const AttributeSpec& attribute : attributes) {
    if (attribute.in_key_only) continue;
    const AttributeView view = map[attribute.name];
    // In an optional attribute, NULL means absent: other programs write NULL for an absent value.
    if (!view.exists() || (view.IsNull() && !attribute.is_required)) continue;
    Problem problem = attribute.decode(view, value);
    if (!problem.empty()) return {attribute.name, std::move(problem)};
  }
  for (const AttributeSpec& attribute : attributes) {
    if (attribute.in_key_only || map[attribute.name].exists()) continue;
    Problem problem = CheckAbsent(attribute, value);
    if (!problem.empty()) return {attribute.name, std::move(problem)};
  }
  return {};
}

Problem ProblemInElement(const AttributeProblem& found) {
  if (found.problem.empty()) return {};
  return "." + DescribeProblem(found.attribute, found.problem);
}

}  // namespace dolmen::entity
