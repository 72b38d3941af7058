// What is wrong with a request whatever its table is: what each operation checks before it looks
// for the table, for those who have a name of a table that may not be there.
//
// kValidation, with the message that the operation would fail with; ok says nothing of what the
// table's keys and indexes have to say.

#pragma once

#include "dolmen/operations.h"
#include "dolmen/query.h"
#include "dolmen/scan.h"
#include "dolmen/status.h"

namespace dolmen {

Status Validate(const GetItemInput& input);
Status Validate(const PutItemInput& input);
Status Validate(const UpdateItemInput& input);
Status Validate(const DeleteItemInput& input);
Status Validate(const ConditionCheckInput& input);
Status Validate(const QueryInput& input);
Status Validate(const ScanInput& input);

}  // namespace dolmen
