// ConditionExpression and FilterExpression: true or false of an item.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html

#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dolmen/item_view.h"
#include "dolmen/lifetime.h"
#include "dolmen/result.h"
#include "engine/expression/document_path.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/predicate.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// A bound condition.  Borrows names and literals from the syntax, names from the request, and
// values from the Placeholders: all three must outlive it.
// A value; const methods may be called from any thread.
class Condition {
 public:
  // Whether the item fulfils the condition.  Reads the item in place and allocates nothing.
  // kCorruption if the item's bytes are found to be damaged; damage that is not met with, or that
  // reads as an absent attribute, goes unnoticed.
  Result<bool> Evaluate(const ItemView& item) const;

  // The paths that the condition names, as often as it names them.
  std::span<const DocumentPath> paths() const DOLMEN_LIFETIME_BOUND { return operands_.paths; }

  Dialect dialect() const { return dialect_; }

 private:
  friend class ConditionBinder;

  Condition() = default;

  // Predicates in the order written, each with what to do next: the index of another step, or one
  // of the two ends.  So AND, OR, NOT and parentheses cost nothing, and nothing recurses.
  struct Step {
    Predicate predicate;
    std::uint16_t on_true;
    std::uint16_t on_false;
  };
  static constexpr std::uint16_t kTrue = 0xFFFF;
  static constexpr std::uint16_t kFalse = 0xFFFE;

  PredicateOperands operands_;
  std::vector<Step> steps_;
  Dialect dialect_ = Dialect::kExpression;
};

// Resolves the placeholders and checks all that can be checked without an item.
// `kind` is kCondition or kFilter and says how error messages begin.
// kValidation, with DynamoDB's message: a placeholder that is not defined, operands of the wrong
// number or type.
Result<Condition> BindCondition(const ConditionSyntax& syntax DOLMEN_LIFETIME_BOUND,
                                ExpressionKind kind,
                                Placeholders& placeholders DOLMEN_LIFETIME_BOUND);
Result<Condition> BindCondition(ConditionSyntax&& syntax, ExpressionKind kind,
                                Placeholders& placeholders) = delete;

// What a Query's filter may not do: kValidation if it names an attribute of the key that is queried
// (the table's, or the index's), or leads into one.
Status CheckQueryFilter(const Condition& filter, std::span<const std::string_view> key_names,
                        bool of_index);

}  // namespace dolmen::engine
