// The conversion of DynamoDB's legacy parameters to expressions, which have replaced them. It is
// for programs that accept requests from old clients. New programs use expressions.
//
//   const auto tree = ConditionTree(conditions, ConditionalOperator::kAnd);
//   if (!tree.ok()) return tree.status();
//   input.condition = ConditionExpression(tree);
//
// The limits of expressions do not apply: one parameter has up to 16,384 attributes, values and
// conditions. Check a tree for an error before you make an expression from the tree, as in the
// example. Otherwise the error message of the request names a ConditionExpression, for example,
// although the client sent a legacy parameter.
//
// Each function that returns a tree may fail with:
// - kValidation: an attribute's name does not have 1 to 65,535 bytes of UTF-8.
// - kValidation: a value is not one that DynamoDB stores, such as an empty set.
// - kValidation: a condition or an update has too many values, or too few.
// - kValidation: the parameter is larger than the limit.
// A tree without these errors may still be wrong for a request. The request then fails with
// DynamoDB's message for the legacy parameter.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LegacyConditionalParameters.html

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/expression.h"

namespace dolmen {

// A ComparisonOperator. The values have the order in which DynamoDB's messages list the operators.
enum class Comparison : std::uint8_t {
  kIn,
  kNull,
  kBetween,
  kLess,
  kNotContains,
  kEqual,
  kGreater,
  kNotNull,
  kNotEqual,
  kLessOrEqual,
  kBeginsWith,
  kGreaterOrEqual,
  kContains,
};

// Returns true if the comparison takes this number of values: two for kBetween, one or more for
// kIn, none for kNull and kNotNull, one for all others.
bool Takes(Comparison comparison, std::size_t values);

// A condition on a top-level attribute.
struct AttributeCondition {
  std::string_view attribute;  // the name; it must outlive the call
  Comparison comparison = Comparison::kEqual;
  std::vector<AttributeValue> values = {};  // as many as the comparison takes
};

// The combination of several conditions: all of them must hold (AND), or at least one (OR).
enum class ConditionalOperator : std::uint8_t { kAnd, kOr };

// Converts Expected, QueryFilter, ScanFilter or KeyConditions. Use kAnd for KeyConditions. If a
// comparison is not allowed in key conditions, such as kNotEqual, the Query reports the error.
// REQUIRES: !conditions.empty()
SyntaxTree<engine::ConditionSyntax> ConditionTree(std::span<const AttributeCondition> conditions,
                                                  ConditionalOperator combined);

// An element of AttributeUpdates: a change of one top-level attribute.
struct AttributeUpdate {
  // kPut sets the attribute. kAdd adds to a number, a set or a list. kDelete removes members from
  // a set or, without a value, removes the attribute.
  enum class Action : std::uint8_t { kPut, kAdd, kDelete };

  std::string_view attribute;  // the name; it must outlive the call
  Action action = Action::kPut;
  std::optional<AttributeValue> value = {};  // required for kPut and kAdd
};

// Converts AttributeUpdates.
SyntaxTree<engine::UpdateSyntax> UpdateTree(std::span<const AttributeUpdate> updates);

// Converts AttributesToGet.
SyntaxTree<engine::ProjectionSyntax> ProjectionTree(std::span<const std::string_view> attributes);

}  // namespace dolmen
