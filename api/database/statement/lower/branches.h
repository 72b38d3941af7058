// The branches of a condition whose parts are joined by OR.

#pragma once

#include "database/statement/parameters.h"
#include "database/statement/syntax/statement.h"
#include "dolmen/result.h"
#include "engine/key/key_schema.h"

namespace dolmen::database {

// Checks the branches of the topmost OR of a SELECT. DynamoDB reads each branch by its key conditions,
// so two branches must not read the same items. The check applies if each branch has an equality or an IN
// on the partition key and no branch has the sort key under NOT or <>. `keys` are those of the table or of
// the index that the statement reads.
// - kValidation, with DynamoDB's message: two branches have a partition key in common, and their ranges
//   of the sort key meet.
Status CheckBranches(const Statement& statement, const engine::KeySchema& keys,
                     const Parameters& parameters);

}  // namespace dolmen::database
