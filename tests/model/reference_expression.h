// What conditions, updates and projections mean, written for plain values and without haste.

#pragma once

#include <optional>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/model/operations.h"

namespace dolmen::test {

// -1, 0 or 1 for two values of one of the types S, N (integers only) and B; nothing for others.
std::optional<int> Compare(const AttributeValue& a, const AttributeValue& b);

bool Holds(const Condition& condition, const Item& item);

// The item after the update, or nothing if the update can't be done.  `base` is `old`, or the key
// of an item that is to be made.
std::optional<Item> Updated(const std::vector<UpdateAction>& update, const Item& old, Item base);

// The parts that the paths lead to, in their maps and lists.
Item Project(const std::vector<Path>& paths, const Item& item);

}  // namespace dolmen::test
