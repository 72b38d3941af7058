// Key conditions of a Query, written in C++:
//
//   .key_condition = Key("PK") == "CONVO#c_01" && Key("SK").BeginsWith("MSG#")
//
// The compiler accepts only operators that DynamoDB allows in a key condition. If the partition
// key and the sort key have one attribute each, `Partition` (query.h) is simpler: it needs no
// names. An index with several attributes in a key needs this form:
//
//   .key_condition = Key("country") == "DE" && Key("city") == "Bonn" && Key("age") > 30
//
// - Each attribute of the partition key must be compared with ==.
// - Attributes of the sort key must be given from left to right, without gaps. The last of them
//   may be compared with any operator, those before it only with ==.
// - Each attribute must have one condition, and each value must have the type of its attribute.
// A Query with a condition that breaks one of these rules fails with kValidation.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.KeyConditionExpressions.html

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <string>
#include <utility>

#include "dolmen/attribute_value.h"
#include "dolmen/expression.h"

namespace dolmen {

// A key condition, or the part of it for one attribute. It converts to the expression of a
// QueryInput. A value type; operator&& copies the conditions that it combines.
class KeyConditionBuilder {
 public:
  // For Dolmen's own use. A program creates a key condition with Key("name").
  explicit KeyConditionBuilder(SyntaxTree<engine::ConditionSyntax> tree) : tree_(std::move(tree)) {}

  operator KeyConditionExpression() const { return KeyConditionExpression(tree_); }

  // Combines conditions on different attributes, in any order.
  friend KeyConditionBuilder operator&&(KeyConditionBuilder a, const KeyConditionBuilder& b);

 private:
  SyntaxTree<engine::ConditionSyntax> tree_;
};

// A key attribute of the table or index that is queried, by its name.
class Key {
 public:
  explicit Key(std::string name) : name_(std::move(name)) {}

  // Compare the attribute with the value: texts and bytes by their bytes, numbers by value.
  friend KeyConditionBuilder operator==(const Key& key, const AttributeValue& value);
  friend KeyConditionBuilder operator<(const Key& key, const AttributeValue& value);
  friend KeyConditionBuilder operator<=(const Key& key, const AttributeValue& value);
  friend KeyConditionBuilder operator>(const Key& key, const AttributeValue& value);
  friend KeyConditionBuilder operator>=(const Key& key, const AttributeValue& value);
  friend KeyConditionBuilder operator!=(const Key& key, const AttributeValue& value) = delete;

  // Holds if the attribute lies between the bounds, both included. The upper bound must not be less
  // than the lower bound.
  KeyConditionBuilder Between(const AttributeValue& lower, const AttributeValue& upper) const;
  // Holds if the attribute, of type S or B, begins with `prefix`. Not allowed for type N.
  KeyConditionBuilder BeginsWith(const AttributeValue& prefix) const;

 private:
  std::string name_;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
