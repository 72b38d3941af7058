// A check of the parameters of a request that concern expressions.

#pragma once

#include "dolmen/status.h"
#include "wire/json.h"
#include "wire/shape.h"

namespace dolmen::wire {

// Checks the parameters of `request` that its shape declares.
// - kValidation: the request has both expressions and legacy parameters (legacy.h) that do the
//   same.
// - kValidation: the request has expression names or values, and no expression that could use them.
Status CheckExpressionParameters(const Shape& shape, const JsonObject& request);

}  // namespace dolmen::wire
