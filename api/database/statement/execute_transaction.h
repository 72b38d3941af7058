// Execution of transactions of statements.

#pragma once

#include "dolmen/internal/shared.h"
#include "dolmen/result.h"
#include "dolmen/statement.h"
#include "engine/backend.h"

namespace dolmen::engine {

// Contract: Database::ExecuteTransaction.
Result<ExecuteTransactionOutput> ExecuteTransaction(
    const internal::Shared<internal::Backend>& backend, const ExecuteTransactionInput& input);

}  // namespace dolmen::engine
