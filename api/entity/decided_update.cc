#include "entity/decided_update.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/entity/attribute_map.h"
#include "dolmen/entity/entity_matcher.h"
#include "dolmen/entity/item.h"
#include "engine/base/status_macros.h"
#include "engine/value/stored_form.h"
#include "entity/changed_item.h"
#include "entity/evaluate.h"
#include "entity/upgrade.h"

namespace dolmen::entity {
namespace {

Status Refused(const std::optional<StoredItem>& item) {
  return item ? Status::ConditionalCheckFailed(std::make_shared<StoredItem>(*item))
              : Status::ConditionalCheckFailed();
}

Result<std::optional<Item>> CopyOf(const std::optional<StoredItem>& stored) {
  if (!stored) return std::optional<Item>();
  DOLMEN_ASSIGN_OR_RETURN(Item item, stored->Copy());
  return std::optional(std::move(item));
}

// Completes the item to which the steps of an update have been applied.
class Completion {
 public:
  explicit Completion(const PlannedWrite& write)
      : write_(write), entity_(*write.entity), changed_(write.update.changed) {}

  // Reads the updated item. `old` is the item before, in the entity's version.
  Status Read(const std::optional<StoredItem>& old, const StoredItem& updated);

  // Returns the item that EntityTable::Create would store for the same values.
  Result<Item> NewItem();

  // Changes the attributes of an existing item that depend on other attributes.
  Status Complete(bool is_upgraded, Item* item);

  OwnedStruct TakeValue() { return std::move(value_); }

 private:
  // Returns true if the update changes a part of the index's key.
  bool ChangesPartOf(const KeySpec& index) const {
    return std::ranges::any_of(changed_,
                               [&](std::size_t position) { return index.HasPart(position); });
  }
  // Returns true if the update changes a member that a Derived attribute names.
  bool ChangesInputOf(const AttributeSpec& derived) const {
    return std::ranges::any_of(changed_, [&](std::size_t position) {
      const void* const member_id = entity_.attributes[position].member_id;
      return std::ranges::find(derived.inputs, member_id) != derived.inputs.end();
    });
  }
  // Gives the item the attribute's value in the struct, or removes the attribute.
  Status Store(const AttributeSpec& attribute, Item* item) const;
  Status CheckChanged() const;
  Status FillUnset(Item* item) const;
  Status Derive(Item* item);
  Status SetKey(const KeySpec& index, Item* item) const;

