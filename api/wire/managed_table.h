// The table that a request manages: its name and its description.

#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "dolmen/describe_table.h"
#include "dolmen/result.h"
#include "wire/operation.h"

namespace dolmen::wire {

// Returns the name in the request's TableName, which may be an ARN. The name is a view of the
// request.
// - kValidation: the name is absent.
Result<std::string_view> ManagedTableName(const JsonObject& request);

// Checks the length of a name with the shape kNameOfAnyLengthShape.
// - kValidation: the name is too short or too long. The message calls it `what`.
Status CheckNameLength(std::string_view what, std::string_view name);

// Checks that a TableName which begins as an ARN is the ARN of a table, if `input`, the shape of the
// request, has the member kManagedTableName. DynamoDB makes this check before it checks the constraints.
// - kValidation: the name is the ARN of something else.
Status CheckManagedTableArn(const Shape& input, const JsonObject& request);

// Returns the description of the table that the request names.
// - kValidation: the name is invalid for a table.
// - kResourceNotFound: the table does not exist.
Result<TableDescription> DescribeManagedTable(const Context& context, const JsonObject& request);

// Records in the annotations of a new table that the import with the ID creates the table.
void SetImport(const std::string& id, Map* annotations);
// Returns the description of the table, as Database::DescribeTable does. A table is kCreating while
// the import that creates it runs. If the table does not exist because its restore has failed, the
// message of the error says why.
Result<TableDescription> DescribeTable(const Context& context, std::string_view name,
                                       ContentSizes sizes = ContentSizes::kCount);

// Returns `status` with the message of operations on backups if the table `name` does not exist.
Status TableNotFound(Status status, std::string_view name);

// Changes the settings of the table that the request names. Calls `change` with the table and its
// current settings, and stores the settings.
// - The errors of DescribeManagedTable.
// - The errors of `change`. The stored settings are then unchanged.
Status ChangeSettings(const Context& context, const JsonObject& request,
                      const std::function<Status(const TableDescription&, Map*)>& change);

// Checks that the request has none of the members. Otherwise a client would believe that the table
// has a feature that Dolmen lacks.
// - kValidation: the request has one of the members.
Status CheckUnsupported(const JsonObject& request, std::span<const std::string_view> members);

// Checks a ResourceArn.
// - kValidation: `arn` is not the ARN of a table.
Status CheckResource(std::string_view arn);

// Returns the description of the table with the ARN `arn`, without the number and the size of the
// table's items.
// - kValidation: `arn` is not the ARN of a table.
// - kResourceNotFound: the table does not exist.
Result<TableDescription> DescribeResource(const Context& context, std::string_view arn);

}  // namespace dolmen::wire
