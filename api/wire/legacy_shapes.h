// The shapes of legacy parameters (legacy.h).

#pragma once

#include "wire/shape.h"

namespace dolmen::wire {

extern const Shape kAttributesToGetShape;
extern const Shape kExpectedShape;
extern const Shape kAttributeUpdatesShape;
extern const Shape kConditionsShape;  // KeyConditions, QueryFilter, ScanFilter
extern const Shape kConditionalOperatorShape;

}  // namespace dolmen::wire
