// The part of a partition that follows a position in the merged order of several partitions.

#pragma once

#include <optional>

#include "dolmen/query.h"

namespace dolmen::remote {

// Returns the condition for the items at or after `start`, in the direction of the read, that also
// fulfil `condition`. It may hold for more items at its end: those that Fulfils rejects.
SortKeyCondition From(const AttributeValue& start, bool forward,
                      const std::optional<SortKeyCondition>& condition);

// Returns true if the value of a sort key fulfils the condition. REQUIRES: both have the same type.
bool Fulfils(const AttributeValue& value, const SortKeyCondition& condition);

// Compares two values of a key attribute as a table orders them: -1, 0 or 1.
int CompareKeys(const AttributeValue& a, const AttributeValue& b);

}  // namespace dolmen::remote
