// What Expected, QueryFilter, ScanFilter and KeyConditions have in common: an operator and values
// for each of some attributes.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Condition.html

#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/legacy_parameters.h"
#include "dolmen/status.h"
#include "wire/json.h"

namespace dolmen::wire {

inline constexpr std::array<std::string_view, 13> kComparisonNames = {
    "IN",       "NULL", "BETWEEN", "LT",          "NOT_CONTAINS", "EQ",      "GT",
    "NOT_NULL", "NE",   "LE",      "BEGINS_WITH", "GE",           "CONTAINS"};

inline std::string_view ComparisonName(Comparison comparison) {
  return kComparisonNames[static_cast<std::size_t>(comparison)];
}

// What a request says of one attribute.
struct LegacyCondition {
  std::string_view attribute;  // a view of the request
  std::optional<Comparison> comparison = {};
  std::vector<AttributeValue> values = {};  // AttributeValueList

  // What only Expected has and asks for.
  bool has_values = false;  // AttributeValueList, be it empty
  std::optional<AttributeValue> value = {};
  std::optional<bool> exists = {};
};

// Whether ComparisonOperator and AttributeValueList suit each other: kValidation if not.
// REQUIRES: condition.comparison
Status CheckArguments(const LegacyCondition& condition);

// kValidation if there is a ConditionalOperator that has less than two conditions to combine.
Status CheckConditionalOperator(const JsonObject& request,
                                const std::vector<LegacyCondition>& conditions);

// What the request's ConditionalOperator says.
ConditionalOperator ConditionalOperatorOf(const JsonObject& request);

// The conditions as a tree, or its error.
// REQUIRES: there are any, and CheckArguments of each is ok
SyntaxTree<engine::ConditionSyntax> Combine(std::vector<LegacyCondition> conditions,
                                            ConditionalOperator combined);

}  // namespace dolmen::wire
