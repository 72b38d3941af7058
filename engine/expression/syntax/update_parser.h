// Parses UpdateExpression.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.html

#pragma once

#include <string_view>

#include "dolmen/result.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// Returns the syntax tree of `text`, which may be any bytes.  Takes time linear in their number and
// a bounded amount of stack.
// - kValidation, with DynamoDB's message: the text is no such expression.  The check covers all that
//   needs no names and values: reserved words, unknown functions, limits (syntax_limits.h).
Result<UpdateSyntax> ParseUpdate(std::string_view text);

}  // namespace dolmen::engine
