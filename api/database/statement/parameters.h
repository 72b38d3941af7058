// The values of the parameters of one execution of a statement.

#pragma once

#include <cstdint>

#include "database/statement/syntax/statement.h"
#include "dolmen/attribute_value.h"
#include "dolmen/internal/lifetime.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "engine/expression/encoded_values.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::database {

// The parameters of one execution. Borrows the list of values. The expressions of a request borrow
// the encoded parameters. Const methods are thread-safe.
class Parameters {
 public:
  explicit Parameters(const List& values DOLMEN_LIFETIME_BOUND) : values_(values) {}

  // Encodes the values.
  // - kValidation, with DynamoDB's message: EncodeValue rejects a value (codec.h).
  // REQUIRES: Encode is called once, and has returned success before the other methods are called.
  Status Encode();

  // Checks the parameters against the statement.
  // - kValidation, with DynamoDB's message: the number of parameters differs from the number of `?`.
  // - kValidation, with DynamoDB's message: the operand of set_add or set_delete is not a set.
  Status Check(const Statement& statement) const;

  const AttributeValue& operator[](std::uint32_t parameter) const DOLMEN_LIFETIME_BOUND {
    return values_[parameter];
  }
  // Returns the encoded parameters. The pointer is valid as long as this object does not move.
  const engine::EncodedValues* encoded() const DOLMEN_LIFETIME_BOUND { return &encoded_; }

  // Returns the type of a literal or of a parameter in a tree of the statement.
  AttributeType TypeOf(const engine::ExpressionSyntax& tree,
                       const engine::ValueSyntax& value) const;
  // Returns a copy of the value.
  AttributeValue ValueOf(const engine::ExpressionSyntax& tree,
                         const engine::ValueSyntax& value) const;

 private:
  const List& values_;
  engine::EncodedValues encoded_;
};

}  // namespace dolmen::database
