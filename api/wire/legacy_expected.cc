#include "wire/legacy_expected.h"

#include <string>
#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "wire/errors.h"
#include "wire/legacy.h"

namespace dolmen::wire {
namespace {

Status InvalidFor(const LegacyCondition& condition, const std::string& what) {
  return InvalidParameter(what + " for Attribute: " + std::string(condition.attribute));
}

// Checks a condition with a ComparisonOperator, and moves Value into the list of values. DynamoDB
// treats Value like an AttributeValueList of one value.
Status NormalizeComparison(LegacyCondition* condition) {
  const Comparison comparison = *condition->comparison;
  if (condition->exists) {
    return InvalidFor(*condition, "Exists and ComparisonOperator cannot be used together");
  }
  const bool takes_values = comparison != Comparison::kNull && comparison != Comparison::kNotNull;
  if (takes_values && !condition->has_values && !condition->value) {
    return InvalidFor(*condition,
                      "Value or AttributeValueList must be used with ComparisonOperator: " +
                          std::string(ComparisonName(comparison)));
  }
  if (condition->value) condition->values.push_back(*std::move(condition->value));
  return CheckArguments(*condition);
}

// Checks a condition without a ComparisonOperator, and adds the comparison to the condition: EQ if
// the attribute must have the value, NULL if the attribute must not exist.
Status NormalizeExistence(LegacyCondition* condition) {
  if (condition->has_values) {
    return InvalidFor(*condition, "AttributeValueList can only be used with a ComparisonOperator");
  }
  const bool exists = condition->exists.value_or(true);
  if (exists && !condition->value) {
    return InvalidFor(*condition, std::string("Value must be provided when Exists is ") +
                                      (condition->exists ? "true" : "null"));
  }
  if (!exists && condition->value) {
    return InvalidFor(*condition, "Value cannot be used when Exists is false");
  }
  condition->comparison = exists ? Comparison::kEqual : Comparison::kNull;
  if (exists) condition->values.push_back(*std::move(condition->value));
  return {};
}

// Converts any form of the condition to a comparison with a list of values.
Status Normalize(LegacyCondition* condition) {
  if (condition->has_values && condition->value) {
    return InvalidFor(*condition, "Value and AttributeValueList cannot be used together");
  }
  return condition->comparison ? NormalizeComparison(condition) : NormalizeExistence(condition);
}

}  // namespace

Status ReadExpected(const JsonObject& request, std::vector<LegacyCondition>* conditions) {
  Status read = ReadConditions(request, "Expected", conditions);
  if (read.ok()) return read;
  conditions->pop_back();  // the condition that could not be read
  for (LegacyCondition& before : *conditions) {
    DOLMEN_RETURN_IF_ERROR(Normalize(&before));
  }
  return read;
}

Status SetExpected(const JsonObject& request, std::vector<LegacyCondition> conditions,
                   ConditionExpression* condition) {
  for (LegacyCondition& one : conditions) {
    DOLMEN_RETURN_IF_ERROR(Normalize(&one));
  }
  DOLMEN_RETURN_IF_ERROR(CheckConditionalOperator(request, conditions));
  if (conditions.empty()) return {};
  return SetTree(Combine(std::move(conditions), ConditionalOperatorOf(request)), condition);
}

}  // namespace dolmen::wire
