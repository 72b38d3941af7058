// Composers, which build syntax trees from parts instead of from a text. The typed builders of the
// API use them (dolmen/condition_builder.h).
//
// Composers are not thread-safe. Finished trees are immutable, so threads may share them.

#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/expression.h"
#include "dolmen/result.h"
#include "engine/expression/syntax/diagnostics.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// A composer of the paths and values of one tree. It keeps the first error, a kValidation whose
// message has no prefix. After an error the tree must not be used.
class PartComposer {
 public:
  // Borrows the tree, which must outlive the composer.
  explicit PartComposer(ExpressionSyntax* syntax)
      : syntax_(syntax), count_max_(is_legacy() ? kLegacyCountMax : kCountMax) {}

  // Adds a path and returns its place in the tree.
  // - kValidation: the path is empty.
  // - kValidation: the path has more than kPathStepsMax steps.
  // - kValidation: a name is empty, too long or not UTF-8.
  // - kValidation: a list index is not an unsigned 32-bit integer.
  // - kValidation: the tree is too large.
  PathSyntax AddPath(std::span<const PathPart> path);

  // Adds the path of a top-level attribute. Errors: those of AddPath.
  PathSyntax AddAttribute(std::string_view name);

  // Adds a copy of a value as a literal and returns its place in the tree.
  // - kValidation: EncodeValue rejects the value (codec.h).
  // - kValidation: the tree is too large.
  ValueSyntax AddValue(const AttributeValue& value);

  // Adds a placeholder with the token, for example ":v", and returns its place in the tree.
  // - kValidation: the tree is too large.
  ValueSyntax AddPlaceholder(std::string_view token);

  // Appends the text and the steps of another tree. If this tree would become too large, records an
  // error and returns false.
  bool Append(const ExpressionSyntax& other);

  // Returns true if the limit allows `size` plus `more` steps, nodes or children in the tree.
  // Otherwise records an error and returns false.
  bool RequireRoom(std::size_t size, std::size_t more) {
    return size + more <= count_max_ || FailTooLarge();
  }

  // Raises the limits of steps, nodes and children to the largest 16-bit number. Called when the
  // tree of a legacy parameter is copied into this tree. kLegacyCountMax has already limited the
  // copied tree.
  void AllowAnyCount() { count_max_ = std::numeric_limits<std::uint16_t>::max(); }

  // Records `status` as the error, unless an earlier error is recorded. Returns false.
  bool Fail(Status status);
  const Status& status() const { return status_; }

 private:
  // The largest number of steps, of nodes and of children in a tree. A tree of a 4 KB text has far
  // fewer of each. The limit bounds the time of a request, which grows with the product of this
  // number and the number of attributes of an item.
  static constexpr std::size_t kCountMax = 4096;
  static constexpr std::size_t kLegacyCountMax = 16'384;

  bool is_legacy() const { return syntax_->dialect == Dialect::kLegacy; }
  bool FailTooLarge();
  bool AddStep(const PathPart& part);
  bool AddName(std::string_view name);
  bool AddText(std::string_view text, TextSpan* span);

  ExpressionSyntax* syntax_;
  std::size_t count_max_;
  Status status_;
};

// Builder of a ConditionSyntax or an UpdateSyntax from the leaves to the root. Each Add function
// returns the index of the added node. After an error the indexes must not be used, and Finish
// returns the error.
template <typename Syntax>
class TreeComposer {
 public:
  using Node = typename decltype(Syntax::nodes)::value_type;
  using NodeIndex = std::uint16_t;

