// Key conditions written in C++, with what Query understands and nothing else:
//
//   .key_condition = Key("PK") == "CONVO#c_01" && Key("SK").BeginsWith("MSG#")
//
// The same as .partition and .sort of QueryInput, but with the names of the key attributes.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.KeyConditionExpressions.html

#pragma once

#include <string>
#include <utility>

#include "dolmen/attribute_value.h"
#include "dolmen/expression.h"

namespace dolmen {

// A key condition, or the part for one attribute.  A value.
class KeyConditionBuilder {
 public:
  explicit KeyConditionBuilder(SyntaxTree<engine::ConditionSyntax> tree) : tree_(std::move(tree)) {}

  operator KeyConditionExpression() const { return KeyConditionExpression(tree_); }

  friend KeyConditionBuilder operator&&(const KeyConditionBuilder& a, const KeyConditionBuilder& b);

 private:
  SyntaxTree<engine::ConditionSyntax> tree_;
};

// A key attribute of the table or index that is queried.
class Key {
 public:
  explicit Key(std::string name) : name_(std::move(name)) {}

  friend KeyConditionBuilder operator==(const Key& key, const AttributeValue& value);
  friend KeyConditionBuilder operator<(const Key& key, const AttributeValue& value);
  friend KeyConditionBuilder operator<=(const Key& key, const AttributeValue& value);
  friend KeyConditionBuilder operator>(const Key& key, const AttributeValue& value);
  friend KeyConditionBuilder operator>=(const Key& key, const AttributeValue& value);
  friend KeyConditionBuilder operator!=(const Key& key, const AttributeValue& value) = delete;

  KeyConditionBuilder Between(const AttributeValue& lower, const AttributeValue& upper) const;
  KeyConditionBuilder BeginsWith(const AttributeValue& prefix) const;

 private:
  std::string name_;
};

}  // namespace dolmen
