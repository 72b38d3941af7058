#include "dolmen/key_condition_builder.h"

#include <boost/container/small_vector.hpp>
#include <initializer_list>
#include <string>
#include <vector>

#include "engine/expression/compose.h"

namespace dolmen {

using engine::ConditionOperator;
using engine::OperandParts;

namespace {

KeyConditionBuilder Predicate(ConditionOperator op, const std::string& name,
                              std::initializer_list<const AttributeValue*> values) {
  const PathPart key = name;
  boost::container::small_vector<OperandParts, 3> operands = {{.path = {&key, 1}}};
  for (const AttributeValue* const value : values) operands.push_back({.value = value});
  return KeyConditionBuilder(engine::ComposePredicate(op, {operands.data(), operands.size()}));
}

}  // namespace

KeyConditionBuilder operator&&(const KeyConditionBuilder& a, const KeyConditionBuilder& b) {
  return KeyConditionBuilder(
      engine::Combine(engine::ConditionNode::Kind::kAnd, {&a.tree_, &b.tree_}));
}

KeyConditionBuilder operator==(const Key& key, const AttributeValue& value) {
  return Predicate(ConditionOperator::kEqual, key.name_, {&value});
}
KeyConditionBuilder operator<(const Key& key, const AttributeValue& value) {
  return Predicate(ConditionOperator::kLess, key.name_, {&value});
}
KeyConditionBuilder operator<=(const Key& key, const AttributeValue& value) {
  return Predicate(ConditionOperator::kLessOrEqual, key.name_, {&value});
}
KeyConditionBuilder operator>(const Key& key, const AttributeValue& value) {
  return Predicate(ConditionOperator::kGreater, key.name_, {&value});
}
KeyConditionBuilder operator>=(const Key& key, const AttributeValue& value) {
  return Predicate(ConditionOperator::kGreaterOrEqual, key.name_, {&value});
}

KeyConditionBuilder Key::Between(const AttributeValue& lower, const AttributeValue& upper) const {
  return Predicate(ConditionOperator::kBetween, name_, {&lower, &upper});
}

KeyConditionBuilder Key::BeginsWith(const AttributeValue& prefix) const {
  return Predicate(ConditionOperator::kBeginsWith, name_, {&prefix});
}

}  // namespace dolmen
