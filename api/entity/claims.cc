#include "dolmen/entity/claims.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/base/status_macros.h"

namespace dolmen::entity {
namespace {

constexpr std::string_view kPrefix = "UNIQUE";
constexpr std::string_view kOwnerPartition = "ownerPK";
constexpr std::string_view kOwnerSort = "ownerSK";

// Returns the condition that the claim does not exist or belongs to the owner.
ConditionBuilder IsFreeOrOf(const Claim& claim, const Item& owner) {
  const KeySpec& key = claim.entity->primary();
  ConditionBuilder is_owner = Attr(kOwnerPartition) == owner.at(key.PartitionName());
  if (key.has_sort) is_owner = is_owner && Attr(kOwnerSort) == owner.at(key.SortName());
  return AttributeNotExists(key.partition_name) || is_owner;
}

}  // namespace

Item Claim::key() const {
  const KeySpec& primary = entity->primary();
  std::string partition(kPrefix);
  partition.append("#").append(unique.claim).append("#").append(text);
  Item key = {{primary.PartitionName(), std::move(partition)}};
  if (primary.has_sort) key.emplace(primary.SortName(), kPrefix);
  return key;
}

std::string ClaimText(const EntitySpec& entity, const UniqueSpec& unique, const Item& item) {
  const auto found = item.find(entity.attributes[unique.attribute].name);
  if (found == item.end()) return {};
  if (const auto* text = found->second.get_if<std::string>()) return *text;
  const auto* number = found->second.get_if<Number>();
  return number == nullptr ? std::string() : number->ToString();
}

PlannedWrite PlanTake(const Claim& claim, const Item* previous) {
  const KeySpec& key = claim.entity->primary();
  Item item = claim.key();
  item[std::string(claim.entity->type_attribute)] = claim.unique.claim;
  item[std::string(kOwnerPartition)] = claim.owner.at(key.PartitionName());
  if (key.has_sort) item[std::string(kOwnerSort)] = claim.owner.at(key.SortName());
  const std::string_view attribute = claim.entity->attributes[claim.unique.attribute].name;
  return {
      .entity = claim.entity,
      .action = PutItemInput{.item = std::move(item),
                             .condition =
                                 IsFreeOrOf(claim, previous == nullptr ? claim.owner : *previous)},
      .refusal = Status::ResourceInUse(std::string(attribute) + " " + claim.text + " is taken")};
}

PlannedWrite PlanRelease(const Claim& claim) {
  return {
      .entity = claim.entity,
      .action = DeleteItemInput{.key = claim.key(), .condition = IsFreeOrOf(claim, claim.owner)},
      .refusal = Status::ConditionalCheckFailed().WithMessage("another item owns the claim of " +
                                                              claim.text)};
}

Result<GetItemOutput> FindOwner(const RequestSender& sender, const EntitySpec& entity,
                                std::size_t attribute, const void* value) {
  const AttributeSpec& spec = entity.attributes[attribute];
  const auto unique = std::ranges::find(entity.uniques, attribute, &UniqueSpec::attribute);
  if (unique == entity.uniques.end()) return InvalidAttribute(entity, spec.name, "is not unique");
  Item wanted;
  if (spec.is_present(value)) {
    Status encoded = spec.encode(value, &wanted[std::string(spec.name)]);
    if (!encoded.ok()) return InvalidAttribute(entity, spec.name, encoded.message());
  }
  const Claim claim = {&entity, *unique, ClaimText(entity, *unique, wanted), {}};
  if (claim.text.empty()) return GetItemOutput();
  Result<GetItemOutput> found = sender.GetItem(claim.key());
  if (!found.ok() || !found->item) return found;
  const KeySpec& primary = entity.primary();
  Item owner = {{primary.PartitionName(), (*found->item)[kOwnerPartition].AsString().value_or("")}};
  if (primary.has_sort) {
    owner.emplace(primary.SortName(), (*found->item)[kOwnerSort].AsString().value_or(""));
  }
  found = sender.GetItem(std::move(owner));
  if (!found.ok() || !found->item) return found;
  DOLMEN_ASSIGN_OR_RETURN(const Item item, found->item->Copy());
  if (ClaimText(entity, *unique, item) != claim.text) return GetItemOutput();
  return found;
}

}  // namespace dolmen::entity
