// What a write does to an item: a function of the action and of the old item alone.  No I/O, no
// clock, no state, so it can be tested by itself and run again.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "engine/write/prepare.h"

namespace dolmen::engine {

struct WriteEffect {
  enum class Kind : std::uint8_t { kNothing, kPut, kDelete };
  Kind kind = Kind::kNothing;
  std::string updated = {};  // the new item, if an UpdateItem made it
};

// `old` is nothing if there is no item, or none that the action sees.
// kConditionalCheckFailed: the condition is false.  kValidation: the update can't be done, or what
// it makes can't be stored.  kCorruption: `old` is damaged.
Result<WriteEffect> Decide(const WriteAction& action, const std::optional<ItemView>& old);

// The item as it is after the effect, if there is one then.  Looks at the bytes of whichever of the
// three holds it.
std::optional<ItemView> NewItem(const WriteAction& action, const std::optional<ItemView>& old,
                                const WriteEffect& effect);

// What the action's ReturnValues asks for.
Result<std::optional<StoredItem>> ReturnedAttributes(const WriteAction& action,
                                                     const std::optional<ItemView>& old,
                                                     const std::optional<ItemView>& after);

}  // namespace dolmen::engine
