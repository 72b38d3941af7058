// The operations CreateTable, DescribeTable, ListTables, UpdateTable and DeleteTable.

#pragma once

#include "wire/operation.h"

namespace dolmen::wire {

extern const Operation kCreateTable;
extern const Operation kDescribeTable;
extern const Operation kListTables;
extern const Operation kUpdateTable;
extern const Operation kDeleteTable;

}  // namespace dolmen::wire
