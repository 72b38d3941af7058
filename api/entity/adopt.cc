#include "dolmen/entity/adopt.h"

#include <utility>
#include <vector>

#include "dolmen/entity/claims.h"
#include "engine/base/status_macros.h"
#include "entity/upgrade.h"
#include "entity/walk.h"

namespace dolmen::entity {
namespace {

// Makes the claim, if it is free and the item still has the value. Returns false if nothing had to be
// written.
// - kResourceInUse: another item owns the claim.
// - kTransactionConflict: another transaction holds the item or the claim.
Result<bool> Adopt(const RequestSender& sender, const Claim& claim,
                   const ConditionBuilder& has_value) {
  DOLMEN_ASSIGN_OR_RETURN(const GetItemOutput found, sender.GetItem(claim.key()));
  PlannedWrite take = PlanTake(claim, nullptr);
  const Item& wanted = std::get_if<PutItemInput>(&take.action)->item;
  if (found.item) {
    DOLMEN_ASSIGN_OR_RETURN(const Item stored, found.item->Copy());
    if (stored == wanted) return false;
  }
  std::vector<PlannedWrite> writes;
  writes.push_back({.entity = claim.entity,
                    .action = ConditionCheckInput{.key = claim.owner, .condition = has_value},
                    .refusal = Status::ConditionalCheckFailed()});
  writes.push_back(std::move(take));
  const Status status = sender.TransactWriteItems(&writes, "");
  if (status.ok()) return true;
  if (status.code() != StatusCode::kTransactionCanceled) return status;
  // The item has changed meanwhile. The write that changed it has made its own claim.
  const Status& check = status.reasons()[0];
  if (check.code() == StatusCode::kConditionalCheckFailed) return false;
  if (!check.ok()) return check;
  return status.reasons()[1].WithMessage(DescribeKeyParts(*claim.entity, claim.owner) + ": " +
                                         status.reasons()[1].message());
}

// Makes all claims of the item.
Result<bool> AdoptItem(const RequestSender& sender, const EntitySpec& entity, ItemView view) {
  std::string bytes;
  DOLMEN_ASSIGN_OR_RETURN(const bool is_upgraded, UpgradeItem(entity, view, &bytes));
  DOLMEN_ASSIGN_OR_RETURN(const ItemView current,
                          is_upgraded ? ItemView::Parse(bytes) : Result<ItemView>(view));
  DOLMEN_ASSIGN_OR_RETURN(const Item item, current.Copy());
  bool has_written = false;
  for (const UniqueSpec& unique : entity.uniques) {
    Claim claim = {.entity = &entity, .unique = unique, .text = ClaimText(entity, unique, item)};
    if (claim.text.empty()) continue;
    claim.owner = KeyOf(entity, item);
    const std::string_view name = entity.attributes[unique.attribute].name;
    const Attr attribute(name);
    ConditionBuilder has_value = attribute == item.at(name);
    // An item of an older version may have the value under another name.
    if (is_upgraded) has_value = has_value || AttributeNotExists(attribute);
    DOLMEN_ASSIGN_OR_RETURN(const bool written, Adopt(sender, claim, has_value));
    has_written |= written;
  }
  return has_written;
}

}  // namespace

Result<MigrationProgress> AdoptItems(const RequestSender& sender, const EntitySpec& entity,
                                     const MigrateOptions& options) {
  return WalkItems(
      sender, {&entity},
      [&](ItemView item, std::size_t /*entity*/) { return AdoptItem(sender, entity, item); },
      options);
}

}  // namespace dolmen::entity
