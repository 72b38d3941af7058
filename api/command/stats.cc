#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <iostream>
#include <memory>
#include <vector>

#include "command/command.h"
#include "command/database_command.h"
#include "command/tables.h"
#include "command/text.h"
#include "engine/base/status_macros.h"
#include "wire/json_writer.h"

namespace dolmen::command {
namespace {

constexpr const char* kStatsFooter =
    R"(A service tells only the number of its tables and what they hold.

Examples:
  dolmen stats --path app.dolmen
  dolmen stats --endpoint-url http://127.0.0.1:8000)";

struct StatsOptions {
  DatabaseWords database = {};
  bool json = false;
};

void ShowStats(const DatabaseStats& stats) {
  TextTable rows({"tables", CountText(stats.tables)});
  rows.AlignRight(1);
  rows.Add({"table files", CountText(stats.table_files)});
  rows.Add({"in table files", BytesText(stats.table_file_bytes)});
  rows.Add({"in the log only", BytesText(stats.log_bytes)});
  rows.Add({"write buffers", BytesText(stats.write_buffer_bytes)});
  rows.Add({"read cache", BytesText(stats.cache_bytes)});
  rows.Add({"to be compacted", BytesText(stats.pending_compaction_bytes)});
  std::cout << rows.ToString();
}

void ShowJson(const DatabaseStats& stats) {
  std::string text;
  wire::JsonWriter json(&text);
  json.BeginObject();
  json.UnsignedField("tables", stats.tables);
  json.UnsignedField("table_files", stats.table_files);
  json.UnsignedField("table_file_bytes", stats.table_file_bytes);
  json.UnsignedField("log_bytes", stats.log_bytes);
  json.UnsignedField("write_buffer_bytes", stats.write_buffer_bytes);
  json.UnsignedField("cache_bytes", stats.cache_bytes);
  json.UnsignedField("pending_compaction_bytes", stats.pending_compaction_bytes);
  json.EndObject();
  std::cout << text << '\n';
}

// The numbers of a service.
struct ServiceStats {
  std::uint64_t tables = 0;
  std::uint64_t items = 0;
  std::uint64_t table_bytes = 0;
  std::uint64_t index_bytes = 0;
};

Result<ServiceStats> AddUpTables(const Database& database) {
  ServiceStats stats;
  DOLMEN_ASSIGN_OR_RETURN(const std::vector<std::string>& names, TableNames(database));
  for (const std::string& name : names) {
    DOLMEN_ASSIGN_OR_RETURN(const TableDescription& table, database.DescribeTable(name));
    stats.tables += 1;
    stats.items += table.content.item_count;
    stats.table_bytes += table.content.size_bytes;
    for (const auto& index : table.global_secondary_indexes) {
      stats.index_bytes += index.content.size_bytes;
    }
    for (const auto& index : table.local_secondary_indexes) {
      stats.index_bytes += index.content.size_bytes;
    }
  }
  return stats;
}

void ShowStats(const ServiceStats& stats) {
  TextTable rows({"tables", CountText(stats.tables)});
  rows.AlignRight(1);
  rows.Add({"items", CountText(stats.items)});
  rows.Add({"in tables", BytesText(stats.table_bytes)});
  rows.Add({"in indexes", BytesText(stats.index_bytes)});
  std::cout << rows.ToString();
}

void ShowJson(const ServiceStats& stats) {
  std::string text;
  wire::JsonWriter json(&text);
  json.BeginObject();
  json.UnsignedField("tables", stats.tables);
  json.UnsignedField("items", stats.items);
  json.UnsignedField("table_bytes", stats.table_bytes);
  json.UnsignedField("index_bytes", stats.index_bytes);
  json.EndObject();
  std::cout << text << '\n';
}

CommandResult StatsOfService(const Database& database, bool as_json) {
  const Result<ServiceStats> stats = AddUpTables(database);
  if (!stats.ok()) return FailureOf(stats.status());
  as_json ? ShowJson(*stats) : ShowStats(*stats);
  return FlushedOutput();
}

CommandResult Stats(const StatsOptions& options) {
  const Result<Database> database = OpenDatabase(options.database);
  if (!database.ok()) return FailureOf(database.status());
  if (IsRemote(*database)) return StatsOfService(*database, options.json);
  const Result<DatabaseStats> stats = database->Stats();
  if (!stats.ok()) return FailureOf(stats.status());
  options.json ? ShowJson(*stats) : ShowStats(*stats);
  return FlushedOutput();
}

}  // namespace

void AddStatsCommand(CLI::App* app, CommandResult* result) {
  auto options = std::make_shared<StatsOptions>();
  CLI::App* command = app->add_subcommand("stats", "Show a database's use of disk and memory");
  AddDatabaseOrEndpointOptions(command, &options->database);
  command->add_flag("--json", options->json, "Print one line of JSON; sizes are in bytes");
  command->footer(kStatsFooter);
  command->callback([options, result] { *result = Stats(*options); });
}

}  // namespace dolmen::command
