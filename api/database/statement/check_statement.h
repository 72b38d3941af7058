// The checks of a statement before it runs, in DynamoDB's order: the syntax and the literals (Parse), the
// values of the parameters, then the structure.

#pragma once

#include <memory>

#include "database/statement/parameters.h"
#include "database/statement/syntax/statement.h"
#include "dolmen/result.h"
#include "engine/backend.h"

namespace dolmen::database {

// Encodes the values of the parameters. `error` is that of a value which could not be read
// (StatementRequest::parameter_error), else success.
// - `error`, or an error of Parameters::Encode.
Status EncodeParameters(const Status& error, Parameters* parameters);

// Checks the structure of a statement with its parameters.
// - kValidation, with DynamoDB's message: the error of CheckReadable, instead of Statement::fault.
// - kValidation, with DynamoDB's message: Statement::fault, or an error of Parameters::Check.
Status CheckStructure(const std::shared_ptr<internal::Backend>& backend, const Statement& statement,
                      const Parameters& parameters);

// Checks the expressions of a statement with its parameters.
// - kValidation, with DynamoDB's message: the condition, the columns or the update is invalid for
//   every table.
// REQUIRES: CheckStructure has returned success.
Status CheckForEveryTable(const Statement& statement, const Parameters& parameters);

// Returns true for an error that DynamoDB reports after an error of CheckForEveryTable.
bool DependsOnTable(const Status& failure);

// Returns the error that DynamoDB reports first for a statement that failed with `failure`: an error
// of CheckForEveryTable comes before the errors that depend on a table. Returns a success, and the
// error of a condition that was false, unchanged.
Status FirstError(const Statement& statement, const Parameters& parameters, const Status& failure);

}  // namespace dolmen::database
