// The response of transactions that read.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "dolmen/consumed_capacity.h"
#include "dolmen/item_view.h"
#include "wire/json_writer.h"

namespace dolmen::wire {

// Writes the response of a transaction that reads: the items in the order of the request, and an
// empty object for each absent item.
void WriteTransactionItems(std::span<const std::optional<StoredItem>> items,
                           const std::vector<ConsumedCapacity>& capacities,
                           ReturnConsumedCapacity returned, JsonWriter* response);

}  // namespace dolmen::wire
