#include "engine/expression/key_condition.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <span>
#include <string>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/expression/predicate.h"
#include "engine/value/invalid_parameter.h"
#include "engine/value/utf8.h"

namespace dolmen::engine {
namespace {

using Op = ConditionOperator;
using KeyOp = SortKeyCondition::Operator;

constexpr std::size_t kUsualTermsMax = 2;  // conditions on the key of a table

Status TooManyTerms(std::size_t count, std::size_t attributes) {
  return Status::Validation("The number of query conditions (" + std::to_string(count) +
                            ") exceeds the number of key attributes defined in the schema (" +
                            std::to_string(attributes) + ")");
}

// Returns the operator of a key condition for `op`, or nothing if key conditions do not allow `op`.
std::optional<KeyOp> ToKeyOperator(Op op) {
  switch (op) {
    case Op::kEqual:
      return KeyOp::kEqual;
    case Op::kLess:
      return KeyOp::kLess;
    case Op::kLessOrEqual:
      return KeyOp::kLessOrEqual;
    case Op::kGreater:
      return KeyOp::kGreater;
    case Op::kGreaterOrEqual:
      return KeyOp::kGreaterOrEqual;
    case Op::kBetween:
      return KeyOp::kBetween;
    case Op::kBeginsWith:
      return KeyOp::kBeginsWith;
    default:
      return std::nullopt;
  }
}

// Returns the operator for swapped operands: `:v < a` becomes `a > :v`.
KeyOp Mirror(KeyOp op) {
  switch (op) {
    case KeyOp::kLess:
      return KeyOp::kGreater;
    case KeyOp::kLessOrEqual:
      return KeyOp::kGreaterOrEqual;
    case KeyOp::kGreater:
      return KeyOp::kLess;
    case KeyOp::kGreaterOrEqual:
      return KeyOp::kLessOrEqual;
    default:
      return op;
  }
}

// Binder of key conditions. It binds all predicates before it checks the rules for keys. DynamoDB
// reports the errors that can occur in every kind of condition before the errors of key conditions.
class KeyConditionBinder {
 public:
  KeyConditionBinder(const ConditionSyntax& syntax, Placeholders& placeholders)
      : syntax_(syntax), placeholders_(placeholders) {}

  Result<KeyConditionTerms> Bind() {
    DOLMEN_RETURN_IF_ERROR(BindPredicates());
    KeyConditionTerms result;
    result.status = CollectTerms();
    const std::size_t kept = std::min(terms_.size(), result.terms.capacity());
    result.dropped = terms_.size() - kept;
    if (result.status.ok()) result.terms.assign(terms_.data(), terms_.data() + kept);
    return result;
  }

 private:
  Status BindPredicates() {
    Status status;
    syntax_.Walk(syntax_.root, [&](std::uint16_t index) {
      const ConditionNode& node = syntax_.nodes[index];
      if (node.kind != ConditionNode::Kind::kPredicate) return WalkStep::kInto;
      const Result<Predicate> predicate =
          BindPredicate(syntax_, node, ExpressionKind::kKeyCondition, placeholders_, &operands_);
      status = predicate.status();
      if (!status.ok()) return WalkStep::kStop;
      predicates_.push_back(*predicate);
      return WalkStep::kPast;
    });
    return status;
  }

  // Adds the terms. Visits the predicates in the order in which BindPredicates bound them.
  Status CollectTerms() {
    Status status;
    syntax_.Walk(syntax_.root, [&](std::uint16_t index) {
      const ConditionNode::Kind kind = syntax_.nodes[index].kind;
      if (kind == ConditionNode::Kind::kAnd) return WalkStep::kInto;
      if (kind == ConditionNode::Kind::kOr || kind == ConditionNode::Kind::kNot) {
        status = Status::Validation(std::string("Invalid operator used in KeyConditionExpression: ")
                                        .append(kind == ConditionNode::Kind::kOr ? "OR" : "NOT"));
      } else {
        status = AddTerm(predicates_[next_predicate_++]);
      }
      return status.ok() ? WalkStep::kPast : WalkStep::kStop;
    });
    return status;
  }

