// Upgrades of items that were stored by an older version of their entity.

#pragma once

#include <string>

#include "dolmen/entity/entity_spec.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"

namespace dolmen::entity {

// Writes the stored form of the item in the entity's version to `*bytes` and returns true. Returns
// false if the item has this version, or a newer one. The key and the type stay as they are.
// - kCorruption: the item's version is not a whole number, or the item is damaged.
Result<bool> UpgradeItem(const EntitySpec& entity, ItemView item, std::string* bytes);

}  // namespace dolmen::entity
