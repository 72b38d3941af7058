// Parser of the clauses SET and REMOVE.

#pragma once

#include "database/statement/syntax/statement.h"
#include "database/statement/syntax/token_cursor.h"

namespace dolmen::engine {

// Reads one clause or more. Returns false if the parsing has ended. An error or a fault is in
// `cursor`, and then the statement must not be used.
bool ParseUpdateClauses(TokenCursor* cursor, Statement* statement);

}  // namespace dolmen::engine
