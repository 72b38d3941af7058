// A simple reference for conditions, updates and projections, on plain values.

#pragma once

#include <optional>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/model/operations.h"

namespace dolmen::test {

// Returns -1, 0 or 1 for two values of the same type S, N (integers only) or B. Returns nothing for
// other values.
std::optional<int> Compare(const AttributeValue& a, const AttributeValue& b);

bool Holds(const Condition& condition, const Item& item);

// Returns the item after the update, or nothing if the update is invalid. `base` is `old`, or the
// key of a new item.
std::optional<Item> Updated(const std::vector<UpdateAction>& update, const Item& old, Item base);

// Returns the parts of the item that the paths name. A part that is nested in a map or list is
// returned inside that map or list.
Item Project(const std::vector<Path>& paths, const Item& item);

}  // namespace dolmen::test
