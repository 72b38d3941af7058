// Parsers of the clauses of statements: SELECT with its clauses, WHERE, SET and REMOVE. Each reads at the
// cursor. An error or a fault is in the cursor, and then the result must not be used.

#pragma once

#include <string_view>
#include <vector>

#include "database/statement/syntax/statement.h"
#include "database/statement/syntax/token_cursor.h"
#include "engine/expression/compose.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::database {

// Reads a SELECT from the word after SELECT to its last clause. Returns false if the parsing has
// ended. An error or a fault is in `cursor`, and then the statement must not be used.
bool ParseSelect(TokenCursor* cursor, Statement* statement);

// Reads the name of a table, or of a table and an index, and checks both. `missing` is the detail of the
// error that no name stands there; empty: that of TokenCursor::FailTerm. Returns false if the parsing
// has ended.
bool ParseTarget(TokenCursor* cursor, Statement* statement, std::string_view missing = {});

// Reads an alias if one stands at the cursor, with AS or without it. An alias is a fault. Returns false
// if the parsing has ended.
bool AcceptAlias(TokenCursor* cursor);

// Reads WHERE and its condition. Returns false if the parsing has ended.
// REQUIRES: the cursor is at WHERE.
bool ParseWhereClause(TokenCursor* cursor, Statement* statement);

// Adds a path to a tree of paths. The first error, without its prefix, is a fault.
void AddColumn(TokenCursor* cursor, const std::vector<PathPart>& path,
               engine::ProjectionSyntax* columns);

// Reads the condition after the word WHERE and returns its tree, of the dialect kStatement. An
// error in the syntax, or a fault, is in `cursor`, and then the tree must not be used. Returns an
// error if the tree is too large or if a value is invalid.
SyntaxTree<engine::ConditionSyntax> ParseWhere(TokenCursor* cursor);

// Reads an expression that is a whole statement, and returns DynamoDB's name of its kind: "IsType".
// Returns an empty text if the parsing has ended.
std::string_view ParseExpression(TokenCursor* cursor);

// Reads one clause SET or REMOVE, or more. Returns false if the parsing has ended. An error or a fault is in
// `cursor`, and then the statement must not be used.
bool ParseUpdateClauses(TokenCursor* cursor, Statement* statement);

}  // namespace dolmen::database
