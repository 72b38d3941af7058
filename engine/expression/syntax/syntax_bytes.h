// Byte forms of syntax trees. A request has the same syntax as an earlier request if both have
// equal byte forms.

#pragma once

#include <string>

#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// Appends the structure and the texts of the tree to `*out`. If two trees append equal bytes, they
// have the same meaning for the same names and values. Threads may call this function at the same
// time with different `out`.
void AppendSyntax(const ConditionSyntax& syntax, std::string* out);
void AppendSyntax(const UpdateSyntax& syntax, std::string* out);

}  // namespace dolmen::engine
