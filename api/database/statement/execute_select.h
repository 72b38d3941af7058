// Execution of SELECT.

#pragma once

#include <memory>

#include "database/statement/parameters.h"
#include "database/statement/syntax/statement.h"
#include "dolmen/result.h"
#include "dolmen/statement.h"
#include "engine/backend.h"

namespace dolmen::database {

// Executes a SELECT. Contract: Database::ExecuteStatement. If it fails, `*output` may hold anything.
// REQUIRES: the statement is a SELECT, and its parameters are checked.
Status ExecuteSelect(const std::shared_ptr<internal::Backend>& backend, const Statement& statement,
                     const Parameters& parameters, const ExecuteStatementInput& input,
                     ExecuteStatementOutput* output);

// Opens the table of a statement.
// - kResourceNotFound: the table does not exist.
Result<TableRef> OpenStatementTable(const std::shared_ptr<internal::Backend>& backend,
                                    const Statement& statement);

}  // namespace dolmen::database
