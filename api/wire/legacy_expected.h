// The legacy parameter Expected (legacy.h).
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LegacyConditionalParameters.Expected.html

#pragma once

#include <vector>

#include "dolmen/expression.h"
#include "dolmen/result.h"
#include "wire/json.h"
#include "wire/legacy_condition.h"

namespace dolmen::wire {

// Reads Expected, one attribute after the other. Checks the values and then the structure of each
// attribute before it reads the next attribute. Returns the first error.
Status ReadExpected(const JsonObject& request, std::vector<LegacyCondition>* conditions);

// Sets the condition from Expected and ConditionalOperator.
Status SetExpected(const JsonObject& request, std::vector<LegacyCondition> conditions,
                   ConditionExpression* condition);

}  // namespace dolmen::wire
