#include "entity/edges.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "entity/shared_attributes.h"

namespace dolmen::entity {
namespace {

// Returns the struct of the inverse with the shared attributes of the edge.
Result<OwnedStruct> ToInverse(const EntitySpec& edge, const void* value) {
  return CopyShared(edge, value, edge.edges[0].inverse(), SharedAttributes(edge));
}

// Returns the change that copies a shared attribute of the edge to the inverse.
Result<Change> CopyingChange(const AttributeSpec& attribute, const void* value,
                             std::size_t position) {
  Change change;
  change.attribute = position;
  change.is_copy = true;
  if (attribute.is_present(value)) {
    DOLMEN_RETURN_IF_ERROR(attribute.encode(value, &change.value));
  } else {
    change.kind = Change::Kind::kRemove;
  }
  return change;
}

bool IsEdge(const PlannedWrite& write) { return !write.entity->edges.empty(); }

const EntitySpec& InverseOf(const PlannedWrite& write) { return write.entity->edges[0].inverse(); }

}  // namespace

Status AddCreatedInverse(const FillContext& context, const void* value, PlannedWrite* write) {
  if (!IsEdge(*write)) return {};
  DOLMEN_ASSIGN_OR_RETURN(const auto inverse, ToInverse(*write->entity, value));
  DOLMEN_ASSIGN_OR_RETURN(PlannedWrite created,
                          PlanCreateItem(InverseOf(*write), context, inverse.get()));
  write->inverses.push_back(std::move(created));
  return {};
}

Status AddPutInverse(const FillContext& context, const void* value, PlannedWrite* write) {
  if (!IsEdge(*write)) return {};
  const EntitySpec& inverse = InverseOf(*write);
  ChangeList changes;
  changes.or_create = true;
  for (const SharedPosition& shared : SharedAttributes(*write->entity)) {
    const AttributeSpec& attribute = inverse.attributes[shared.to];
    if (attribute.in_key || IsFilled(attribute)) continue;
    DOLMEN_ASSIGN_OR_RETURN(
        Change change, CopyingChange(write->entity->attributes[shared.from], value, shared.to));
    changes.changes.push_back(std::move(change));
  }
  DOLMEN_ASSIGN_OR_RETURN(const auto key, ToInverse(*write->entity, value));
  DOLMEN_ASSIGN_OR_RETURN(PlannedWrite put, PlanUpdateItem(inverse, context, key.get(), changes));
  write->inverses.push_back(std::move(put));
  return {};
}

Status AddUpdatedInverse(const FillContext& context, const void* key, const ChangeList& changes,
                         PlannedWrite* write) {
  if (!IsEdge(*write)) return {};
  if (changes.or_create) {
    return Status::Validation(std::string(write->entity->name) +
                              " is an edge, so an update cannot create it: use Put");
  }
  const EntitySpec& inverse = InverseOf(*write);
  ChangeList copied;
  const std::vector<SharedPosition> shared = SharedAttributes(*write->entity);
  for (const Change& change : changes.changes) {
    const auto found = std::ranges::find(shared, change.attribute, &SharedPosition::from);
    if (found == shared.end()) continue;
    copied.changes.push_back(change);
    copied.changes.back().attribute = found->to;
    copied.changes.back().is_copy = true;
  }
  if (copied.changes.empty()) return {};
  DOLMEN_ASSIGN_OR_RETURN(const auto inverse_key, ToInverse(*write->entity, key));
  DOLMEN_ASSIGN_OR_RETURN(PlannedWrite updated,
                          PlanUpdateItem(inverse, context, inverse_key.get(), copied));
  DOLMEN_ASSIGN_OR_RETURN(const Item lost, PrimaryKeyOf(inverse, inverse_key.get()));
  updated.refusal =
      Status::Corruption("the inverse of the edge is missing: " + DescribeKeyParts(inverse, lost));
  write->inverses.push_back(std::move(updated));
  return {};
}

Status AddRemovedInverse(const void* key, PlannedWrite* write) {
  if (!IsEdge(*write)) return {};
  const EntitySpec& inverse = InverseOf(*write);
  DOLMEN_ASSIGN_OR_RETURN(const auto inverse_key, ToInverse(*write->entity, key));
  DOLMEN_ASSIGN_OR_RETURN(Item item_key, PrimaryKeyOf(inverse, inverse_key.get()));
  // The edge can be removed even if its inverse is missing.
  write->inverses.push_back(
      {.entity = &inverse, .action = DeleteItemInput{.key = std::move(item_key)}});
  return {};
}

}  // namespace dolmen::entity
