// Parser of the literals in a statement, and of its paths.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "database/statement/syntax/token_cursor.h"
#include "dolmen/attribute_value.h"
#include "dolmen/expression.h"

namespace dolmen::database {

// Returns true at a token that begins a literal: a text, a number, TRUE, FALSE, NULL, a list, a
// tuple, a set or an Ion literal.
bool AtLiteral(const TokenCursor& cursor);

// Reads a literal. `key_path` describes the place of the literal in messages: "root". Returns false
// if the parsing has ended. A value that is not supported is a fault, and then the value must not
// be used.
bool ReadLiteral(TokenCursor* cursor, std::string_view key_path, AttributeValue* value);

// Reads a path: a name, then names, list indexes and keys in brackets. Returns false if the parsing
// has ended.
bool ReadPath(TokenCursor* cursor, std::vector<PathPart>* path);

}  // namespace dolmen::database
