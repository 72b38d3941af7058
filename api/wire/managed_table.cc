#include "wire/managed_table.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "wire/table_names.h"

namespace dolmen::wire {
namespace {

Status InvalidArn(std::string_view arn) {
  return Status::Validation(
      std::string("Invalid TableArn: Invalid ResourceArn provided as input ").append(arn));
}

bool IsNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-';
}

}  // namespace

Result<std::string_view> ManagedTableName(const JsonObject& request) {
  const std::string_view given = StringMember(request, "TableName");
  const std::string_view name = TableNameOf(given);
  if (name.empty() && !given.empty()) return InvalidArn(given);
  if (name.size() < 3 || name.size() > 255) {
    return Status::Validation(
        "TableName must be at least 3 characters long and at most 255 characters long");
  }
  if (std::all_of(name.begin(), name.end(), IsNameCharacter)) return name;
  return Status::Validation(std::string("1 validation error detected: Value '")
                                .append(given)
                                .append("' at 'tableName' failed to satisfy constraint: Member "
                                        "must satisfy regular expression pattern: ")
                                .append(kNamePattern));
}

Result<TableDescription> DescribeManagedTable(const Context& context, const JsonObject& request) {
  const Result<std::string_view> name = ManagedTableName(request);
  if (!name.ok()) return name.status();
  return context.database.DescribeTable(*name);
}

Result<TableDescription> DescribeResource(const Context& context, std::string_view arn) {
  const bool of_dynamodb = arn.starts_with("arn:") && arn.find(":dynamodb:") != arn.npos;
  const std::string_view name = TableNameOf(arn);
  if (!of_dynamodb || name.empty()) return InvalidArn(arn);
  Result<TableDescription> table = context.database.DescribeTable(name);
  if (table.ok() || table.status().code() != StatusCode::kResourceNotFound) return table;
  return Status::ResourceNotFound(
      std::string("Requested resource not found: ResourcArn: ").append(arn).append(" not found"));
}

}  // namespace dolmen::wire
