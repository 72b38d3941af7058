#include "command/stats.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <iostream>
#include <memory>

#include "command/database_command.h"
#include "command/text.h"
#include "wire/json_writer.h"

namespace dolmen::command {
namespace {

constexpr const char* kStatsFooter = R"(Example:
  dolmen stats --path app.dolmen)";

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

CommandResult Stats(const StatsOptions& options) {
  const Result<Database> database = OpenDatabase(options.database);
  if (!database.ok()) return FailureOf(database.status());
  const Result<DatabaseStats> stats = database->Stats();
  if (!stats.ok()) return FailureOf(stats.status());
  options.json ? ShowJson(*stats) : ShowStats(*stats);
  return FlushedOutput();
}

}  // namespace

void AddStatsCommand(CLI::App* app, CommandResult* result) {
  auto options = std::make_shared<StatsOptions>();
  CLI::App* command = app->add_subcommand("stats", "Show a database's use of disk and memory");
  AddDatabaseOptions(command, &options->database);
  command->add_flag("--json", options->json, "Print one line of JSON; sizes are in bytes");
  command->footer(kStatsFooter);
  command->callback([options, result] { *result = Stats(*options); });
}

}  // namespace dolmen::command
