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

#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "database/legacy_parameters.h"
#include "dolmen/attribute_value.h"
#include "dolmen/expression.h"
#include "dolmen/result.h"
#include "wire/json.h"
#include "wire/shape.h"
#include "wire/value_faults.h"

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

extern const Shape kAttributesToGetShape;
extern const Shape kExpectedShape;
extern const Shape kAttributeUpdatesShape;
extern const Shape kConditionsShape;           // KeyConditions, QueryFilter, ScanFilter
extern const Shape kConditionalOperatorShape;  // Scan
extern const Shape kWriteOperatorShape;
extern const Shape kQueryOperatorShape;

// DynamoDB's names of the comparisons, in the order of Comparison.
inline constexpr std::array<std::string_view, 13> kComparisonNames = {
    "IN",       "NULL", "BETWEEN", "LT",          "NOT_CONTAINS", "EQ",      "GT",
    "NOT_NULL", "NE",   "LE",      "BEGINS_WITH", "GE",           "CONTAINS"};

inline std::string_view ComparisonName(Comparison comparison) {
  return kComparisonNames[static_cast<std::size_t>(comparison)];
}

// A condition on one attribute, as it is in the request.
struct LegacyCondition {
  std::string_view attribute;  // a view of the request
  std::optional<Comparison> comparison = {};
  std::vector<AttributeValue> values = {};  // AttributeValueList

  // Members that are set only for Expected.
  bool has_values = false;  // the request has an AttributeValueList, which may be empty
  std::optional<AttributeValue> value = {};
  std::optional<bool> exists = {};
};

// Reads the conditions of KeyConditions, QueryFilter, ScanFilter or Expected. Reads nothing if the
// request does not have the parameter.
// - kValidation: a value is invalid.
Status ReadConditions(const JsonObject& request, std::string_view parameter, Checker checker,
                      std::vector<LegacyCondition>* conditions);

// Checks the values of the condition.
// - kValidation: the number or the types of the values do not suit the comparison.
//
// REQUIRES: condition.comparison
Status CheckArguments(const LegacyCondition& condition);

// Checks that the request has a ConditionalOperator only if it has at least two conditions.
// - kValidation: the request has a ConditionalOperator and fewer than two conditions.
Status CheckConditionalOperator(const JsonObject& request,
                                const std::vector<LegacyCondition>& conditions);

// Returns the request's ConditionalOperator, kAnd by default.
ConditionalOperator ConditionalOperatorOf(const JsonObject& request);

// Returns the conditions as a tree, which may hold an error.
// REQUIRES: conditions is not empty, and CheckArguments is ok for each condition
SyntaxTree<engine::ConditionSyntax> Combine(std::vector<LegacyCondition> conditions,
                                            ConditionalOperator combined);

// Reads Expected, one attribute after the other. Checks the values and then the structure of each
// attribute before it reads the next attribute. Returns the first error.
Status ReadExpected(const JsonObject& request, std::vector<LegacyCondition>* conditions);

// Sets the condition from Expected and ConditionalOperator.
Status SetExpected(const JsonObject& request, std::vector<LegacyCondition> conditions,
                   ConditionExpression* condition);

// Reads KeyConditions, QueryFilter or ScanFilter, one attribute after the other. Checks the values
// and then the structure of each attribute before it reads the next attribute. Returns the first
// error. Reads nothing if the request does not have the parameter.
Status ReadCheckedConditions(const JsonObject& request, std::string_view parameter, Checker checker,
                             std::vector<LegacyCondition>* conditions);

// Sets the filter from QueryFilter or ScanFilter. ConditionalOperator says how its conditions are
// combined.
Status SetFilter(const JsonObject& request, std::vector<LegacyCondition> conditions,
                 FilterExpression* filter);

// Sets the key condition from KeyConditions.
Status SetKeyConditions(const JsonObject& request, std::vector<LegacyCondition> conditions,
                        KeyConditionExpression* key_condition);

// Reads AttributeUpdates, one attribute after the other. Checks the values and then the structure
// of each attribute before it reads the next attribute. Returns the first error.
Status ReadAttributeUpdates(const JsonObject& request, std::vector<AttributeUpdate>* updates);

// Sets the update from AttributeUpdates.
Status SetAttributeUpdates(const std::vector<AttributeUpdate>& updates, UpdateExpression* update);

}  // namespace dolmen::wire
