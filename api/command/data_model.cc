#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command/command.h"
#include "command/database_command.h"
#include "command/encryption_key.h"
#include "command/output_file.h"
#include "command/text_file.h"
#include "dolmen/design/workbench.h"
#include "engine/base/status_macros.h"

namespace dolmen::command {
namespace {

constexpr const char* kExportModelFooter =
    R"(The data model has the tables with their keys, indexes and first items.  NoSQL
Workbench opens it with "Import data model".

Examples:
  dolmen export-model --path app.dolmen --table app --output app.json
  dolmen export-model --path app.dolmen --table app --table log --name "My app")";

constexpr const char* kImportModelFooter =
    R"(Creates the tables of the data model, and stores their sample items.  If a table
exists, or if an item is rejected, no table is created.

Examples:
  dolmen import-model --path app.dolmen --input app.json
  dolmen import-model --path app.dolmen --input app.json && \
      dolmen draw --path app.dolmen --table app --output app.svg)";

struct ExportModelOptions {
  DatabaseWords database = {};
  std::vector<std::string> tables = {};
  std::string output = std::string(kStandardOutput);
  OutputFileOptions file = {};
  DataModelOptions model = {};
};

struct ImportModelOptions {
  DatabaseWords database = {};
  std::string input = {};
};

Status ExportModel(const ExportModelOptions& options) {
  DOLMEN_ASSIGN_OR_RETURN(const Database& database, OpenDatabase(options.database));
  // Opens each table first, because the error then names the existing tables.
  for (const std::string& table : options.tables) {
    DOLMEN_RETURN_IF_ERROR(TableOf(database, table).status());
  }
  DataModelOptions model = options.model;
  model.created_at = Clock::System()->Now();
  DOLMEN_ASSIGN_OR_RETURN(const std::string& json, WriteDataModel(database, options.tables, model));
  DOLMEN_ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(options.output, options.file));
  DOLMEN_RETURN_IF_ERROR(file.Write(json + "\n"));
  return file.Commit();
}

Status ImportModel(const ImportModelOptions& options) {
  DOLMEN_ASSIGN_OR_RETURN(const std::string& json,
                          ReadTextFile(options.input, "the data model in"));
  // Loads the model in memory first, so that an invalid model does not create a database.
  DOLMEN_ASSIGN_OR_RETURN(const Database& rehearsal,
                          Database::InMemory({.expiry_lag = std::nullopt}));
  DOLMEN_RETURN_IF_ERROR(LoadDataModel(rehearsal, json));
  DOLMEN_ASSIGN_OR_RETURN(const auto key, ReadEncryptionKey(options.database.key_file));
  const Result<Database> database =
      Database::Open(options.database.path, {.expiry_lag = std::nullopt, .encryption_key = key});
  if (!database.ok()) return DescribeOpenError(options.database.path, database.status());
  return LoadDataModel(*database, json);
}

}  // namespace

void AddExportModelCommand(CLI::App* app, CommandResult* result) {
  auto options = std::make_shared<ExportModelOptions>();
  CLI::App* command =
      app->add_subcommand("export-model", "Write tables as a data model of NoSQL Workbench");
  AddDatabaseOptions(command, &options->database);
  command->add_option("--table", options->tables, "A table's name; may be given several times")
      ->required()
      ->type_name("NAME")
      ->allow_extra_args(false);
  command->add_option("--output", options->output, "Output file; - is standard output")
      ->type_name("FILE")
      ->capture_default_str();
  AddOverwriteOption(command, &options->file.overwrite);
  command->add_option("--name", options->model.name, "The name of the data model")
      ->type_name("TEXT")
      ->capture_default_str();
  command->add_option("--limit", options->model.items_max, "Write at most N items of each table")
      ->type_name("N")
      ->check(CLI::Range(std::uint32_t{0}, std::uint32_t{100'000}).description(""))
      ->capture_default_str();
  command->footer(kExportModelFooter);
  command->callback([options, result] {
    const Status exported = ExportModel(*options);
    if (!exported.ok()) *result = FailureOf(exported);
  });
}

void AddImportModelCommand(CLI::App* app, CommandResult* result) {
  auto options = std::make_shared<ImportModelOptions>();
  CLI::App* command = app->add_subcommand(
      "import-model", "Create the tables and items of a data model of NoSQL Workbench");
  AddDatabaseOptions(command, &options->database);
  command->add_option("--input", options->input, "The file of the data model")
      ->required()
      ->type_name("FILE");
  command->footer(kImportModelFooter);
  command->callback([options, result] {
    const Status imported = ImportModel(*options);
    if (!imported.ok()) *result = FailureOf(imported);
  });
}

}  // namespace dolmen::command
