// Byte forms of syntax trees. TransactWriteItems uses them to recognize a repeated request: its
// trees have the same byte forms as the trees of the first request with the same token.

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
