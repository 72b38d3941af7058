// The parameters from before there were expressions, translated into the same trees that
// expressions are parsed to.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LegacyConditionalParameters.html

#pragma once

#include "dolmen/expression.h"
#include "dolmen/status.h"
#include "wire/json.h"
#include "wire/shape.h"

namespace dolmen::wire {

// The shapes of the parameters, for the operations that have them.
extern const Shape kAttributesToGetShape;
extern const Shape kExpectedShape;
extern const Shape kAttributeUpdatesShape;
extern const Shape kConditionsShape;  // KeyConditions, QueryFilter, ScanFilter
extern const Shape kConditionalOperatorShape;

// Each sets the expression if the request has the parameter, and leaves it alone otherwise.
// kValidation, with DynamoDB's message, if the parameter is wrong by itself.

Status ReadAttributesToGet(const JsonObject& request, ProjectionExpression* projection);
// Expected, with ConditionalOperator.
Status ReadExpected(const JsonObject& request, ConditionExpression* condition);
Status ReadAttributeUpdates(const JsonObject& request, UpdateExpression* update);
Status ReadKeyConditions(const JsonObject& request, KeyConditionExpression* key_condition);
// QueryFilter or ScanFilter, with ConditionalOperator.
Status ReadFilter(const JsonObject& request, FilterExpression* filter);

// What an UpdateItem, a Query or a Scan has failed with, which the library says in the words of
// expressions, in those of the parameters that the request has instead.
Status InLegacyWords(const JsonObject& request, Status status);

// Whether the request has AttributeUpdates that all are DELETE: these make no item if there is
// none, which the expression that stands for them does.
bool OnlyDeletes(const JsonObject& request);

}  // namespace dolmen::wire
