// The table that a request to read or write items names.

#pragma once

#include "database/validate.h"
#include "dolmen/table.h"
#include "wire/names.h"
#include "wire/operation.h"

namespace dolmen::wire {

// Open the table with the given name or ARN, or the table that the request names.
// - kResourceNotFound: the table does not exist, or it is being created.
inline Result<Table> OpenNamedTable(const Context& context, std::string_view name_or_arn) {
  return context.database.OpenTable(TableNameOf(name_or_arn));
}
inline Result<Table> OpenTable(const Context& context, const JsonObject& request) {
  return OpenNamedTable(context, StringMember(request, "TableName"));
}

// Opens the table of a request that has been read into `input`. If the table does not exist and
// `input` is invalid, returns the error of `input`, as DynamoDB does.
// - kResourceNotFound: the table does not exist.
// - kValidation: the table does not exist, and `input` is invalid.
template <typename Input>
Result<Table> OpenTableFor(const Context& context, const JsonObject& request, const Input& input) {
  Result<Table> table = OpenTable(context, request);
  if (table.ok()) return table;
  Status valid = Validate(input);
  return valid.ok() ? table : valid;
}

}  // namespace dolmen::wire
