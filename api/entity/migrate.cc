#include "dolmen/entity/migrate.h"

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "dolmen/entity/claims.h"
#include "dolmen/entity/entity_matcher.h"
#include "dolmen/entity/item.h"
#include "dolmen/entity/write_planner.h"
#include "engine/base/status_macros.h"
#include "entity/changed_item.h"
#include "entity/upgrade.h"
#include "entity/walk.h"

namespace dolmen::entity {
namespace {

using ChangeStruct = std::function<void(void*)>;

// Returns the stored item with the attributes of `written` in place of those that the entity
// declares. Keeps all other attributes.
Item Merge(const EntitySpec& entity, Item stored, Item written) {
  for (const AttributeSpec& attribute : entity.attributes) stored.erase(attribute.name);
  for (const KeySpec& index : entity.keys.subspan(1)) {
    stored.erase(index.PartitionName());
    if (index.has_sort) stored.erase(index.SortName());
  }
  for (auto& [name, value] : written) stored.insert_or_assign(name, std::move(value));
  return stored;
}

// Returns the item as the migration changes it, or nothing if it stays the same.
// - kCorruption: the item cannot be read.
// - kValidation: the changed entity cannot be stored, or has a different key.
Result<std::optional<Item>> Rewrite(const EntitySpec& entity, const ChangeStruct& change,
                                    ItemView stored) {
  std::string upgraded;
  DOLMEN_ASSIGN_OR_RETURN(const bool is_upgraded, UpgradeItem(entity, stored, &upgraded));
  DOLMEN_ASSIGN_OR_RETURN(const ItemView current,
                          is_upgraded ? ItemView::Parse(upgraded) : Result<ItemView>(stored));
  const OwnedStruct value(entity);
  DOLMEN_RETURN_IF_ERROR(DecodeItem(entity, current, value.get()));
  if (change) change(value.get());
  DeriveAttributes(entity, value.get());
  DOLMEN_ASSIGN_OR_RETURN(const Item original, current.Copy());
  const auto merged = [&]() -> Result<Item> {
    DOLMEN_ASSIGN_OR_RETURN(Item written, ToItem(entity, value.get()));
    if (KeyOf(entity, written) == KeyOf(entity, original)) {
      return Merge(entity, original, std::move(written));
    }
    return Status::Validation(DescribeKeyParts(entity, original) +
                              ": the migration would change its primary key");
  };
  DOLMEN_ASSIGN_OR_RETURN(Item rewritten, merged());
  if (rewritten == original && !is_upgraded) return std::optional<Item>();
  for (const UniqueSpec& unique : entity.uniques) {
    if (ClaimText(entity, unique, rewritten) == ClaimText(entity, unique, original)) continue;
    return Status::Validation(DescribeKeyParts(entity, original) +
                              ": the migration would change the unique attribute " +
                              std::string(entity.attributes[unique.attribute].name));
  }
  const AttributeSpec* version = entity.version();
  if (change && version != nullptr) {
    // A program that has read the item before must not put its copy over the changed item.
    rewritten.insert_or_assign(std::string(version->name),
                               current[version->name].AsInt64().value_or(0) + 1);
  }
  return std::optional(std::move(rewritten));
}

// Rewrites the item, if the migration changes it.
Result<bool> Migrate(const RequestSender& sender, const EntitySpec& entity,
                     const ChangeStruct& change, ItemView item) {
  std::shared_ptr<const StoredItem>
      changed;  // the item that another writer has changed, as it is now
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    DOLMEN_ASSIGN_OR_RETURN(const std::optional<Item> rewritten, Rewrite(entity, change, item));
    if (!rewritten) return false;
    DOLMEN_ASSIGN_OR_RETURN(const Item before, item.Copy());
    DOLMEN_ASSIGN_OR_RETURN(Action action, ChangeOfItem(entity, before, *rewritten));
    if (!std::holds_alternative<UpdateItemInput>(action)) return false;
    PlannedWrite write{.entity = &entity, .action = std::move(action)};
    const Status written = sender.SendAction(&write).status();
    if (written.ok()) return true;
    if (written.code() != StatusCode::kConditionalCheckFailed) return written;
    // Another writer has removed the item, or has put another entity in its place.
    if (written.item() == nullptr) return false;
    changed = std::make_shared<StoredItem>(*written.item());
    item = changed->view();
    if (MatchType(entity, item) == TypeMatch::kOther) return false;
  }
  return Status::TransactionConflict("other writers changed the item during each attempt");
}

}  // namespace

Result<MigrationProgress> MigrateItems(const RequestSender& sender, const EntitySpec& entity,
                                       const std::function<void(void*)>& change,
                                       const MigrateOptions& options) {
  return WalkItems(
      sender, {&entity},
      [&](ItemView item, std::size_t /*entity*/) { return Migrate(sender, entity, change, item); },
      options);
}

}  // namespace dolmen::entity
