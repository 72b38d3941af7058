// Values that own their memory, decoded from stored bytes.

#pragma once

#include "dolmen/attribute_value.h"
#include "dolmen/item_view.h"

namespace dolmen::engine {

// Each returns a copy.  REQUIRES: Check() of the view, or of the item around it, has succeeded.
AttributeValue CopyChecked(const AttributeView& value);
Map CopyChecked(const MapView& view);

}  // namespace dolmen::engine
