// The values of the parameters of one execution of a statement.

#pragma once

#include "dolmen/attribute_value.h"
#include "dolmen/internal/lifetime.h"
#include "dolmen/item_view.h"
#include "dolmen/operations.h"
#include "dolmen/result.h"
#include "engine/expression/syntax/syntax.h"
#include "engine/statement/syntax/statement.h"

namespace dolmen::engine {

// The parameters of one execution. Borrows the list of values. Const methods are thread-safe.
class Parameters {
 public:
  explicit Parameters(const List& values DOLMEN_LIFETIME_BOUND) : values_(values) {}

  // Checks the parameters against the statement.
  // - kValidation, with DynamoDB's message: the number of parameters differs from the number of `?`.
  // - kValidation, with DynamoDB's message: EncodeValue rejects a value (codec.h).
  // - kValidation, with DynamoDB's message: the operand of set_add or set_delete is not a set.
  // REQUIRES: Check has returned success before the other methods are called.
  Status Check(const Statement& statement) const;

  const AttributeValue& operator[](std::uint32_t parameter) const DOLMEN_LIFETIME_BOUND {
    return values_[parameter];
  }

  // Returns the type of a literal or of a parameter in a tree of the statement.
  AttributeType TypeOf(const ExpressionSyntax& tree, const ValueSyntax& value) const;
  // Returns a copy of the value.
  AttributeValue ValueOf(const ExpressionSyntax& tree, const ValueSyntax& value) const;

  // Adds the parameters that a tree uses to `*values`, under their tokens.
  void Collect(const ConditionSyntax& tree, Values* values) const;
  void Collect(const UpdateSyntax& tree, Values* values) const;

  // Appends the encoded parameters to `*out`. Equal lists of parameters have equal bytes.
  Status Encode(std::string* out) const;

 private:
  void Add(const ExpressionSyntax& tree, const ValueSyntax& value, Values* values) const;
  void Collect(const ConditionSyntax& tree, const ConditionNode& node, Values* values) const;

  const List& values_;
};

}  // namespace dolmen::engine
