// Decisions of writes: what an action does to an item. They depend on the action and the old item
// alone. They use no I/O, no clock and no state, so they can be tested alone and repeated.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "engine/write/prepare.h"

namespace dolmen::engine {

// An action's effect on its row.
struct WriteEffect {
  enum class Kind : std::uint8_t { kNothing, kPut, kDelete };
  Kind kind = Kind::kNothing;
  std::string updated = {};  // the bytes of the new item if the action is an update
};

// Returns the action's effect. `old` is nothing if the item does not exist or is hidden from the
// action.
// - kConditionalCheckFailed: the condition is false.
// - kValidation: the update cannot be applied, or its result cannot be stored.
// - kCorruption: `old` is damaged.
Result<WriteEffect> Decide(const WriteAction& action, const std::optional<ItemView>& old);

// Returns the item after the effect, or nothing if the row holds no item after the effect. The view
// borrows from the action, from `old` or from the effect, whichever holds the bytes.
std::optional<ItemView> NewItem(const WriteAction& action, const std::optional<ItemView>& old,
                                const WriteEffect& effect);

// Returns the attributes that the action's ReturnValues asks for. Returns nothing if ReturnValues
// is NONE or if the attributes do not exist. `old` and `after` are the item before and after the
// write.
// - kCorruption: an item is damaged.
Result<std::optional<StoredItem>> ReturnedAttributes(const WriteAction& action,
                                                     const std::optional<ItemView>& old,
                                                     const std::optional<ItemView>& after);

}  // namespace dolmen::engine
