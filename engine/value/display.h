// Text forms of values for people: in demos, messages and test failures.

#pragma once

#include <string>

#include "dolmen/item_view.h"

namespace dolmen::engine {

// Contracts: AttributeView::ToString and ItemView::ToString.
std::string DisplayText(const AttributeView& value);
std::string DisplayText(const MapView& map);

}  // namespace dolmen::engine
