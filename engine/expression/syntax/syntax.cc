#include "engine/expression/syntax/syntax.h"

#include <cassert>
#include <charconv>

#include "engine/value/bytes.h"

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

namespace {

template <typename Integer>
void AppendInteger(Integer value, std::string* out) {
  AppendVarint(static_cast<std::uint32_t>(value), out);
}

void Append(TextSpan span, const ExpressionSyntax& syntax, std::string* out) {
  AppendBlock(syntax.Text(span), out);
}

void Append(PathSyntax path, const ExpressionSyntax& syntax, std::string* out) {
  AppendInteger(path.step_count, out);
  for (const PathStepSyntax& step : syntax.Steps(path)) {
    AppendInteger(step.kind, out);
    if (step.kind == PathStepSyntax::Kind::kIndex) {
      AppendInteger(step.index, out);
    } else {
      Append(step.text, syntax, out);
    }
  }
}

void Append(const ValueSyntax& value, const ExpressionSyntax& syntax, std::string* out) {
  AppendInteger(value.literal, out);
  AppendInteger(value.type, out);
  Append(value.text, syntax, out);
}

// Appends the fields that the nodes of all trees have.
template <typename Node>
void AppendNode(const Node& node, const TreeSyntax<Node>& syntax, std::string* out) {
  AppendInteger(node.kind, out);
  if (node.kind == Node::Kind::kPath) Append(node.path, syntax, out);
  if (node.kind == Node::Kind::kValue) Append(node.value, syntax, out);
  AppendInteger(node.child_count, out);
  for (const std::uint16_t child : syntax.Children(node)) AppendInteger(child, out);
}

}  // namespace

void AppendSyntax(const ConditionSyntax& syntax, std::string* out) {
  AppendInteger(syntax.nodes.size(), out);
  for (const ConditionNode& node : syntax.nodes) {
    AppendInteger(node.op, out);
    AppendNode(node, syntax, out);
  }
  AppendInteger(syntax.root, out);
}

void AppendSyntax(const UpdateSyntax& syntax, std::string* out) {
  AppendInteger(syntax.nodes.size(), out);
  for (const UpdateNode& node : syntax.nodes) AppendNode(node, syntax, out);
  AppendInteger(syntax.actions.size(), out);
  for (const UpdateActionSyntax& action : syntax.actions) {
    AppendInteger(action.kind, out);
    Append(action.target, syntax, out);
    AppendInteger(action.value, out);
  }
}

}  // namespace dolmen::engine
