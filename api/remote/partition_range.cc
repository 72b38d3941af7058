#include "remote/partition_range.h"

#include <string_view>

namespace dolmen::remote {
namespace {

template <typename T>
int Compare(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

std::string_view BytesOf(const AttributeValue& value) {
  if (const auto* const text = value.get_if<std::string>()) return *text;
  if (const auto* const binary = value.get_if<Binary>()) return binary->bytes;
  return {};
}

}  // namespace

int CompareKeys(const AttributeValue& a, const AttributeValue& b) {
  const auto* const left = a.get_if<Number>();
  const auto* const right = b.get_if<Number>();
  if (left != nullptr && right != nullptr) return Compare(*left, *right);
  return Compare(BytesOf(a), BytesOf(b));
}

bool Fulfils(const AttributeValue& value, const SortKeyCondition& condition) {
  using Operator = SortKeyCondition::Operator;
  const int order = CompareKeys(value, condition.value);
  switch (condition.op) {
    case Operator::kEqual:
      return order == 0;
    case Operator::kLess:
      return order < 0;
    case Operator::kLessOrEqual:
      return order <= 0;
    case Operator::kGreater:
      return order > 0;
    case Operator::kGreaterOrEqual:
      return order >= 0;
    case Operator::kBetween:
      return order >= 0 && CompareKeys(value, condition.upper) <= 0;
    case Operator::kBeginsWith:
      return BytesOf(value).starts_with(BytesOf(condition.value));
  }
  return false;
}

SortKeyCondition From(const AttributeValue& start, bool forward,
                      const std::optional<SortKeyCondition>& condition) {
  using Operator = SortKeyCondition::Operator;
  const Operator op = condition ? condition->op : Operator::kGreaterOrEqual;
  if (condition && op == Operator::kEqual) return *condition;
  const bool has_lower = op == Operator::kGreater || op == Operator::kGreaterOrEqual ||
                         op == Operator::kBetween || op == Operator::kBeginsWith;
  const bool has_upper =
      op == Operator::kLess || op == Operator::kLessOrEqual || op == Operator::kBetween;
  if (forward) {
    if (!condition || !has_upper) return {Operator::kGreaterOrEqual, start};
    return {Operator::kBetween, start,
            op == Operator::kBetween ? condition->upper : condition->value};
  }
  if (!condition || !has_lower) return {Operator::kLessOrEqual, start};
  return {Operator::kBetween, condition->value, start};
}

}  // namespace dolmen::remote
