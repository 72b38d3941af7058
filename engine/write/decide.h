// Decisions of writes: what an action does to an item. They depend on the action and the old item
// alone. They use no I/O, no clock and no state, so they can be tested alone and repeated.

#pragma once

#include <optional>
#include <span>
#include <string>

#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "engine/write/prepare.h"

namespace dolmen::engine {

// An action's effect on its row. Its views refer to its own members, to the action and to the old
// item, so the effect must not be copied or moved after Decide has set it.
struct WriteEffect {
  enum class Kind : std::uint8_t { kNothing, kPut, kDelete };
  Kind kind = Kind::kNothing;
  // The item after the effect; nothing if the row holds no item after the effect.
  std::optional<ItemView> item = {};
  std::span<const AttributeView> index_keys = {};  // of `item`; kPut only
  bool keeps_index_keys = false;                   // true: index_keys are those of the old item

  std::string updated = {};                // the bytes of `item` if the action is an update
  IndexKeyValues updated_index_keys = {};  // the values of index_keys if the action is an update
};

// Sets `effect` to the action's effect. `old` is nothing if the item does not exist or is hidden
// from the action.
// - kConditionalCheckFailed: the condition is false.
// - kValidation: the update cannot be applied, or its result cannot be stored.
// - kCorruption: `old` is damaged.
// REQUIRES: `effect` was not used before.
Status Decide(const WriteAction& action, const std::optional<ItemView>& old, WriteEffect* effect);

// Returns the attributes that the action's ReturnValues asks for. Returns nothing if ReturnValues
// is NONE or if the attributes do not exist. `old` and `after` are the item before and after the
// write.
// - kCorruption: an item is damaged.
Result<std::optional<StoredItem>> ReturnedAttributes(const WriteAction& action,
                                                     const std::optional<ItemView>& old,
                                                     const std::optional<ItemView>& after);

}  // namespace dolmen::engine
