// Byte forms of syntax trees, by which a repeated request is recognized.

#pragma once

#include <string>

#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// Appends the tree's shape and texts to `*out`.  Two trees append equal bytes only if they have the
// same meaning with the same names and values.  Thread-safe for different `out`.
void AppendSyntax(const ConditionSyntax& syntax, std::string* out);
void AppendSyntax(const UpdateSyntax& syntax, std::string* out);

}  // namespace dolmen::engine
