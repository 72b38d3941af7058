#include "wire/legacy_query.h"

#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "wire/legacy.h"

namespace dolmen::wire {
namespace {

Status CheckAll(const std::vector<LegacyCondition>& conditions) {
  for (const LegacyCondition& condition : conditions) {
    DOLMEN_RETURN_IF_ERROR(CheckArguments(condition));
  }
  return {};
}

}  // namespace

Status ReadCheckedConditions(const JsonObject& request, std::string_view parameter,
                             std::vector<LegacyCondition>* conditions) {
  Status read = ReadConditions(request, parameter, conditions);
  if (!read.ok()) conditions->pop_back();  // the condition that could not be read
  DOLMEN_RETURN_IF_ERROR(CheckAll(*conditions));
  return read;
}

Status SetFilter(const JsonObject& request, std::vector<LegacyCondition> conditions,
                 FilterExpression* filter) {
  DOLMEN_RETURN_IF_ERROR(CheckConditionalOperator(request, conditions));
  if (conditions.empty()) return {};
  return SetTree(Combine(std::move(conditions), ConditionalOperatorOf(request)), filter);
}

Status SetKeyConditions(const JsonObject& request, std::vector<LegacyCondition> conditions,
                        KeyConditionExpression* key_condition) {
  if (!Member(request, "KeyConditions")) return {};
  if (conditions.empty() || conditions.size() > 2) {
    return Status::Validation("Conditions can be of length 1 or 2 only");
  }
  return SetTree(Combine(std::move(conditions), ConditionalOperator::kAnd), key_condition);
}

}  // namespace dolmen::wire
