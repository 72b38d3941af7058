// The parameters from before there were expressions, translated into the same trees that
// expressions are parsed to.  Each is read in two steps, as DynamoDB looks at the values of all
// parameters of a request before it looks at what else is wrong with any of them.
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

// First: each reads the parameter, nothing if the request does not have it.  kValidation: one of
// its values is none.  `parameter` is KeyConditions, QueryFilter or ScanFilter.
Status ReadConditions(const JsonObject& request, std::string_view parameter,
                      std::vector<LegacyCondition>* conditions);
// These two look at one attribute after the other: what is wrong by itself with one that stands
// before such a value is said instead.
Status ReadExpected(const JsonObject& request, std::vector<LegacyCondition>* conditions);
Status ReadAttributeUpdates(const JsonObject& request, std::vector<AttributeUpdate>* updates);

// Then: each sets the expression to what was read, and leaves it alone if that is nothing.
// kValidation, with DynamoDB's message, if the parameter is wrong by itself.
// Expected, with ConditionalOperator.
Status SetExpected(const JsonObject& request, std::vector<LegacyCondition> conditions,
                   ConditionExpression* condition);
// QueryFilter or ScanFilter, with ConditionalOperator.
Status SetFilter(const JsonObject& request, std::vector<LegacyCondition> conditions,
                 FilterExpression* filter);
Status SetKeyConditions(const JsonObject& request, std::vector<LegacyCondition> conditions,
                        KeyConditionExpression* key_condition);
Status SetAttributeUpdates(const std::vector<AttributeUpdate>& updates, UpdateExpression* update);

// AttributesToGet, which has no values.
Status ReadAttributesToGet(const JsonObject& request, ProjectionExpression* projection);

// Whether the request has AttributeUpdates that all are DELETE: these make no item if there is
// none, which the expression that stands for them does.
bool OnlyDeletes(const JsonObject& request);

// Sets an expression to the tree; the error that the tree is.
template <typename Expression>
Status SetTree(SyntaxTree<typename Expression::Syntax> tree, Expression* expression) {
  if (!tree.ok()) return tree.status();
  *expression = Expression(std::move(tree));
  return {};
}

}  // namespace dolmen::wire
