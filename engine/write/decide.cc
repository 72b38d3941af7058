#include "engine/write/decide.h"

#include <memory>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/value/codec.h"
#include "engine/write/index_upkeep.h"

namespace dolmen::engine {
namespace {

Result<std::optional<StoredItem>> CopyItem(const ItemView& item) {
  DOLMEN_ASSIGN_OR_RETURN(StoredItem copy, StoredItem::FromBytes(std::string(item.bytes())));
  return std::optional(std::move(copy));
}

Status CheckCondition(const WriteAction& action, const std::optional<ItemView>& old) {
  if (!action.condition) return {};
  DOLMEN_ASSIGN_OR_RETURN(const bool holds, action.condition->Evaluate(old.value_or(ItemView())));
  if (holds) return {};
  if (!old || !action.return_item_on_condition_failure) return Status::ConditionalCheckFailed();
  DOLMEN_ASSIGN_OR_RETURN(std::optional<StoredItem> item, CopyItem(*old));
  return Status::ConditionalCheckFailed(std::make_shared<StoredItem>(*std::move(item)));
}

void SetPut(const ItemView& item, const IndexKeyValues& index_keys, WriteEffect* effect) {
  effect->kind = WriteEffect::Kind::kPut;
  effect->item = item;
  effect->index_keys = {index_keys.data(), index_keys.size()};
}

// Makes the effect a put of the item that results when the update is applied to `old`. An update
// that only removes has no effect if there is no item.
Status ApplyUpdate(const WriteAction& action, const std::optional<ItemView>& old,
                   WriteEffect* effect) {
  const bool only_removes = action.update && action.update->OnlyRemoves();
  if (!old && only_removes) return {};
  // If the item does not exist, the update expression can read the key attributes of the new item.
  // A condition cannot read them.
  std::string key_bytes;
  if (!old) {
    DOLMEN_RETURN_IF_ERROR(EncodeItem(*action.key, &key_bytes));
  }
  const Result<ItemView> before = old ? Result<ItemView>(*old) : ItemView::Parse(key_bytes);
  if (!before.ok()) return before.status();
  if (action.update) {
    DOLMEN_RETURN_IF_ERROR(action.update->Apply(*before, &effect->updated));
  } else {
    effect->updated = before->bytes();
  }
  DOLMEN_ASSIGN_OR_RETURN(const ItemView item, ItemView::Parse(effect->updated));
  DOLMEN_RETURN_IF_ERROR(CheckItemSize(*action.table, item, SizeSource::kUpdate));
  effect->keeps_index_keys = old && !action.touches_index_keys;
  effect->updated_index_keys =
      FindIndexKeyValues(*action.table, effect->keeps_index_keys ? *old : item);
  if (!effect->keeps_index_keys && (!old || action.update)) {
    // An update that creates an item touches every attribute.
    DOLMEN_RETURN_IF_ERROR(CheckUpdatedIndexKeys(*action.table, old ? &*action.update : nullptr,
                                                 effect->updated_index_keys));
  }
  SetPut(item, effect->updated_index_keys, effect);
  return {};
}

}  // namespace

Status Decide(const WriteAction& action, const std::optional<ItemView>& old, WriteEffect* effect) {
  if (action.check_charge) {
    DOLMEN_RETURN_IF_ERROR(action.update->CheckCharge(old.value_or(ItemView())));
  }
  DOLMEN_RETURN_IF_ERROR(CheckCondition(action, old));
  switch (action.kind) {
    case WriteAction::Kind::kCheck:
      effect->item = old;
      return {};
    case WriteAction::Kind::kPut:
      SetPut(action.new_item, action.index_keys, effect);
      return {};
    case WriteAction::Kind::kDelete:
    case WriteAction::Kind::kExpire:
      if (old) effect->kind = WriteEffect::Kind::kDelete;
      return {};
    case WriteAction::Kind::kUpdate:
      return ApplyUpdate(action, old, effect);
  }
  return {};
}

Result<std::optional<StoredItem>> ReturnedAttributes(const WriteAction& action,
                                                     const std::optional<ItemView>& old,
                                                     const std::optional<ItemView>& after) {
  const ReturnValues wanted = action.return_values;
  const bool from_old = wanted == ReturnValues::kAllOld || wanted == ReturnValues::kUpdatedOld;
  const std::optional<ItemView>& source = from_old ? old : after;
  if (wanted == ReturnValues::kNone || !source) return std::optional<StoredItem>();
  if (wanted == ReturnValues::kAllOld || wanted == ReturnValues::kAllNew) return CopyItem(*source);
  if (!action.update) return std::optional<StoredItem>();
  std::string bytes;
  DOLMEN_RETURN_IF_ERROR(action.update->TouchedParts().Apply(*source, &bytes));
  DOLMEN_ASSIGN_OR_RETURN(const ItemView parts, ItemView::Parse(bytes));
  if (parts.attributes().empty()) return std::optional<StoredItem>();
  return CopyItem(parts);
}

}  // namespace dolmen::engine
