// Parsers of the texts of expressions.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.html

#pragma once

#include <string_view>

#include "dolmen/expression.h"
#include "dolmen/result.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// Return the syntax tree of `text`, which may be any bytes. They take time linear in the size of the
// text, and a bounded amount of stack. Thread-safe.
// - kValidation, with DynamoDB's message: the text has a syntax error or a reserved word.
// - kValidation, with DynamoDB's message: the text exceeds a limit (syntax.h).

// Parses a ConditionExpression, FilterExpression or KeyConditionExpression. Error messages begin with
// the name of `kind`, which is kCondition, kFilter or kKeyCondition.
// - kValidation: the text has an unknown or misused function, or redundant parentheses.
Result<ConditionSyntax> ParseCondition(std::string_view text, ExpressionKind kind);

// Parses an UpdateExpression.
// - kValidation: the text has an unknown or misused function, redundant parentheses or a repeated
//   section.
Result<UpdateSyntax> ParseUpdate(std::string_view text);

// Parses a ProjectionExpression.
Result<ProjectionSyntax> ParseProjection(std::string_view text);

}  // namespace dolmen::engine
