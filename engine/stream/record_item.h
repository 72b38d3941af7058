// A record as the item that a subscription's filter sees.

#pragma once

#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "dolmen/streams.h"

namespace dolmen::engine {

// The attributes that SubscribeInput::filter (dolmen/subscription.h) says.
Result<StoredItem> ToItem(const StreamRecord& record);

}  // namespace dolmen::engine
