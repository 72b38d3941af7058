#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wire/legacy.h"
#include "wire/legacy_condition.h"

namespace dolmen::wire {
namespace {

Status InvalidFor(const LegacyCondition& condition, const std::string& what) {
  return InvalidParameter(what + " for Attribute: " + std::string(condition.attribute));
}

// One with a ComparisonOperator, for which Value and a list of that value are the same.
Status SettleComparison(LegacyCondition* condition) {
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

// One without: that the attribute has the value, or does not exist.
Status SettleExistence(LegacyCondition* condition) {
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

// Makes it a comparison with a list of values, however it was written.
Status Settle(LegacyCondition* condition) {
  if (condition->has_values && condition->value) {
    return InvalidFor(*condition, "Value and AttributeValueList cannot be used together");
  }
  return condition->comparison ? SettleComparison(condition) : SettleExistence(condition);
}

}  // namespace

Status ReadExpected(const JsonObject& request, ConditionExpression* condition) {
  constexpr std::string_view kParameter = "Expected";
  std::vector<LegacyCondition> conditions;
  if (const std::optional<Json> json = Member(request, kParameter)) {
    for (const auto& [attribute, entry] : EntriesOf(ObjectOf(*json))) {
      LegacyCondition& one = conditions.emplace_back();
      one.attribute = attribute;
      Status read = ReadCondition(ObjectOf(entry), &one);
      if (read.ok()) read = Settle(&one);
      if (!read.ok()) return read;
    }
  }
  if (Status s = CheckConditionalOperator(request, kParameter); !s.ok()) return s;
  if (const auto all = Combine(request, conditions)) *condition = *all;
  return {};
}

}  // namespace dolmen::wire
