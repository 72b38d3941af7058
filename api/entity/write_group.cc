#include "entity/write_group.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/base/status_macros.h"
#include "entity/changed_item.h"
#include "entity/describe_request.h"
#include "entity/upgrade.h"

namespace dolmen::entity {
namespace {

// DynamoDB's limit of the writes in a transaction.
constexpr std::size_t kWritesMax = 100;

Item PrimaryKeyOf(const PlannedWrite& write) {
  return KeyOf(*write.entity, KeyOrItemOf(write.action));
}

// Returns true if the claims after the write depend on the item before it.
bool DependsOnItem(const PlannedWrite& write) {
  if (std::holds_alternative<UpdateItemInput>(write.action)) return !write.unique_changes.empty();
  return write.existing != PlannedWrite::Existing::kForbidden;
}

// Returns the item in the entity's version (EntityDefinition::Version), or nothing if `item` is null.
Result<std::optional<Item>> Upgraded(const EntitySpec& entity, const StoredItem* item) {
  if (item == nullptr) return std::optional<Item>();
  std::string bytes;
  DOLMEN_ASSIGN_OR_RETURN(const bool is_upgraded, UpgradeItem(entity, item->view(), &bytes));
  DOLMEN_ASSIGN_OR_RETURN(const ItemView view,
                          is_upgraded ? ItemView::Parse(bytes) : Result<ItemView>(item->view()));
  DOLMEN_ASSIGN_OR_RETURN(Item copy, view.Copy());
  return std::optional<Item>(std::move(copy));
}

// The item before a write; both members are empty if there was none.
struct ItemBefore {
  std::optional<Item> stored = {};
  std::optional<Item> upgraded = {};  // in the entity's version
};

Result<ItemBefore> ReadItem(const RequestSender& sender, const PlannedWrite& write) {
  DOLMEN_ASSIGN_OR_RETURN(const GetItemOutput output, sender.GetItem(PrimaryKeyOf(write)));
  ItemBefore before;
  if (!output.item) return before;
  DOLMEN_ASSIGN_OR_RETURN(before.stored, output.item->Copy());
  DOLMEN_ASSIGN_OR_RETURN(before.upgraded, Upgraded(*write.entity, &*output.item));
  return before;
}

// Returns the value of a unique attribute, or nothing if the item lacks it.
std::optional<AttributeValue> ValueOf(const EntitySpec& entity, const UniqueSpec& unique,
                                      const std::optional<Item>& item) {
  if (!item) return std::nullopt;
  const auto found = item->find(entity.attributes[unique.attribute].name);
  return found == item->end() ? std::nullopt : std::optional(found->second);
}

// Returns the condition that the item's unique attributes are as before.
ConditionBuilder IsAsBefore(const EntitySpec& entity, const std::optional<Item>& before) {
  if (!before) return AttributeNotExists(entity.primary().partition_name);
  ConditionBuilder condition = AttributeExists(entity.primary().partition_name);
  for (const UniqueSpec& unique : entity.uniques) {
    const Attr attribute(entity.attributes[unique.attribute].name);
    const auto value = ValueOf(entity, unique, before);
    condition = condition && (value ? attribute == *value : AttributeNotExists(attribute));
  }
  return condition;
}

// Returns the text of the unique attribute after the write.
std::string TextAfter(const PlannedWrite& write, const UniqueSpec& unique,
                      const std::optional<Item>& before) {
  if (std::holds_alternative<DeleteItemInput>(write.action)) return {};
  if (const auto* put = std::get_if<PutItemInput>(&write.action)) {
    return ClaimText(*write.entity, unique, put->item);
  }
  Item item;
  const std::string name(write.entity->attributes[unique.attribute].name);
  if (const auto value = ValueOf(*write.entity, unique, before)) item[name] = *value;
  for (const Change& change : write.unique_changes) {
    if (change.attribute != unique.attribute) continue;
    item.erase(name);
    if (change.kind == Change::Kind::kSet) item[name] = change.value;
  }
  return ClaimText(*write.entity, unique, item);
}

// Returns true if the error of a write that was sent alone says that the table has judged and refused it
// (ExplainRefusal). After any other error, the write may have been executed.
bool IsRefusal(const Status& error) {
  switch (error.code()) {
    case StatusCode::kConditionalCheckFailed:
    case StatusCode::kResourceNotFound:
    case StatusCode::kResourceInUse:
    case StatusCode::kTransactionConflict:
    case StatusCode::kCorruption:
      return true;
    default:
      return false;
  }
}

// Returns the item, in the entity's version, that made the table refuse the write. If another reason than a
// condition did, reads the item now.
Result<std::optional<Item>> UpgradedItemAtRefusal(const RequestSender& sender,
                                                  const PlannedWrite& write,
                                                  const Status& refusal) {
  if (refusal.code() == StatusCode::kConditionalCheckFailed) {
    return Upgraded(*write.entity, refusal.item());
  }
  DOLMEN_ASSIGN_OR_RETURN(ItemBefore now, ReadItem(sender, write));
  return std::move(now.upgraded);
}

// Returns a text that identifies a claim together with an item that may own it.
std::string OwnedClaim(const std::string& claim, const Item& owner) {
  return claim + " of " + DescribeItemKey(owner);
}

// Adds to the error of a service without transactions why a write of the entity needs one.
Status NeedsTransaction(const EntitySpec& entity, const Status& error) {
  const std::string_view addition =
      entity.uniques.empty() ? "the inverse of an edge" : "the claims of unique values";
  return error.WithMessage(std::string(entity.name)
                               .append(": the write includes ")
                               .append(addition)
                               .append(", so it is a transaction. ")
                               .append(error.message()));
}

std::string TextOfKey(const Claim& claim) {
  return *claim.key().at(claim.entity->primary().PartitionName()).get_if<std::string>();
}

}  // namespace

bool AddsWrites(const PlannedWrite& write) {
  return write.entity->AddsWrites() && !std::holds_alternative<ConditionCheckInput>(write.action);
}

// Makes the plan of a group.
class WriteGroup::Planner {
 public:
  Planner(const RequestSender& sender, const std::set<std::string>& foreign)
      : sender_(sender), foreign_(foreign) {}

