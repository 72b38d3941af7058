// One comparison or function of a condition, with its operands bound: the part that conditions,
// filters and key conditions share.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "engine/expression/document_path.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/syntax/diagnostics.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// What a predicate looks at: an attribute of the item or a value of the request, or the size of
// one.
struct PredicateOperand {
  static constexpr std::uint16_t kNoPath = 0xFFFF;

  AttributeView value;           // of the request or of the tree, if there is no path
  std::uint16_t path = kNoPath;  // index in PredicateOperands::paths
  bool size = false;             // size() of it

  bool is_path() const { return path != kNoPath && !size; }
  bool is_value() const { return path == kNoPath && !size; }
};

// The operands of all predicates of an expression.
struct PredicateOperands {
  std::vector<PredicateOperand> operands;
  std::vector<DocumentPath> paths;
};

struct Predicate {
  ConditionOperator op = ConditionOperator::kEqual;
  AttributeType type = AttributeType::kS;  // kAttributeType: the type asked for
  std::uint16_t operand_count = 0;
  std::uint16_t first_operand = 0;  // in PredicateOperands::operands

  std::span<const PredicateOperand> Operands(const PredicateOperands& all) const {
    return std::span(all.operands).subspan(first_operand, operand_count);
  }
};

// Binds the node, a kPredicate, adding its operands to `*operands`.
// kValidation, with DynamoDB's message for that kind of expression.
Result<Predicate> BindPredicate(const ConditionSyntax& syntax, const ConditionNode& node,
                                ExpressionKind kind, Placeholders& placeholders,
                                PredicateOperands* operands);

// What holds for a request's values as operands, however they came into the request: notes if it
// does not.
void CheckBetweenBounds(const AttributeView& lower, const AttributeView& upper,
                        Diagnostics* diagnostics);
void CheckPrefixType(AttributeType type, Diagnostics* diagnostics);

enum class Truth : std::uint8_t { kFalse, kTrue, kDamaged };

// Whether the predicate holds for the item; kDamaged if the item's bytes are found not to be sound.
// Allocates nothing.
Truth EvaluatePredicate(const Predicate& predicate, const PredicateOperands& operands,
                        const ItemView& item);

}  // namespace dolmen::engine
