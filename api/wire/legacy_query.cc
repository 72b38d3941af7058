#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/key_condition_builder.h"
#include "wire/legacy.h"
#include "wire/legacy_condition.h"

namespace dolmen::wire {
namespace {

Status ReadChecked(const JsonObject& request, std::string_view parameter,
                   std::vector<LegacyCondition>* conditions) {
  if (Status s = ReadConditions(request, parameter, conditions); !s.ok()) return s;
  // Without an operator: the parameter is another operation's, and has not been looked at.
  std::erase_if(*conditions, [](const LegacyCondition& each) { return !each.comparison; });
  for (const LegacyCondition& condition : *conditions) {
    if (Status s = CheckArguments(condition); !s.ok()) return s;
  }
  return {};
}

// Nothing: the operator does not go with keys.
std::optional<KeyConditionBuilder> TranslateKey(const LegacyCondition& condition) {
  const Key key{std::string(condition.attribute)};
  const std::vector<AttributeValue>& values = condition.values;
  switch (*condition.comparison) {
    case Comparison::kEqual:
      return key == values[0];
    case Comparison::kLess:
      return key < values[0];
    case Comparison::kLessOrEqual:
      return key <= values[0];
    case Comparison::kGreater:
      return key > values[0];
    case Comparison::kGreaterOrEqual:
      return key >= values[0];
    case Comparison::kBetween:
      return key.Between(values[0], values[1]);
    case Comparison::kBeginsWith:
      return key.BeginsWith(values[0]);
    default:
      return std::nullopt;
  }
}

}  // namespace

Status ReadFilter(const JsonObject& request, FilterExpression* filter) {
  const std::string_view parameter = Member(request, "ScanFilter") ? "ScanFilter" : "QueryFilter";
  std::vector<LegacyCondition> conditions;
  if (Status s = ReadChecked(request, parameter, &conditions); !s.ok()) return s;
  if (Status s = CheckConditionalOperator(request, parameter); !s.ok()) return s;
  if (const auto all = Combine(request, conditions)) *filter = *all;
  return {};
}

Status ReadKeyConditions(const JsonObject& request, KeyConditionExpression* key_condition) {
  constexpr std::string_view kParameter = "KeyConditions";
  if (!Member(request, kParameter)) return {};
  std::vector<LegacyCondition> conditions;
  if (Status s = ReadChecked(request, kParameter, &conditions); !s.ok()) return s;
  if (conditions.empty() || conditions.size() > 2) {
    return Status::Validation("Conditions can be of length 1 or 2 only");
  }
  std::optional<KeyConditionBuilder> all;
  for (const LegacyCondition& condition : conditions) {
    const std::optional<KeyConditionBuilder> next = TranslateKey(condition);
    if (!next) {
      return Status::Validation("Attempted conditional constraint is not an indexable operation");
    }
    all = all ? *all && *next : *next;
  }
  *key_condition = *all;
  return {};
}

}  // namespace dolmen::wire
