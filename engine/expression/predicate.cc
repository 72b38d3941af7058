#include "engine/expression/predicate.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "engine/expression/binding.h"
#include "engine/expression/syntax/diagnostics.h"
#include "engine/value/utf8.h"

namespace dolmen::engine {
namespace {

using Op = ConditionOperator;

constexpr std::size_t kInOperandsMax = 100;

bool IsOrdered(AttributeType type) {
  return type == AttributeType::kS || type == AttributeType::kN || type == AttributeType::kB;
}

bool HasSize(AttributeType type) {
  return type != AttributeType::kN && type != AttributeType::kBool && type != AttributeType::kNull;
}

std::optional<AttributeType> ParseTypeName(std::string_view name) {
  using enum AttributeType;
  for (const AttributeType type : {kS, kN, kB, kBool, kNull, kL, kM, kSS, kNS, kBS}) {
    if (name == AttributeTypeName(type)) return type;
  }
  return std::nullopt;
}

// Formats a bound of BETWEEN as DynamoDB's messages do: "AttributeValue: {N:1}".
std::string DescribeBound(const AttributeView& bound) {
  const bool is_text = bound.Is(AttributeType::kS);
  const std::string type(AttributeTypeName(bound.type()));
  return "AttributeValue: {" + type + ":" +
         (is_text ? std::string(bound.payload()) : bound.ToString()) + "}";
}

// Binder of one predicate. It binds all operands before it checks them, because DynamoDB reports
// undefined placeholders first.
class PredicateBinder {
 public:
  PredicateBinder(const ConditionSyntax& syntax, ExpressionKind kind, Placeholders& placeholders,
                  PredicateOperands* operands)
      : syntax_(syntax),
        placeholders_(placeholders),
        diagnostics_(kind, syntax.dialect),
        all_(*operands) {}

  Result<Predicate> Bind(const ConditionNode& node) {
    Predicate predicate;
    predicate.op = node.op;
    predicate.first_operand = static_cast<std::uint16_t>(all_.operands.size());
    predicate.operand_count = node.child_count;
    for (const std::uint16_t child : syntax_.Children(node)) BindOperand(syntax_.nodes[child]);
    if (CheckOperandCount(predicate) && diagnostics_.ok()) {
      // If a BETWEEN has both an operand of a wrong type and equal operands, DynamoDB reports the
      // type. With other operators these two errors cannot occur together.
      if (predicate.op == Op::kBetween) CheckTypes(&predicate);
      if (diagnostics_.ok()) CheckDistinct(predicate);
      if (predicate.op != Op::kBetween) CheckTypes(&predicate);
    }
    if (!diagnostics_.ok()) return diagnostics_.status();
    return predicate;
  }

 private:
  void BindOperand(const ConditionNode& node) {
    const bool size = node.kind == ConditionNode::Kind::kSize;
    if (size && node.child_count != 1) {
      AddOperandCountFault(Fault::kConditionOperandCount, "size", node.child_count, &diagnostics_);
    }
    const ConditionNode& inner = size ? syntax_.nodes[syntax_.Children(node)[0]] : node;
    PredicateOperand operand;
    operand.size = size;
    if (inner.kind == ConditionNode::Kind::kPath) {
      operand.path = static_cast<std::uint16_t>(all_.paths.size());
      all_.paths.push_back(BindPath(syntax_, inner.path, placeholders_, &diagnostics_));
    } else if (inner.kind == ConditionNode::Kind::kValue) {
      operand.value = BindValue(syntax_, inner.value, placeholders_, &diagnostics_);
      if (size && operand.value.exists() && !HasSize(operand.value.type())) {
        AddOperandTypeFault("size", operand.value.type(), &diagnostics_);
      }
    } else {
      assert(inner.kind == ConditionNode::Kind::kSize);  // size(size(a)): a number has no size
      AddOperandTypeFault("size", AttributeType::kN, &diagnostics_);
    }
    all_.operands.push_back(operand);
  }

