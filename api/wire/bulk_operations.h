// The bulk operations, which put the items of a bucket into an existing table.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Operations.html

#pragma once

#include "wire/operation.h"

namespace dolmen::wire {

extern const Operation kStartBulkPutItems;
extern const Operation kDescribeBulkOperation;
extern const Operation kListBulkOperations;
extern const Operation kCancelBulkOperation;

}  // namespace dolmen::wire
