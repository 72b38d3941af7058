// The legacy parameters KeyConditions, QueryFilter and ScanFilter (legacy.h).

#pragma once

#include <string_view>
#include <vector>

#include "dolmen/expression.h"
#include "dolmen/result.h"
#include "wire/json.h"
#include "wire/legacy_condition.h"

namespace dolmen::wire {

// Reads KeyConditions, QueryFilter or ScanFilter, one attribute after the other. Checks the values
// and then the structure of each attribute before it reads the next attribute. Returns the first
// error. Reads nothing if the request does not have the parameter.
Status ReadCheckedConditions(const JsonObject& request, std::string_view parameter,
                             std::vector<LegacyCondition>* conditions);

// Sets the filter from QueryFilter or ScanFilter. ConditionalOperator says how its conditions are
// combined.
Status SetFilter(const JsonObject& request, std::vector<LegacyCondition> conditions,
                 FilterExpression* filter);

// Sets the key condition from KeyConditions.
Status SetKeyConditions(const JsonObject& request, std::vector<LegacyCondition> conditions,
                        KeyConditionExpression* key_condition);

}  // namespace dolmen::wire