  bool CheckOperandCount(const Predicate& predicate) {
    const std::size_t count = predicate.operand_count;
    switch (predicate.op) {
      case Op::kAttributeExists:
      case Op::kAttributeNotExists:
        if (count == 1) return true;
        break;
      case Op::kAttributeType:
      case Op::kBeginsWith:
      case Op::kContains:
        if (count == 2) return true;
        break;
      case Op::kIn:
        if (count == 1) break;  // only a builder can create an IN without values
        if (count - 1 <= kInOperandsMax || syntax_.dialect == Dialect::kLegacy) return true;
        diagnostics_.AddFault(
            Fault::kConditionOperandCount,
            "The IN operator is provided with too many operands; number of operands: " +
                std::to_string(count - 1));
        return false;
      default:
        return true;  // the grammar and NOT_CONTAINS allow no other count
    }
    AddOperandCountFault(Fault::kConditionOperandCount, ConditionOperatorName(predicate.op), count,
                         &diagnostics_);
    return false;
  }

  void CheckDistinct(const Predicate& predicate) {
    const auto operands = predicate.Operands(all_);
    const auto path = [&](const PredicateOperand& operand) -> const DocumentPath& {
      return all_.paths[operand.path];
    };
    const PredicateOperand& first = operands[0];
    if (!first.is_path()) return;
    for (const PredicateOperand& other : operands.subspan(1)) {
      if (!other.is_path() || path(other) != path(first)) continue;
      return AddNotDistinctFault(ConditionOperatorName(predicate.op), path(first), &diagnostics_);
    }
  }

  void CheckTypes(Predicate* predicate) {
    const auto operands = predicate->Operands(all_);
    switch (predicate->op) {
      case Op::kLess:
      case Op::kLessOrEqual:
      case Op::kGreater:
      case Op::kGreaterOrEqual:
        return CheckOrdered(predicate->op, operands);
      case Op::kBetween:
        CheckOrdered(predicate->op, operands);
        return CheckBounds(operands[1], operands[2]);
      case Op::kAttributeExists:
      case Op::kAttributeNotExists:
        return CheckPath(predicate->op, operands[0]);
      case Op::kAttributeType:
        return CheckTypeName(operands[1], &predicate->type);
      case Op::kBeginsWith:
        return CheckPrefix(operands);
      default:
        return;
    }
  }

  // The operators <, <=, >, >= and BETWEEN compare only values of ordered types. DynamoDB Local
  // rejects values of other types. DynamoDB does not document this case.
  void CheckOrdered(Op op, std::span<const PredicateOperand> operands) {
    for (const PredicateOperand& operand : operands) {
      if (operand.is_value() && !IsOrdered(operand.value.type())) {
        AddOperandTypeFault(ConditionOperatorName(op), operand.value.type(), &diagnostics_);
      }
    }
  }

  void CheckBounds(const PredicateOperand& lower, const PredicateOperand& upper) {
    if (lower.is_value() && upper.is_value()) {
      CheckBetweenBounds(lower.value, upper.value, &diagnostics_);
    }
  }

  void CheckPath(Op op, const PredicateOperand& operand) {
    if (!operand.is_path()) AddPathRequiredFault(ConditionOperatorName(op), &diagnostics_);
  }

  void CheckTypeName(const PredicateOperand& operand, AttributeType* type) {
    const std::string_view name = ConditionOperatorName(Op::kAttributeType);
    if (operand.size) return AddOperandTypeFault(name, AttributeType::kN, &diagnostics_);
    if (!operand.is_value()) {  // the documentation requires a value; text unverified
      diagnostics_.AddFault(
          Fault::kOperandType,
          std::string("Operator or function requires an expression attribute value; "
                      "operator or function: ")
              .append(name));
      return;
    }
    if (!operand.value.Is(AttributeType::kS)) {
      return AddOperandTypeFault(name, operand.value.type(), &diagnostics_);
    }
    const std::optional<AttributeType> found = ParseTypeName(operand.value.payload());
    if (!found) {
      diagnostics_.AddFault(Fault::kOperandType,
                            std::string("Invalid attribute type name found; type: ")
                                .append(operand.value.payload())
                                .append(", valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"));
    }
    *type = found.value_or(AttributeType::kS);
  }

