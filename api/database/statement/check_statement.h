// Checks of statements that do not depend on a table.

#pragma once

#include "database/statement/parameters.h"
#include "database/statement/syntax/statement.h"
#include "dolmen/result.h"

namespace dolmen::database {

// Checks the expressions of a statement with its parameters.
// - kValidation, with DynamoDB's message: the condition, the columns or the update is invalid for
//   every table.
// REQUIRES: the parameters are checked.
Status CheckForEveryTable(const Statement& statement, const Parameters& parameters);

// Returns true for an error that DynamoDB reports after an error of CheckForEveryTable.
bool DependsOnTable(const Status& failure);

// Returns the error that DynamoDB reports first for a statement that failed with `failure`: an error
// of CheckForEveryTable comes before the errors that depend on a table. Returns a success, and the
// error of a condition that was false, unchanged.
Status FirstError(const Statement& statement, const Parameters& parameters, const Status& failure);

}  // namespace dolmen::database
