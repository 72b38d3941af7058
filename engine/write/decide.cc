#include "engine/write/decide.h"

#include <memory>
#include <utility>

#include "engine/value/codec.h"
#include "engine/write/index_upkeep.h"
#include "engine/write/item_size.h"

namespace dolmen::engine {
namespace {

Result<std::optional<StoredItem>> CopyItem(const ItemView& item) {
  Result<StoredItem> copy = StoredItem::FromBytes(std::string(item.bytes()));
  if (!copy.ok()) return copy.status();
  return std::optional(*std::move(copy));
}

Status CheckCondition(const WriteAction& action, const std::optional<ItemView>& old) {
  if (!action.condition) return {};
  const Result<bool> holds = action.condition->Evaluate(old.value_or(ItemView()));
  if (!holds.ok()) return holds.status();
  if (*holds) return {};
  if (!old || !action.return_item_on_condition_failure) return Status::ConditionalCheckFailed();
  Result<std::optional<StoredItem>> item = CopyItem(*old);
  if (!item.ok()) return item.status();
  return Status::ConditionalCheckFailed(std::make_shared<StoredItem>(**std::move(item)));
}

// Returns the bytes of the item that results when the update is applied to `old`.
Result<std::string> ApplyUpdate(const WriteAction& action, const std::optional<ItemView>& old) {
  // If the item does not exist, the update expression can read the key attributes of the new item.
  // A condition cannot read them.
  std::string key_bytes;
  if (!old) {
    if (Status encoded = EncodeItem(*action.key, &key_bytes); !encoded.ok()) return encoded;
  }
  const Result<ItemView> before = old ? Result<ItemView>(*old) : ItemView::Parse(key_bytes);
  if (!before.ok()) return before.status();
  std::string bytes;
  if (action.update) {
    if (Status applied = action.update->Apply(*before, &bytes); !applied.ok()) return applied;
  } else {
    bytes = before->bytes();
  }
  const Result<ItemView> item = ItemView::Parse(bytes);
  if (!item.ok()) return item.status();
  Status size = CheckItemSize(*action.table, *item, SizeSource::kUpdate);
  if (!size.ok()) return size;
  // An update that creates an item touches every attribute.
  const Update* const touching = old && action.update ? &*action.update : nullptr;
  if (!old || touching != nullptr) {
    Status keys = CheckUpdatedIndexKeys(*action.table, touching, *item);
    if (!keys.ok()) return keys;
  }
  return bytes;
}

}  // namespace

Result<WriteEffect> Decide(const WriteAction& action, const std::optional<ItemView>& old) {
  if (Status holds = CheckCondition(action, old); !holds.ok()) return holds;
  switch (action.kind) {
    case WriteAction::Kind::kCheck:
      return WriteEffect{};
    case WriteAction::Kind::kPut:
      return WriteEffect{WriteEffect::Kind::kPut};
    case WriteAction::Kind::kDelete:
    case WriteAction::Kind::kExpire:
      return WriteEffect{old ? WriteEffect::Kind::kDelete : WriteEffect::Kind::kNothing};
    case WriteAction::Kind::kUpdate: {
      Result<std::string> updated = ApplyUpdate(action, old);
      if (!updated.ok()) return updated.status();
      return WriteEffect{WriteEffect::Kind::kPut, *std::move(updated)};
    }
  }
  return WriteEffect{};
}

std::optional<ItemView> NewItem(const WriteAction& action, const std::optional<ItemView>& old,
                                const WriteEffect& effect) {
  switch (effect.kind) {
    case WriteEffect::Kind::kNothing:
      return old;
    case WriteEffect::Kind::kDelete:
      return std::nullopt;
    case WriteEffect::Kind::kPut:
      break;
  }
  const bool updates = action.kind == WriteAction::Kind::kUpdate;
  return *ItemView::Parse(updates ? effect.updated : action.item);
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
  Status touched = action.update->TouchedParts().Apply(*source, &bytes);
  if (!touched.ok()) return touched;
  const Result<ItemView> parts = ItemView::Parse(bytes);
  if (!parts.ok()) return parts.status();
  if (parts->attributes().empty()) return std::optional<StoredItem>();
  return CopyItem(*parts);
}

}  // namespace dolmen::engine
