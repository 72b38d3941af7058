// DynamoDB's legacy parameters, which are older than expressions. The parameters are translated to
// syntax trees, like expressions. Most of them are read in two steps, because DynamoDB reads the
// values of all parameters before it makes any other check:
//
// - Read...: reads the parameter. Reads nothing if the request does not have the parameter. Fails
//   with kValidation if a value is invalid.
// - Set...: sets the expression to the result of the first step. Does nothing if that result is
//   empty. Fails with kValidation and DynamoDB's message if the parameter breaks any other rule,
//   for example if a comparison has a wrong number of values.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LegacyConditionalParameters.html

#pragma once

#include <utility>

#include "database/legacy_parameters.h"
#include "dolmen/expression.h"
#include "dolmen/result.h"
#include "wire/json.h"

namespace dolmen::wire {

// Reads AttributesToGet into `projection`. Other legacy parameters are first read and later
// converted, because they have values. This parameter has only names, so it needs no second step.
// - kValidation: a name is repeated or invalid.
Status ReadAttributesToGet(const JsonObject& request, ProjectionExpression* projection);

// Sets the expression to the tree, or returns the tree's error.
template <typename Expression>
Status SetTree(SyntaxTree<typename Expression::Syntax> tree, Expression* expression) {
  if (!tree.ok()) return tree.status();
  *expression = Expression(std::move(tree));
  return {};
}

}  // namespace dolmen::wire
