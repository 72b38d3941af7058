#include "wire/managed_table.h"

#include <string>

#include "dolmen/internal/status_macros.h"
#include "wire/java_text.h"
#include "wire/names.h"
#include "wire/violations.h"

namespace dolmen::wire {
namespace {

Status InvalidArn(std::string_view arn) {
  return Status::Validation(std::string("Invalid TableArn: Invalid ResourceArn provided as input ")
                                .append(Truncated(arn)));
}

}  // namespace

Result<std::string_view> ManagedTableName(const JsonObject& request) {
  const std::string_view given = StringMember(request, "TableName");
  if (given.starts_with("arn:") && !TableOfArn(given)) return InvalidArn(given);
  const std::string_view name = TableNameOf(given);
  if (name.size() < 3 || name.size() > 255) {
    return Status::Validation(
        "TableName must be at least 3 characters long and at most 255 characters long");
  }
  if (IsName(name)) return name;
  return Status::Validation(Detected({Violation(given, "tableName", MustMatch(kNamePattern))}));
}

Result<TableDescription> DescribeManagedTable(const Context& context, const JsonObject& request) {
  DOLMEN_ASSIGN_OR_RETURN(const std::string_view name, ManagedTableName(request));
  return context.database.DescribeTable(name);
}

Status CheckResource(std::string_view arn) { return TableOfArn(arn) ? Status() : InvalidArn(arn); }

Result<TableDescription> DescribeResource(const Context& context, std::string_view arn) {
  DOLMEN_RETURN_IF_ERROR(CheckResource(arn));
  Result<TableDescription> table =
      context.database.DescribeTable(*TableOfArn(arn), ContentSizes::kOmit);
  if (table.ok() || table.status().code() != StatusCode::kResourceNotFound) return table;
  return Status::ResourceNotFound(
      std::string("Requested resource not found: ResourcArn: ").append(arn).append(" not found"));
}

}  // namespace dolmen::wire
