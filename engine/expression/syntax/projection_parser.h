// Parser of ProjectionExpression.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.html

#pragma once

#include <string_view>

#include "dolmen/result.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// Returns the syntax tree of `text`, which may be any bytes. Takes time linear in the size of the
// text, and a bounded amount of stack. Thread-safe.
// - kValidation, with DynamoDB's message: the text has a syntax error or a reserved word.
// - kValidation, with DynamoDB's message: the text exceeds a limit (syntax_limits.h).
Result<ProjectionSyntax> ParseProjection(std::string_view text);

}  // namespace dolmen::engine
