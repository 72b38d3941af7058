// Execution of batches of statements.

#pragma once

#include "dolmen/internal/shared.h"
#include "dolmen/result.h"
#include "dolmen/statement.h"
#include "engine/backend.h"

namespace dolmen::engine {

// Contract: Database::BatchExecuteStatement.
Result<BatchExecuteStatementOutput> BatchExecuteStatement(
    const internal::Shared<internal::Backend>& backend, const BatchExecuteStatementInput& input);

}  // namespace dolmen::engine
