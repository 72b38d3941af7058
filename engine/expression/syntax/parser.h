// Expression texts to syntax trees.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.html
//
// Each function: kValidation with DynamoDB's message if the text is not an expression, including
// what can be said without names and values: reserved words, unknown functions, limits.  Any bytes
// may be given; time is linear in their number and stack use is bounded.

#pragma once

#include <cstddef>
#include <string_view>

#include "dolmen/result.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
inline constexpr std::size_t kExpressionBytesMax = 4096;
inline constexpr std::size_t kExpressionOperatorsMax = 300;
inline constexpr std::size_t kPathStepsMax = 32;

// `kind` is kCondition, kFilter or kKeyCondition and says how error messages begin.
Result<ConditionSyntax> ParseCondition(std::string_view text, ExpressionKind kind);

Result<ProjectionSyntax> ParseProjection(std::string_view text);

Result<UpdateSyntax> ParseUpdate(std::string_view text);

}  // namespace dolmen::engine
