// The operations UpdateTimeToLive and DescribeTimeToLive.

#pragma once

#include "wire/operation.h"

namespace dolmen::wire {

extern const Operation kUpdateTimeToLive;
extern const Operation kDescribeTimeToLive;

}  // namespace dolmen::wire
