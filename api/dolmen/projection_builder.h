// Projections written in C++, which need no placeholders for reserved words:
//
//   .projection = Project("title", Attr("address")["city"], Attr("orders")[0])
//
// A projected item keeps its structure: address is a map with only city in it.  Elements of a list
// stand without gaps.  A projection saves neither time nor capacity of the read, only the copying.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.ProjectionExpressions.html

#pragma once

#include <concepts>
#include <vector>

#include "dolmen/condition_builder.h"
#include "dolmen/expression.h"

namespace dolmen {

// Returns a projection on these attributes, or elements of attributes.  Those that an item does not
// have are left out.  A request that uses the projection fails with kValidation if:
// - `attributes` is empty,
// - two of them overlap, such as Attr("a") and Attr("a")["b"],
// - two of them take one element for a map and for a list.
ProjectionExpression Project(const std::vector<Attr>& attributes);

// Returns the same projection for attributes that are given one by one, as names or as Attr.
template <std::convertible_to<Attr>... Attributes>
  requires(sizeof...(Attributes) > 0)
ProjectionExpression Project(const Attributes&... attributes) {
  return Project(std::vector<Attr>{Attr(attributes)...});
}

}  // namespace dolmen
