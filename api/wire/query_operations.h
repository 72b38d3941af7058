// The operations Query and Scan.

#pragma once

#include "wire/operation.h"

namespace dolmen::wire {

extern const Operation kQuery;
extern const Operation kScan;

}  // namespace dolmen::wire
