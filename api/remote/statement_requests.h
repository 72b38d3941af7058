// PartiQL statements, which the service executes. A service without PartiQL refuses them.

#pragma once

#include "engine/backend.h"
#include "remote/service.h"

namespace dolmen::remote {

// An executor of statements. Contracts: the operations of Database of the same name. Statements see
// expired items, because the service does not know hide_expired. Thread-safe.
class RemoteStatements final : public internal::StatementExecutor {
 public:
  explicit RemoteStatements(const Service& service) : service_(service) {}

  Status ExecuteStatement(const ExecuteStatementInput& input,
                          ExecuteStatementOutput* output) override;
  Result<BatchExecuteStatementOutput> BatchExecuteStatement(
      const BatchExecuteStatementInput& input) override;
  Result<ExecuteTransactionOutput> ExecuteTransaction(
      const ExecuteTransactionInput& input) override;

 private:
  const Service& service_;
};

}  // namespace dolmen::remote