  void CheckPrefix(std::span<const PredicateOperand> operands) {
    for (const PredicateOperand& operand : operands) {
      if (operand.is_path()) continue;
      CheckPrefixType(operand.size ? AttributeType::kN : operand.value.type(), &diagnostics_);
    }
  }

  const ConditionSyntax& syntax_;
  Placeholders& placeholders_;
  Diagnostics diagnostics_;
  PredicateOperands& all_;
};

// Returns the result of size(), or nothing if the value is damaged or its type has no size.
std::optional<std::size_t> SizeFunction(const AttributeView& value) {
  if (!value.exists() || !HasSize(value.type())) return std::nullopt;
  const auto count = [](const ElementCursor& elements) {
    return elements.damaged() ? std::nullopt : std::optional(elements.count());
  };
  switch (value.type()) {
    case AttributeType::kS:
      return Utf16Units(value.payload());
    case AttributeType::kB:
      return value.payload().size();
    case AttributeType::kM:
      return count(value.AsMap().cursor());
    case AttributeType::kL:
      return count(value.AsList().cursor());
    default:  // a set
      return count(value.AsSet().cursor());
  }
}

// The value of an operand for one item. Owns the number that size() returns. view() refers to
// this number, so an OperandValue cannot be copied or moved.
class OperandValue {
 public:
  OperandValue(const PredicateOperand& operand, const PredicateOperands& all, const ItemView& item)
      : view_(operand.path == PredicateOperand::kNoPath ? operand.value
                                                        : all.paths[operand.path].Find(item)) {
    if (!operand.size) return;
    const std::optional<std::size_t> size = SizeFunction(view_);
    view_ = AttributeView();
    if (!size) return;
    size_.emplace(*size);
    view_ = AttributeView(AttributeType::kN, size_->encoded());
  }
  OperandValue(const OperandValue&) = delete;
  OperandValue& operator=(const OperandValue&) = delete;

  const AttributeView& view() const { return view_; }