  // Creates a composer of a new tree.
  explicit TreeComposer(Dialect dialect = Dialect::kExpression)
      : syntax_(std::make_shared<Syntax>()), parts_(Start(dialect, syntax_.get())) {}
  // Creates a composer that adds to the tree `base`. Changes the tree itself if it has no other owner,
  // otherwise a copy. If `base` holds an error or was moved from, records an error.
  explicit TreeComposer(SyntaxTree<Syntax> base) : syntax_(Own(&base)), parts_(syntax_.get()) {
    if (syntax_->dialect == Dialect::kLegacy) parts_.AllowAnyCount();
    RequireTree(base);
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

  NodeIndex AddPlaceholder(std::string_view token) {
    Node node;
    node.kind = Node::Kind::kValue;
    node.value = parts_.AddPlaceholder(token);
    return AddParent(node, {});
  }

  NodeIndex AddParent(const Node& node, std::span<const NodeIndex> children) {
    const bool fits = parts_.RequireRoom(syntax_->nodes.size(), 1) &&
                      parts_.RequireRoom(syntax_->children.size(), children.size());
    return fits ? syntax_->AddParent(node, children) : NodeIndex{0};
  }

  // Adds a copy of the tree and returns the index of the copied root. If `tree` holds an error or
  // was moved from, records an error and returns 0.
  NodeIndex AddTree(const SyntaxTree<Syntax>& tree) {
    return RequireTree(tree) ? AddCopy(**tree) : NodeIndex{0};
  }

  PartComposer& parts() { return parts_; }
  Syntax& syntax() { return *syntax_; }

  // Returns the complete tree. Call Finish once, after all other functions.
  // - kValidation: an earlier call recorded an error. Returns the first recorded error.
  // - kValidation: the tree has more than kExpressionOperatorsMax operators. In the tree of a
  //   legacy parameter the limit applies to levels of operators instead.
  SyntaxTree<Syntax> Finish() {
    if (parts_.status().ok()) CheckOperators();
    if (!parts_.status().ok()) return parts_.status();
    return std::shared_ptr<const Syntax>(std::move(syntax_));
  }

 private:
  static constexpr std::size_t kTextReserved = 48;  // bytes, enough for most conditions

  // Prepares the new tree and returns it.
  static Syntax* Start(Dialect dialect, Syntax* syntax) {
    syntax->dialect = dialect;
    syntax->text.reserve(kTextReserved);
    return syntax;
  }

  // Returns `*tree` itself if it has no other owner, otherwise a copy. No other thread can add an owner after
  // the test, because owners are only copied from this one. A composer has made the object, so it is not const.
  static std::shared_ptr<Syntax> Own(const SyntaxTree<Syntax>* tree) {
    if (!tree->ok() || **tree == nullptr) return std::make_shared<Syntax>();
    if ((**tree).use_count() != 1) {
      auto copy = std::make_shared<Syntax>();
      copy->text.reserve((**tree)->text.size() + kTextReserved);
      *copy = ***tree;
      return copy;
    }
    std::atomic_thread_fence(std::memory_order_acquire);  // after the last use by another owner
    return std::const_pointer_cast<Syntax>(**tree);
  }

  // Returns true if there is a tree. Otherwise records an error.
  bool RequireTree(const SyntaxTree<Syntax>& tree) {
    if (tree.ok() && *tree != nullptr) return true;
    return parts_.Fail(
        tree.ok() ? Status::Validation("A part of the expression was moved from; create it again")
                  : tree.status());
  }

  NodeIndex AddCopy(const Syntax& tree) {
    // A tree that contains a copy of a legacy parameter's tree becomes a legacy tree, too, and
    // loses the limit on the number of operators, because legacy trees have no such limit.
    if (tree.dialect == Dialect::kLegacy) {
      syntax_->dialect = Dialect::kLegacy;
      parts_.AllowAnyCount();
    }
    const auto text = static_cast<std::uint32_t>(syntax_->text.size());
    const auto step = static_cast<std::uint16_t>(syntax_->steps.size());
    const auto child = static_cast<std::uint16_t>(syntax_->children.size());
    const auto first = static_cast<NodeIndex>(syntax_->nodes.size());
    const bool fits = parts_.RequireRoom(first, tree.nodes.size()) &&
                      parts_.RequireRoom(child, tree.children.size()) && parts_.Append(tree);
    if (!fits) return 0;
    for (const NodeIndex index : tree.children) {
      syntax_->children.push_back(static_cast<NodeIndex>(index + first));
    }
    syntax_->nodes.insert(syntax_->nodes.end(), tree.nodes.begin(), tree.nodes.end());
    for (Node& node : std::span(syntax_->nodes.data(), syntax_->nodes.size()).subspan(first)) {
      node.path.first_step = static_cast<std::uint16_t>(node.path.first_step + step);
      node.value.text.start += text;
      node.first_child = static_cast<std::uint16_t>(node.first_child + child);
    }
    return static_cast<NodeIndex>(syntax_->nodes.size() - 1);  // the root is the last node
  }

  void CheckOperators() {
    if (syntax_->dialect == Dialect::kLegacy) return CheckLevels();
    std::size_t count = 0;
    for (const Node& node : syntax_->nodes) {
      if (node.kind == Node::Kind::kPath || node.kind == Node::Kind::kValue) continue;
      ++count;
    }
    if (count > kExpressionOperatorsMax) parts_.Fail(Status::Validation(TooManyOperators(count)));
  }

  // Records an error if operators nest deeper than kExpressionOperatorsMax, because the number of operators in
  // a legacy parameter is not limited.
  void CheckLevels() {
    std::size_t deepest = 0;
    std::vector<std::size_t> levels;  // for each node: the levels below it
    levels.reserve(syntax_->nodes.size());
    for (const Node& node : syntax_->nodes) {
      std::size_t below = 0;
      for (const NodeIndex child : syntax_->Children(node)) {
        below = std::max(below, levels[child] + 1);
      }
      levels.push_back(below);
      deepest = std::max(deepest, below);
    }
    if (deepest > kExpressionOperatorsMax) parts_.Fail(Status::Validation(TooManyLevels(deepest)));
  }

  std::shared_ptr<Syntax> syntax_;
  PartComposer parts_;
};

// An operand of a predicate: a path, the size() of a path, or a value. Borrows the path and the
// value.
struct OperandParts {
  std::span<const PathPart> path = {};
  const AttributeValue* value = nullptr;  // null: the operand is a path
  bool size = false;                      // the operand is size(path)
};

// Returns the tree of a single predicate, or the first error.
SyntaxTree<ConditionSyntax> ComposePredicate(ConditionOperator op,
                                             std::span<const OperandParts> operands);

// Returns the tree of conditions that AND or OR joins, or of a NOT, or the first error. Changes the tree of
// `first` if nothing else shares it; copies the others. Without others, AND and OR return `first`.
// REQUIRES: `kind` is kAnd or kOr, or kNot with no `others`.
SyntaxTree<ConditionSyntax> Combine(
    ConditionNode::Kind kind, SyntaxTree<ConditionSyntax> first,
    std::span<const SyntaxTree<ConditionSyntax>* const> others = {});

}  // namespace dolmen::engine
