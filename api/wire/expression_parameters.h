// Which of the parameters for expressions a request has, and whether they go together.

#pragma once

#include "dolmen/status.h"
#include "wire/json.h"
#include "wire/shape.h"

namespace dolmen::wire {

// Looks at those parameters of `request` that its shape has.  kValidation: it has expressions and
// parameters from before there were any (legacy.h), of which each can do what the other does; or
// names or values for expressions that it does not have.
Status CheckExpressionParameters(const Shape& shape, const JsonObject& request);

}  // namespace dolmen::wire
