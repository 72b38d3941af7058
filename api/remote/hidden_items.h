// The expired items that a request with hide_expired treats as absent (TimeToLiveSpecification).

#pragma once

#include <string>

#include "dolmen/item_view.h"
#include "engine/expression/expression_writer.h"
#include "engine/read/expiry_cutoff.h"

namespace dolmen::remote {

struct HiddenItems {
  std::string attribute;
  engine::ExpiredTimes times;

  bool Hides(const ItemView& item) const { return times.Contain(item[attribute]); }
};

// Return the condition that the item is not hidden, and the condition that it is, with tokens of
// `expressions`. An item that does not exist is not hidden.
std::string VisibleText(const HiddenItems& hidden, internal::ExpressionWriter* expressions);
std::string HiddenText(const HiddenItems& hidden, internal::ExpressionWriter* expressions);

}  // namespace dolmen::remote
