// The operations GetItem, PutItem, UpdateItem and DeleteItem.

#pragma once

#include "wire/operation.h"

namespace dolmen::wire {

extern const Operation kGetItem;
extern const Operation kPutItem;
extern const Operation kUpdateItem;
extern const Operation kDeleteItem;

}  // namespace dolmen::wire
