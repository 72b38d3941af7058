// The expressions that hide expired items from a request (TimeToLiveSpecification::hide_expired).

#pragma once

#include <string>

#include "dolmen/internal/expression_writer.h"
#include "dolmen/internal/write_decision.h"

namespace dolmen::remote {

// Returns the condition that the item is not hidden, with tokens of `expressions`. It holds for an
// item that does not exist.
std::string VisibleText(const internal::HiddenItems& hidden,
                        internal::ExpressionWriter* expressions);

}  // namespace dolmen::remote
