// The operations of the version 2017.11.29 of global tables. They answer as an account without such
// tables does, because AWS no longer creates them. Replicas of the current version are in
// replicas.h.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/globaltables.V1.html

#pragma once

#include "wire/operation.h"

namespace dolmen::wire {

extern const Operation kCreateGlobalTable;
extern const Operation kDescribeGlobalTable;
extern const Operation kUpdateGlobalTable;
extern const Operation kDescribeGlobalTableSettings;
extern const Operation kUpdateGlobalTableSettings;
extern const Operation kListGlobalTables;

}  // namespace dolmen::wire
