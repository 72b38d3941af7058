#include "engine/expression/syntax/syntax_bytes.h"

#include "engine/value/bytes.h"

namespace dolmen::engine {
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
