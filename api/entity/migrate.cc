#include "dolmen/entity/migrate.h"

#include <memory>
#include <utility>

#include "dolmen/entity/claims.h"
#include "dolmen/entity/entity_matcher.h"
#include "dolmen/entity/item.h"
#include "dolmen/internal/item_rewriter.h"
#include "engine/base/status_macros.h"
#include "engine/value/codec.h"
#include "entity/upgrade.h"
#include "entity/walk.h"

namespace dolmen::entity {
namespace {

using ChangeStruct = internal::Function<void(void*)>;

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

// Writes the stored form of the item as the migration changes it to `*bytes`. Returns false if the
// item stays the same.
// - kCorruption: the item cannot be read.
// - kValidation: the changed entity cannot be stored, or has a different key.
Result<bool> Rewrite(const EntitySpec& entity, const ChangeStruct& change, ItemView stored,
                     std::string* bytes) {
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
  if (rewritten == original && !is_upgraded) return false;
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
  bytes->clear();
  DOLMEN_RETURN_IF_ERROR(engine::EncodeItem(rewritten, bytes));
  return true;
}

// Rewrites the item inside an update without changes of its own. `seen` is the item of the page, and
// `rewritten` is its rewritten form. Both must be valid as long as this object.
class MigrateRewriter : public internal::ItemRewriter {
 public:
  MigrateRewriter(const EntitySpec& entity, const ChangeStruct& change, ItemView seen,
                  std::string_view rewritten)
      : entity_(entity), change_(change), seen_(seen), rewritten_(rewritten) {}

  Result<bool> Upgrade(const ItemView& old, std::string* /*item*/) override {
    // Another entity may have taken the key since the page was read.
    if (MatchType(entity_, old) == TypeMatch::kOther) return Status::ConditionalCheckFailed();
    return false;
  }
  Result<bool> Finish(const ItemView* old, std::string* item) override {
    if (old == nullptr) return Status::ConditionalCheckFailed();
    if (old->bytes() != seen_.bytes()) return Rewrite(entity_, change_, *old, item);
    item->assign(rewritten_);
    return true;
  }

 private:
  const EntitySpec& entity_;
  const ChangeStruct& change_;
  ItemView seen_;
  std::string_view rewritten_;
};

Result<Item> CopyKey(const EntitySpec& entity, ItemView item) {
  Item key;
  for (const std::string_view name :
       {entity.primary().partition_name, entity.primary().sort_name}) {
    if (!item[name]) continue;
    DOLMEN_ASSIGN_OR_RETURN(AttributeValue value, item[name].Copy());
    key.emplace(name, std::move(value));
  }
  return key;
}

// Rewrites the item, if the migration changes it.
Result<bool> Migrate(const RequestSender& sender, const EntitySpec& entity,
                     const ChangeStruct& change, ItemView item) {
  std::string bytes;
  DOLMEN_ASSIGN_OR_RETURN(const bool changes, Rewrite(entity, change, item, &bytes));
  if (!changes) return false;
  DOLMEN_ASSIGN_OR_RETURN(Item key, CopyKey(entity, item));
  const Status written = sender.table()
                             .UpdateItem({.key = std::move(key),
                                          .rewriter = internal::Shared<MigrateRewriter>::Make(
                                              entity, change, item, bytes)})
                             .status();
  // The item was removed after the page was read.
  if (written.code() == StatusCode::kConditionalCheckFailed) return false;
  if (!written.ok()) return written;
  return true;
}

}  // namespace

Result<MigrationProgress> MigrateItems(const RequestSender& sender, const EntitySpec& entity,
                                       const internal::Function<void(void*)>& change,
                                       const MigrateOptions& options) {
  return WalkItems(
      sender, {&entity},
      [&](ItemView item, std::size_t /*entity*/) { return Migrate(sender, entity, change, item); },
      options);
}

}  // namespace dolmen::entity
