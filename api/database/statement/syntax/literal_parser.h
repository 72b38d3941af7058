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

// Reads a literal. Returns false if the parsing has ended. A value that is not supported is a fault of
// a literal, and then the value must not be used.
bool ReadLiteral(TokenCursor* cursor, AttributeValue* value);

// The detail of the error that no name follows the dot of a path.
inline constexpr std::string_view kBadDotComponent = "Invalid path dot component";

// Reads a path: a name, then names, list indexes and keys in brackets. Returns false if the parsing
// has ended.
bool ReadPath(TokenCursor* cursor, std::vector<PathPart>* path);

}  // namespace dolmen::database
