// What makes two trees the same expression, as bytes: for recognising a request that is made again.

#pragma once

#include <string>

#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// Appends the tree's shape and texts to `*out`; two trees append the same only if they mean the
// same under the same names and values.
void AppendSyntax(const ConditionSyntax& syntax, std::string* out);
void AppendSyntax(const UpdateSyntax& syntax, std::string* out);

}  // namespace dolmen::engine
