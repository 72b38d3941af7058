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
    pending_.push_back(
        {&syntax_.nodes[syntax_.root], Condition::kTrue, Condition::kFalse, kNoLabel});
    while (!pending_.empty()) {
      const Pending next = pending_.back();
      pending_.pop_back();
      DOLMEN_RETURN_IF_ERROR(BindNode(next));
    }
    for (Condition::Step& step : condition_.steps_) {
      step.on_true = Resolve(step.on_true);
      step.on_false = Resolve(step.on_false);
    }
    return {};
  }

 private:
  using Label = std::uint16_t;  // index in positions_, or Condition::kTrue or kFalse

  static constexpr Label kNoLabel = Condition::kTrue;

  // A node that is not bound yet, the labels of its successors, and the label of its first step.
  struct Pending {
    const ConditionNode* node;
    Label on_true;
    Label on_false;
    Label first_step;
  };

  // Binds a predicate, or replaces an operator in pending_ by its children.
  Status BindNode(const Pending& next) {
    if (next.first_step != kNoLabel) {
      positions_[next.first_step] = static_cast<std::uint16_t>(condition_.steps_.size());
    }
    switch (next.node->kind) {
      case ConditionNode::Kind::kAnd:
      case ConditionNode::Kind::kOr:
        PushChain(next);
        return {};
      case ConditionNode::Kind::kNot:
        pending_.push_back({&syntax_.nodes[syntax_.Children(*next.node)[0]], next.on_false,
                            next.on_true, kNoLabel});
        return {};
      default:
        return BindStep(*next.node, next.on_true, next.on_false);
    }
  }

  // Adds the children of an AND or an OR to pending_, the first one last. If the result of a child decides
  // the AND or OR, the evaluation skips the remaining children. Otherwise it continues with the next child.
  void PushChain(const Pending& chain) {
    const bool is_and = chain.node->kind == ConditionNode::Kind::kAnd;
    const auto children = syntax_.Children(*chain.node);
    const auto first_label = static_cast<Label>(positions_.size());
    positions_.resize(first_label + children.size() - 1);
    for (std::size_t i = children.size(); i-- > 0;) {
      const Label step = i == 0 ? kNoLabel : static_cast<Label>(first_label + i - 1);
      const bool is_last = i + 1 == children.size();
      const auto next = static_cast<Label>(first_label + i);
      pending_.push_back({&syntax_.nodes[children[i]], is_and && !is_last ? next : chain.on_true,
                          is_and || is_last ? chain.on_false : next, step});
    }
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
  boost::container::small_vector<Pending, 8> pending_;          // the next node last
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
