// UpdateExpression: how an item changes.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.UpdateExpressions.html

#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/item_view.h"
#include "dolmen/lifetime.h"
#include "dolmen/result.h"
#include "engine/expression/document_path.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/projection.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// A bound update.  Borrows names and literals from the syntax, names from the request, and
// values from the Placeholders: all three must outlive it.
// A value; const methods may be called from any thread.
class Update {
 public:
  // `base` after the update; all operands are read from `old`.  `base` is an owned copy of `old`,
  // or only the key if there is no old item, and `old` then has no attributes.
  // The new item's limits (size, nesting, index keys) are the caller's to check.
  // kValidation, with DynamoDB's message: an operand that is missing or has the wrong type, a path
  // into nothing, a number out of range.  kCorruption: `old` is damaged.
  Result<Item> Apply(const ItemView& old, Item base) const;

  // The paths that the update changes, in the order written; no two clash.
  std::span<const DocumentPath> targets() const DOLMEN_LIFETIME_BOUND { return targets_; }

  // All paths of more than one step, what is changed and what is read.
  std::span<const DocumentPath> nested_paths() const DOLMEN_LIFETIME_BOUND { return nested_; }

  // Whether the update changes the top-level attribute, or something in it.
  bool Touches(std::string_view attribute) const;

  // The value that SET gives the top-level attribute as it stands in the request; absent if it is
  // computed, or not set.
  AttributeView AssignedValue(std::string_view attribute) const;

  // kValidation if the update changes one of these attributes, which are the table's key.
  Status CheckLeavesKey(std::span<const std::string_view> key_names) const;

  // Of an old or new item, the parts that UPDATED_OLD and UPDATED_NEW return.  Borrows from the
  // same objects as this update.
  Projection TouchedParts() const { return Projection(targets_); }

 private:
  friend class UpdateBinder;
  friend class UpdateEvaluator;

  // An operand: a path, a value, or an operator on one or two other operands.
  struct Node {
    UpdateNode::Kind kind = UpdateNode::Kind::kPath;
    std::uint16_t left = 0;   // in nodes_; kIfNotExists: its path
    std::uint16_t right = 0;  // in nodes_
    DocumentPath path{""};    // kPath
    AttributeView value;      // kValue
  };
  struct Action {
    UpdateActionSyntax::Kind kind = UpdateActionSyntax::Kind::kSet;
    std::uint16_t value = 0;  // in nodes_; not kRemove
  };

  std::vector<DocumentPath> targets_;
  std::vector<DocumentPath> nested_;
  std::vector<Action> actions_;  // targets_[i] is what actions_[i] changes
  std::vector<Node> nodes_;
  Dialect dialect_ = Dialect::kExpression;
};

// Resolves the placeholders and checks all that can be checked without an item.
// kValidation, with DynamoDB's message: a placeholder that is not defined, targets that clash,
// operands of the wrong number or type.
Result<Update> BindUpdate(const UpdateSyntax& syntax DOLMEN_LIFETIME_BOUND,
                          Placeholders& placeholders DOLMEN_LIFETIME_BOUND);
Result<Update> BindUpdate(UpdateSyntax&& syntax, Placeholders& placeholders) = delete;

}  // namespace dolmen::engine
