// Values that own their memory, decoded from stored bytes.

#pragma once

#include "dolmen/attribute_value.h"
#include "dolmen/item_view.h"

namespace dolmen::engine {

// Returns a copy of the value or map.  Safe to call from any thread.
// REQUIRES: Check() of the view, or of the item that contains it, has succeeded.
AttributeValue CopyChecked(const AttributeView& value);
Map CopyChecked(const MapView& view);

}  // namespace dolmen::engine
