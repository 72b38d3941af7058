// The part of an entity's update that depends on the stored item. It runs inside the atomic write,
// so it needs neither a second request nor a retry.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dolmen/entity/entity_spec.h"
#include "dolmen/entity/fill_functions.h"
#include "dolmen/entity/update_planner.h"
#include "dolmen/internal/flat_map.h"
#include "dolmen/internal/item_rewriter.h"

namespace dolmen::entity {

// The changes of an item's attributes, by their names. A change without a value removes the
// attribute.
using ItemChanges = internal::FlatMap<std::optional<AttributeValue>>;

// A rewriter of the item of one update:
// - It rejects an item that belongs to another entity or does not exist.
// - It reads the updated item as its entity. If that fails, the update writes nothing.
// - It completes an item that the update creates, as EntityTable::Create does.
// - It checks the values that the update changes (MemberAttribute::Check).
// - It computes the Derived attributes again.
// - It sets the keys of indexes that the item lacks, and those whose parts the update changes.
//
// A table on a service first tries the plain form of the update (plain_update.h), which is one request.
class UpdateRewriter : public internal::ItemRewriter {
 public:
  // If `or_create`, the update may create the item, and fills in IfUnset attributes that an existing
  // item lacks. `context` is valid as long as this object.
  UpdateRewriter(const EntitySpec& entity, const FillContext& context, PlannedUpdate plan,
                 bool or_create);

  // Makes every update read the updated item, which then must be an item of the entity. Without this
  // call an update reads the item only if it has to.
  void AlwaysRead() { always_reads_ = true; }

  // Makes TakeValue possible. Implies AlwaysRead.
  void KeepValue() { always_reads_ = keeps_value_ = true; }

  // Moves the struct of the updated entity out. REQUIRES: KeepValue() was called, and the update has
  // been written.
  OwnedStruct TakeValue() { return std::move(value_); }

  // - kConditionalCheckFailed, with the item: it belongs to another entity.
  // - kCorruption: the version of the item's entity is damaged.
  Result<bool> Upgrade(const ItemView& old, std::string* upgraded) override;

  // - kConditionalCheckFailed: the item does not exist, and the update may not create it.
  // - kValidation: the update changes an attribute to a value that the entity cannot hold, or that
  //   is not allowed.
  // - kValidation: a value does not fit into the key of an index.
  // - kValidation: the update creates an item without a required attribute.
  // - kCorruption: the item could not be read before the update either.
  Result<bool> Finish(const ItemView* old, std::string* item) override;

  bool MakePlain(UpdateItemInput* request) override;
  Status Updated(const ItemView& item) override;

 private:
  // Returns true if the update changes a part of the index's key.
  bool ChangesPartOf(const KeySpec& index) const;
  // Returns true if the update changes a member that a Derived attribute names.
  bool ChangesInputOf(const AttributeSpec& derived) const;
  // Returns true if the update changes an attribute with a check.
  bool ChangesChecked() const;
  // Returns true if the update may have to check or change the item because of its values.
  bool DependsOnValue(const ItemView& item) const;
  // Returns true if the update may have to change the key of the index.
  bool MustSetKey(const KeySpec& index, const ItemView& item) const;
  Status SetKey(const KeySpec& index, const ItemView& item, ItemChanges* changes) const;
  Status ReadValue(const ItemView* old, const ItemView& item);
  Result<bool> Complete(std::string* item) const;
  Status CheckChanged() const;
  // Computes the Derived attributes of value_, and adds those that differ from the item's.
  Status Derive(const ItemView& item, ItemChanges* changes);
  Status FillUnset(const ItemView& item, ItemChanges* changes) const;
  Result<bool> Patch(std::string* item);

  const EntitySpec& entity_;
  FillContext context_;
  PlannedUpdate plan_;
  bool or_create_;
  bool always_reads_ = false;
  bool keeps_value_ = false;
  bool is_upgraded_ = false;
  OwnedStruct value_;
};

}  // namespace dolmen::entity
