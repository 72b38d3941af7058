// The operations on PartiQL statements.

#pragma once

#include "wire/operation.h"

namespace dolmen::wire {

extern const Operation kExecuteStatement;
extern const Operation kBatchExecuteStatement;
extern const Operation kExecuteTransaction;

}  // namespace dolmen::wire
