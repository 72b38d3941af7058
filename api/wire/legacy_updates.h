// The legacy parameter AttributeUpdates (legacy.h).
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LegacyConditionalParameters.AttributeUpdates.html

#pragma once

#include <vector>

#include "database/legacy_parameters.h"
#include "dolmen/expression.h"
#include "dolmen/result.h"
#include "wire/json.h"

namespace dolmen::wire {

// Reads AttributeUpdates, one attribute after the other. Checks the values and then the structure
// of each attribute before it reads the next attribute. Returns the first error.
Status ReadAttributeUpdates(const JsonObject& request, std::vector<AttributeUpdate>* updates);

// Sets the update from AttributeUpdates.
Status SetAttributeUpdates(const std::vector<AttributeUpdate>& updates, UpdateExpression* update);

}  // namespace dolmen::wire
