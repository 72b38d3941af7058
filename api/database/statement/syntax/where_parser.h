// Parser of the conditions in statements.

#pragma once

#include "database/statement/syntax/token_cursor.h"
#include "engine/expression/compose.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// Reads the condition after the word WHERE and returns its tree, of the dialect kStatement. An
// error in the syntax, or a fault, is in `cursor`, and then the tree must not be used. Returns an
// error if the tree is too large or if a value is invalid.
SyntaxTree<ConditionSyntax> ParseWhere(TokenCursor* cursor);

}  // namespace dolmen::engine
