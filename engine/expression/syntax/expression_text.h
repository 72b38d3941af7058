// Texts of syntax trees for people and logs, in the notation of DynamoDB's expressions. A literal
// stands where an expression has a placeholder:
//
//   attribute_exists(PK) AND lastMessageAt <= "2026-04-15T10:30:00.000Z"
//   SET body = "On Thursday!", edits = edits + 1 REMOVE draft
//
// The texts are not meant to be parsed. Names that DynamoDB reserves stand there as they are.

#pragma once

#include <string>

#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// Returns the text of a condition. Parentheses show the order of evaluation.
std::string ExpressionText(const ConditionSyntax& syntax);

// Returns the text of a projection: "body, tags[0]".
std::string ExpressionText(const ProjectionSyntax& syntax);

// Returns the text of an update, with its sections in the order SET, REMOVE, ADD, DELETE.
std::string ExpressionText(const UpdateSyntax& syntax);

}  // namespace dolmen::engine
