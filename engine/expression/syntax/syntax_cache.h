// Cache of the syntax trees of texts.  A program that repeats its texts parses each of them only
// once.

#pragma once

#include <cstddef>

#include "dolmen/expression.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// The limits of the cache.  One cache serves the whole process, because a tree depends only on its
// text.  It holds at most this many trees each of conditions, projections and updates, and only
// trees of texts up to this many bytes.  The hash of a text selects the small set of trees in which
// it is kept.  A program with many more than half as many texts may therefore parse some of them
// again.  The cache takes 30 MB at most, and usually a few hundred KB.
inline constexpr std::size_t kCachedTreesMax = 512;
inline constexpr std::size_t kCachedTextBytesMax = 1024;

// Returns the tree of a request's expression, which is a text or a built tree.  Returns null if the
// request does not contain the expression.  The caller shares ownership of the immutable tree.
// Thread-safe; never waits for another thread.
// - kValidation, with DynamoDB's message: the text is not an expression of this kind.
// - kValidation: the builder of the expression failed, or the expression was moved from.
template <ExpressionKind kKind, typename Syntax>
SyntaxTree<Syntax> GetSyntaxTree(const Expression<kKind, Syntax>& expression);

}  // namespace dolmen::engine
