// Claims: items that keep the values of an attribute unique (EntityDefinition::Unique).
//
// The key of a claim holds the value, so a value has at most one claim:
//
//   PK = "UNIQUE#emailClaim#a@b", SK = "UNIQUE", entityType = "emailClaim",
//   ownerPK = "USER#u1", ownerSK = "EMAIL#e1"

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstddef>
#include <string>

#include "dolmen/attribute_value.h"
#include "dolmen/entity/request_sender.h"
#include "dolmen/entity/write_planner.h"

namespace dolmen::entity {

// A claim of a value by an item.
struct Claim {
  const EntitySpec* entity = nullptr;  // of the owner
  UniqueSpec unique = {};
  std::string text = {};  // the value, not empty
  Item owner = {};        // the primary key of the owner

  // Returns the primary key of the claim.
  Item key() const;
};

// Returns the text of the entity's attribute in a key of a claim. Returns "" if the item has no such
// attribute, or an empty text: then it has no claim.
std::string ClaimText(const EntitySpec& entity, const UniqueSpec& unique, const Item& item);

// Plans the write of a claim. The table rejects it if another item owns the claim. If `previous` is
// not null, the claim must belong to this item instead.
// - kResourceInUse (from ExplainRefusal): "email a@b is taken".
PlannedWrite PlanTake(const Claim& claim, const Item* previous);

// Plans the deletion of a claim. The table rejects it if another item owns the claim.
// - kConditionalCheckFailed (from ExplainRefusal): another item owns the claim.
PlannedWrite PlanRelease(const Claim& claim);

// Reads the item that has the value of the unique attribute in the struct `value`: its claim, and then
// the item. Returns no item if the value has no claim, or if its owner has another value meanwhile.
// - kValidation: the attribute is not unique, or the value cannot be encoded.
// - Any error of Table::GetItem.
Result<GetItemOutput> FindOwner(const RequestSender& sender, const EntitySpec& entity,
                                std::size_t attribute, const void* value);

}  // namespace dolmen::entity

#include "dolmen/internal/show_macros.h"
