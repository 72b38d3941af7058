// Parser of ConditionExpression, FilterExpression and KeyConditionExpression.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.html

#pragma once

#include <string_view>

#include "dolmen/result.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// Returns the syntax tree of `text`, which may be any bytes. Takes time linear in the size of the
// text, and a bounded amount of stack. Error messages begin with the name of `kind`, which is
// kCondition, kFilter or kKeyCondition. Thread-safe.
// - kValidation, with DynamoDB's message: the text has a syntax error, a reserved word, an unknown
//   or misused function or redundant parentheses.
// - kValidation, with DynamoDB's message: the text exceeds a limit (syntax_limits.h).
Result<ConditionSyntax> ParseCondition(std::string_view text, ExpressionKind kind);

}  // namespace dolmen::engine
