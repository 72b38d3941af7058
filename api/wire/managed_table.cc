#include "wire/managed_table.h"

#include <string>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/value/violation.h"
#include "wire/errors.h"
#include "wire/java_text.h"
#include "wire/names.h"
#include "wire/table_settings.h"

namespace dolmen::wire {
namespace {

// The name of the setting that holds the ID of the import that created the table.
constexpr std::string_view kImport = "Import";

// Returns the error for a ResourceArn that is not the ARN of a table.
Status InvalidResource(std::string_view arn) {
  const std::string shown(Truncated(arn));
  if (!arn.starts_with("arn:")) return InvalidParameter("ARNs must start with 'arn:': " + shown);
  if (!PlaceOfArn(arn)) {
    return InvalidParameter("Provided Arn is not a DynamoDB resource arn: " + shown);
  }
  return InvalidParameter(
      "Invalid resource arn provided, only table or stream is accepted. Provided resource arn: " +
      shown);
}

}  // namespace

Result<std::string_view> ManagedTableName(const JsonObject& request) {
  if (!Member(request, kManagedTableName.name)) {
    return Status::Validation(
        "The parameter 'TableName' is required but was not present in the request");
  }
  const std::string_view given = StringMember(request, kManagedTableName.name);
  return TableNameOf(given);
}

Status CheckNameLength(std::string_view what, std::string_view name) {
  if (name.size() >= 3 && name.size() <= 255) return {};
  return Status::Validation(std::string(what).append(
      " must be at least 3 characters long and at most 255 characters long"));
}

Status CheckManagedTableArn(const Shape& input, const JsonObject& request) {
  const MemberShape* const name = FindMember(input.members, kManagedTableName.name);
  if (name == nullptr || name->shape != &kManagedTableNameShape) return {};
  const std::string_view given = StringMember(request, kManagedTableName.name);
  if (!given.starts_with("arn:") || TableOfArn(given)) return {};
  return engine::DetectedOne("Invalid resource type in '" + std::string(Truncated(given)) + "'");
}

Result<TableDescription> DescribeManagedTable(const Context& context, const JsonObject& request) {
  DOLMEN_ASSIGN_OR_RETURN(const std::string_view name, ManagedTableName(request));
  return DescribeTable(context, name);
}

void SetImport(const std::string& id, Map* annotations) {
  Set(kImport, id, &SettingsToChange(annotations));
}

Result<TableDescription> DescribeTable(const Context& context, std::string_view name,
                                       ContentSizes sizes) {
  Result<TableDescription> table = context.database.DescribeTable(name, sizes);
  if (table.status().code() == StatusCode::kResourceNotFound) {
    const std::string failure = context.restore_failures->Find(name);
    if (failure.empty()) return table;
    return table.status().WithMessage(table.status().message() + ". " + failure);
  }
  if (!table.ok()) return table;
  if (context.jobs.Find(TextIn(SettingsOf(*table), kImport))) {
    table->status = TableStatus::kCreating;
  }
  if (table->status != TableStatus::kCreating) context.restore_failures->Remove(name);
  return table;
}

Status TableNotFound(Status status, std::string_view name) {
  if (status.code() != StatusCode::kResourceNotFound) return status;
  return Status::ResourceNotFound(std::string("Table not found: ").append(name));
}

Status ChangeSettings(const Context& context, const JsonObject& request,
                      const std::function<Status(const TableDescription&, Map*)>& change) {
  const auto lock = LockSettings();
  DOLMEN_ASSIGN_OR_RETURN(const TableDescription& table, DescribeManagedTable(context, request));
  Map settings = SettingsOf(table);
  DOLMEN_RETURN_IF_ERROR(change(table, &settings));
  return StoreSettings(context.database, table, std::move(settings));
}

Status CheckUnsupported(const JsonObject& request, std::span<const std::string_view> members) {
  for (const std::string_view member : members) {
    if (!Member(request, member)) continue;
    return InvalidParameter(std::string("Dolmen does not support ")
                                .append(member)
                                .append(": remove this member from the request"));
  }
  return {};
}

Status CheckResource(std::string_view arn) {
  return TableOfArn(arn) ? Status() : InvalidResource(arn);
}

Result<TableDescription> DescribeResource(const Context& context, std::string_view arn) {
  DOLMEN_RETURN_IF_ERROR(CheckResource(arn));
  Result<TableDescription> table = DescribeTable(context, *TableOfArn(arn), ContentSizes::kOmit);
  if (table.ok() || table.status().code() != StatusCode::kResourceNotFound) return table;
  return Status::ResourceNotFound(
      std::string("Requested resource not found: ResourceArn: ").append(arn).append(" not found"));
}

}  // namespace dolmen::wire
