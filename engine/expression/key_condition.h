// Bound key conditions: the partition, and the range of its sort keys, that a Query reads.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.KeyConditionExpressions.html

#pragma once

#include <boost/container/static_vector.hpp>
#include <optional>
#include <string_view>

#include "dolmen/item_view.h"
#include "dolmen/lifetime.h"
#include "dolmen/query.h"
#include "dolmen/result.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/syntax/syntax.h"
#include "engine/key/key_schema.h"

namespace dolmen::engine {

// The condition on one attribute.  Borrows what KeyConditionTerms borrows.
struct KeyTerm {
  std::string_view attribute;
  SortKeyCondition::Operator op = SortKeyCondition::Operator::kEqual;
  AttributeView value;
  AttributeView upper;  // kBetween only: the inclusive upper bound
  // False: the operator is one of the legacy parameter KeyConditions (Dialect::kLegacy) that no
  // index serves.  `op` and the values are then not set.
  bool indexable = true;
};

// A key condition that is not yet resolved against a schema: one term per attribute, in the order
// of the expression.  Borrows names and literals from the syntax, names from the request, and
// values from the Placeholders.  All three must outlive the terms.
struct KeyConditionTerms {
  boost::container::static_vector<KeyTerm, 2 * kKeyAttributesMax> terms;
};

// A key condition that is resolved against a schema.  Borrows what KeyConditionTerms borrows.
struct KeyCondition {
  // The bytes of the schema's first attributes, at least of all attributes of the partition key.
  // The items to read have these values.
  KeyBytes equal;
  // The condition on the attribute after those of `equal`, if there is one.
  std::optional<KeyTerm> last;
};

// Resolves the placeholders and makes every check that needs no schema.
// - kValidation, with DynamoDB's message: an error of BindCondition (condition.h).
// - kValidation, with DynamoDB's message: key conditions do not allow an operator.
// - kValidation, with DynamoDB's message: a predicate names no attribute, more than one attribute,
//   or a nested attribute.
// - kValidation, with DynamoDB's message: an attribute has more than one condition.
// - kValidation, with DynamoDB's message: there are too many conditions.
Result<KeyConditionTerms> BindKeyCondition(const ConditionSyntax& syntax DOLMEN_LIFETIME_BOUND,
                                           Placeholders& placeholders DOLMEN_LIFETIME_BOUND);
Result<KeyConditionTerms> BindKeyCondition(ConditionSyntax&& syntax,
                                           Placeholders& placeholders) = delete;

// Checks the values of a term that was not bound from an expression.  BindKeyCondition makes the
// same checks for expressions.
// - kValidation: the bounds of kBetween have different types or are in descending order.
// - kValidation: the prefix of kBeginsWith is neither a string nor a binary.
Status CheckSortCondition(const KeyTerm& term);

// Resolves the terms against a schema.  `index` is the name of the index that has the schema, or ""
// for a table.
// - kValidation, with DynamoDB's message: an attribute of the partition key has no condition, or
//   its condition is not an equality.
// - kValidation, with DynamoDB's message: conditions on the sort key leave out an attribute before
//   another one that has a condition.
// - kValidation, with DynamoDB's message: a condition on the sort key, except the last one, is not
//   an equality.
// - kValidation, with DynamoDB's message: a condition is on an attribute that is not part of the
//   key.
// - kValidation, with DynamoDB's message: no index serves an operator of KeyConditions.
// - kValidation, with DynamoDB's message: a value is empty, too long or has the wrong type.
Result<KeyCondition> ResolveKeyCondition(const KeyConditionTerms& terms, const KeySchema& keys,
                                         std::string_view index = {});

}  // namespace dolmen::engine
