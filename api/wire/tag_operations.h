// The operations TagResource, UntagResource and ListTagsOfResource.

#pragma once

#include "wire/operation.h"

namespace dolmen::wire {

extern const Operation kTagResource;
extern const Operation kUntagResource;
extern const Operation kListTagsOfResource;

}  // namespace dolmen::wire
