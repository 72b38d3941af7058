// The parameters that DynamoDB had before there were expressions, as the trees that the same
// expressions would have: for who reads requests that have them.  None of an expression's limits
// binds them; one parameter has up to 16,384 attributes, values and conditions in it.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LegacyConditionalParameters.html
//
// Each tree is for an expression of the kind that it stands for: ConditionExpression(tree).  Ask
// for its error first, as a request would name an expression with it.  kValidation: the name of an
// attribute or a value is none that DynamoDB knows, or there are too many; or a value is missing,
// or there is one that has no place.
//
// What a request finds wrong with them later is said in words of these parameters, too.

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

// A ComparisonOperator, in the order in which messages list them.
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

// Whether so many values can be compared with: two for kBetween, any but none for kIn, none for
// kNull and kNotNull, one for all others.
bool Takes(Comparison comparison, std::size_t values);

// A condition on a top-level attribute, with as many values as the comparison takes.
struct AttributeCondition {
  std::string_view attribute;
  Comparison comparison = Comparison::kEqual;
  std::vector<AttributeValue> values = {};
};

// Whether all of several conditions have to hold, or one of them.
enum class ConditionalOperator : std::uint8_t { kAnd, kOr };

// Expected, QueryFilter, ScanFilter; and KeyConditions, which all have to hold, and of which the
// Query says if no index serves a comparison.  REQUIRES: !conditions.empty()
SyntaxTree<engine::ConditionSyntax> ConditionTree(std::span<const AttributeCondition> conditions,
                                                  ConditionalOperator combined);

// What AttributeUpdates says of a top-level attribute.
struct AttributeUpdate {
  enum class Action : std::uint8_t { kPut, kAdd, kDelete };

  std::string_view attribute;
  Action action = Action::kPut;
  std::optional<AttributeValue> value = {};  // kDelete alone may have none
};
SyntaxTree<engine::UpdateSyntax> UpdateTree(std::span<const AttributeUpdate> updates);

// AttributesToGet.
SyntaxTree<engine::ProjectionSyntax> ProjectionTree(std::span<const std::string_view> attributes);

}  // namespace dolmen
