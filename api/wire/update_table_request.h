// The request of UpdateTable.

#pragma once

#include <string>
#include <string_view>

#include "dolmen/clock.h"
#include "dolmen/describe_table.h"
#include "dolmen/result.h"
#include "dolmen/update_table.h"
#include "wire/json.h"
#include "wire/shape.h"

namespace dolmen::wire {

extern const Shape kUpdateTableInput;

// Returns the request that changes the table. The definitions of attributes are those of a new index.
std::string UpdateTableJson(const UpdateTableInput& input);

// Checks the parts of the request that do not depend on the current table. The error has DynamoDB's
// message:
// - kValidation: the request is invalid for every table.
Status CheckUpdateTable(const JsonObject& request);

// Returns the changes to the table, including its annotations. `region` is the client's
// region, and `now` is the time of the change.
// - kValidation: the request is invalid for this table.
// - kLimitExceeded: the request creates or deletes more than one index.
// - kResourceNotFound: the request changes an index that does not exist.
//
// REQUIRES: CheckUpdateTable is ok
Result<UpdateTableInput> PlanUpdateTable(const JsonObject& request, const TableDescription& table,
                                         std::string_view region, Timestamp now);

}  // namespace dolmen::wire
