// The member ConsumedCapacity of responses.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dolmen/consumed_capacity.h"
#include "wire/json_writer.h"

namespace dolmen::wire {

// The form of the consumed capacity in a response: only the total, or the total with the read units
// and the write units. Transactions use the second form.
enum class CapacityForm { kOperation, kTransaction };

// Write the member ConsumedCapacity, if the request asked for it.
void WriteCapacity(const std::optional<ConsumedCapacity>& capacity, ReturnConsumedCapacity asked,
                   JsonWriter* response);
void WriteCapacities(const std::vector<ConsumedCapacity>& capacities, ReturnConsumedCapacity asked,
                     CapacityForm form, JsonWriter* response);

}  // namespace dolmen::wire
