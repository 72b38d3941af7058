// Execution of PartiQL statements by the operations of a backend: one statement, a batch of statements,
// or a transaction of statements.
//
// A statement becomes the requests that read or write the same items, and the backend executes
// them. So the rules of conditions, projections, updates and capacity are those of these requests,
// and a simulation produces its faults for them.

#pragma once

#include <memory>

#include "dolmen/result.h"
#include "dolmen/statement.h"
#include "engine/backend.h"

namespace dolmen::database {

// Executes a statement. Contract: Database::ExecuteStatement. If it fails, `*output` is empty.
Status ExecuteStatement(const std::shared_ptr<internal::Backend>& backend,
                        const ExecuteStatementInput& input, ExecuteStatementOutput* output);

// Contract: Database::BatchExecuteStatement.
Result<BatchExecuteStatementOutput> BatchExecuteStatement(
    const std::shared_ptr<internal::Backend>& backend, const BatchExecuteStatementInput& input);

// Contract: Database::ExecuteTransaction.
Result<ExecuteTransactionOutput> ExecuteTransaction(
    const std::shared_ptr<internal::Backend>& backend, const ExecuteTransactionInput& input);

}  // namespace dolmen::database
