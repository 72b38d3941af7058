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
#include "engine/expression/syntax.h"

namespace dolmen::engine {

// One attribute's part of a key condition.  Borrows as KeyConditionTerms do.
struct KeyTerm {
  std::string_view attribute;
  SortKeyCondition::Operator op = SortKeyCondition::Operator::kEqual;
  AttributeView value;
  AttributeView upper;  // kBetween only: the inclusive upper bound
};

// A key condition of which it is not yet known which attribute is which: one or two terms on
// different attributes.  Borrows names and literals from the syntax, names from the request, and
// values from the Placeholders.
struct KeyConditionTerms {
  boost::container::static_vector<KeyTerm, 2> terms;
};

// A key attribute of the table or index that is queried.
struct KeyElement {
  std::string_view name;
  AttributeType type;
};

// The range to read.  Borrows as KeyConditionTerms do.
struct KeyCondition {
  std::string_view partition_name;
  AttributeView partition_value;
  std::optional<KeyTerm> sort;
};

// What can be said without a schema: resolves the placeholders, and checks the shape.
// kValidation, with DynamoDB's message: a placeholder that is not defined, an operator that key
// conditions don't know, not one condition on each of one or two top-level attributes.
Result<KeyConditionTerms> BindKeyCondition(const ConditionSyntax& syntax DOLMEN_LIFETIME_BOUND,
                                           Placeholders& placeholders DOLMEN_LIFETIME_BOUND);
Result<KeyConditionTerms> BindKeyCondition(ConditionSyntax&& syntax,
                                           Placeholders& placeholders) = delete;

// For a condition that was never an expression: the checks of its values that the other way has
// been through.  kValidation: bounds that are no range, a prefix that is neither text nor bytes.
Status CheckSortCondition(const KeyTerm& term);

// What the schema has to say; `index` is the name of the index whose schema it is, "" for a table.
// kValidation, with DynamoDB's message: no equality on the partition key, a condition on what is no
// key attribute, a value that is empty or not of the attribute's type.
Result<KeyCondition> ResolveKeyCondition(const KeyConditionTerms& terms, KeyElement partition,
                                         std::optional<KeyElement> sort,
                                         std::string_view index = {});

}  // namespace dolmen::engine
