#include "engine/expression/syntax/syntax.h"

#include <cassert>
#include <charconv>

namespace dolmen::engine {

std::string ParameterToken(std::uint32_t parameter) { return ":" + std::to_string(parameter); }

std::uint32_t ParameterNumber(std::string_view token) {
  std::uint32_t number = 0;
  std::from_chars(token.data() + 1, token.data() + token.size(), number);
  return number;
}

std::string_view ConditionOperatorName(ConditionOperator op) {
  switch (op) {
    case ConditionOperator::kEqual:
      return "=";
    case ConditionOperator::kNotEqual:
      return "<>";
    case ConditionOperator::kLess:
      return "<";
    case ConditionOperator::kLessOrEqual:
      return "<=";
    case ConditionOperator::kGreater:
      return ">";
    case ConditionOperator::kGreaterOrEqual:
      return ">=";
    case ConditionOperator::kBetween:
      return "BETWEEN";
    case ConditionOperator::kIn:
      return "IN";
    case ConditionOperator::kAttributeExists:
      return "attribute_exists";
    case ConditionOperator::kAttributeNotExists:
      return "attribute_not_exists";
    case ConditionOperator::kAttributeType:
      return "attribute_type";
    case ConditionOperator::kBeginsWith:
      return "begins_with";
    case ConditionOperator::kContains:
      return "contains";
    case ConditionOperator::kNotContains:
      return "NOT_CONTAINS";
  }
  return "";
}

std::optional<ConditionOperator> FindConditionFunction(std::string_view name) {
  for (const ConditionOperator op :
       {ConditionOperator::kAttributeExists, ConditionOperator::kAttributeNotExists,
        ConditionOperator::kAttributeType, ConditionOperator::kBeginsWith,
        ConditionOperator::kContains}) {
    if (name == ConditionOperatorName(op)) return op;
  }
  return std::nullopt;
}

std::string_view UpdateOperatorName(UpdateNode::Kind kind) {
  switch (kind) {
    case UpdateNode::Kind::kIfNotExists:
      return "if_not_exists";
    case UpdateNode::Kind::kListAppend:
      return "list_append";
    case UpdateNode::Kind::kPlus:
      return "+";
    case UpdateNode::Kind::kMinus:
      return "-";
    case UpdateNode::Kind::kPath:
    case UpdateNode::Kind::kValue:
      break;
  }
  assert(false);
  return "";
}

}  // namespace dolmen::engine
