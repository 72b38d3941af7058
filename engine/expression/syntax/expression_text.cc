#include "engine/expression/syntax/expression_text.h"

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/item_view.h"
#include "engine/base/deep.h"

namespace dolmen::engine {
namespace {

void AppendSeparated(std::string_view separator, const std::string& part, std::string* text) {
  if (!text->empty()) *text += separator;
  *text += part;
}

// The tokens of a text for people: the names and the values themselves.
class PlainTokens final : public ExpressionTokens {
 public:
  std::string Name(std::string_view name) override { return std::string(name); }
  std::string Literal(const AttributeView& value) override { return value.ToString(); }
};

std::string PathText(const ExpressionSyntax& syntax, PathSyntax path, ExpressionTokens& tokens) {
  std::string text;
  for (const PathStepSyntax& step : syntax.Steps(path)) {
    if (step.kind == PathStepSyntax::Kind::kIndex) {
      text += "[" + std::to_string(step.index) + "]";
    } else {
      const std::string_view name = syntax.Text(step.text);
      const bool is_name = step.kind == PathStepSyntax::Kind::kName;
      AppendSeparated(".", is_name ? tokens.Name(name) : std::string(name), &text);
    }
  }
  return text;
}

std::string ValueText(const ExpressionSyntax& syntax, const ValueSyntax& value,
                      ExpressionTokens& tokens) {
  const std::string_view text = syntax.Text(value.text);
  return value.literal ? tokens.Literal(AttributeView(value.type, text)) : std::string(text);
}

// Return the text of a node. Coroutines, because 300 operators may nest.
Deep<std::string> NodeText(const ConditionSyntax& syntax, const ConditionNode& node,
                           ExpressionTokens& tokens);
Deep<std::string> NodeText(const UpdateSyntax& syntax, const UpdateNode& node,
                           ExpressionTokens& tokens);

template <typename Syntax, typename Node>
Deep<std::vector<std::string>> ChildTexts(const Syntax& syntax, const Node& node,
                                          ExpressionTokens& tokens) {
  std::vector<std::string> texts;
  for (const std::uint16_t child : syntax.Children(node)) {
    std::string text = co_await NodeText(syntax, syntax.nodes[child], tokens);
    texts.push_back(std::move(text));
  }
  co_return texts;
}

std::string Joined(std::string_view separator, const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) AppendSeparated(separator, part, &text);
  return text;
}

std::string PredicateText(ConditionOperator op, const std::vector<std::string>& operands) {
  const std::string name(ConditionOperatorName(op));
  switch (op) {
    case ConditionOperator::kEqual:
    case ConditionOperator::kNotEqual:
    case ConditionOperator::kLess:
    case ConditionOperator::kLessOrEqual:
    case ConditionOperator::kGreater:
    case ConditionOperator::kGreaterOrEqual:
      return Joined(" " + name + " ", operands);
    case ConditionOperator::kBetween:
      return operands[0] + " BETWEEN " + operands[1] + " AND " + operands[2];
    case ConditionOperator::kIn:
      return operands[0] + " IN (" + Joined(", ", {operands.begin() + 1, operands.end()}) + ")";
    default:
      return name + "(" + Joined(", ", operands) + ")";
  }
}

Deep<std::string> NodeText(const ConditionSyntax& syntax, const ConditionNode& node,
                           ExpressionTokens& tokens) {
  using Kind = ConditionNode::Kind;
  if (node.kind == Kind::kPath) co_return PathText(syntax, node.path, tokens);
  if (node.kind == Kind::kValue) co_return ValueText(syntax, node.value, tokens);
  std::vector<std::string> parts = co_await ChildTexts(syntax, node, tokens);
  if (node.kind == Kind::kPredicate) co_return PredicateText(node.op, parts);
  if (node.kind == Kind::kSize) co_return "size(" + Joined(", ", parts) + ")";
  if (node.kind == Kind::kNot) co_return "NOT (" + Joined("", parts) + ")";
  for (std::size_t n = 0; n < parts.size(); ++n) {
    const Kind child = syntax.nodes[syntax.Children(node)[n]].kind;
    if (child == Kind::kAnd || child == Kind::kOr) parts[n] = "(" + parts[n] + ")";
  }
  co_return Joined(node.kind == Kind::kAnd ? " AND " : " OR ", parts);
}

Deep<std::string> NodeText(const UpdateSyntax& syntax, const UpdateNode& node,
                           ExpressionTokens& tokens) {
  using Kind = UpdateNode::Kind;
  if (node.kind == Kind::kPath) co_return PathText(syntax, node.path, tokens);
  if (node.kind == Kind::kValue) co_return ValueText(syntax, node.value, tokens);
  const std::string name(UpdateOperatorName(node.kind));
  const std::vector<std::string> operands = co_await ChildTexts(syntax, node, tokens);
  const bool is_sum = node.kind == Kind::kPlus || node.kind == Kind::kMinus;
  co_return is_sum ? Joined(" " + name + " ", operands) : name + "(" + Joined(", ", operands) + ")";
}

std::string ActionText(const UpdateSyntax& syntax, const UpdateActionSyntax& action,
                       ExpressionTokens& tokens) {
  std::string text = PathText(syntax, action.target, tokens);
  if (action.kind == UpdateActionSyntax::Kind::kRemove) return text;
  text += action.kind == UpdateActionSyntax::Kind::kSet ? " = " : " ";
  return text + NodeText(syntax, syntax.nodes[action.value], tokens).Run();
}

template <typename Syntax>
std::string PlainText(const Syntax& syntax) {
  PlainTokens tokens;
  return ExpressionText(syntax, tokens);
}

}  // namespace

std::string ExpressionText(const ConditionSyntax& syntax, ExpressionTokens& tokens) {
  return NodeText(syntax, syntax.nodes[syntax.root], tokens).Run();
}

std::string ExpressionText(const ProjectionSyntax& syntax, ExpressionTokens& tokens) {
  std::string text;
  for (const PathSyntax path : syntax.paths) {
    AppendSeparated(", ", PathText(syntax, path, tokens), &text);
  }
  return text;
}

std::string ExpressionText(const UpdateSyntax& syntax, ExpressionTokens& tokens) {
  static constexpr std::string_view kSections[] = {"SET", "REMOVE", "ADD", "DELETE"};
  std::string text;
  for (std::size_t section = 0; section < std::size(kSections); ++section) {
    std::string actions;
    for (const UpdateActionSyntax& action : syntax.actions) {
      if (static_cast<std::size_t>(action.kind) != section) continue;
      AppendSeparated(", ", ActionText(syntax, action, tokens), &actions);
    }
    if (actions.empty()) continue;
    AppendSeparated(" ", std::string(kSections[section]) + " " + actions, &text);
  }
  return text;
}

std::string ExpressionText(const ConditionSyntax& syntax) { return PlainText(syntax); }
std::string ExpressionText(const ProjectionSyntax& syntax) { return PlainText(syntax); }
std::string ExpressionText(const UpdateSyntax& syntax) { return PlainText(syntax); }

}  // namespace dolmen::engine
