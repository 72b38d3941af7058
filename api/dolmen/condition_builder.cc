#include "dolmen/condition_builder.h"

#include <boost/container/small_vector.hpp>
#include <initializer_list>
#include <vector>

#include "engine/expression/compose.h"

namespace dolmen {

using engine::ConditionNode;
using engine::ConditionOperator;
using engine::OperandParts;

namespace {

ConditionBuilder Predicate(ConditionOperator op,
                           std::initializer_list<const ConditionOperand*> operands) {
  boost::container::small_vector<OperandParts, 3> parts;
  for (const ConditionOperand* const operand : operands) parts.push_back(operand->parts());
  return ConditionBuilder(engine::ComposePredicate(op, {parts.data(), parts.size()}));
}

}  // namespace

engine::OperandParts ConditionOperand::parts() const {
  if (const auto* const value = std::get_if<AttributeValue>(&source_)) return {.value = value};
  return {.path = path(), .size = is_size_};
}

ConditionBuilder operator&&(const ConditionBuilder& a, const ConditionBuilder& b) {
  return ConditionBuilder(engine::Combine(ConditionNode::Kind::kAnd, {&a.tree_, &b.tree_}));
}
ConditionBuilder operator||(const ConditionBuilder& a, const ConditionBuilder& b) {
  return ConditionBuilder(engine::Combine(ConditionNode::Kind::kOr, {&a.tree_, &b.tree_}));
}
ConditionBuilder operator!(const ConditionBuilder& condition) {
  return ConditionBuilder(engine::Combine(ConditionNode::Kind::kNot, {&condition.tree_}));
}

ConditionBuilder operator==(const ConditionOperand& a, const ConditionOperand& b) {
  return Predicate(ConditionOperator::kEqual, {&a, &b});
}
ConditionBuilder operator!=(const ConditionOperand& a, const ConditionOperand& b) {
  return Predicate(ConditionOperator::kNotEqual, {&a, &b});
}
ConditionBuilder operator<(const ConditionOperand& a, const ConditionOperand& b) {
  return Predicate(ConditionOperator::kLess, {&a, &b});
}
ConditionBuilder operator<=(const ConditionOperand& a, const ConditionOperand& b) {
  return Predicate(ConditionOperator::kLessOrEqual, {&a, &b});
}
ConditionBuilder operator>(const ConditionOperand& a, const ConditionOperand& b) {
  return Predicate(ConditionOperator::kGreater, {&a, &b});
}
ConditionBuilder operator>=(const ConditionOperand& a, const ConditionOperand& b) {
  return Predicate(ConditionOperator::kGreaterOrEqual, {&a, &b});
}

ConditionBuilder ConditionOperand::Between(const ConditionOperand& lower,
                                           const ConditionOperand& upper) const {
  return Predicate(ConditionOperator::kBetween, {this, &lower, &upper});
}

ConditionBuilder ConditionOperand::In(const std::vector<ConditionOperand>& operands) const {
  std::vector<OperandParts> all = {parts()};
  for (const ConditionOperand& operand : operands) all.push_back(operand.parts());
  return ConditionBuilder(engine::ComposePredicate(ConditionOperator::kIn, all));
}

ConditionBuilder Attr::BeginsWith(const ConditionOperand& prefix) const {
  return Predicate(ConditionOperator::kBeginsWith, {this, &prefix});
}

ConditionBuilder Attr::Contains(const ConditionOperand& part) const {
  return Predicate(ConditionOperator::kContains, {this, &part});
}

ConditionBuilder Attr::IsType(AttributeType type) const {
  const ConditionOperand name = AttributeTypeName(type);
  return Predicate(ConditionOperator::kAttributeType, {this, &name});
}

ConditionBuilder AttributeExists(const Attr& attribute) {
  return Predicate(ConditionOperator::kAttributeExists, {&attribute});
}

ConditionBuilder AttributeNotExists(const Attr& attribute) {
  return Predicate(ConditionOperator::kAttributeNotExists, {&attribute});
}

}  // namespace dolmen