  Status Add(const PlannedWrite& write) {
    const std::size_t position = plan_.requests.size();
    plan_.requests.push_back(write);
    if (!AddsWrites(write) || write.entity->uniques.empty()) return {};
    const bool is_update = std::holds_alternative<UpdateItemInput>(write.action);
    if (is_update && write.unique_changes.empty()) return {};
    std::optional<Item> before;
    if (DependsOnItem(write)) {
      DOLMEN_ASSIGN_OR_RETURN(ItemBefore read, ReadItem(sender_, write));
      // The table upgrades an item before it tests the condition of an update.
      AddCondition(IsAsBefore(*write.entity, is_update ? read.upgraded : read.stored),
                   &plan_.requests.back());
      before = std::move(read.upgraded);
      plan_.guards.push_back({position, before});
    }
    // The update or deletion of a missing item fails and changes no claim.
    const bool is_missing = !before && write.existing == PlannedWrite::Existing::kRequired;
    return is_missing ? Status() : AddChanges(position, before);
  }

  Plan Finish() && {
    plan_.write_count = plan_.requests.size();
    for (std::size_t i = 0; i < plan_.write_count; ++i) {
      for (PlannedWrite& inverse : std::exchange(plan_.requests[i].inverses, {})) {
        Append(i, std::move(inverse));
      }
    }
    plan_.inverse_count = plan_.causes.size();
    for (auto& [key, taken] : taken_) {
      const auto released = released_.find(key);
      const Item* previous = released == released_.end() ? nullptr : &released->second.claim.owner;
      Append(taken.write, PlanTake(taken.claim, previous));
      if (previous != nullptr) released_.erase(released);
    }
    for (auto& [key, released] : released_) Append(released.write, PlanRelease(released.claim));
    return std::move(plan_);
  }

 private:
  struct ClaimChange {
    std::size_t write = 0;
    Claim claim = {};
  };
  using ClaimChanges = std::map<std::string, ClaimChange>;

  // - kResourceInUse: two of the writes have the same value.
  Status AddChanges(std::size_t position, const std::optional<Item>& before) {
    const PlannedWrite& write = plan_.requests[position];
    for (const UniqueSpec& unique : write.entity->uniques) {
      Claim claim = {.entity = write.entity, .unique = unique, .owner = PrimaryKeyOf(write)};
      const std::string old_text = before ? ClaimText(*write.entity, unique, *before) : "";
      const std::string new_text = TextAfter(write, unique, before);
      if (old_text == new_text) continue;
      claim.text = old_text;
      if (!old_text.empty() && !foreign_.contains(OwnedClaim(TextOfKey(claim), claim.owner))) {
        released_.emplace(TextOfKey(claim), ClaimChange{position, claim});
      }
      claim.text = new_text;
      if (new_text.empty()) continue;
      if (!taken_.emplace(TextOfKey(claim), ClaimChange{position, claim}).second) {
        return PlanTake(claim, nullptr).refusal;
      }
    }
    return {};
  }

