// The expressions that hide expired items from a request (TimeToLiveSpecification::hide_expired).

#pragma once

#include <string>

#include "database/write_decision.h"
#include "engine/expression/expression_writer.h"

namespace dolmen::remote {

// Returns the condition that the item is not hidden, with tokens of `expressions`. It holds for an
// item that does not exist.
std::string VisibleText(const internal::HiddenItems& hidden,
                        internal::ExpressionWriter* expressions);

}  // namespace dolmen::remote
