// Puts syntax trees together from their parts, without a text: what the typed builders of the API
// do (dolmen/condition_builder.h).

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/expression.h"
#include "dolmen/status.h"
#include "engine/expression/syntax/diagnostics.h"
#include "engine/expression/syntax/syntax.h"
#include "engine/expression/syntax/syntax_limits.h"

namespace dolmen::engine {

// Adds paths and values to one tree.  The first error is kept, kValidation without a prefix; what
// is added after it is of no use.
class PartComposer {
 public:
  // Borrows the tree.
  explicit PartComposer(ExpressionSyntax* syntax)
      : syntax_(syntax), count_max_(is_legacy() ? kLegacyCountMax : kCountMax) {}

  PathSyntax AddPath(std::span<const PathPart> path);
  ValueSyntax AddValue(const AttributeValue& value);

  // Appends the other tree's text and steps, if there is room for them.
  bool Append(const ExpressionSyntax& other);

  // Fails unless so many more fit to `size` things that are counted in 16 bits.
  bool RequireRoom(std::size_t size, std::size_t more) {
    return size + more <= count_max_ || FailTooLarge();
  }

  // Of a tree that a parameter's is made a part of: that had its limit by itself.
  void AllowAnyCount() { count_max_ = std::numeric_limits<std::uint16_t>::max(); }

  bool Fail(Status status);
  const Status& status() const { return status_; }

 private:
  // Far more than a text of 4 KB has; a request's time depends on it, times the attributes of
  // items.
  static constexpr std::size_t kCountMax = 4096;
  static constexpr std::size_t kLegacyCountMax = 16'384;

  bool is_legacy() const { return syntax_->dialect == Dialect::kLegacy; }
  bool FailTooLarge();
  bool CheckName(std::string_view name);
  bool AddStep(const PathPart& part);
  bool AddText(std::string_view text, TextSpan* span);

  ExpressionSyntax* syntax_;
  std::size_t count_max_;
  Status status_;
};

// Builds a ConditionSyntax or an UpdateSyntax from the leaves up.
template <typename Syntax>
class TreeComposer {
 public:
  using Node = typename decltype(Syntax::nodes)::value_type;
  using NodeIndex = std::uint16_t;

  explicit TreeComposer(Syntax base = {}) : syntax_(std::move(base)) {
    // What a part of a usual expression needs: one allocation each, not one per doubling.
    MakeRoom(48, &syntax_.text);
    MakeRoom(4, &syntax_.steps);
    MakeRoom(12, &syntax_.nodes);
    MakeRoom(12, &syntax_.children);
  }
  TreeComposer(const TreeComposer&) = delete;
  TreeComposer& operator=(const TreeComposer&) = delete;

  NodeIndex AddPath(std::span<const PathPart> path) {
    Node node;
    node.kind = Node::Kind::kPath;
    node.path = parts_.AddPath(path);
    return AddParent(node, {});
  }

  NodeIndex AddValue(const AttributeValue& value) {
    Node node;
    node.kind = Node::Kind::kValue;
    node.value = parts_.AddValue(value);
    return AddParent(node, {});
  }

  NodeIndex AddParent(const Node& node, std::span<const NodeIndex> children) {
    const bool fits = parts_.RequireRoom(syntax_.nodes.size(), 1) &&
                      parts_.RequireRoom(syntax_.children.size(), children.size());
    return fits ? syntax_.AddParent(node, children) : NodeIndex{0};
  }

  // The root of a copy of the tree, or the error that it is.
  NodeIndex Graft(const SyntaxTree<Syntax>& tree) {
    if (tree.ok() && *tree != nullptr) return GraftTree(**tree);
    parts_.Fail(tree.ok() ? Status::Validation("A part of the expression was moved from;")
                          : tree.status());
    return 0;
  }

  PartComposer& parts() { return parts_; }
  Syntax& syntax() { return syntax_; }

  // The tree, complete, or the first error.
  SyntaxTree<Syntax> Finish() {
    if (parts_.status().ok()) CheckOperators();
    if (!parts_.status().ok()) return parts_.status();
    // Not of a const Syntax: a builder that is the only one to have it goes on with it.
    return std::shared_ptr<const Syntax>(std::make_shared<Syntax>(std::move(syntax_)));
  }

 private:
  // For so many more; twice as many if there are more already, so that a long chain copies little.
  template <typename Sequence>
  static void MakeRoom(std::size_t more, Sequence* sequence) {
    const std::size_t size = sequence->size();
    if (sequence->capacity() < size + more) sequence->reserve(size + std::max(size, more));
  }

  NodeIndex GraftTree(const Syntax& tree) {
    // Whose part may have any number of operators may so itself.
    if (tree.dialect == Dialect::kLegacy) {
      syntax_.dialect = Dialect::kLegacy;
      parts_.AllowAnyCount();
    }
    const auto text = static_cast<std::uint32_t>(syntax_.text.size());
    const auto step = static_cast<std::uint16_t>(syntax_.steps.size());
    const auto child = static_cast<std::uint16_t>(syntax_.children.size());
    const auto first = static_cast<NodeIndex>(syntax_.nodes.size());
    const bool fits = parts_.RequireRoom(first, tree.nodes.size()) &&
                      parts_.RequireRoom(child, tree.children.size()) && parts_.Append(tree);
    if (!fits) return 0;
    for (const NodeIndex index : tree.children) {
      syntax_.children.push_back(static_cast<NodeIndex>(index + first));
    }
    for (Node node : tree.nodes) {
      node.path.first_step = static_cast<std::uint16_t>(node.path.first_step + step);
      node.value.text.start += text;
      node.first_child = static_cast<std::uint16_t>(node.first_child + child);
      syntax_.nodes.push_back(node);
    }
    return static_cast<NodeIndex>(syntax_.nodes.size() - 1);  // a root comes last
  }

  void CheckOperators() {
    if (syntax_.dialect == Dialect::kLegacy) return CheckLevels();
    std::size_t count = 0;
    for (const Node& node : syntax_.nodes) {
      if (node.kind == Node::Kind::kPath || node.kind == Node::Kind::kValue) continue;
      ++count;
    }
    if (count > kExpressionOperatorsMax) parts_.Fail(Status::Validation(TooManyOperators(count)));
  }

  // However many operators there are, no more of them lie within each other than others have in
  // all: binding recurses as deep.
  void CheckLevels() {
    std::size_t deepest = 0;
    std::vector<std::size_t> levels;  // below each node, whose children come before it
    levels.reserve(syntax_.nodes.size());
    for (const Node& node : syntax_.nodes) {
      std::size_t below = 0;
      for (const NodeIndex child : syntax_.Children(node)) {
        below = std::max(below, levels[child] + 1);
      }
      levels.push_back(below);
      deepest = std::max(deepest, below);
    }
    if (deepest > kExpressionOperatorsMax) parts_.Fail(Status::Validation(TooManyLevels(deepest)));
  }

  Syntax syntax_;
  PartComposer parts_{&syntax_};
};

// An operand of a predicate: a path, the size of what it leads to, or a value.  Borrows.
struct OperandParts {
  std::span<const PathPart> path = {};
  const AttributeValue* value = nullptr;  // if it is no path
  bool size = false;
};

SyntaxTree<ConditionSyntax> ComposePredicate(ConditionOperator op,
                                             std::span<const OperandParts> operands);

// `kind` is kAnd or kOr of two conditions, or kNot of one.
SyntaxTree<ConditionSyntax> Combine(
    ConditionNode::Kind kind, std::initializer_list<const SyntaxTree<ConditionSyntax>*> conditions);

}  // namespace dolmen::engine
