// Parser of PartiQL statements, and the cache of parsed statements.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.html

#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "database/statement/syntax/statement.h"
#include "dolmen/result.h"

namespace dolmen::database {

inline constexpr std::size_t kStatementBytesMax = 8192;

// Returns the tree of a statement. `additions` is true if the statement may have what Dolmen adds to
// DynamoDB's dialect (ExecuteStatementInput::additions). The text may be any bytes. Takes a bounded
// amount of stack, and time that grows with the size of the text. Thread-safe.
// - kValidation, with DynamoDB's message: the text has an error in its syntax, a literal that is not
//   supported, or more than kStatementBytesMax bytes.
// - kValidation: the text is not UTF-8.
// Statement::fault has the other faults of the text.
Result<Statement> ParseStatement(std::string_view text, bool additions = false);

// Returns the tree of a statement, from the cache if a statement with this text was parsed before.
// The cache has the limits of the cache of expressions (expression/syntax/syntax_cache.h), for
// statements alone. Thread-safe; never waits for another thread.
// - kValidation, with DynamoDB's message: an error of ParseStatement.
Result<std::shared_ptr<const Statement>> GetStatement(std::string_view text, bool additions);

}  // namespace dolmen::database
