// The common parts of Expected, QueryFilter, ScanFilter and KeyConditions: an operator and values
// for each of several attributes.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Condition.html

#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "database/legacy_parameters.h"
#include "dolmen/attribute_value.h"
#include "dolmen/result.h"
#include "wire/json.h"

namespace dolmen::wire {

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
Status ReadConditions(const JsonObject& request, std::string_view parameter,
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

}  // namespace dolmen::wire
