// The table of a request that manages one: its name, and what it is like.

#pragma once

#include <string_view>

#include "dolmen/result.h"
#include "dolmen/tables.h"
#include "wire/operation.h"

namespace dolmen::wire {

// The parameter for operations that manage tables.  DynamoDB says what is wrong with it in words of
// its own there, so that the shape asks for nothing.
inline constexpr MemberShape kManagedTableName = {"TableName", &kString, true};

// The name in a request's TableName, which may be an ARN: a view of the request.  kValidation: no
// table can have it.
Result<std::string_view> ManagedTableName(const JsonObject& request);

// The table that the request names.  kValidation as above; kResourceNotFound: there is none.
Result<TableDescription> DescribeManagedTable(const Context& context, const JsonObject& request);

// kValidation: the ResourceArn is no table's ARN.
Status CheckResource(std::string_view arn);

// The table that a ResourceArn stands for, with ContentSizes::kOmit.  kValidation as CheckResource;
// kResourceNotFound: there is no such table.
Result<TableDescription> DescribeResource(const Context& context, std::string_view arn);

}  // namespace dolmen::wire
