// Key conditions of a Query, written in C++:
//
//   .key_condition = Key("PK") == "CONVO#c_01" && Key("SK").BeginsWith("MSG#")
//
// The compiler accepts only conditions that DynamoDB allows here.  With a key of one attribute
// each, `partition` and `sort` of QueryInput say the same without names.  An index with several
// attributes in a key needs key_condition:
//
//   .key_condition = Key("country") == "DE" && Key("city") == "Bonn" && Key("age") > 30
//
// - Each attribute of the partition key is compared with ==.
// - Attributes of the sort key are given from left to right, without gaps.  The last of them may be
//   compared with any operator, those before it with ==.
// - Each attribute has one condition, and each value has the type of its attribute.
// A Query with a condition that breaks one of these rules fails with kValidation.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.KeyConditionExpressions.html

#pragma once

#include <string>
#include <utility>

#include "dolmen/attribute_value.h"
#include "dolmen/expression.h"

namespace dolmen {

// A key condition, or the part for one attribute.  It converts to the expression of a QueryInput.
// A value type; combining copies the parts.
class KeyConditionBuilder {
 public:
  // For Dolmen's own use; Key makes key conditions.
  explicit KeyConditionBuilder(SyntaxTree<engine::ConditionSyntax> tree) : tree_(std::move(tree)) {}

  operator KeyConditionExpression() const { return KeyConditionExpression(tree_); }

  // Combines conditions on different attributes, in any order.
  friend KeyConditionBuilder operator&&(const KeyConditionBuilder& a, const KeyConditionBuilder& b);

 private:
  SyntaxTree<engine::ConditionSyntax> tree_;
};

// A key attribute of the table or index that is queried, by its name.
class Key {
 public:
  explicit Key(std::string name) : name_(std::move(name)) {}

  // Compare the attribute: texts and bytes by their bytes, numbers by value.
  friend KeyConditionBuilder operator==(const Key& key, const AttributeValue& value);
  friend KeyConditionBuilder operator<(const Key& key, const AttributeValue& value);
  friend KeyConditionBuilder operator<=(const Key& key, const AttributeValue& value);
  friend KeyConditionBuilder operator>(const Key& key, const AttributeValue& value);
  friend KeyConditionBuilder operator>=(const Key& key, const AttributeValue& value);
  friend KeyConditionBuilder operator!=(const Key& key, const AttributeValue& value) = delete;

  // Holds between the bounds, both included.  The upper bound is not less than the lower bound.
  KeyConditionBuilder Between(const AttributeValue& lower, const AttributeValue& upper) const;
  // Holds for texts or bytes that begin with `prefix`.  Not for numbers.
  KeyConditionBuilder BeginsWith(const AttributeValue& prefix) const;

 private:
  std::string name_;
};

}  // namespace dolmen