  Status AddTerm(const Predicate& predicate) {
    const std::string op_name(ConditionOperatorName(predicate.op));
    const std::optional<KeyOp> op = ToKeyOperator(predicate.op);
    if (!op && is_legacy()) return AddUnindexable(predicate);
    if (!op)
      return Status::Validation("Invalid operator used in KeyConditionExpression: " + op_name);

    const auto operands = predicate.Operands(operands_);
    std::size_t path_count = 0;
    const PredicateOperand* path = nullptr;
    for (const PredicateOperand& operand : operands) {
      if (operand.size)
        return Status::Validation("KeyConditionExpressions cannot contain nested operations");
      if (!operand.is_path()) continue;
      ++path_count;
      if (path == nullptr) path = &operand;
    }
    const bool needs_key_first = *op == KeyOp::kBetween || *op == KeyOp::kBeginsWith;
    if (needs_key_first && !operands[0].is_path()) {
      return Status::Validation("Invalid condition in KeyConditionExpression: " + op_name +
                                " operator must have the key attribute as its first operand");
    }
    if (path_count > 1) {
      return Status::Validation(
          "Invalid condition in KeyConditionExpression: Multiple attribute names used in one "
          "condition");
    }
    if (path == nullptr) {
      return Status::Validation(
          "Invalid condition in KeyConditionExpression: No key attribute specified");
    }
    return AddTerm(*op, operands, *path);
  }

  Status AddTerm(KeyOp op, std::span<const PredicateOperand> operands,
                 const PredicateOperand& key) {
    const DocumentPath& path = operands_.paths[key.path];
    if (path.is_nested()) {
      return Status::Validation(
          "KeyConditionExpressions cannot have conditions on nested attributes");
    }
    for (const KeyTerm& other : terms_) {
      if (other.attribute == path.attribute()) {
        return Status::Validation(
            "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one "
            "condition per key");
      }
    }
    const bool key_first = &key == &operands[0];
    KeyTerm term;
    term.attribute = path.attribute();
    term.op = key_first ? op : Mirror(op);
    term.value = operands[key_first ? 1 : 0].value;
    if (op == KeyOp::kBetween) term.upper = operands[2].value;
    terms_.push_back(term);
    return {};
  }

  Status AddUnindexable(const Predicate& predicate) {
    KeyTerm& term = terms_.emplace_back();
    term.attribute = operands_.paths[predicate.Operands(operands_)[0].path].attribute();
    term.indexable = false;
    return {};
  }

  bool is_legacy() const { return syntax_.dialect == Dialect::kLegacy; }

