// Texts of syntax trees in the notation of DynamoDB's expressions. There are two kinds of texts:
//
// - Texts for people and logs. They have literals where an expression has placeholders, and reserved
//   words as they are, so they are not meant to be parsed:
//
//     attribute_exists(PK) AND lastMessageAt <= "2026-04-15T10:30:00.000Z"
//     SET body = "On Thursday!", edits = edits + 1 REMOVE draft
//
// - Texts for a request, with a token of the caller in place of each name and each literal. No text
//   has parentheses around the whole, or redundant ones.

#pragma once

#include <string>
#include <string_view>

#include "dolmen/item_view.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// A source of the tokens in a text.
class ExpressionTokens {
 public:
  virtual ~ExpressionTokens() = default;

  // Returns the token for the name of an attribute or of an element of a map.
  virtual std::string Name(std::string_view name) = 0;
  // Returns the token for a literal of a built tree.
  virtual std::string Literal(const AttributeView& value) = 0;
};

// Return the text with the caller's tokens. Placeholders of the tree stay as they are.
std::string ExpressionText(const ConditionSyntax& syntax, ExpressionTokens& tokens);
std::string ExpressionText(const ProjectionSyntax& syntax, ExpressionTokens& tokens);
std::string ExpressionText(const UpdateSyntax& syntax, ExpressionTokens& tokens);

// Returns the text of a condition. Parentheses show the order of evaluation.
std::string ExpressionText(const ConditionSyntax& syntax);

// Returns the text of a projection: "body, tags[0]".
std::string ExpressionText(const ProjectionSyntax& syntax);

// Returns the text of an update, with its sections in the order SET, REMOVE, ADD, DELETE.
std::string ExpressionText(const UpdateSyntax& syntax);

}  // namespace dolmen::engine
