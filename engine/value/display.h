// Text forms of values for people, used in demos, messages and test failures.

#pragma once

#include <string>

#include "dolmen/item_view.h"

namespace dolmen::engine {

// AttributeView::ToString and ItemView::ToString document these functions.
std::string DisplayText(const AttributeView& value);
std::string DisplayText(const MapView& map);

}  // namespace dolmen::engine