  const PlannedWrite& write_;
  const EntitySpec& entity_;
  std::vector<std::size_t> changed_;  // the attributes that the update changes
  OwnedStruct value_;
};

Status Completion::Read(const std::optional<StoredItem>& old, const StoredItem& updated) {
  value_ = OwnedStruct(entity_);
  Status read = DecodeItem(entity_, updated.view(), value_.get());
  if (read.ok()) return read;
  // The update is to blame, unless the item could not be read before it either.
  const OwnedStruct before(entity_);
  const bool was_readable = !old || DecodeItem(entity_, old->view(), before.get()).ok();
  return was_readable ? Status::Validation(read.message()) : read;
}

Result<Item> Completion::NewItem() {
  FillAttributes(entity_, write_.context, value_.get());
  return ToItem(entity_, value_.get());
}

Status Completion::Complete(bool is_upgraded, Item* item) {
  DOLMEN_RETURN_IF_ERROR(CheckChanged());
  DOLMEN_RETURN_IF_ERROR(FillUnset(item));
  DOLMEN_RETURN_IF_ERROR(Derive(item));
  for (const KeySpec& index : entity_.keys.subspan(1)) {
    if (is_upgraded || !item->contains(index.MarkName()) || ChangesPartOf(index)) {
      DOLMEN_RETURN_IF_ERROR(SetKey(index, item));
    }
  }
  return {};
}

Status Completion::Store(const AttributeSpec& attribute, Item* item) const {
  if (!attribute.is_present(value_.get())) {
    item->erase(attribute.name);
    return {};
  }
  AttributeValue value;
  const Status encoded = attribute.encode(value_.get(), &value);
  if (!encoded.ok()) return InvalidAttribute(entity_, attribute.name, encoded.message());
  item->insert_or_assign(std::string(attribute.name), std::move(value));
  return {};
}

Status Completion::CheckChanged() const {
  for (const std::size_t position : changed_) {
    const AttributeSpec& attribute = entity_.attributes[position];
    if (attribute.check == nullptr || !attribute.is_present(value_.get())) continue;
    const Status checked = CheckValue(attribute, value_.get());
    if (!checked.ok()) return InvalidAttribute(entity_, attribute.name, checked.message());
  }
  return {};
}

Status Completion::FillUnset(Item* item) const {
  if (write_.existing != PlannedWrite::Existing::kAllowed) return {};
  for (const AttributeSpec& attribute : entity_.attributes) {
    if (attribute.if_unset == nullptr || item->contains(attribute.name)) continue;
    if (attribute.in_key_only || !attribute.is_reachable(value_.get())) continue;
    attribute.if_unset(value_.get(), write_.context);
    DOLMEN_RETURN_IF_ERROR(Store(attribute, item));
  }
  return {};
}

Status Completion::Derive(Item* item) {
  for (std::size_t i = 0; i < entity_.attributes.size(); ++i) {
    const AttributeSpec& attribute = entity_.attributes[i];
    if (!attribute.IsComputed() || !attribute.is_reachable(value_.get())) continue;
    attribute.derive(value_.get());
    const auto find = [&]() -> std::optional<AttributeValue> {
      const auto found = item->find(attribute.name);
      return found == item->end() ? std::nullopt : std::optional(found->second);
    };
    const std::optional<AttributeValue> stored = find();
    DOLMEN_RETURN_IF_ERROR(Store(attribute, item));
    if (find() != stored || ChangesInputOf(attribute)) changed_.push_back(i);
  }
  return {};
}

Status Completion::SetKey(const KeySpec& index, Item* item) const {
  Item key;
  const Status added = AddIndexKey(entity_, index, value_.get(), &key);
  // A value that the update leaves alone and that does not fit into the key keeps the item out of
  // the index. It must not prevent the update.
  if (!added.ok()) return ChangesPartOf(index) ? added : Status();
  const auto set = [&](const std::string& name) {
    if (IsSharedKey(entity_, name)) return;
    item->erase(name);
    if (const auto found = key.find(name); found != key.end()) item->insert(*found);
  };
  if (!index.is_local) set(index.PartitionName());
  if (index.has_sort) set(index.SortName());
  return {};
}

}  // namespace

Result<DecidedUpdate> DecideUpdate(const PlannedWrite& write,
                                   const std::optional<StoredItem>& stored) {
  const EntitySpec& entity = *write.entity;
  const UpdateItemInput& planned = *std::get_if<UpdateItemInput>(&write.action);
  std::optional<StoredItem> old = stored;  // in the entity's version
  bool is_upgraded = false;
  if (stored) {
    if (MatchType(entity, stored->view()) == TypeMatch::kOther) return Refused(stored);
    std::string upgraded;
    DOLMEN_ASSIGN_OR_RETURN(is_upgraded, UpgradeItem(entity, stored->view(), &upgraded));
    if (is_upgraded) {
      DOLMEN_ASSIGN_OR_RETURN(old, StoredItem::FromBytes(std::move(upgraded)));
    }
  }
  DOLMEN_ASSIGN_OR_RETURN(const bool holds,
                          Holds(planned.condition, old ? old->view() : ItemView()));
  const bool may_create = write.existing == PlannedWrite::Existing::kAllowed;
  if (!holds || (!old && !may_create)) return Refused(old);
  DOLMEN_ASSIGN_OR_RETURN(const StoredItem key, internal::ToStored(planned.key));
  DOLMEN_ASSIGN_OR_RETURN(const StoredItem updated,
                          Apply(planned.update, old ? old->view() : key.view()));
  Completion completion(write);
  DOLMEN_RETURN_IF_ERROR(completion.Read(old, updated));
  DOLMEN_ASSIGN_OR_RETURN(Item after, old ? updated.Copy() : completion.NewItem());
  if (old) DOLMEN_RETURN_IF_ERROR(completion.Complete(is_upgraded, &after));
  DOLMEN_ASSIGN_OR_RETURN(const std::optional<Item> before, CopyOf(stored));
  DOLMEN_ASSIGN_OR_RETURN(Action action, ChangeOfItem(entity, before, after));
  return DecidedUpdate{.action = std::move(action), .value = completion.TakeValue()};
}

}  // namespace dolmen::entity
