#include "wire/legacy_query.h"

#include <utility>
#include <vector>

#include "wire/legacy.h"

namespace dolmen::wire {
namespace {

Status CheckAll(const std::vector<LegacyCondition>& conditions) {
  for (const LegacyCondition& condition : conditions) {
    if (Status s = CheckArguments(condition); !s.ok()) return s;
  }
  return {};
}

}  // namespace

Status SetFilter(const JsonObject& request, std::vector<LegacyCondition> conditions,
                 FilterExpression* filter) {
  if (Status s = CheckAll(conditions); !s.ok()) return s;
  if (Status s = CheckConditionalOperator(request, conditions); !s.ok()) return s;
  if (conditions.empty()) return {};
  return SetTree(Combine(std::move(conditions), ConditionalOperatorOf(request)), filter);
}

Status SetKeyConditions(const JsonObject& request, std::vector<LegacyCondition> conditions,
                        KeyConditionExpression* key_condition) {
  if (!Member(request, "KeyConditions")) return {};
  if (Status s = CheckAll(conditions); !s.ok()) return s;
  if (conditions.empty() || conditions.size() > 2) {
    return Status::Validation("Conditions can be of length 1 or 2 only");
  }
  return SetTree(Combine(std::move(conditions), ConditionalOperator::kAnd), key_condition);
}

}  // namespace dolmen::wire
