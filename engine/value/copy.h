// Copies of stored values. A copy is decoded and owns its memory.

#pragma once

#include "dolmen/attribute_value.h"
#include "dolmen/item_view.h"

namespace dolmen::engine {

// Returns a copy of the value or map. Thread-safe.
// REQUIRES: Check() has returned success for the view or for the item that contains it.
AttributeValue CopyChecked(const AttributeView& value);
Map CopyChecked(const MapView& view);

}  // namespace dolmen::engine
