// What Expected, QueryFilter, ScanFilter and KeyConditions have in common: an operator and values
// for each of some attributes.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Condition.html

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/condition_builder.h"
#include "dolmen/status.h"
#include "wire/json.h"

namespace dolmen::wire {

// A ComparisonOperator, in the order in which messages list them.
enum class Comparison : std::uint8_t {
  kIn,
  kNull,
  kBetween,
  kLess,
  kNotContains,
  kEqual,
  kGreater,
  kNotNull,
  kNotEqual,
  kLessOrEqual,
  kBeginsWith,
  kGreaterOrEqual,
  kContains,
};

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

// Reads one entry but for its attribute.  kValidation if one of the values is none.
Status ReadCondition(const JsonObject& json, LegacyCondition* condition);

// Reads what the request says there; none if it has no such parameter.  As ReadCondition.
Status ReadConditions(const JsonObject& request, std::string_view parameter,
                      std::vector<LegacyCondition>* conditions);

// Whether ComparisonOperator and AttributeValueList suit each other: kValidation if not.
// REQUIRES: condition.comparison
Status CheckArguments(const LegacyCondition& condition);

// The same as an expression.  REQUIRES: CheckArguments(condition) is ok
ConditionBuilder Translate(const LegacyCondition& condition);

// kValidation if there is a ConditionalOperator that has less than two conditions to combine.
Status CheckConditionalOperator(const JsonObject& request, std::string_view parameter);

// What ConditionalOperator makes of them; nothing if there are none.
// REQUIRES: CheckArguments of each is ok
std::optional<ConditionBuilder> Combine(const JsonObject& request,
                                        const std::vector<LegacyCondition>& conditions);

// "One or more parameter values were invalid: " and what.
Status InvalidParameter(std::string_view what);

}  // namespace dolmen::wire
