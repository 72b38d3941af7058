// A check of a request's expressions, legacy parameters, names and values: some exclude each other.

#pragma once

#include "dolmen/result.h"
#include "wire/json.h"
#include "wire/shape.h"

namespace dolmen::wire {

// Checks the parameters of `request` that its shape declares.
// - kValidation: the request has both an expression and a legacy parameter (legacy.h). The legacy
//   parameter KeyConditions is allowed with every expression except KeyConditionExpression.
// - kValidation: the request has expression names or values, and no expression that could use them.
Status CheckExpressionParameters(const Shape& shape, const JsonObject& request);

}  // namespace dolmen::wire
