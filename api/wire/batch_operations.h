// The operations BatchGetItem and BatchWriteItem.

#pragma once

#include "wire/operation.h"

namespace dolmen::wire {

extern const Operation kBatchGetItem;
extern const Operation kBatchWriteItem;

}  // namespace dolmen::wire
