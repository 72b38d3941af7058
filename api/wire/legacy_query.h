// The legacy parameters KeyConditions, QueryFilter and ScanFilter (legacy.h). ReadConditions
// (legacy_condition.h) reads them.

#pragma once

#include <vector>

#include "dolmen/expression.h"
#include "dolmen/result.h"
#include "wire/json.h"
#include "wire/legacy_condition.h"

namespace dolmen::wire {

// Sets the filter from QueryFilter or ScanFilter. ConditionalOperator says how its conditions are
// combined.
Status SetFilter(const JsonObject& request, std::vector<LegacyCondition> conditions,
                 FilterExpression* filter);

// Sets the key condition from KeyConditions.
Status SetKeyConditions(const JsonObject& request, std::vector<LegacyCondition> conditions,
                        KeyConditionExpression* key_condition);

}  // namespace dolmen::wire
