#include "engine/expression/condition.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <string>

#include "engine/base/status_macros.h"
#include "engine/expression/syntax/diagnostics.h"

namespace dolmen::engine {

// Converts the tree to a list of steps. When a step is bound, the index of its successor is not yet
// known, so the step holds a label instead. At the end each label is replaced by the index of the
// successor.
class ConditionBinder {
 public:
  ConditionBinder(const ConditionSyntax& syntax, ExpressionKind kind, Placeholders& placeholders,
                  Condition* condition)
      : syntax_(syntax), kind_(kind), placeholders_(placeholders), condition_(*condition) {}

  Status Bind() {
    condition_.dialect_ = syntax_.dialect;
    DOLMEN_RETURN_IF_ERROR(
        BindNode(syntax_.nodes[syntax_.root], Condition::kTrue, Condition::kFalse));
    for (Condition::Step& step : condition_.steps_) {
      step.on_true = Resolve(step.on_true);
      step.on_false = Resolve(step.on_false);
    }
    return {};
  }

 private:
  using Label = std::uint16_t;  // index in positions_, or Condition::kTrue or kFalse

  // Recurses once per level of operators. Parsed and built conditions (compose.h) have at most 300
  // levels.
  Status BindNode(const ConditionNode& node, Label on_true, Label on_false) {
    const auto children = syntax_.Children(node);
    switch (node.kind) {
      case ConditionNode::Kind::kAnd:
      case ConditionNode::Kind::kOr:
        return BindChain(node, on_true, on_false);
      case ConditionNode::Kind::kNot:
        return BindNode(syntax_.nodes[children[0]], on_false, on_true);
      default:
        return BindStep(node, on_true, on_false);
    }
  }

  // Binds an AND or an OR. If the result of a child decides the AND or OR, the evaluation skips
  // the remaining children. Otherwise it continues with the next child.
  Status BindChain(const ConditionNode& node, Label on_true, Label on_false) {
    const bool is_and = node.kind == ConditionNode::Kind::kAnd;
    const auto children = syntax_.Children(node);
    for (const std::uint16_t child : children.first(children.size() - 1)) {
      const auto next = static_cast<Label>(positions_.size());
      positions_.push_back(0);
      DOLMEN_RETURN_IF_ERROR(
          BindNode(syntax_.nodes[child], is_and ? next : on_true, is_and ? on_false : next));
      positions_[next] = static_cast<std::uint16_t>(condition_.steps_.size());
    }
    return BindNode(syntax_.nodes[children.back()], on_true, on_false);
  }

  Status BindStep(const ConditionNode& node, Label on_true, Label on_false) {
    DOLMEN_ASSIGN_OR_RETURN(Predicate predicate, BindPredicate(syntax_, node, kind_, placeholders_,
                                                               &condition_.operands_));
    condition_.steps_.push_back({predicate, on_true, on_false});
    return {};
  }

  std::uint16_t Resolve(Label label) const {
    return label == Condition::kTrue || label == Condition::kFalse ? label : positions_[label];
  }

  const ConditionSyntax& syntax_;
  ExpressionKind kind_;
  Placeholders& placeholders_;
  Condition& condition_;
  boost::container::small_vector<std::uint16_t, 4> positions_;  // the step of each label
};

Result<bool> Condition::Evaluate(const ItemView& item) const {
  std::uint16_t next = 0;
  do {
    const Step& step = steps_[next];
    const Truth truth = EvaluatePredicate(step.predicate, operands_, item);
    if (truth == Truth::kDamaged) return Status::Corruption("a stored item is damaged");
    next = truth == Truth::kTrue ? step.on_true : step.on_false;
  } while (next < kFalse);
  return next == kTrue;
}

Status BindCondition(const ConditionSyntax& syntax, ExpressionKind kind, Placeholders& placeholders,
                     Condition* condition) {
  return ConditionBinder(syntax, kind, placeholders, condition).Bind();
}

Result<Condition> BindCondition(const ConditionSyntax& syntax, ExpressionKind kind,
                                Placeholders& placeholders) {
  Condition condition;
  DOLMEN_RETURN_IF_ERROR(BindCondition(syntax, kind, placeholders, &condition));
  return condition;
}

Status CheckQueryFilter(const Condition& filter, std::span<const std::string_view> key_names,
                        bool is_index_key) {
  DOLMEN_RETURN_IF_ERROR(CheckKeysAreScalars(filter.paths(), key_names, is_index_key));
  for (const std::string_view name : key_names) {
    const bool used =
        std::any_of(filter.paths().begin(), filter.paths().end(),
                    [&](const DocumentPath& path) { return path.attribute() == name; });
    if (!used) continue;
    return Status::Validation(
        std::string(filter.dialect() == Dialect::kLegacy ? "QueryFilter" : "Filter Expression")
            .append(" can only contain non-primary key attributes: Primary key attribute: ")
            .append(name));
  }
  return {};
}

}  // namespace dolmen::engine
