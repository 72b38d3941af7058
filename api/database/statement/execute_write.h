// Execution of INSERT, UPDATE and DELETE.

#pragma once

#include <memory>

#include "database/statement/lower/lower_write.h"
#include "database/statement/parameters.h"
#include "database/statement/syntax/statement.h"
#include "dolmen/operations.h"
#include "dolmen/result.h"
#include "dolmen/statement.h"
#include "dolmen/table_ref.h"
#include "engine/backend.h"

namespace dolmen::database {

// Returns the error of an EXISTS in ExecuteStatement or in a batch.
Status ExistsOutsideTransaction();

// Executes an INSERT, an UPDATE or a DELETE. Contract: Database::ExecuteStatement. If it fails,
// `*output` may hold anything.
// REQUIRES: the parameters are checked.
Status ExecuteWrite(const std::shared_ptr<internal::Backend>& backend, const Statement& statement,
                    const Parameters& parameters, const ExecuteStatementInput& input,
                    ExecuteStatementOutput* output);

// Writes the item of one statement. Sets the members of `*write` that depend on the statement and on
// the options. Returns the errors of PutItem, UpdateItem and DeleteItem, which ToStatementError
// converts.
// REQUIRES: the request is not a check.
Result<WriteItemOutput> WriteOneItem(internal::Backend& backend, const TableRef& table,
                                     const Statement& statement,
                                     bool return_item_on_condition_failure,
                                     const RequestOptions& options, LoweredWrite* write);

// Returns the error of a write of the statement as PartiQL reports it.
// - kDuplicateItem, in place of kConditionalCheckFailed: INSERT found an item with the key.
Status ToStatementError(const Statement& statement, const Status& status);

}  // namespace dolmen::database
