// Bound predicates. A predicate is a single comparison or function. Conditions, filters and key
// conditions consist of predicates.
//
// The functions may be called from any thread if no other thread changes their arguments.

#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "engine/expression/document_path.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/syntax/diagnostics.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// An operand of a predicate: an attribute of the item, a value of the request, or the size() of an
// attribute or of a value. Borrows from the syntax or from the Placeholders.
struct PredicateOperand {
  static constexpr std::uint16_t kNoPath = 0xFFFF;

  AttributeView value;           // a value of the request or of the tree; set if path is kNoPath
  std::uint16_t path = kNoPath;  // index in PredicateOperands::paths
  bool size = false;             // the operand is the size() of the value or path

  bool is_path() const { return path != kNoPath && !size; }
  bool is_value() const { return path == kNoPath && !size; }
};

// The operands of all predicates of an expression. Most expressions have few, which need no
// allocation.
struct PredicateOperands {
  boost::container::small_vector<PredicateOperand, 8> operands;
  boost::container::small_vector<DocumentPath, 4> paths;
};

// A comparison or function. Its operands are adjacent elements of a PredicateOperands.
struct Predicate {
  ConditionOperator op = ConditionOperator::kEqual;
  AttributeType type = AttributeType::kS;  // op kAttributeType only: the type to compare with
  std::uint16_t operand_count = 0;
  std::uint16_t first_operand = 0;  // in PredicateOperands::operands

  std::span<const PredicateOperand> Operands(const PredicateOperands& all) const {
    return {all.operands.data() + first_operand, operand_count};
  }
};

// Binds a node of kind kPredicate and appends the operands of the predicate to `*operands`. Error
// messages begin with the name of `kind`.
// - kValidation, with DynamoDB's message: a placeholder is not defined.
// - kValidation, with DynamoDB's message: the operator has the wrong number of operands.
// - kValidation, with DynamoDB's message: an operand has a type that the operator does not allow.
// - kValidation, with DynamoDB's message: the first operand is a path and another operand is an
//   equal path.
Result<Predicate> BindPredicate(const ConditionSyntax& syntax, const ConditionNode& node,
                                ExpressionKind kind, Placeholders& placeholders,
                                PredicateOperands* operands);

// Adds an error if the bounds of BETWEEN have different types or are in descending order.
void CheckBetweenBounds(const AttributeView& lower, const AttributeView& upper,
                        Diagnostics* diagnostics);
// Adds an error if the prefix of begins_with has a type other than string or binary.
void CheckPrefixType(AttributeType type, Diagnostics* diagnostics);

// The result of a predicate. It is kDamaged if the evaluation read damaged bytes.
enum class Truth : std::uint8_t { kFalse, kTrue, kDamaged };

// Evaluates the predicate for the item. Returns kDamaged if the evaluation reads damaged bytes.
// Allocates nothing.
Truth EvaluatePredicate(const Predicate& predicate, const PredicateOperands& operands,
                        const ItemView& item);

}  // namespace dolmen::engine
