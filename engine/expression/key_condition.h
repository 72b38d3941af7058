// KeyConditionExpression: the range of one partition that a Query reads.
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

// One attribute's part of a key condition.  Borrows as KeyConditionTerms do.
struct KeyTerm {
  std::string_view attribute;
  SortKeyCondition::Operator op = SortKeyCondition::Operator::kEqual;
  AttributeView value;
  AttributeView upper;  // kBetween only: the inclusive upper bound
  // False: the operator is one of KeyConditions (Dialect::kLegacy) that no index serves, and there
  // is neither an operator nor a value here.
  bool indexable = true;
};

// A key condition of which it is not yet known which attribute is which: terms on different
// attributes.  Borrows names and literals from the syntax, names from the request, and
// values from the Placeholders.
struct KeyConditionTerms {
  boost::container::static_vector<KeyTerm, 2 * kKeyAttributesMax> terms;
};

// The range to read.  Borrows as KeyConditionTerms do.
struct KeyCondition {
  // The bytes that the first of the schema's attributes are to equal, the partition key's at least;
  // and the condition on the attribute behind them, if there is one.
  KeyBytes equal;
  std::optional<KeyTerm> last;
};

// What can be said without a schema: resolves the placeholders, and checks the shape.
// kValidation, with DynamoDB's message: a placeholder that is not defined, an operator that key
// conditions don't know, not one condition on each of some top-level attributes.
Result<KeyConditionTerms> BindKeyCondition(const ConditionSyntax& syntax DOLMEN_LIFETIME_BOUND,
                                           Placeholders& placeholders DOLMEN_LIFETIME_BOUND);
Result<KeyConditionTerms> BindKeyCondition(ConditionSyntax&& syntax,
                                           Placeholders& placeholders) = delete;

// For a condition that was never an expression: the checks of its values that the other way has
// been through.  kValidation: bounds that are no range, a prefix that is neither text nor bytes.
Status CheckSortCondition(const KeyTerm& term);

// What the schema has to say; `index` is the name of the index whose schema it is, "" for a table.
// The partition key's attributes are to equal something; conditions on the sort key's are on the
// first of them, without gaps, and all but the last are equalities.
// kValidation, with DynamoDB's message: it is otherwise, there is a condition on what is no key
// attribute, a value is empty, too long or not of the attribute's type.
Result<KeyCondition> ResolveKeyCondition(const KeyConditionTerms& terms, const KeySchema& keys,
                                         std::string_view index = {});

}  // namespace dolmen::engine
