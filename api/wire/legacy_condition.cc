#include "wire/legacy_condition.h"

#include <algorithm>
#include <string>

#include "engine/base/status_macros.h"
#include "wire/attribute_json.h"
#include "wire/errors.h"

namespace dolmen::wire {
namespace {

bool TakesType(Comparison comparison, AttributeType type) {
  if (comparison == Comparison::kEqual || comparison == Comparison::kNotEqual) return true;
  // EQ and NE take values of all types. BEGINS_WITH takes strings and binaries. All other
  // comparisons take strings, binaries and numbers.
  return type == AttributeType::kS || type == AttributeType::kB ||
         (type == AttributeType::kN && comparison != Comparison::kBeginsWith);
}

template <typename T>
bool IsGreater(const AttributeValue& a, const AttributeValue& b) {
  const T* const x = a.get_if<T>();
  const T* const y = b.get_if<T>();
  return x != nullptr && y != nullptr && *y < *x;
}

bool IsReversed(const AttributeValue& lower, const AttributeValue& upper) {
  return IsGreater<std::string>(lower, upper) || IsGreater<Number>(lower, upper) ||
         IsGreater<Binary>(lower, upper);
}

std::optional<Comparison> ComparisonOf(std::string_view name) {
  const auto found = std::find(kComparisonNames.begin(), kComparisonNames.end(), name);
  if (found == kComparisonNames.end()) return std::nullopt;
  return static_cast<Comparison>(found - kComparisonNames.begin());
}

Status ReadValueList(const JsonArray& json, std::vector<AttributeValue>* values) {
  for (const Json element : json) {
    DOLMEN_RETURN_IF_ERROR(ReadValue(element, &values->emplace_back()));
  }
  return {};
}

Status ReadCondition(const JsonObject& json, LegacyCondition* condition) {
  if (const auto value = Member(json, "Value")) {
    DOLMEN_RETURN_IF_ERROR(ReadValue(*value, &condition->value.emplace()));
  }
  if (const auto values = Member(json, "AttributeValueList")) {
    condition->has_values = true;
    DOLMEN_RETURN_IF_ERROR(ReadValueList(ArrayOf(*values), &condition->values));
  }
  if (const auto exists = Member(json, "Exists")) condition->exists = BooleanOf(*exists);
  condition->comparison = ComparisonOf(StringMember(json, "ComparisonOperator"));
  return {};
}

}  // namespace

Status ReadConditions(const JsonObject& request, std::string_view parameter,
                      std::vector<LegacyCondition>* conditions) {
  const std::optional<Json> json = Member(request, parameter);
  if (!json) return {};
  for (const auto& [attribute, entry] : EntriesOf(ObjectOf(*json))) {
    LegacyCondition& condition = conditions->emplace_back();
    condition.attribute = attribute;
    DOLMEN_RETURN_IF_ERROR(ReadCondition(ObjectOf(entry), &condition));
  }
  return {};
}

Status CheckArguments(const LegacyCondition& condition) {
  const std::vector<AttributeValue>& values = condition.values;
  const std::string name(ComparisonName(*condition.comparison));
  if (!Takes(*condition.comparison, values.size())) {
    return InvalidParameter("Invalid number of argument(s) for the " + name +
                            " ComparisonOperator");
  }
  for (const AttributeValue& value : values) {
    if (value.type() == values[0].type()) continue;
    return InvalidParameter("AttributeValues inside AttributeValueList must be of same type");
  }
  if (!values.empty() && !TakesType(*condition.comparison, values[0].type())) {
    return InvalidParameter("ComparisonOperator " + name + " is not valid for " +
                            std::string(AttributeTypeName(values[0].type())) +
                            " AttributeValue type");
  }
  if (*condition.comparison == Comparison::kBetween && IsReversed(values[0], values[1])) {
    return Status::Validation(
        "The BETWEEN condition was provided a range where the lower bound is greater than the "
        "upper bound");
  }
  return {};
}

Status CheckConditionalOperator(const JsonObject& request,
                                const std::vector<LegacyCondition>& conditions) {
  if (conditions.size() > 1 || !Member(request, "ConditionalOperator")) return {};
  return Status::Validation(conditions.empty()
                                ? "ConditionalOperator cannot be used without Filter or Expected"
                                : "ConditionalOperator can only be used when Filter or Expected "
                                  "has two or more elements");
}

ConditionalOperator ConditionalOperatorOf(const JsonObject& request) {
  return StringMember(request, "ConditionalOperator") == "OR" ? ConditionalOperator::kOr
                                                              : ConditionalOperator::kAnd;
}

SyntaxTree<engine::ConditionSyntax> Combine(std::vector<LegacyCondition> conditions,
                                            ConditionalOperator combined) {
  std::vector<AttributeCondition> all;
  all.reserve(conditions.size());
  for (LegacyCondition& condition : conditions) {
    all.push_back({condition.attribute, *condition.comparison, std::move(condition.values)});
  }
  return ConditionTree(all, combined);
}

}  // namespace dolmen::wire
