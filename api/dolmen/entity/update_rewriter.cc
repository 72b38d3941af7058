#include "dolmen/entity/update_rewriter.h"

#include <algorithm>
#include <utility>

#include "dolmen/entity/entity_matcher.h"
#include "dolmen/entity/item.h"
#include "dolmen/entity/upgrade.h"
#include "dolmen/internal/status_macros.h"
#include "engine/value/codec.h"
#include "engine/value/patch.h"

namespace dolmen::entity {
namespace {

// Applies the changes to the stored form of an item.
Status ApplyChanges(const ItemChanges& changes, std::string* bytes) {
  std::vector<engine::AttributeChange> patches;
  std::vector<std::string> payloads(changes.size());  // borrowed by `patches`
  for (const auto& [name, value] : changes) {
    AttributeView view;
    if (value) {
      std::string& payload = payloads[patches.size()];
      DOLMEN_RETURN_IF_ERROR(engine::EncodeValue(*value, &payload));
      view = AttributeView(value->type(), payload);
    }
    patches.push_back({name, view});
  }
  DOLMEN_ASSIGN_OR_RETURN(const ItemView item, ItemView::Parse(*bytes));
  std::string patched;
  DOLMEN_RETURN_IF_ERROR(engine::PatchItem(item, patches, &patched));
  *bytes = std::move(patched);
  return {};
}

// Adds the change that gives the item the attribute of `key`, or no such attribute if `key` lacks
// it. Adds nothing if the item has this attribute already.
void AddDifference(const ItemView& item, const std::string& name, const Item& key,
                   ItemChanges* changes) {
  const auto wanted = key.find(name);
  if (wanted == key.end()) {
    if (item[name]) changes->emplace(name, std::nullopt);
  } else if (item[name].AsString() != *wanted->second.get_if<std::string>()) {
    changes->emplace(name, wanted->second);
  }
}

}  // namespace

UpdateRewriter::UpdateRewriter(const EntitySpec& entity, const FillContext& context,
                               std::vector<std::size_t> changed, bool or_create)
    : entity_(entity), context_(context), changed_(std::move(changed)), or_create_(or_create) {}

Result<bool> UpdateRewriter::Upgrade(const ItemView& old, std::string* upgraded) {
  is_upgraded_ = false;
  if (MatchType(entity_, old) != TypeMatch::kOther) {
    DOLMEN_ASSIGN_OR_RETURN(is_upgraded_, UpgradeItem(entity_, old, upgraded));
    return is_upgraded_;
  }
  DOLMEN_ASSIGN_OR_RETURN(StoredItem item, StoredItem::FromBytes(std::string(old.bytes())));
  return Status::ConditionalCheckFailed(std::make_shared<StoredItem>(std::move(item)));
}

bool UpdateRewriter::ChangesPartOf(const KeySpec& index) const {
  return std::ranges::any_of(changed_,
                             [&](std::size_t position) { return index.HasPart(position); });
}

bool UpdateRewriter::MustSetKey(const KeySpec& index, const ItemView& item) const {
  return is_upgraded_ || !item[index.PartitionName()] || ChangesPartOf(index);
}

Status UpdateRewriter::ReadValue(const ItemView* old, const ItemView& item) {
  value_ = entity_.create();
  Status read = DecodeItem(entity_, item, value_.get());
  if (read.ok()) return read;
  // The update is to blame, unless the item could not be read before it either.
  const std::shared_ptr<void> before = entity_.create();
  const bool was_readable = old == nullptr || DecodeItem(entity_, *old, before.get()).ok();
  return was_readable ? Status::Validation(read.message()) : read;
}

// Replaces a new item by the item that EntityTable::Create would store for the same values.
Result<bool> UpdateRewriter::Complete(std::string* item) const {
  FillAttributes(entity_, context_, value_.get());
  DOLMEN_ASSIGN_OR_RETURN(const Item whole, ToItem(entity_, value_.get()));
  item->clear();
  DOLMEN_RETURN_IF_ERROR(engine::EncodeItem(whole, item));
  return true;
}

Status UpdateRewriter::SetKey(const KeySpec& index, const ItemView& item,
                              ItemChanges* changes) const {
  Item key;
  const Status added = AddIndexKey(entity_, index, value_.get(), &key);
  // A value that the update leaves alone and that does not fit into the key keeps the item out of
  // the index. It must not prevent the update.
  if (!added.ok()) return ChangesPartOf(index) ? added : Status();
  AddDifference(item, index.PartitionName(), key, changes);
  if (index.has_sort) AddDifference(item, index.SortName(), key, changes);
  return {};
}

Result<bool> UpdateRewriter::Patch(std::string* bytes) const {
  DOLMEN_ASSIGN_OR_RETURN(const ItemView item, ItemView::Parse(*bytes));
  ItemChanges changes;
  for (const AttributeSpec& attribute : entity_.attributes) {
    if (!or_create_ || attribute.if_unset == nullptr || item[attribute.name]) continue;
    if (attribute.in_key_only || !attribute.is_reachable(value_.get())) continue;
    attribute.if_unset(value_.get(), context_);
    if (!attribute.is_present(value_.get())) continue;  // the function returned an empty value
    AttributeValue filled;
    const Status encoded = attribute.encode(value_.get(), &filled);
    if (!encoded.ok()) return InvalidAttribute(entity_, attribute.name, encoded.message());
    changes.emplace(attribute.name, std::move(filled));
  }
  for (const KeySpec& index : entity_.keys.subspan(1)) {
    if (MustSetKey(index, item)) DOLMEN_RETURN_IF_ERROR(SetKey(index, item, &changes));
  }
  if (changes.empty()) return false;
  DOLMEN_RETURN_IF_ERROR(ApplyChanges(changes, bytes));
  return true;
}

Result<bool> UpdateRewriter::Finish(const ItemView* old, std::string* bytes) {
  if (old == nullptr && !or_create_) return Status::ConditionalCheckFailed();
  DOLMEN_ASSIGN_OR_RETURN(const ItemView item, ItemView::Parse(*bytes));
  const bool must_read = always_reads_ || or_create_ || old == nullptr ||
                         std::ranges::any_of(entity_.keys.subspan(1), [&](const KeySpec& index) {
                           return MustSetKey(index, item);
                         });
  if (!must_read) return false;
  DOLMEN_RETURN_IF_ERROR(ReadValue(old, item));
  return old == nullptr ? Complete(bytes) : Patch(bytes);
}

}  // namespace dolmen::entity
