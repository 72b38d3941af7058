#include "database/statement/lower/where_split.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace dolmen::database {
namespace {

using NodeType = engine::ConditionNode::Kind;
using Op = engine::ConditionOperator;
using Term = WhereSplit::Term;
using NodeIndex = WhereSplit::NodeIndex;

}  // namespace

WhereSplit::WhereSplit(const engine::ConditionSyntax* where)
    : WhereSplit(where, where != nullptr ? where->root : NodeIndex{0}) {}

WhereSplit::WhereSplit(const engine::ConditionSyntax* where, NodeIndex root) : tree_(where) {
  if (where == nullptr) return;
  where->Walk(root, [&](NodeIndex index) {
    if (where->nodes[index].kind == NodeType::kAnd) return engine::WalkStep::kInto;
    conjuncts_.push_back(index);
    return engine::WalkStep::kPast;
  });
  taken_.resize(conjuncts_.size(), false);
}

template <typename Match>
std::optional<Term> WhereSplit::Take(Match match) {
  for (std::size_t i = 0; i < conjuncts_.size(); ++i) {
    if (taken_[i]) continue;
    std::optional<Term> term = match(conjuncts_[i]);
    if (!term) continue;
    taken_[i] = true;
    return term;
  }
  return std::nullopt;
}

std::optional<Term> WhereSplit::TakeEqual(std::string_view attribute) {
  return Take([&](NodeIndex node) { return MatchEqual(node, attribute); });
}

std::optional<Term> WhereSplit::TakeRange(std::string_view attribute) {
  return Take([&](NodeIndex node) { return MatchRange(node, attribute); });
}

std::optional<Term> WhereSplit::TakeValues(std::string_view attribute) {
  return Take([&](NodeIndex node) { return MatchValues(node, attribute); });
}

std::vector<NodeIndex> WhereSplit::Rest() const {
  std::vector<NodeIndex> rest;
  for (std::size_t i = 0; i < conjuncts_.size(); ++i) {
    if (!taken_[i]) rest.push_back(conjuncts_[i]);
  }
  return rest;
}

std::optional<Term> WhereSplit::MatchEqual(NodeIndex index, std::string_view attribute) const {
  const engine::ConditionNode& node = tree_->nodes[index];
  if (node.kind != NodeType::kPredicate || node.op != Op::kEqual) return std::nullopt;
  const auto operands = tree_->Children(node);
  for (const bool swapped : {false, true}) {
    const NodeIndex path = operands[swapped ? 1 : 0];
    const NodeIndex value = operands[swapped ? 0 : 1];
    if (IsAttribute(path, attribute) && IsValue(value)) return Term{index, path, {value}};
  }
  return std::nullopt;
}

std::optional<Term> WhereSplit::MatchRange(NodeIndex index, std::string_view attribute) const {
  const engine::ConditionNode& node = tree_->nodes[index];
  if (node.kind != NodeType::kPredicate) return std::nullopt;
  const auto operands = tree_->Children(node);
  switch (node.op) {
    case Op::kLess:
    case Op::kLessOrEqual:
    case Op::kGreater:
    case Op::kGreaterOrEqual:
      if (IsAttribute(operands[1], attribute) && IsValue(operands[0])) {
        return Term{index, operands[1], {operands[0]}};
      }
      return MatchFirst(index, attribute);
    case Op::kBetween:
      return MatchFirst(index, attribute);
    case Op::kBeginsWith:
      return operands.size() == 2 ? MatchFirst(index, attribute) : std::nullopt;
    default:
      return std::nullopt;
  }
}

// Matches a predicate whose first operand is the attribute and whose other operands are values.
std::optional<Term> WhereSplit::MatchFirst(NodeIndex index, std::string_view attribute) const {
  const auto operands = tree_->Children(tree_->nodes[index]);
  if (operands.empty() || !IsAttribute(operands[0], attribute)) return std::nullopt;
  const auto values = operands.subspan(1);
  if (!std::all_of(values.begin(), values.end(), [&](NodeIndex i) { return IsValue(i); })) {
    return std::nullopt;
  }
  return Term{index, operands[0], {values.begin(), values.end()}};
}

std::optional<Term> WhereSplit::MatchValues(NodeIndex index, std::string_view attribute) const {
  Term all{index};
  const bool matches = tree_->Walk(index, [&](NodeIndex below) {
    const engine::ConditionNode& node = tree_->nodes[below];
    if (node.kind == NodeType::kOr) return engine::WalkStep::kInto;
    std::optional<Term> term;
    if (node.kind == NodeType::kPredicate) {
      term = node.op == Op::kIn ? MatchFirst(below, attribute) : MatchEqual(below, attribute);
    }
    if (!term) return engine::WalkStep::kStop;
    all.path = term->path;
    all.values.insert(all.values.end(), term->values.begin(), term->values.end());
    return engine::WalkStep::kPast;
  });
  return matches ? std::optional(std::move(all)) : std::nullopt;
}

bool WhereSplit::IsAttribute(NodeIndex index, std::string_view attribute) const {
  const engine::ConditionNode& node = tree_->nodes[index];
  return node.kind == NodeType::kPath && node.path.step_count == 1 &&
         tree_->Text(tree_->Steps(node.path)[0].text) == attribute;
}

bool WhereSplit::IsValue(NodeIndex index) const {
  return tree_->nodes[index].kind == NodeType::kValue;
}

std::shared_ptr<const engine::ConditionSyntax> ConjunctionOf(engine::ConditionSyntax tree,
                                                             std::span<const std::uint16_t> nodes) {
  if (nodes.empty()) return nullptr;
  engine::ConditionNode conjunction;
  conjunction.kind = NodeType::kAnd;
  tree.root = nodes.size() == 1 ? nodes[0] : tree.AddParent(conjunction, nodes);
  return std::make_shared<const engine::ConditionSyntax>(std::move(tree));
}

bool HasOr(const engine::ConditionSyntax& tree) {
  return std::any_of(tree.nodes.begin(), tree.nodes.end(),
                     [](const engine::ConditionNode& node) { return node.kind == NodeType::kOr; });
}

}  // namespace dolmen::database
