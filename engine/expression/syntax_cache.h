// The syntax trees of requests' expressions.  Those of texts are remembered, so that a program that
// repeats its texts parses each of them once.

#pragma once

#include <cstddef>

#include "dolmen/expression.h"
#include "engine/expression/syntax.h"

namespace dolmen::engine {

// What is remembered, for the whole process as a tree depends on nothing but its text: of
// conditions, projections and updates the trees used last, so many of each, if their texts are not
// longer than this.  Ten megabytes in the worst of cases, some hundred kilobytes as a rule.
inline constexpr std::size_t kRememberedTrees = 512;
inline constexpr std::size_t kRememberedTextBytes = 1024;

// The tree of a request's expression, however it was given; null if it was not.
// kValidation, with DynamoDB's message: it was given as a text that is none of its kind, or was
// built wrongly.  From any thread; never waits for another.
template <ExpressionKind kKind, typename Syntax>
SyntaxTree<Syntax> TreeOf(const Expression<kKind, Syntax>& expression);

}  // namespace dolmen::engine
