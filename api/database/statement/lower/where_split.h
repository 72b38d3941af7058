// Division of a condition into its parts: the conditions on key attributes that decide what is
// read, and the rest, which filters.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "dolmen/internal/lifetime.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::database {

// The conditions that AND joins in a tree, and which of them are taken. Borrows the tree. For one
// thread.
class WhereSplit {
 public:
  using NodeIndex = std::uint16_t;

  // `where` may be null: then there are no conditions.
  explicit WhereSplit(const engine::ConditionSyntax* where DOLMEN_LIFETIME_BOUND);
  // Divides only the condition whose root is the node.
  WhereSplit(const engine::ConditionSyntax* where DOLMEN_LIFETIME_BOUND, NodeIndex root);

  // A condition on one attribute: its node, the node of the attribute, and the nodes of the values.
  struct Term {
    NodeIndex node = 0;
    NodeIndex path = 0;
    std::vector<NodeIndex> values = {};
  };

  // Return a condition on the attribute that is not taken yet, and take it. Return nothing if no
  // condition matches.
  // TakeEqual: `attribute = value` or `value = attribute`.
  std::optional<Term> TakeEqual(std::string_view attribute);
  // TakeRange: a condition that limits the range of a sort key and is not an equality.
  std::optional<Term> TakeRange(std::string_view attribute);
  // TakeValues: an IN with values, or an OR of equalities and such INs on the attribute.
  std::optional<Term> TakeValues(std::string_view attribute);

  // Returns the conditions that are not taken.
  std::vector<NodeIndex> Rest() const;

  const engine::ConditionSyntax& tree() const DOLMEN_LIFETIME_BOUND { return *tree_; }

 private:
  template <typename Match>
  std::optional<Term> Take(Match match);
  std::optional<Term> MatchEqual(NodeIndex node, std::string_view attribute) const;
  std::optional<Term> MatchRange(NodeIndex node, std::string_view attribute) const;
  std::optional<Term> MatchValues(NodeIndex node, std::string_view attribute) const;
  std::optional<Term> MatchFirst(NodeIndex node, std::string_view attribute) const;
  bool IsAttribute(NodeIndex node, std::string_view attribute) const;
  bool IsValue(NodeIndex node) const;

  const engine::ConditionSyntax* tree_;
  std::vector<NodeIndex> conjuncts_;
  std::vector<bool> taken_;
};

// Returns a copy of the tree whose root is the AND of the given nodes, or null if there are none.
std::shared_ptr<const engine::ConditionSyntax> ConjunctionOf(engine::ConditionSyntax tree,
                                                             std::span<const std::uint16_t> nodes);

// Returns true if the tree has an OR.
bool HasOr(const engine::ConditionSyntax& tree);

}  // namespace dolmen::database
