#include "dolmen/entity/update_rewriter.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "dolmen/entity/attribute_map.h"
#include "dolmen/entity/entity_matcher.h"
#include "dolmen/entity/item.h"
#include "engine/base/status_macros.h"
#include "engine/value/codec.h"
#include "engine/value/patch.h"
#include "entity/plain_update.h"
#include "entity/upgrade.h"

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

bool HasComputed(const EntitySpec& entity) {
  return std::ranges::any_of(entity.attributes, &AttributeSpec::IsComputed);
}

}  // namespace

UpdateRewriter::UpdateRewriter(const EntitySpec& entity, const FillContext& context,
                               PlannedUpdate plan, bool or_create)
    : entity_(entity), context_(context), plan_(std::move(plan)), or_create_(or_create) {}

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
  return std::ranges::any_of(plan_.changed,
                             [&](std::size_t position) { return index.HasPart(position); });
}

bool UpdateRewriter::ChangesInputOf(const AttributeSpec& derived) const {
  return std::ranges::any_of(plan_.changed, [&](std::size_t position) {
    const void* const member_id = entity_.attributes[position].member_id;
    return std::ranges::find(derived.inputs, member_id) != derived.inputs.end();
  });
}

bool UpdateRewriter::MustSetKey(const KeySpec& index, const ItemView& item) const {
  return is_upgraded_ || !item[index.MarkName()] || ChangesPartOf(index);
}

Status UpdateRewriter::ReadValue(const ItemView* old, const ItemView& item) {
  value_ = OwnedStruct(entity_);
  Status read = DecodeItem(entity_, item, value_.get());
  if (read.ok()) return read;
  // The update is to blame, unless the item could not be read before it either.
  const OwnedStruct before(entity_);
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
  const auto add = [&](const std::string& name) {
    if (!IsSharedKey(entity_, name)) AddDifference(item, name, key, changes);
  };
  if (!index.is_local) add(index.PartitionName());
  if (index.has_sort) add(index.SortName());
  return {};
}

Status UpdateRewriter::CheckChanged() const {
  for (const std::size_t position : plan_.changed) {
    const AttributeSpec& attribute = entity_.attributes[position];
    if (attribute.check == nullptr || !attribute.is_present(value_.get())) continue;
    const Status checked = CheckValue(attribute, value_.get());
    if (!checked.ok()) return InvalidAttribute(entity_, attribute.name, checked.message());
  }
  return {};
}

Status UpdateRewriter::Derive(const ItemView& item, ItemChanges* changes) {
  for (std::size_t i = 0; i < entity_.attributes.size(); ++i) {
    const AttributeSpec& attribute = entity_.attributes[i];
    if (!attribute.IsComputed() || !attribute.is_reachable(value_.get())) continue;
    attribute.derive(value_.get());
    std::optional<AttributeValue> derived;
    if (attribute.is_present(value_.get())) {
      const Status encoded = attribute.encode(value_.get(), &derived.emplace());
      if (!encoded.ok()) return InvalidAttribute(entity_, attribute.name, encoded.message());
    }
    std::optional<AttributeValue> stored;
    if (const AttributeView view = item[attribute.name]) {
      DOLMEN_ASSIGN_OR_RETURN(stored, view.Copy());
    }
    if (derived == stored && !ChangesInputOf(attribute)) continue;
    if (derived != stored) changes->emplace(attribute.name, std::move(derived));
    plan_.changed.push_back(i);
  }
  return {};
}

Status UpdateRewriter::FillUnset(const ItemView& item, ItemChanges* changes) const {
  for (const AttributeSpec& attribute : entity_.attributes) {
    if (!or_create_ || attribute.if_unset == nullptr || item[attribute.name]) continue;
    if (attribute.in_key_only || !attribute.is_reachable(value_.get())) continue;
    attribute.if_unset(value_.get(), context_);
    if (!attribute.is_present(value_.get())) continue;  // the function returned an empty value
    AttributeValue filled;
    const Status encoded = attribute.encode(value_.get(), &filled);
    if (!encoded.ok()) return InvalidAttribute(entity_, attribute.name, encoded.message());
    changes->emplace(attribute.name, std::move(filled));
  }
  return {};
}

Result<bool> UpdateRewriter::Patch(std::string* bytes) {
  DOLMEN_ASSIGN_OR_RETURN(const ItemView item, ItemView::Parse(*bytes));
  ItemChanges changes;
  DOLMEN_RETURN_IF_ERROR(CheckChanged());
  DOLMEN_RETURN_IF_ERROR(FillUnset(item, &changes));
  DOLMEN_RETURN_IF_ERROR(Derive(item, &changes));
  for (const KeySpec& index : entity_.keys.subspan(1)) {
    if (MustSetKey(index, item)) DOLMEN_RETURN_IF_ERROR(SetKey(index, item, &changes));
  }
  if (changes.empty()) return false;
  DOLMEN_RETURN_IF_ERROR(ApplyChanges(changes, bytes));
  return true;
}

bool UpdateRewriter::ChangesChecked() const {
  return std::ranges::any_of(plan_.changed, [&](std::size_t position) {
    return entity_.attributes[position].check != nullptr;
  });
}

bool UpdateRewriter::DependsOnValue(const ItemView& item) const {
  const auto must_set = [&](const KeySpec& index) { return MustSetKey(index, item); };
  return HasComputed(entity_) || ChangesChecked() ||
         std::ranges::any_of(entity_.keys.subspan(1), must_set);
}

Result<bool> UpdateRewriter::Finish(const ItemView* old, std::string* bytes) {
  if (old == nullptr && !or_create_) return Status::ConditionalCheckFailed();
  DOLMEN_ASSIGN_OR_RETURN(const ItemView item, ItemView::Parse(*bytes));
  if (!always_reads_ && !or_create_ && old != nullptr && !DependsOnValue(item)) return false;
  DOLMEN_RETURN_IF_ERROR(ReadValue(old, item));
  return old == nullptr ? Complete(bytes) : Patch(bytes);
}

bool UpdateRewriter::MakePlain(UpdateItemInput* request) {
  const SyntaxTree<engine::ConditionSyntax>* const given = request->condition.tree();
  if (request->condition.given() && given == nullptr) return false;
  if (request->return_values != ReturnValues::kNone) return false;
  // An update reads its item also if the item lacks the key of an index.
  const bool reads_item = always_reads_ || or_create_ || ChangesChecked() || HasComputed(entity_) ||
                          entity_.keys.size() > 1;
  std::optional<PlainUpdate> plain = MakePlainUpdate({.entity = entity_,
                                                      .context = context_,
                                                      .key = request->key,
                                                      .plan = plan_,
                                                      .or_create = or_create_,
                                                      .reads_item = reads_item});
  if (!plain) return false;
  request->update = std::move(plain->update);
  request->condition =
      given == nullptr ? plain->condition : ConditionBuilder(*given) && plain->condition;
  if (keeps_value_) request->return_values = ReturnValues::kAllNew;
  return true;
}

Status UpdateRewriter::Updated(const ItemView& item) {
  value_ = OwnedStruct(entity_);
  const Status read = DecodeItem(entity_, item, value_.get());
  if (read.ok()) return {};
  return Status::Corruption(read.message() + ". The service has executed the update nevertheless");
}

}  // namespace dolmen::entity
