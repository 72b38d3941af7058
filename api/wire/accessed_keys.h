// The keys of the items that a request reads or writes.

#pragma once

#include <functional>
#include <string_view>

#include "dolmen/attribute_value.h"
#include "wire/json.h"

namespace dolmen::wire {

// A function that gets an item or a key of a request, and the name or the ARN of its table.
using VisitAttributes = std::function<void(std::string_view table, const JsonObject& attributes)>;

// Calls `visit` with each item and each key of a request, in the order of the request. The request is
// valid, and of any operation: a request without items makes no call. Statements of PartiQL and scans
// name no items. Also accepts the response to a batch, whose items are the unprocessed ones.
void VisitItems(const JsonObject& request, const VisitAttributes& visit);

// Returns the values that the key condition of a Query demands by "=", by the name of the attribute.
// Returns an empty map for the request of another operation. Ignores invalid values.
Map KeysOfQuery(const JsonObject& request);

}  // namespace dolmen::wire
