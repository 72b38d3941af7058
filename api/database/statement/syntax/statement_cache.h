// Cache of parsed statements by their texts.

#pragma once

#include <string_view>

#include "database/statement/syntax/statement.h"
#include "dolmen/internal/shared.h"
#include "dolmen/result.h"

namespace dolmen::engine {

// Returns the tree of a statement, from the cache if a statement with this text was parsed before.
// The cache has the limits of the cache of expressions (expression/syntax/syntax_cache.h), for
// statements alone. Thread-safe; never waits for another thread.
// - kValidation, with DynamoDB's message: an error of ParseStatement.
Result<internal::Shared<const Statement>> GetStatement(std::string_view text);

}  // namespace dolmen::engine
