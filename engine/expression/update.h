// Bound updates, which change an item.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.UpdateExpressions.html

#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/internal/lifetime.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "engine/expression/document_path.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/projection.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// A bound UpdateExpression. Borrows names and literals from the syntax, names and texts from
// the request, and other values from the Placeholders. All three must outlive the update. A value type; const
// methods may be called from any thread.
class Update {
 public:
  // Makes an unbound update, for BindUpdate. It has no other use.
  Update() = default;

  // Appends the stored form of the changed item to `*out`. Reads all operands from `old`. If the
  // table has no old item, `old` is an item that consists of the key. The caller checks the limits
  // of the new item: its size and index keys. On an error `*out` is unchanged.
  // - kValidation, with DynamoDB's message: an operand is missing or has the wrong type.
  // - kValidation, with DynamoDB's message: the map or list that would contain a target is missing.
  // - kValidation, with DynamoDB's message: a result is out of the range of numbers.
  // - kValidation, with DynamoDB's message: the values that the update copies exceed the size limit
  //   of an item.
  // - kValidation, with DynamoDB's message: the new item nests too deep.
  // - kCorruption: the item's list of attributes is damaged, or a value that the update reads. An
  //   update of an element inside an attribute reads all values of the item.
  Status Apply(const ItemView& old, std::string* out) const;

  // Returns the paths that the update changes, in the order of the expression. No two paths clash.
  std::span<const DocumentPath> targets() const DOLMEN_LIFETIME_BOUND {
    return {targets_.data(), targets_.size()};
  }

  // Returns all paths of more than one step: the paths that the update changes and the paths that
  // it reads.
  std::span<const DocumentPath> nested_paths() const DOLMEN_LIFETIME_BOUND { return nested_; }

  // Returns the source of the update's syntax.
  Dialect dialect() const { return dialect_; }

  // Returns true if each action is a REMOVE or a DELETE. Such an update creates no item.
  bool OnlyRemoves() const;

  // Returns true if the update changes the top-level attribute or a part of it.
  bool Touches(std::string_view attribute) const;

  // Returns the value that SET assigns to the top-level attribute, if the value is a literal or a
  // placeholder. Returns an absent view if SET computes the value or does not assign the
  // attribute. The view borrows from the same objects as this update.
  AttributeView AssignedValue(std::string_view attribute) const;

  // Returns the bytes that DynamoDB charges for the clauses of an UpdateItem's UpdateExpression. Counts all members of
  // the sets that ADD adds, though DynamoDB charges only for those that the item does not have.
  std::uint64_t ChargedBytes() const;

  // Checks that the clauses are not charged for more than kItemBytesMax. The result depends on `old` only if ADD adds
  // members to sets. DynamoDB has this limit only for the UpdateExpression of the operation UpdateItem. It checks the
  // limit before the condition, and the size of the new item in addition.
  // - kValidation, with DynamoDB's message: the limit is exceeded.
  Status CheckCharge(const ItemView& old) const;

  // Checks that the update changes no attribute of the table's key.
  // - kValidation, with DynamoDB's message: the update changes a key attribute.
  Status CheckKeyUnchanged(std::span<const std::string_view> key_names) const;

  // Returns a projection of the changed parts. UPDATED_OLD applies it to the old item, and
  // UPDATED_NEW to the new item. The projection borrows from the same objects as this update.
  Projection TouchedParts() const { return Projection({targets_.begin(), targets_.end()}); }

 private:
  friend class UpdateBinder;
  friend class UpdateEvaluator;

  // An operand: a path, a value, or an operator with one or two operands.
  struct Node {
    UpdateNode::Kind kind = UpdateNode::Kind::kPath;
    std::uint16_t left = 0;   // index in nodes_; for kIfNotExists the index of the path
    std::uint16_t right = 0;  // index in nodes_
    DocumentPath path{""};    // kPath
    AttributeView value;      // kValue
  };
  // An action on a target.
  struct Action {
    UpdateActionSyntax::Kind kind = UpdateActionSyntax::Kind::kSet;
    std::uint16_t value = 0;  // index in nodes_; not for kRemove
  };

  boost::container::small_vector<DocumentPath, 4> targets_;
  boost::container::small_vector<Action, 4> actions_;  // actions_[i] changes targets_[i]
  boost::container::small_vector<Node, 4> nodes_;
  std::vector<DocumentPath> nested_;  // nested_paths()
  Dialect dialect_ = Dialect::kExpression;
  bool in_transaction_ = false;
  bool has_deep_value_ = false;  // Placeholders::has_deep_value
};

// Returns DynamoDB's error for an update whose clauses or whose new item are larger than kItemBytesMax.
Status UpdateTooLarge();

// Binds an update: resolves the placeholders and makes every check that needs no item.
// - kValidation, with DynamoDB's message: a placeholder is not defined.
// - kValidation, with DynamoDB's message: two targets clash.
// - kValidation, with DynamoDB's message: a function has the wrong number of operands.
// - kValidation, with DynamoDB's message: an operand has a type that its operator does not allow.
// REQUIRES: `*update` is unbound. After an error it must not be used.
Status BindUpdate(const UpdateSyntax& syntax, Placeholders& placeholders, Update* update);
// Returns the bound update.
Result<Update> BindUpdate(const UpdateSyntax& syntax DOLMEN_LIFETIME_BOUND,
                          Placeholders& placeholders DOLMEN_LIFETIME_BOUND);
Result<Update> BindUpdate(UpdateSyntax&& syntax, Placeholders& placeholders) = delete;

}  // namespace dolmen::engine
