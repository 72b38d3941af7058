// The operations on resource policies. Dolmen stores the policies and does not enforce them.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/access-control-resource-based.html

#pragma once

#include <string_view>

#include "dolmen/clock.h"
#include "dolmen/result.h"
#include "wire/json.h"

namespace dolmen::wire {

// Stores the policy that a CreateTable request has for its table in the settings of this table.
// - kValidation: the policy is not a policy document.
Status ReadResourcePolicy(const JsonObject& create_table, Timestamp now, Map* settings);

}  // namespace dolmen::wire
