// The operation SearchVectors. Dolmen has no vector indexes: CreateTable and UpdateTable refuse them,
// so SearchVectors answers that the table lacks the index.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Operations.html

#pragma once

#include "wire/operation.h"

namespace dolmen::wire {

extern const Operation kSearchVectors;

}  // namespace dolmen::wire
