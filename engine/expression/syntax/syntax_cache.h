// The syntax trees of requests' expressions.  Those of texts are remembered, so that a program that
// repeats its texts parses each of them once.

#pragma once

#include <cstddef>

#include "dolmen/expression.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// What is remembered, for the whole process as a tree depends on nothing but its text: of
// conditions, projections and updates at most so many trees each, of texts that are not longer than
// this.  A text's hash says which of the others it competes with, so that with many more texts than
// half of this some are parsed again.  30 MB in the worst of cases, some hundred KB as a rule.
inline constexpr std::size_t kRememberedTrees = 512;
inline constexpr std::size_t kRememberedTextBytes = 1024;

// The tree of a request's expression, however it was given; null if it was not.
// kValidation, with DynamoDB's message: it was given as a text that is none of its kind, or was
// built wrongly.  From any thread; never waits for another.
template <ExpressionKind kKind, typename Syntax>
SyntaxTree<Syntax> TreeOf(const Expression<kKind, Syntax>& expression);

}  // namespace dolmen::engine
