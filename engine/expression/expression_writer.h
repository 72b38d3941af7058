// The expressions of one request as texts, with the names and values of their placeholders, for
// implementations of internal::Backend that send requests to a service. This header is not installed.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/expression.h"
#include "dolmen/internal/lifetime.h"
#include "dolmen/item_view.h"
#include "dolmen/operations.h"
#include "dolmen/result.h"

namespace dolmen::internal {

// A writer of the expressions of one request. A text stays as it is. A built expression becomes a text
// with placeholders of the writer, which differ from those of the request. Not thread-safe.
class ExpressionWriter {
 public:
  ExpressionWriter() = default;

  // Adds the names and the values of the request. Called once, before all other methods.
  // - kValidation, with DynamoDB's message: a value cannot be stored.
  Status Begin(const Names& names, const Values& values);

  // Return the text of an expression. REQUIRES: expression.given()
  // - kValidation: the expression was built with an error, or was moved from.
  // - kValidation: the expression comes from a legacy parameter, which has no text.
  template <ExpressionKind kKind, typename Syntax>
  Result<std::string> Text(const Expression<kKind, Syntax>& expression);

  // Returns the text of a condition that holds if `expression` and `also` hold. If the expression is
  // not given, the text is `also`. `also` is a text with tokens of this writer.
  // - the errors of Text; kValidation, with DynamoDB's message: the expression cannot be parsed.
  template <ExpressionKind kKind, typename Syntax>
  Result<std::string> And(const Expression<kKind, Syntax>& expression, std::string_view also);

  // Returns the text of the projection, extended by those of the top-level attributes `also` that it
  // lacks. Sets `*added` to these attributes. REQUIRES: expression.given()
  Result<std::string> Extended(const ProjectionExpression& expression,
                               std::span<const std::string> also, std::vector<std::string>* added);

  // Return the token that stands for a name ("#n0") or a value (":v0"). Equal names share a token.
  std::string NameToken(std::string_view name);
  std::string ValueToken(const AttributeView& value);
  // - kValidation, with DynamoDB's message: the value cannot be stored.
  Result<std::string> ValueToken(const AttributeValue& value);

  // The names and values that the texts use, and those that the request has given.
  const Names& names() const DOLMEN_LIFETIME_BOUND { return names_; }
  const Values& values() const DOLMEN_LIFETIME_BOUND { return values_; }

 private:
  class Tokens;

  Names names_;
  Values values_;
  internal::FlatMap<std::string> tokens_of_names_;
  std::size_t next_name_ = 0;
  std::size_t next_value_ = 0;
};

}  // namespace dolmen::internal
