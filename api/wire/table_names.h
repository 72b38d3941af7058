// Tables as requests name them, and their ARNs.

#pragma once

#include <string>
#include <string_view>

#include "dolmen/table.h"
#include "dolmen/validate.h"
#include "wire/operation.h"

namespace dolmen::wire {

// "arn:aws:dynamodb:ddblocal:000000000000:table/app": region and account are those of the streams'
// ARNs, of nowhere.
std::string TableArn(std::string_view name);
std::string IndexArn(std::string_view table, std::string_view index);

// The name of the table that a TableName or a ResourceArn stands for: itself, or what the ARN of a
// table, of whatever region and account, has behind "table/".  Empty: it is an ARN of something
// else. A view of `name_or_arn`.
std::string_view TableNameOf(std::string_view name_or_arn);

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
