// EXPLAIN: the plan of a statement.

#pragma once

#include <memory>

#include "database/statement/parameters.h"
#include "database/statement/syntax/statement.h"
#include "dolmen/result.h"
#include "dolmen/statement.h"
#include "engine/backend.h"

namespace dolmen::database {

// Sets `*output` to one item that describes the requests of the statement, and sends none of them.
// Contract: Database::ExecuteStatement, EXPLAIN. If it fails, `*output` may hold anything.
// REQUIRES: the parameters are checked.
Status Explain(const std::shared_ptr<internal::Backend>& backend, const Statement& statement,
               const Parameters& parameters, const ExecuteStatementInput& input,
               ExecuteStatementOutput* output);

}  // namespace dolmen::database
