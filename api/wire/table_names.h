// Tables as requests on data name them.

#pragma once

#include "dolmen/table.h"
#include "dolmen/validate.h"
#include "wire/names.h"
#include "wire/operation.h"

namespace dolmen::wire {

// The table of a request, for operations on data.  kResourceNotFound: there is none.
Result<Table> OpenTable(const Context& context, const JsonObject& request);

// The same once the request has been read: what is wrong with it is said before that there is no
// such table, as DynamoDB does.
template <typename Input>
Result<Table> OpenTableFor(const Context& context, const JsonObject& request, const Input& input) {
  Result<Table> table = OpenTable(context, request);
  if (table.ok()) return table;
  Status valid = Validate(input);
  return valid.ok() ? table : valid;
}

}  // namespace dolmen::wire
