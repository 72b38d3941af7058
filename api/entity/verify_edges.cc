#include "dolmen/entity/verify_edges.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/entity/item.h"
#include "engine/base/status_macros.h"
#include "entity/shared_attributes.h"
#include "entity/walk.h"

namespace dolmen::entity {
namespace {

// One direction of an edge, whose items are compared with the other direction.
struct Direction {
  const EntitySpec& entity;
  const EntitySpec& other;
  std::vector<SharedPosition> shared;
};

Result<std::optional<AttributeValue>> ValueOf(const AttributeSpec& attribute, const void* value) {
  std::optional<AttributeValue> found;
  if (!attribute.is_present(value)) return found;
  DOLMEN_RETURN_IF_ERROR(attribute.encode(value, &found.emplace()));
  return found;
}

// Compares the shared attributes of two structs.
// - kCorruption: an attribute differs.
Status Compare(const Direction& direction, const void* value, const void* other) {
  for (const SharedPosition& position : direction.shared) {
    const AttributeSpec& attribute = direction.entity.attributes[position.from];
    const AttributeSpec& in_other = direction.other.attributes[position.to];
    if (IsFilled(attribute)) continue;
    DOLMEN_ASSIGN_OR_RETURN(const auto first, ValueOf(attribute, value));
    DOLMEN_ASSIGN_OR_RETURN(const auto second, ValueOf(in_other, other));
    if (first == second) continue;
    return Status::Corruption("the attribute " + std::string(attribute.name) +
                              " is different in the other direction of the edge");
  }
  return {};
}

// Compares the stored item with the stored other direction.
Status Check(const RequestSender& sender, const Direction& direction, const Item& key) {
  DOLMEN_ASSIGN_OR_RETURN(const GetItemOutput found, sender.GetItem(key));
  if (!found.item) return {};  // removed after its page was read
  const OwnedStruct value(direction.entity);
  DOLMEN_RETURN_IF_ERROR(DecodeItem(direction.entity, found.item->view(), value.get()));
  DOLMEN_ASSIGN_OR_RETURN(
      const OwnedStruct expected,
      CopyShared(direction.entity, value.get(), direction.other, direction.shared));
  DOLMEN_ASSIGN_OR_RETURN(Item other_key, PrimaryKeyOf(direction.other, expected.get()));
  // Reads both directions at one moment.
  DOLMEN_ASSIGN_OR_RETURN(const auto items, sender.TransactGetItems({key, other_key}));
  if (!items[0]) return {};
  if (!items[1]) {
    return Status::Corruption("the other direction of the edge is missing: " +
                              DescribeKeyParts(direction.other, other_key));
  }
  const OwnedStruct now(direction.entity);
  DOLMEN_RETURN_IF_ERROR(DecodeItem(direction.entity, items[0]->view(), now.get()));
  const OwnedStruct other(direction.other);
  DOLMEN_RETURN_IF_ERROR(FromItem(direction.other, items[1]->view(), other.get()));
  return Compare(direction, now.get(), other.get());
}

}  // namespace

Result<MigrationProgress> VerifyEdges(const RequestSender& sender, const EntitySpec& edge,
                                      const MigrateOptions& options) {
  const EntitySpec& inverse = edge.edges[0].inverse();
  const Direction forward = {edge, inverse, SharedAttributes(edge)};
  Direction backward = {inverse, edge, forward.shared};
  for (SharedPosition& position : backward.shared) std::swap(position.from, position.to);
  std::vector<const EntitySpec*> entities = {&edge};
  if (&inverse != &edge) entities.push_back(&inverse);
  const auto visit = [&](ItemView item, std::size_t position) -> Result<bool> {
    const Direction& direction = position == 0 ? forward : backward;
    DOLMEN_ASSIGN_OR_RETURN(const Item whole, item.Copy());
    const Item key = KeyOf(direction.entity, whole);
    const Status checked = Check(sender, direction, key);
    if (checked.ok()) return false;
    return checked.WithMessage(DescribeKeyParts(direction.entity, key) + ": " + checked.message());
  };
  return WalkItems(sender, entities, visit, options);
}

}  // namespace dolmen::entity
