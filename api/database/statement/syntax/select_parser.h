// Parser of SELECT.

#pragma once

#include "database/statement/syntax/statement.h"
#include "database/statement/syntax/token_cursor.h"

namespace dolmen::engine {

// Reads a SELECT from the word after SELECT to its last clause. Returns false if the parsing has
// ended. An error or a fault is in `cursor`, and then the statement must not be used.
bool ParseSelect(TokenCursor* cursor, Statement* statement);

// Reads the name of a table, or of a table and an index, and checks both. Returns false if the
// parsing has ended.
bool ParseTarget(TokenCursor* cursor, Statement* statement);

// Reads WHERE and its condition. Returns false if the parsing has ended.
// REQUIRES: the cursor is at WHERE.
bool ParseWhereClause(TokenCursor* cursor, Statement* statement);

// Adds a path to a tree of paths. The first error, without its prefix, is a fault.
void AddColumn(TokenCursor* cursor, const std::vector<PathPart>& path, ProjectionSyntax* columns);

}  // namespace dolmen::engine
