// Checks of requests without a table: the checks that each operation does before it looks at the
// table.  For programs that have a table's name only, and want DynamoDB's order of errors: a wrong
// request is reported before a missing table is.
//
//   if (Status valid = Validate(input); !valid.ok()) return valid;
//   const auto table = db.OpenTable(name);  // kResourceNotFound comes second

#pragma once

#include "dolmen/operations.h"
#include "dolmen/query.h"
#include "dolmen/scan.h"
#include "dolmen/status.h"

namespace dolmen {

// Each function returns success, or the error that the operation would fail with: kValidation, with
// the same message.  It checks values, limits, expressions and placeholders.  Success says nothing
// about the table's keys and indexes, so the operation may still fail.  Thread-safe.
Status Validate(const GetItemInput& input);
Status Validate(const PutItemInput& input);
Status Validate(const UpdateItemInput& input);
Status Validate(const DeleteItemInput& input);
Status Validate(const ConditionCheckInput& input);
Status Validate(const QueryInput& input);
Status Validate(const ScanInput& input);

}  // namespace dolmen
