// The operations TransactGetItems and TransactWriteItems.

#pragma once

#include "wire/operation.h"

namespace dolmen::wire {

extern const Operation kTransactGetItems;
extern const Operation kTransactWriteItems;

}  // namespace dolmen::wire
