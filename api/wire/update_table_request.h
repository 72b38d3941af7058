// What UpdateTable's requests ask for.

#pragma once

#include "dolmen/clock.h"
#include "dolmen/result.h"
#include "dolmen/tables.h"
#include "wire/json.h"
#include "wire/shape.h"

namespace dolmen::wire {

extern const Shape kUpdateTableInput;

// kValidation, with DynamoDB's message: what is wrong with the request whatever its table is.
Status CheckUpdateTable(const JsonObject& request);

// What has to be done to the table, annotations included.  `now` is what it was changed at.
// kValidation, kLimitExceeded, kResourceNotFound: it does not fit the table.  REQUIRES:
// CheckUpdateTable was ok.
Result<UpdateTableInput> PlanUpdateTable(const JsonObject& request, const TableDescription& table,
                                         Timestamp now);

}  // namespace dolmen::wire