 private:
  AttributeView view_;
  std::optional<Number> size_;
};

Truth ToTruth(bool b) { return b ? Truth::kTrue : Truth::kFalse; }

// Returns true if the values are equal. An absent value equals nothing, as in DynamoDB Local.
// This function and CompareBy are always inline, because a filter calls them for each item of a page.
[[gnu::always_inline]] inline bool AreEqual(const AttributeView& a, const AttributeView& b) {
  return a.exists() && a == b;
}

// Compares stored bytes, which sort as the values do. Returns nothing for values without an order.
std::optional<int> Compare(const AttributeView& a, const AttributeView& b) {
  if (!a.exists() || !b.exists() || a.type() != b.type() || !IsOrdered(a.type())) {
    return std::nullopt;
  }
  return a.payload().compare(b.payload());
}

[[gnu::always_inline]] inline bool CompareBy(Op op, const AttributeView& a,
                                             const AttributeView& b) {
  if (op == Op::kEqual) return AreEqual(a, b);
  if (op == Op::kNotEqual) return !AreEqual(a, b);
  const std::optional<int> order = Compare(a, b);
  if (!order) return false;
  if (*order == 0) return op == Op::kLessOrEqual || op == Op::kGreaterOrEqual;
  return (*order < 0) == (op == Op::kLess || op == Op::kLessOrEqual);
}

bool BeginsWith(const AttributeView& value, const AttributeView& prefix) {
  if (!value.exists() || !prefix.exists() || value.type() != prefix.type()) return false;
  if (!value.Is(AttributeType::kS) && !value.Is(AttributeType::kB)) return false;
  return value.payload().starts_with(prefix.payload());
}

// Calls memmem, which takes linear time for every input. std::string_view::find may take longer.
bool HasSubstring(std::string_view text, std::string_view part) {
  return part.empty() || memmem(text.data(), text.size(), part.data(), part.size()) != nullptr;
}

Truth HasElement(ElementCursor elements, const AttributeView& element) {
  while (elements.Next()) {
    if (elements.value() == element) return Truth::kTrue;
  }
  return elements.damaged() ? Truth::kDamaged : Truth::kFalse;
}

Truth Contains(const AttributeView& value, const AttributeView& part) {
  if (!value.exists() || !part.exists()) return Truth::kFalse;
  switch (value.type()) {
    case AttributeType::kS:
    case AttributeType::kB:
      return ToTruth(part.Is(value.type()) && HasSubstring(value.payload(), part.payload()));
    case AttributeType::kL:
      return HasElement(value.AsList().cursor(), part);
    default:  // a value that is not a set has no members
      return HasElement(value.AsSet().cursor(), part);
  }
}

Truth NotContains(const AttributeView& value, const AttributeView& part) {
  if (!value.exists()) return Truth::kFalse;
  const Truth contains = Contains(value, part);
  return contains == Truth::kDamaged ? contains : ToTruth(contains == Truth::kFalse);
}

// Evaluates a predicate with any operands. Not inline, so that the usual predicates do not pay for
// its stack frame.
[[gnu::noinline]] Truth EvaluateOperands(const Predicate& predicate,
                                         std::span<const PredicateOperand> own,
                                         const PredicateOperands& operands, const ItemView& item) {
  const OperandValue first(own[0], operands, item);
  switch (predicate.op) {
    case Op::kAttributeExists:
      return ToTruth(first.view().exists());
    case Op::kAttributeNotExists:
      return ToTruth(!first.view().exists());
    case Op::kAttributeType:
      return ToTruth(first.view().Is(predicate.type));
    case Op::kIn:
      return ToTruth(std::any_of(own.begin() + 1, own.end(), [&](const PredicateOperand& operand) {
        return AreEqual(first.view(), OperandValue(operand, operands, item).view());
      }));
    default:
      break;
  }
  const OperandValue second(own[1], operands, item);
  switch (predicate.op) {
    case Op::kBeginsWith:
      return ToTruth(BeginsWith(first.view(), second.view()));
    case Op::kContains:
      return Contains(first.view(), second.view());
    case Op::kNotContains:
      return NotContains(first.view(), second.view());
    case Op::kBetween:
      return ToTruth(
          CompareBy(Op::kGreaterOrEqual, first.view(), second.view()) &&
          CompareBy(Op::kLessOrEqual, first.view(), OperandValue(own[2], operands, item).view()));
    default:
      return ToTruth(CompareBy(predicate.op, first.view(), second.view()));
  }
}

}  // namespace

Result<Predicate> BindPredicate(const ConditionSyntax& syntax, const ConditionNode& node,
                                ExpressionKind kind, Placeholders& placeholders,
                                PredicateOperands* operands) {
  return PredicateBinder(syntax, kind, placeholders, operands).Bind(node);
}

void CheckBetweenBounds(const AttributeView& lower, const AttributeView& upper,
                        Diagnostics* diagnostics) {
  std::string_view rule;
  if (lower.type() != upper.type()) {
    rule = "same data type for lower and upper bounds";
  } else if (lower.payload() > upper.payload()) {
    rule = "upper bound to be greater than or equal to lower bound";
  } else {
    return;
  }
  diagnostics->AddFault(Fault::kOperandType, std::string("The BETWEEN operator requires ")
                                                 .append(rule)
                                                 .append("; lower bound operand: ")
                                                 .append(DescribeBound(lower))
                                                 .append(", upper bound operand: ")
                                                 .append(DescribeBound(upper)));
}

void CheckPrefixType(AttributeType type, Diagnostics* diagnostics) {
  if (type == AttributeType::kS || type == AttributeType::kB) return;
  AddOperandTypeFault(ConditionOperatorName(Op::kBeginsWith), type, diagnostics);
}

Truth EvaluatePredicate(const Predicate& predicate, const PredicateOperands& operands,
                        const ItemView& item) {
  const auto own = predicate.Operands(operands);
  // Most predicates compare an attribute with a value of the request. They need no OperandValue.
  if (predicate.op <= Op::kGreaterOrEqual && own[0].is_path() && own[1].is_value()) {
    return ToTruth(CompareBy(predicate.op, operands.paths[own[0].path].Find(item), own[1].value));
  }
  return EvaluateOperands(predicate, own, operands, item);
}

}  // namespace dolmen::engine
