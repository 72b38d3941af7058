// Cache of syntax trees by their texts. If a program repeats a text, the text is usually parsed
// only once.

#pragma once

#include <cstddef>

#include "dolmen/expression.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// Limits of the cache. One cache serves the whole process, because a tree depends only on its text.
// For each type of tree (condition, projection, update), the cache holds up to kCachedTreesMax
// trees. It holds only trees of texts up to kCachedTextBytesMax bytes. The trees are divided into
// small sets, and the hash of a text selects the set of its tree. Some sets fill up before others,
// so a program with many more than kCachedTreesMax / 2 texts may parse some of them repeatedly. The
// cache takes at most 30 MB of memory, and usually a few hundred KB.
inline constexpr std::size_t kCachedTreesMax = 512;
inline constexpr std::size_t kCachedTextBytesMax = 1024;

// Returns the tree of an expression in a request. The expression is a text or a built tree.
// Returns null if the request does not contain the expression. The caller shares ownership of the
// immutable tree. Thread-safe; never waits for another thread.
// - kValidation, with DynamoDB's message: the text is not a valid expression of this kind.
// - kValidation: the builder of the expression failed, or the expression was moved from.
template <ExpressionKind kKind, typename Syntax>
SyntaxTree<Syntax> GetSyntaxTree(const Expression<kKind, Syntax>& expression);

}  // namespace dolmen::engine
