// Bound key conditions. A key condition tells a Query which partition to read, and which range of
// its sort keys.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.KeyConditionExpressions.html

#pragma once

#include <boost/container/static_vector.hpp>
#include <optional>
#include <string_view>

#include "dolmen/internal/lifetime.h"
#include "dolmen/item_view.h"
#include "dolmen/query.h"
#include "dolmen/result.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/syntax/syntax.h"
#include "engine/key/key_schema.h"

namespace dolmen::engine {

// The condition on one attribute. Borrows from the same objects as KeyConditionTerms.
struct KeyTerm {
  std::string_view attribute;
  SortKeyCondition::Operator op = SortKeyCondition::Operator::kEqual;
  AttributeView value;
  AttributeView upper;  // kBetween only: the inclusive upper bound
  // False: the operator comes from the legacy parameter KeyConditions (Dialect::kLegacy), and no
  // index supports this operator. In this case `op` and the values are not set.
  bool indexable = true;
};

// A key condition that is not yet resolved against a schema: one term per attribute, in the order
// of the expression. Borrows names and literals from the syntax, names from the request, and
// values from the Placeholders. All three must outlive the terms.
struct KeyConditionTerms {
  // The error of a rule that applies only to key conditions; then there are no terms. DynamoDB
  // reports this error after the errors of all expressions of the request.
  Status status = {};
  boost::container::static_vector<KeyTerm, 2 * kKeyAttributesMax> terms;
  std::size_t dropped = 0;  // conditions beyond those that the longest key could have
};

// A key condition that is resolved against a schema. Borrows from the same objects as
// KeyConditionTerms.
struct KeyCondition {
  // The required values of the first attributes of the schema, as bytes. Contains at least all
  // attributes of the partition key.
  KeyBytes equal;
  // The condition on the first attribute that is not in `equal`. Empty if no further attribute has
  // a condition.
  std::optional<KeyTerm> last;
};

// Binds a key condition: resolves the placeholders and makes every check that needs no schema.
// - kValidation, with DynamoDB's message: an error of BindCondition (condition.h).
// Sets `status` of the result to one of the following errors:
// - kValidation, with DynamoDB's message: an operator is not allowed in key conditions.
// - kValidation, with DynamoDB's message: a predicate names no attribute, more than one attribute,
//   or a nested attribute.
// - kValidation, with DynamoDB's message: an attribute has more than one condition.
Result<KeyConditionTerms> BindKeyCondition(const ConditionSyntax& syntax DOLMEN_LIFETIME_BOUND,
                                           Placeholders& placeholders DOLMEN_LIFETIME_BOUND);
Result<KeyConditionTerms> BindKeyCondition(ConditionSyntax&& syntax,
                                           Placeholders& placeholders) = delete;

// Checks the values of a term that does not come from an expression. For expressions
// BindKeyCondition makes these checks.
// - kValidation: the bounds of kBetween have different types or are in descending order.
// - kValidation: the prefix of kBeginsWith is neither a string nor a binary.
Status CheckSortCondition(const KeyTerm& term);

// Resolves the terms against a schema. `index` is the name of the index that has the schema, or ""
// for a table.
// - terms.status, if it is an error.
// - kValidation, with DynamoDB's message: an attribute of the partition key has no condition, or
//   its condition is not an equality.
// - kValidation, with DynamoDB's message: an attribute of the sort key has no condition, but a
//   later attribute of the sort key has a condition.
// - kValidation, with DynamoDB's message: a condition on the sort key is not an equality, and it is
//   not the last condition.
// - kValidation, with DynamoDB's message: a condition is on an attribute that is not part of the
//   key.
// - kValidation, with DynamoDB's message: an operator of the legacy parameter KeyConditions is not
//   supported by indexes.
// - kValidation, with DynamoDB's message: a value is empty, too long or has the wrong type.
Result<KeyCondition> ResolveKeyCondition(const KeyConditionTerms& terms, const KeySchema& keys,
                                         std::string_view index = {});

}  // namespace dolmen::engine
