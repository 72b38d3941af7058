// DynamoDB's legacy parameters, which are older than expressions. They are translated to the syntax
// trees that expressions are parsed to. Each is read in two steps, Read... and Set..., because
// DynamoDB reads the values of all parameters before it checks any parameter further.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LegacyConditionalParameters.html

#pragma once

#include <string_view>
#include <vector>

#include "dolmen/expression.h"
#include "dolmen/legacy_parameters.h"
#include "dolmen/status.h"
#include "wire/json.h"
#include "wire/legacy_condition.h"
#include "wire/shape.h"

namespace dolmen::wire {

// The shapes of the parameters, for the operations that have them.
extern const Shape kAttributesToGetShape;
extern const Shape kExpectedShape;
extern const Shape kAttributeUpdatesShape;
extern const Shape kConditionsShape;  // KeyConditions, QueryFilter, ScanFilter
extern const Shape kConditionalOperatorShape;

// First step: each function reads the parameter, or nothing if the request does not have it.
// `parameter` is KeyConditions, QueryFilter or ScanFilter.
// - kValidation: a value is invalid.
Status ReadConditions(const JsonObject& request, std::string_view parameter,
                      std::vector<LegacyCondition>* conditions);
// These two functions check one attribute after the other. If an attribute before an invalid value
// is itself faulty, they return the error of that attribute.
Status ReadExpected(const JsonObject& request, std::vector<LegacyCondition>* conditions);
Status ReadAttributeUpdates(const JsonObject& request, std::vector<AttributeUpdate>* updates);

// Second step: each function sets the expression to what the first step read. It leaves the
// expression unchanged if that is empty. The error has DynamoDB's message:
// - kValidation: the parameter is invalid by itself.

// Sets the condition from Expected and ConditionalOperator.
Status SetExpected(const JsonObject& request, std::vector<LegacyCondition> conditions,
                   ConditionExpression* condition);
// Sets the filter from QueryFilter or ScanFilter, and ConditionalOperator.
Status SetFilter(const JsonObject& request, std::vector<LegacyCondition> conditions,
                 FilterExpression* filter);
Status SetKeyConditions(const JsonObject& request, std::vector<LegacyCondition> conditions,
                        KeyConditionExpression* key_condition);
Status SetAttributeUpdates(const std::vector<AttributeUpdate>& updates, UpdateExpression* update);

// Reads AttributesToGet in one step, because it has no values.
// - kValidation: a name is repeated or invalid.
Status ReadAttributesToGet(const JsonObject& request, ProjectionExpression* projection);

// Returns true if the request has AttributeUpdates and each of them is a DELETE. Such a request
// does not create an absent item, unlike the equivalent update expression.
bool OnlyDeletes(const JsonObject& request);

// Sets the expression to the tree, or returns the tree's error.
template <typename Expression>
Status SetTree(SyntaxTree<typename Expression::Syntax> tree, Expression* expression) {
  if (!tree.ok()) return tree.status();
  *expression = Expression(std::move(tree));
  return {};
}

}  // namespace dolmen::wire
