// The operations on PartiQL statements.

#pragma once

#include "wire/operation.h"

namespace dolmen::wire {

extern const Operation kExecuteStatement;

}  // namespace dolmen::wire