  const ConditionSyntax& syntax_;
  Placeholders& placeholders_;
  PredicateOperands operands_;
  std::vector<Predicate> predicates_;
  std::size_t next_predicate_ = 0;
  boost::container::small_vector<KeyTerm, 2> terms_;
};

const KeyTerm* FindTerm(const KeyConditionTerms& terms, std::string_view attribute) {
  for (const KeyTerm& term : terms.terms) {
    if (term.attribute == attribute) return &term;
  }
  return nullptr;
}

// Returns the attributes of `required` without an equality. Does not look at the condition `except`.
std::string WithoutEquality(std::span<const KeyAttribute> required, const KeyConditionTerms& terms,
                            const KeyTerm* except) {
  std::string missing;
  for (const KeyAttribute& attribute : required) {
    const KeyTerm* const term = FindTerm(terms, attribute.name);
    if (term != nullptr && (term == except || term->op == KeyOp::kEqual)) continue;
    missing.append(missing.empty() ? "" : ", ").append(attribute.name);
  }
  return missing;
}

// Checks that the conditions on a key of several attributes leave no gap.
Status CheckGaps(const KeyConditionTerms& terms, const KeySchema& keys) {
  if (keys.partition().size() == 1 && keys.sort().size() <= 1) return {};
  std::size_t last = keys.attributes().size();
  while (last > 0 && FindTerm(terms, keys.attributes()[last - 1].name) == nullptr) --last;
  if (last == 0) return {};
  const KeyTerm& present = *FindTerm(terms, keys.attributes()[last - 1].name);
  const std::size_t partition_count = keys.partition().size();
  constexpr std::string_view kMustBeEqual = " must have equality conditions specified in the query";
  if (partition_count > 1) {
    std::string missing = WithoutEquality(keys.partition(), terms, nullptr);
    if (!missing.empty()) {
      return Status::Validation("HASH key attributes " + missing.append(kMustBeEqual));
    }
  }
  if (last <= partition_count) return {};
  std::string missing = WithoutEquality(keys.sort().first(last - partition_count), terms, &present);
  if (missing.empty()) return {};
  return Status::Validation("RANGE key attributes " + missing.append(kMustBeEqual) +
                            " because a condition is present on key attribute " +
                            std::string(present.attribute));
}

Status MissedKey(std::string_view attribute) {
  return Status::Validation(
      std::string("Query condition missed key schema element: ").append(attribute));
}

Status EmptyValue(const KeyAttribute& element, std::string_view index) {
  if (element.type == AttributeType::kN) return InvalidParameter(kInvalidDouble);
  std::string message = "One or more parameter values are not valid. ";
  if (!index.empty()) {
    message.append("A value specified for a secondary index key is not supported. ");
  }
  message.append("The AttributeValue for a key attribute cannot contain an empty ");
  message.append(element.type == AttributeType::kB ? "binary" : "string").append(" value. ");
  if (!index.empty()) message.append("IndexName: ").append(index).append(", Index");
  return Status::Validation(message.append("Key: ").append(element.name));
}

Status CheckValue(const KeyAttribute& element, const AttributeView& value, std::string_view index) {
  if (!value.Is(element.type)) {
    return InvalidParameter("Condition parameter type does not match schema type");
  }
  // Rejects a string of a typed condition (Partition, BeginsWith) that is not UTF-8. EncodeValue
  // has already checked the values of expressions.
  if (element.type == AttributeType::kS && !IsUtf8(value.payload())) {
    return InvalidParameter("A string value is not valid UTF-8");
  }
  return value.payload().empty() ? EmptyValue(element, index) : Status();
}

Status CheckTerm(const KeyAttribute& element, const KeyTerm& term, std::string_view index) {
  if (!term.indexable) {
    return Status::Validation("Attempted conditional constraint is not an indexable operation");
  }
  DOLMEN_RETURN_IF_ERROR(CheckValue(element, term.value, index));
  return term.op == KeyOp::kBetween ? CheckValue(element, term.upper, index) : Status();
}

Status CheckSizes(const KeySchema& keys, const KeyCondition& condition) {
  KeyBytes key = condition.equal;
  if (!condition.last) return CheckKeySizes(keys, key);
  key.push_back(condition.last->value.payload());
  DOLMEN_RETURN_IF_ERROR(CheckKeySizes(keys, key));
  if (condition.last->op != KeyOp::kBetween) return {};
  key.back() = condition.last->upper.payload();
  return CheckKeySizes(keys, key);
}

}  // namespace

Result<KeyConditionTerms> BindKeyCondition(const ConditionSyntax& syntax,
                                           Placeholders& placeholders) {
  return KeyConditionBinder(syntax, placeholders).Bind();
}

Status CheckSortCondition(const KeyTerm& term) {
  Diagnostics diagnostics(ExpressionKind::kKeyCondition);
  if (term.op == KeyOp::kBetween) CheckBetweenBounds(term.value, term.upper, &diagnostics);
  if (term.op == KeyOp::kBeginsWith) CheckPrefixType(term.value.type(), &diagnostics);
  return diagnostics.status();
}

Result<KeyCondition> ResolveKeyCondition(const KeyConditionTerms& terms, const KeySchema& keys,
                                         std::string_view index) {
  DOLMEN_RETURN_IF_ERROR(terms.status);
  const std::size_t count = terms.terms.size() + terms.dropped;
  const std::span<const KeyAttribute> attributes = keys.attributes();
  const std::size_t partition_count = keys.partition().size();
  if (count > std::max(attributes.size(), kUsualTermsMax)) {
    return TooManyTerms(count, attributes.size());
  }
  DOLMEN_RETURN_IF_ERROR(CheckGaps(terms, keys));
  for (const KeyAttribute& attribute : keys.partition()) {
    if (FindTerm(terms, attribute.name) == nullptr) return MissedKey(attribute.name);
  }
  if (count > attributes.size()) return TooManyTerms(count, attributes.size());
  KeyCondition condition;
  for (std::size_t i = 0; i < count; ++i) {
    const KeyTerm* const term = FindTerm(terms, attributes[i].name);
    if (term == nullptr) return MissedKey(attributes[i].name);
    DOLMEN_RETURN_IF_ERROR(CheckTerm(attributes[i], *term, index));
    const bool must_equal = i < partition_count || i + 1 < count;
    if (must_equal && term->op != KeyOp::kEqual) {
      return Status::Validation("Query key condition not supported");
    }
    if (must_equal) {
      condition.equal.push_back(term->value.payload());
    } else {
      condition.last = *term;
    }
  }
  DOLMEN_RETURN_IF_ERROR(CheckSizes(keys, condition));
  return condition;
}

}  // namespace dolmen::engine
