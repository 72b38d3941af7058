#include "command/tables.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <iostream>
#include <memory>
#include <vector>

#include "command/command.h"
#include "command/database_command.h"
#include "command/describe.h"
#include "command/endpoint.h"
#include "command/table_json.h"
#include "command/text.h"
#include "engine/base/status_macros.h"

namespace dolmen::command {
namespace {

constexpr const char* kTablesFooter =
    R"(Items and sizes are exact for small tables and estimated for large ones.
DynamoDB counts them every six hours.  The output of --json for a table is a schema for `dolmen import --schema`.

Examples:
  dolmen tables --path app.dolmen
  dolmen tables --path app.dolmen --json | jq .KeySchema
  dolmen tables --endpoint-url http://127.0.0.1:8000
  dolmen tables --region eu-central-1)";

struct TablesOptions {
  DatabaseWords database = {};
  bool json = false;
};

std::string ViewTypeText(const std::optional<StreamSpecification>& stream) {
  if (!stream || !stream->view_type) return "-";
  switch (*stream->view_type) {
    case StreamViewType::kKeysOnly:
      return "keys only";
    case StreamViewType::kNewImage:
      return "new images";
    case StreamViewType::kOldImage:
      return "old images";
    case StreamViewType::kNewAndOldImages:
      return "new and old images";
  }
  return "?";
}

std::string TimeToLiveText(const TimeToLiveDescription& time_to_live) {
  if (time_to_live.status == TimeToLiveStatus::kDisabled) return "-";
  return Printable(time_to_live.attribute_name) +
         (time_to_live.status == TimeToLiveStatus::kEnabling ? " (enabling)" : "");
}

std::string ProgressText(const GlobalSecondaryIndexDescription& index) {
  if (index.status == IndexStatus::kActive) return "";
  const double fraction = index.backfill ? index.backfill->fraction : 0;
  return " (backfilling, " + std::to_string(static_cast<int>(fraction * 100)) + "%)";
}

void AddRow(const std::string& name, const std::string& keys, const ContentSize& content,
            std::vector<std::string> rest, TextTable* table) {
  std::vector<std::string> row{name, keys, CountText(content.item_count),
                               BytesText(content.size_bytes)};
  row.insert(row.end(), rest.begin(), rest.end());
  table->Add(std::move(row));
}

// Adds a row for the table and one for each index.
Status AddRows(const Database& database, const std::string& name, TextTable* rows) {
  DOLMEN_ASSIGN_OR_RETURN(const TableDescription& table, database.DescribeTable(name));
  DOLMEN_ASSIGN_OR_RETURN(const TimeToLiveDescription& time_to_live, TimeToLiveOf(database, name));
  const auto keys = [&](const std::string& index) { return KeysText(*KeysOf(table, index)); };
  AddRow(name, keys(""), table.content,
         {ViewTypeText(table.stream_specification), TimeToLiveText(time_to_live)}, rows);
  for (const auto& global : table.global_secondary_indexes) {
    AddRow("  " + global.index.name, keys(global.index.name) + ProgressText(global), global.content,
           {}, rows);
  }
  for (const auto& local : table.local_secondary_indexes) {
    AddRow("  " + local.index.name + " (local)", keys(local.index.name), local.content, {}, rows);
  }
  return {};
}

CommandResult Tables(const TablesOptions& options) {
  const Result<Database> database = OpenDatabase(options.database);
  if (!database.ok()) return FailureOf(database.status());
  const Result<std::vector<std::string>> names = TableNames(*database);
  if (!names.ok()) return FailureOf(names.status());
  const Result<std::string> text =
      options.json ? TablesJson(*database, *names) : TablesText(*database, *names);
  if (!text.ok()) return FailureOf(text.status());
  std::cout << *text;
  return FlushedOutput();
}

}  // namespace

Result<std::vector<std::string>> TableNames(const Database& database) {
  std::vector<std::string> names;
  ListTablesInput input;
  do {
    DOLMEN_ASSIGN_OR_RETURN(const ListTablesOutput& page, database.ListTables(input));
    names.insert(names.end(), page.table_names.begin(), page.table_names.end());
    input.exclusive_start_table_name = page.last_evaluated_table_name;
  } while (!input.exclusive_start_table_name.empty());
  return names;
}

Result<std::string> TablesText(const Database& database, const std::vector<std::string>& names) {
  if (names.empty()) return std::string("The database has no tables.\n");
  TextTable rows({"TABLE", "KEYS", "ITEMS", "SIZE", "STREAM", "TIME TO LIVE"});
  rows.AlignRight(2);
  rows.AlignRight(3);
  for (const std::string& name : names) {
    DOLMEN_RETURN_IF_ERROR(AddRows(database, name, &rows));
  }
  return rows.ToString();
}

Result<std::string> TablesJson(const Database& database, const std::vector<std::string>& names) {
  std::string lines;
  for (const std::string& name : names) {
    DOLMEN_ASSIGN_OR_RETURN(const std::string& json, TableJson(database, name));
    lines.append(json).append("\n");
  }
  return lines;
}

void AddTablesCommand(CLI::App* app, CommandResult* result) {
  auto options = std::make_shared<TablesOptions>();
  CLI::App* command =
      app->add_subcommand("tables", "List a database's tables: keys, indexes, sizes");
  AddDatabaseOrEndpointOptions(command, &options->database);
  command->add_flag(
      "--json", options->json,
      "Print one line of JSON per table: its description by DescribeTable, its time to "
      "live and its tags");
  command->footer(kTablesFooter);
  command->callback([options, result] { *result = Tables(*options); });
}

}  // namespace dolmen::command
