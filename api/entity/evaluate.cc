#include "entity/evaluate.h"

#include <boost/container/small_vector.hpp>
#include <span>
#include <string>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/expression/compose.h"
#include "engine/expression/condition.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/update.h"

namespace dolmen::entity {
namespace {

// The expressions of builders have no placeholders.
class NoPlaceholders {
 public:
  engine::Placeholders* get() { return &none_; }

 private:
  const Names names_;
  const Values values_;
  engine::Placeholders none_{names_, values_};
};

}  // namespace

ConditionBuilder All(const std::vector<ConditionBuilder>& conditions) {
  boost::container::small_vector<const SyntaxTree<engine::ConditionSyntax>*, 8> others;
  for (const ConditionBuilder& condition : std::span(conditions).subspan(1)) {
    others.push_back(&condition.tree());
  }
  return ConditionBuilder(engine::Combine(engine::ConditionNode::Kind::kAnd,
                                          conditions.front().tree(),
                                          {others.data(), others.size()}));
}

Result<bool> Holds(const ConditionExpression& condition, const ItemView& item) {
  const auto* const tree = condition.tree();
  if (tree == nullptr) return true;
  if (!tree->ok()) return tree->status();
  NoPlaceholders none;
  DOLMEN_ASSIGN_OR_RETURN(const auto bound,
                          engine::BindCondition(***tree, ExpressionKind::kCondition, *none.get()));
  return bound.Evaluate(item);
}

Result<StoredItem> Apply(const UpdateExpression& update, const ItemView& item) {
  std::string bytes(item.bytes());
  if (const auto* const tree = update.tree()) {
    if (!tree->ok()) return tree->status();
    NoPlaceholders none;
    DOLMEN_ASSIGN_OR_RETURN(const auto bound, engine::BindUpdate(***tree, *none.get()));
    bytes.clear();
    DOLMEN_RETURN_IF_ERROR(bound.Apply(item, &bytes));
  }
  return StoredItem::FromBytes(std::move(bytes));
}

}  // namespace dolmen::entity
