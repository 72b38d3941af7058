// The conversion of a record into the item that a subscription's filter sees.

#pragma once

#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "dolmen/streams.h"

namespace dolmen::engine {

// Returns an item with the attributes that SubscribeInput::filter (dolmen/subscription.h) lists.
// - kCorruption: an item of the record is damaged.
Result<StoredItem> ToItem(const StreamRecord& record);

}  // namespace dolmen::engine