  void Append(std::size_t cause, PlannedWrite addition) {
    plan_.requests.push_back(std::move(addition));
    plan_.causes.push_back(cause);
  }

  const RequestSender& sender_;
  const std::set<std::string>& foreign_;
  Plan plan_;
  ClaimChanges taken_;
  ClaimChanges released_;
};

Status WriteGroup::Send(const RequestSender& sender, std::vector<PlannedWrite>* writes,
                        const std::string& token) {
  if (std::ranges::none_of(*writes, AddsWrites)) return sender.TransactWriteItems(writes, token);
  if (plan_.write_count != writes->size()) foreign_.clear();
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    if (plan_.write_count != writes->size()) {
      Planner planner(sender, foreign_);
      for (const PlannedWrite& write : *writes) DOLMEN_RETURN_IF_ERROR(planner.Add(write));
      plan_ = std::move(planner).Finish();
    }
    DOLMEN_RETURN_IF_ERROR(CheckSize());
    const Status status = SendOnce(sender, token);
    if (status.code() != StatusCode::kTransactionCanceled) return status;
    DOLMEN_ASSIGN_OR_RETURN(const bool is_outdated, IsOutdated(sender, status.reasons()));
    if (!is_outdated) return Status::TransactionCanceled(RefusalsOfWrites(status.reasons()));
    plan_ = {};
  }
  return Status::TransactionConflict(
      "other writers changed unique attributes during each attempt; try again");
}

Status WriteGroup::CheckSize() const {
  const std::size_t total = plan_.requests.size();
  if (total <= kWritesMax || plan_.causes.empty()) return {};
  return Status::Validation("the transaction needs " + std::to_string(total) +
                            " writes and may have at most " + std::to_string(kWritesMax) + ": " +
                            std::to_string(plan_.write_count) + " of the program, " +
                            std::to_string(plan_.inverse_count) + " of inverses of edges, " +
                            std::to_string(plan_.causes.size() - plan_.inverse_count) +
                            " of claims of unique values. Commit fewer entities at once");
}

Status WriteGroup::SendOnce(const RequestSender& sender, const std::string& token) {
  if (plan_.requests.size() > 1 || !token.empty()) {
    const Status sent = sender.TransactWriteItems(&plan_.requests, token);
    const bool explains = sent.code() == StatusCode::kUnknownOperation && !plan_.causes.empty();
    return explains ? NeedsTransaction(*plan_.requests[plan_.causes[0]].entity, sent) : sent;
  }
  Status status = sender.SendWrite(plan_.requests[0]);
  if (!IsRefusal(status)) return status;
  return Status::TransactionCanceled({std::move(status)});
}

Result<bool> WriteGroup::IsOutdated(const RequestSender& sender,
                                    const std::vector<Status>& refusals) {
  bool is_outdated = false;
  for (std::size_t i = 0; i < plan_.causes.size(); ++i) {
    const PlannedWrite& addition = plan_.requests[plan_.write_count + i];
    // An addition that is a deletion with a condition releases a claim.
    const auto* release = std::get_if<DeleteItemInput>(&addition.action);
    const Status& refusal = refusals[plan_.write_count + i];
    if (refusal.code() != StatusCode::kConditionalCheckFailed || release == nullptr) continue;
    const std::string name = addition.entity->primary().PartitionName();
    foreign_.insert(OwnedClaim(*release->key.at(name).get_if<std::string>(),
                               PrimaryKeyOf(plan_.requests[plan_.causes[i]])));
    is_outdated = true;
  }
  for (const Guard& guard : plan_.guards) {
    if (refusals[guard.write].ok()) continue;
    const PlannedWrite& write = plan_.requests[guard.write];
    DOLMEN_ASSIGN_OR_RETURN(const std::optional<Item> now,
                            UpgradedItemAtRefusal(sender, write, refusals[guard.write]));
    is_outdated |= now.has_value() != guard.before.has_value() ||
                   std::ranges::any_of(write.entity->uniques, [&](const UniqueSpec& unique) {
                     return ValueOf(*write.entity, unique, now) !=
                            ValueOf(*write.entity, unique, guard.before);
                   });
  }
  return is_outdated;
}

std::vector<Status> WriteGroup::RefusalsOfWrites(const std::vector<Status>& refusals) const {
  const auto end = refusals.begin() + static_cast<std::ptrdiff_t>(plan_.write_count);
  std::vector<Status> of_writes(refusals.begin(), end);
  for (std::size_t i = 0; i < plan_.causes.size(); ++i) {
    Status& refusal = of_writes[plan_.causes[i]];
    if (refusal.ok()) refusal = refusals[plan_.write_count + i];
  }
  return of_writes;
}

}  // namespace dolmen::entity
