// Bound conditions and filters, which are true or false for an item.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html

#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <span>
#include <string_view>

#include "dolmen/internal/lifetime.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "engine/expression/document_path.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/predicate.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// A bound ConditionExpression or FilterExpression. Borrows names and literals from the syntax,
// names and texts from the request, and other values from the Placeholders. All three must outlive
// the condition.
// A value type; const methods may be called from any thread.
class Condition {
 public:
  // Makes an unbound condition, for BindCondition. It has no other use.
  Condition() = default;

  // Returns true if the item fulfils the condition. Reads the stored bytes of the item in place
  // and allocates nothing.
  // - kCorruption: the evaluation read damaged bytes. Damage is not reported if the evaluation
  //   does not read the damaged part, or if the damaged bytes look like an absent attribute.
  Result<bool> Evaluate(const ItemView& item) const;

  // Returns the paths in the condition. A path that occurs twice is returned twice.
  std::span<const DocumentPath> paths() const DOLMEN_LIFETIME_BOUND {
    return {operands_.paths.data(), operands_.paths.size()};
  }

  Dialect dialect() const { return dialect_; }

 private:
  friend class ConditionBinder;

  // A predicate and the successors for its two results. A successor is the index of the step to
  // evaluate next, or kTrue or kFalse, which end the evaluation. The steps have the order of the
  // predicates in the text. AND, OR and NOT exist only as successors, so they cost no time and the
  // evaluation does not recurse.
  struct Step {
    Predicate predicate;
    std::uint16_t on_true;
    std::uint16_t on_false;
  };
  static constexpr std::uint16_t kTrue = 0xFFFF;
  static constexpr std::uint16_t kFalse = 0xFFFE;

  PredicateOperands operands_;
  boost::container::small_vector<Step, 4> steps_;
  Dialect dialect_ = Dialect::kExpression;
};

// Binds a condition: resolves the placeholders and makes every check that needs no item. Error
// messages begin with the name of `kind`, which is kCondition or kFilter.
// - kValidation, with DynamoDB's message: a placeholder is not defined.
// - kValidation, with DynamoDB's message: an operator has the wrong number of operands.
// - kValidation, with DynamoDB's message: an operand has a type that its operator does not allow.
// - kValidation, with DynamoDB's message: the first operand is a path and another operand is an
//   equal path.
// REQUIRES: `*condition` is unbound. After an error it must not be used.
Status BindCondition(const ConditionSyntax& syntax, ExpressionKind kind, Placeholders& placeholders,
                     Condition* condition);
// Returns the bound condition.
Result<Condition> BindCondition(const ConditionSyntax& syntax DOLMEN_LIFETIME_BOUND,
                                ExpressionKind kind,
                                Placeholders& placeholders DOLMEN_LIFETIME_BOUND);
Result<Condition> BindCondition(ConditionSyntax&& syntax, ExpressionKind kind,
                                Placeholders& placeholders) = delete;

// Checks the filter of a Query. `key_names` are the key attributes of the table or index that the
// Query reads. `is_index_key` is true if the Query reads an index.
// - kValidation, with DynamoDB's message: the filter contains a key attribute or a path into a key
//   attribute.
Status CheckQueryFilter(const Condition& filter, std::span<const std::string_view> key_names,
                        bool is_index_key);

}  // namespace dolmen::engine
