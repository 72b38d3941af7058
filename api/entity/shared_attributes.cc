#include "entity/shared_attributes.h"

#include <algorithm>
#include <string>

#include "dolmen/entity/definition_checks.h"
#include "engine/base/status_macros.h"
#include "engine/value/codec.h"

namespace dolmen::entity {
namespace {

// Copies an attribute from one struct to another. Does nothing if it is absent.
Status CopyAttribute(const AttributeSpec& from, const void* source, const AttributeSpec& to,
                     void* target) {
  if (!from.is_present(source)) return {};
  AttributeValue value;
  DOLMEN_RETURN_IF_ERROR(from.encode(source, &value));
  std::string payload;
  DOLMEN_RETURN_IF_ERROR(engine::EncodeValue(value, &payload));
  return to.decode(AttributeView(value.type(), payload), target);
}

}  // namespace

std::vector<SharedPosition> SharedAttributes(const EntitySpec& edge) {
  std::vector<SharedPosition> shared;
  const EntitySpec& inverse = edge.edges[0].inverse();
  for (std::size_t i = 0; i < edge.attributes.size(); ++i) {
    const AttributeSpec& attribute = edge.attributes[i];
    const std::string_view name = NameInInverse(edge.edges[0], attribute.name);
    const auto found = std::ranges::find(inverse.attributes, name, &AttributeSpec::name);
    if (found == inverse.attributes.end() || attribute.rest != nullptr) continue;
    shared.push_back({i, static_cast<std::size_t>(found - inverse.attributes.begin())});
  }
  return shared;
}

Result<OwnedStruct> CopyShared(const EntitySpec& from, const void* value, const EntitySpec& to,
                               const std::vector<SharedPosition>& shared) {
  OwnedStruct made(to);
  for (const SharedPosition& position : shared) {
    const AttributeSpec& target = to.attributes[position.to];
    const Status copied = CopyAttribute(from.attributes[position.from], value, target, made.get());
    if (!copied.ok()) return InvalidAttribute(to, target.name, copied.message());
  }
  return made;
}

}  // namespace dolmen::entity
