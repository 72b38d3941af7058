// Text forms of syntax trees for tests, for example: (and (= a.b :x) (not (< (size c) :y))).

#pragma once

#include <string>

#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

inline std::string PathText(const ExpressionSyntax& syntax, PathSyntax path) {
  std::string text;
  for (const PathStepSyntax& step : syntax.Steps(path)) {
    if (step.kind == PathStepSyntax::Kind::kIndex) {
      text += "[" + std::to_string(step.index) + "]";
    } else {
      text.append(text.empty() ? "" : ".").append(syntax.Text(step.text));
    }
  }
  return text;
}

inline std::string OperatorText(const ConditionNode& node) {
  switch (node.kind) {
    case ConditionNode::Kind::kAnd:
      return "and";
    case ConditionNode::Kind::kOr:
      return "or";
    case ConditionNode::Kind::kNot:
      return "not";
    case ConditionNode::Kind::kSize:
      return "size";
    default:
      return std::string(ConditionOperatorName(node.op));
  }
}

inline std::string OperatorText(const UpdateNode& node) {
  return std::string(UpdateOperatorName(node.kind));
}

// Formats a node of a ConditionSyntax or of an UpdateSyntax, and the nodes below it.
template <typename Syntax, typename Node>
std::string NodeText(const Syntax& syntax, const Node& node) {
  if (node.kind == Node::Kind::kPath) return PathText(syntax, node.path);
  if (node.kind == Node::Kind::kValue) return std::string(syntax.Text(node.value.text));
  std::string text = "(" + OperatorText(node);
  for (const std::uint16_t child : syntax.Children(node)) {
    text += " " + NodeText(syntax, syntax.nodes[child]);
  }
  return text + ")";
}

inline std::string SyntaxText(const ConditionSyntax& syntax) {
  return NodeText(syntax, syntax.nodes[syntax.root]);
}

inline std::string SyntaxText(const ProjectionSyntax& syntax) {
  std::string text;
  for (const PathSyntax path : syntax.paths) {
    text.append(text.empty() ? "" : " ").append(PathText(syntax, path));
  }
  return text;
}

// Formats an update, for example: set a = (+ b :x); remove c; add d :y.
inline std::string SyntaxText(const UpdateSyntax& syntax) {
  std::string text;
  for (const UpdateActionSyntax& action : syntax.actions) {
    const bool set = action.kind == UpdateActionSyntax::Kind::kSet;
    static constexpr const char* kWords[] = {"set ", "remove ", "add ", "delete "};
    text.append(text.empty() ? "" : "; ").append(kWords[static_cast<int>(action.kind)]);
    text.append(PathText(syntax, action.target));
    if (action.kind == UpdateActionSyntax::Kind::kRemove) continue;
    text.append(set ? " = " : " ").append(NodeText(syntax, syntax.nodes[action.value]));
  }
  return text;
}

}  // namespace dolmen::engine
