#include "dolmen/entity/claims.h"

#include <string_view>
#include <utility>

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

}  // namespace dolmen::entity
