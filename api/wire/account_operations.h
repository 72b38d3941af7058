// The operations DescribeLimits and DescribeEndpoints.

#pragma once

#include "wire/operation.h"

namespace dolmen::wire {

extern const Operation kDescribeLimits;
extern const Operation kDescribeEndpoints;

}  // namespace dolmen::wire
