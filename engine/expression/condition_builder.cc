#include "dolmen/condition_builder.h"

#include <array>
#include <boost/container/small_vector.hpp>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/key_condition_builder.h"
#include "dolmen/projection_builder.h"
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

ConditionBuilder operator&&(ConditionBuilder a, const ConditionBuilder& b) {
  const std::array others = {&b.tree_};
  return ConditionBuilder(engine::Combine(ConditionNode::Kind::kAnd, std::move(a.tree_), others));
}
ConditionBuilder operator||(ConditionBuilder a, const ConditionBuilder& b) {
  const std::array others = {&b.tree_};
  return ConditionBuilder(engine::Combine(ConditionNode::Kind::kOr, std::move(a.tree_), others));
}
ConditionBuilder operator!(ConditionBuilder condition) {
  return ConditionBuilder(engine::Combine(ConditionNode::Kind::kNot, std::move(condition.tree_)));
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

namespace {

KeyConditionBuilder KeyPredicate(ConditionOperator op, const std::string& name,
                                 std::initializer_list<const AttributeValue*> values) {
  const PathPart key = name;
  boost::container::small_vector<OperandParts, 3> operands = {{.path = {&key, 1}}};
  for (const AttributeValue* const value : values) operands.push_back({.value = value});
  return KeyConditionBuilder(engine::ComposePredicate(op, {operands.data(), operands.size()}));
}

}  // namespace

KeyConditionBuilder operator&&(KeyConditionBuilder a, const KeyConditionBuilder& b) {
  const std::array others = {&b.tree_};
  return KeyConditionBuilder(
      engine::Combine(ConditionNode::Kind::kAnd, std::move(a.tree_), others));
}

KeyConditionBuilder operator==(const Key& key, const AttributeValue& value) {
  return KeyPredicate(ConditionOperator::kEqual, key.name_, {&value});
}
KeyConditionBuilder operator<(const Key& key, const AttributeValue& value) {
  return KeyPredicate(ConditionOperator::kLess, key.name_, {&value});
}
KeyConditionBuilder operator<=(const Key& key, const AttributeValue& value) {
  return KeyPredicate(ConditionOperator::kLessOrEqual, key.name_, {&value});
}
KeyConditionBuilder operator>(const Key& key, const AttributeValue& value) {
  return KeyPredicate(ConditionOperator::kGreater, key.name_, {&value});
}
KeyConditionBuilder operator>=(const Key& key, const AttributeValue& value) {
  return KeyPredicate(ConditionOperator::kGreaterOrEqual, key.name_, {&value});
}

KeyConditionBuilder Key::Between(const AttributeValue& lower, const AttributeValue& upper) const {
  return KeyPredicate(ConditionOperator::kBetween, name_, {&lower, &upper});
}

KeyConditionBuilder Key::BeginsWith(const AttributeValue& prefix) const {
  return KeyPredicate(ConditionOperator::kBeginsWith, name_, {&prefix});
}

ProjectionExpression Project(const std::vector<Attr>& attributes) {
  auto syntax = std::make_shared<engine::ProjectionSyntax>();
  engine::PartComposer parts(syntax.get());
  for (const Attr& attribute : attributes) syntax->paths.push_back(parts.AddPath(attribute.path()));
  if (attributes.empty()) parts.Fail(Status::Validation("The expression can not be empty;"));
  if (!parts.status().ok()) {
    return ProjectionExpression(SyntaxTree<engine::ProjectionSyntax>(parts.status()));
  }
  return ProjectionExpression(SyntaxTree<engine::ProjectionSyntax>(std::move(syntax)));
}

}  // namespace dolmen
