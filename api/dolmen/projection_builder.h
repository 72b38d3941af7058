// Projections written in C++: .projection = Project("title", Attr("address")["city"]).
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.ProjectionExpressions.html

#pragma once

#include <concepts>
#include <vector>

#include "dolmen/condition_builder.h"
#include "dolmen/expression.h"

namespace dolmen {

// Those attributes, or parts of them.  A request that uses it fails if two of them overlap.
ProjectionExpression Project(const std::vector<Attr>& attributes);

template <std::convertible_to<Attr>... Attributes>
  requires(sizeof...(Attributes) > 0)
ProjectionExpression Project(const Attributes&... attributes) {
  return Project(std::vector<Attr>{Attr(attributes)...});
}

}  // namespace dolmen
