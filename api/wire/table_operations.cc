#include <array>
#include <string>

#include "engine/base/status_macros.h"
#include "wire/managed_table.h"
#include "wire/operation.h"
#include "wire/table_description.h"
#include "wire/table_json.h"
#include "wire/table_requests.h"
#include "wire/table_settings.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

constexpr std::array<std::string_view, 3> kUnsupportedParts = {
    "VectorIndexes", "GlobalTableSourceArn", "GlobalTableSettingsReplicationMode"};

// Writes the response of operations that describe a table.
Status WriteTableResponse(const Context& context, std::string_view member,
                          const TableDescription& table, JsonWriter* response,
                          WarmThroughput warm = WarmThroughput::kAlways) {
  response->BeginObject();
  response->Key(member);
  WriteTable(table,
             {.status = table.status,
              .now = context.database.clock()->Now(),
              .place = context.place,
              .warm = warm},
             response);
  response->EndObject();
  return {};
}

Status RunCreateTable(const Context& context, const JsonObject& request, JsonWriter* response) {
  CreateTableInput input;
  DOLMEN_RETURN_IF_ERROR(CheckUnsupported(request, kUnsupportedParts));
  DOLMEN_RETURN_IF_ERROR(ReadCreateTable(request, &input));
  DOLMEN_RETURN_IF_ERROR(ReadResourcePolicy(request, context.database.clock()->Now(),
                                            &SettingsToChange(&input.annotations)));
  DOLMEN_RETURN_IF_ERROR(context.database.CreateTable(input).status());
  DOLMEN_ASSIGN_OR_RETURN(const TableDescription& table,
                          context.database.DescribeTable(input.name, ContentSizes::kOmit));
  return WriteTableResponse(context, "TableDescription", table, response, WarmThroughput::kIfSet);
}

Status RunDescribeTable(const Context& context, const JsonObject& request, JsonWriter* response) {
  DOLMEN_ASSIGN_OR_RETURN(const TableDescription& table, DescribeManagedTable(context, request));
  return WriteTableResponse(context, "Table", table, response);
}

Status RunListTables(const Context& context, const JsonObject& request, JsonWriter* response) {
  ListTablesInput input;
  DOLMEN_RETURN_IF_ERROR(Decode(request, &input));
  DOLMEN_ASSIGN_OR_RETURN(const ListTablesOutput& page, context.database.ListTables(input));
  Encode(page, response);
  return {};
}

// Checks that the table is ACTIVE. A simulation lets annotations change in every state, because tags
// are annotations, but UpdateTable fails in DynamoDB.
Status CheckActive(const TableDescription& table) {
  if (table.status == TableStatus::kActive) return {};
  const char* const change = table.status == TableStatus::kCreating   ? "created: "
                             : table.status == TableStatus::kUpdating ? "updated: "
                                                                      : "deleted: ";
  return Status::ResourceInUse(
      std::string("Attempt to change a resource which is still in use: Table is being ")
          .append(change)
          .append(table.name));
}

Result<TableDescription> UpdateSettings(const Context& context, const JsonObject& request,
                                        std::string_view name) {
  const auto lock = LockSettings();
  const Result<TableDescription> before = DescribeTable(context, name, ContentSizes::kOmit);
  if (!before.ok()) return before.status();
  DOLMEN_RETURN_IF_ERROR(CheckActive(*before));
  DOLMEN_ASSIGN_OR_RETURN(
      const UpdateTableInput& input,
      PlanUpdateTable(request, *before, context.place.region, context.database.clock()->Now()));
  return context.database.UpdateTable(input);
}

Status RunUpdateTable(const Context& context, const JsonObject& request, JsonWriter* response) {
  DOLMEN_ASSIGN_OR_RETURN(const std::string_view name, ManagedTableName(request));
  DOLMEN_RETURN_IF_ERROR(CheckUpdateTable(request));
  DOLMEN_ASSIGN_OR_RETURN(const TableDescription& updated, UpdateSettings(context, request, name));
  // Describes the table again, because the description from UpdateTable lacks the content sizes. If
  // the table has been deleted in the meantime, responds with the description from UpdateTable.
  const Result<TableDescription> table = context.database.DescribeTable(name);
  return WriteTableResponse(context, "TableDescription", table.ok() ? *table : updated, response);
}

Status RunDeleteTable(const Context& context, const JsonObject& request, JsonWriter* response) {
  DOLMEN_ASSIGN_OR_RETURN(TableDescription table, DescribeManagedTable(context, request));
  if (table.status == TableStatus::kCreating) return CheckActive(table);
  DOLMEN_RETURN_IF_ERROR(context.database.DeleteTable(table.name));
  table.status = TableStatus::kDeleting;
  return WriteTableResponse(context, "TableDescription", table, response);
}

// The request leaves hide_expired unchanged, because DynamoDB's API has no parameter for it.
Status RunUpdateTimeToLive(const Context& context, const JsonObject& request,
                           JsonWriter* response) {
  UpdateTimeToLiveInput input;
  DOLMEN_ASSIGN_OR_RETURN(const std::string_view name, ManagedTableName(request));
  DOLMEN_ASSIGN_OR_RETURN(const TimeToLiveDescription& before,
                          context.database.DescribeTimeToLive(name));
  DOLMEN_RETURN_IF_ERROR(Decode(request, &input));
  input.table_name = name;
  input.specification.hide_expired = before.hide_expired;
  DOLMEN_ASSIGN_OR_RETURN(const TimeToLiveSpecification& changed,
                          context.database.UpdateTimeToLive(input));
  response->BeginObject();
  response->Key("TimeToLiveSpecification");
  Encode(changed, response);
  response->EndObject();
  return {};
}

Status RunDescribeTimeToLive(const Context& context, const JsonObject& request,
                             JsonWriter* response) {
  DOLMEN_ASSIGN_OR_RETURN(const std::string_view name, ManagedTableName(request));
  const Result<TableDescription> table = DescribeTable(context, name, ContentSizes::kOmit);
  if (table.ok() && table->status == TableStatus::kCreating) {
    return Status::Validation(
        "Cannot describe time to live while table is in CREATING state: Current table state is "
        "CREATING");
  }
  DOLMEN_ASSIGN_OR_RETURN(const TimeToLiveDescription& described,
                          context.database.DescribeTimeToLive(name));
  response->BeginObject();
  response->Key("TimeToLiveDescription");
  Encode(described, response);
  response->EndObject();
  return {};
}

}  // namespace

std::span<const Operation> TableOperations() {
  static constexpr Operation kOperations[] = {
      {"CreateTable", &kCreateTableInput, RunCreateTable},
      {"DescribeTable", &kMembers<TableRequest>, RunDescribeTable},
      {"ListTables", &kMembers<ListTablesInput>, RunListTables},
      {"UpdateTable", &kUpdateTableInput, RunUpdateTable},
      {.name = "DeleteTable",
       .input = &kMembers<TableRequest>,
       .run = RunDeleteTable,
       .is_long = true},
      {"UpdateTimeToLive", &kMembers<UpdateTimeToLiveInput>, RunUpdateTimeToLive},
      {"DescribeTimeToLive", &kMembers<TableRequest>, RunDescribeTimeToLive},
  };
  return kOperations;
}

}  // namespace dolmen::wire
