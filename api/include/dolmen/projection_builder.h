// Projections written in C++, which need no placeholders for reserved words:
//
//   .projection = Project("title", Attr("address")["city"], Attr("orders")[0])
//
// A projected item keeps its structure: address is a map with only city in it. A projected list has
// no gaps. A projection saves only the time for copying the other attributes. The read still reads
// the whole item and consumes the same capacity.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.ProjectionExpressions.html

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <concepts>
#include <vector>

#include "dolmen/condition_builder.h"
#include "dolmen/expression.h"

namespace dolmen {

// Returns a projection on these attributes or elements. The result of the read leaves out the
// attributes and elements that the item does not have. A request that uses the projection fails
// with kValidation if:
// - `attributes` is empty,
// - two paths overlap, such as Attr("a") and Attr("a")["b"],
// - two paths use one attribute as a map and as a list, such as Attr("a")["b"] and Attr("a")[0].
ProjectionExpression Project(const std::vector<Attr>& attributes);

// Returns a projection on attributes or elements that are given one by one, as names or as Attr.
template <std::convertible_to<Attr>... Attributes>
  requires(sizeof...(Attributes) > 0)
ProjectionExpression Project(const Attributes&... attributes) {
  return Project(std::vector<Attr>{Attr(attributes)...});
}

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
