#include "command/import.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "command/checkpoint_store.h"
#include "command/command.h"
#include "command/database_command.h"
#include "command/describe.h"
#include "command/import_inputs.h"
#include "command/import_table.h"
#include "command/importer.h"
#include "command/interrupt.h"
#include "command/text.h"
#include "engine/base/status_macros.h"

namespace dolmen::command {
namespace {

constexpr const char* kImportFooter =
    R"(An input is a file, a directory, or - for standard input.  A directory, such as
that of an export to S3, stands for all files *.json and *.json.gz below it
except manifests.  A line is {"Item":{"PK":{"S":"a"},...}}, as in DynamoDB's
exports, or the attributes alone, with types or without: {"PK":"a","n":5}.  An
input may also be the output of `aws dynamodb scan`, a file for `aws dynamodb
batch-write-item`, a list of items, items of several lines each, or CSV (*.csv)
with names and types in its first line, such as PK:S,n:N.  These are read into
memory as a whole, and count one line for each item.  A number keeps all its
digits; more than 38 are an error.  Compression by gzip is detected from the content.

--create-table sorts the items of a new table and writes each once.  The table
exists when the import has ended, as a whole; after an interrupt or an invalid
line it does not exist.

Into an existing table, or a service, the items are put one after the other.  An
item replaces an existing item with the same key.  While an import runs, its
progress is recorded in the table's annotations or, for a service, in a file in
~/.local/state/dolmen.  After an interrupt by Ctrl-C, by a
crash or by an invalid line, run the import again with the same inputs to resume
it: no item is lost, and none exists twice.  You may correct the invalid line
and later lines first.  If an earlier line has changed, use --restart.  Files
are identified by their names, standard input by its first 64 KB.

A directory that `dolmen export` wrote also describes the table, so that
--create-table needs no further option.

Examples:
  dolmen import --path app.dolmen --table app app.json.gz
  dolmen import --path copy.dolmen --table app --create-table backup/
  dolmen import --path new.dolmen --table app --create-table \
      --partition-key PK:S --sort-key SK:S AWSDynamoDB/01693685827463-2d8752fd/
  aws dynamodb describe-table --table-name app > schema.json
  dolmen import --path app.dolmen --table app --create-table \
      --schema schema.json data/
  dolmen import --endpoint-url http://127.0.0.1:8000 --table app app.json.gz)";

Result<Database> OpenForImport(const ImportOptions& options, Durability durability) {
  return OpenToWrite(options.database, {.durability = durability,
                                        .create_if_missing = options.create_table,
                                        .expiry_lag = std::nullopt});
}

Status ReadSchema(const std::string& path, std::string* schema) {
  DOLMEN_ASSIGN_OR_RETURN(LineReader reader, LineReader::Open(path));
  for (;;) {
    DOLMEN_ASSIGN_OR_RETURN(const auto& line, reader.Next());
    if (!line) return {};
    schema->append(*line).push_back('\n');
  }
}

// Returns the table to create according to the options.
Result<NewTable> ReadNewTable(const ImportOptions& options) {
  NewTable table{.input = {.name = options.table}, .schema_file = options.schema};
  if (!options.schema.empty()) {
    DOLMEN_RETURN_IF_ERROR(ReadSchema(options.schema, &table.schema));
    return table;
  }
  DOLMEN_ASSIGN_OR_RETURN(table.input.partition_key, ParseKeyAttribute(options.partition_key));
  table.input.sort_key.reset();
  if (options.sort_key.empty()) return table;
  DOLMEN_ASSIGN_OR_RETURN(table.input.sort_key, ParseKeyAttribute(options.sort_key));
  return table;
}

// A table that the options ask for. `description` is the description that the table has once it is
// created.
struct PlannedTable {
  NewTable table = {};
  TableDescription description = {};
};

// Returns the table to create, or nothing if the options do not ask for a new table. Creates the
// table in memory first, so that an invalid definition is found before the database is created.
Result<std::optional<PlannedTable>> PlanTable(const ImportOptions& options) {
  if (!options.create_table) return std::optional<PlannedTable>();
  DOLMEN_ASSIGN_OR_RETURN(NewTable table, ReadNewTable(options));
  DOLMEN_ASSIGN_OR_RETURN(TableDescription description, PreviewTable(table));
  return std::optional(PlannedTable{std::move(table), std::move(description)});
}

// Checks that an existing table has the keys that the options ask for.
Status CheckKeys(const TableDescription& existing, const TableDescription& wanted) {
  const std::string keys = KeysText(*KeysOf(existing, ""));
  const std::string wanted_keys = KeysText(*KeysOf(wanted, ""));
  if (keys == wanted_keys) return {};
  return Status::Validation("the table " + Printable(existing.name) +
                            " already exists with the keys " + keys + ", not " + wanted_keys +
                            ": omit --create-table, or import into another table");
}

// Opens the table to import into. Creates it if it does not exist and the options ask for it.
Result<OpenedTable> OpenOrCreateTable(const Database& database, const ImportOptions& options,
                                      const std::optional<PlannedTable>& to_create) {
  Result<OpenedTable> opened = TableOf(database, options.table);
  const bool missing = opened.status().code() == StatusCode::kResourceNotFound;
  if (missing && !to_create) {
    return Status::ResourceNotFound(opened.status().message() + " (--create-table creates it)");
  }
  if (missing) {
    DOLMEN_RETURN_IF_ERROR(CreateNewTable(database, to_create->table));
    return TableOf(database, options.table);
  }
  if (!opened.ok() || !to_create) return opened;
  DOLMEN_RETURN_IF_ERROR(CheckKeys(opened->description, to_create->description));
  return opened;
}

std::string Summary(const ImportOptions& options, std::uint64_t items, std::uint64_t items_before,
                    std::uint64_t skipped) {
  std::string text = CountText(items, "item") + " into " + Printable(options.table);
  if (items_before > 0) text += ", " + CountText(items_before) + " of them by earlier runs";
  if (skipped > 0) text += "; skipped " + CountText(skipped, "line");
  return text;
}

// Reopens the database, which makes the buffered writes of a completed import durable. Then removes
// the checkpoint of that import, because it is no longer needed.
Status Finish(const ImportOptions& options, const ImportCheckpoint& checkpoint) {
  DOLMEN_ASSIGN_OR_RETURN(const Database& database, OpenForImport(options, Durability::kSync));
  if (checkpoint.inputs.empty()) return {};
  DOLMEN_ASSIGN_OR_RETURN(const TableDescription& described,
                          database.DescribeTable(options.table, ContentSizes::kOmit));
  DOLMEN_ASSIGN_OR_RETURN(const auto& checkpoints,
                          CheckpointsOf(database, options.database, described));
  return checkpoints->Remove(checkpoint.inputs);
}

// The outcome of an import.
struct Imported {
  CommandResult result = {};
  ImportCheckpoint checkpoint = {};  // without inputs if the import wrote none
  std::string summary = {};
};

CommandResult ResultOf(const Status& status, const Importer& importer, const std::string& summary) {
  if (!status.ok()) {
    return CommandResult::Failure(status.message() + " (imported " + summary + ")");
  }
  if (!importer.interrupted()) return {};
  return {kInterruptedExitCode,
          "interrupted after " + summary + ": run the same command again to resume"};
}

bool HasTable(const Database& database, const std::string& table) {
  return database.OpenTable(table).status().code() != StatusCode::kResourceNotFound;
}

// Imports into a table that does not exist.
Imported RunNewTable(const Database& database, const ImportOptions& options, const NewTable& table,
                     ImportInputs* inputs) {
  const Result<NewTableRequests> requests = RequestsFor(table);
  if (!requests.ok()) return {FailureOf(requests.status())};
  const InterruptGuard interrupt;
  const Result<ImportedTable> imported = ImportNewTable(
      database, requests->create, inputs,
      {.skip_errors = options.skip_errors, .interrupted = [&] { return interrupt.interrupted(); }});
  if (!imported.ok()) {
    return {CommandResult::Failure(imported.status().message() + " (imported nothing)")};
  }
  if (imported->interrupted) {
    return {{kInterruptedExitCode, "interrupted; the table " + Printable(options.table) +
                                       " was not created: run the same command again"}};
  }
  if (Status enabled = EnableTimeToLive(database, *requests); !enabled.ok()) {
    return {CommandResult::Failure("the table " + Printable(options.table) +
                                   " has all items, but no time to live: " + enabled.message())};
  }
  return {.summary = Summary(options, imported->items, 0, imported->skipped)};
}

// Runs the import with buffered writes. A crash of the machine may lose the last of these writes.
// The database writes items and checkpoints to one log in order, and the import writes each
// checkpoint after the items before it. So if a checkpoint survives the crash, its items survive
// too. A new table of an embedded database is imported as a whole.
Imported RunImport(const ImportOptions& options, const std::optional<PlannedTable>& to_create,
                   ImportInputs* inputs) {
  const auto database = OpenForImport(options, Durability::kBuffered);
  if (!database.ok()) return {FailureOf(database.status())};
  if (to_create && !IsRemote(*database) && !HasTable(*database, options.table)) {
    return RunNewTable(*database, options, to_create->table, inputs);
  }
  const Result<OpenedTable> opened = OpenOrCreateTable(*database, options, to_create);
  if (!opened.ok()) return {FailureOf(opened.status())};
  const auto checkpoints = CheckpointsOf(*database, options.database, opened->description);
  if (!checkpoints.ok()) return {FailureOf(checkpoints.status())};
  const InterruptGuard interrupt;
  Importer importer(*database, opened->table, checkpoints->get(), inputs,
                    {.skip_errors = options.skip_errors,
                     .restart = options.restart,
                     .interrupted = [&] { return interrupt.interrupted(); }});
  const Status imported = importer.Run();
  const ImportCheckpoint& done = importer.checkpoint();
  const std::string summary = Summary(options, done.items, importer.items_before(), done.skipped);
  return {ResultOf(imported, importer, summary), importer.checkpoint(), summary};
}

// Adds an option for a key attribute, whose value is checked while the command line is parsed.
CLI::Option* AddKeyOption(CLI::App* command, const char* name, std::string* key,
                          const char* description) {
  const auto check = [](const std::string& word) {
    const Result<KeyAttribute> parsed = ParseKeyAttribute(word);
    return parsed.ok() ? std::string() : parsed.status().message();
  };
  return command->add_option(name, *key, description)->type_name("NAME:S|N|B")->check(check);
}

}  // namespace

CommandResult Import(ImportOptions options) {
  std::vector<std::string> read = options.inputs;
  if (read.empty()) read.emplace_back(kStandardInput);
  read.push_back(options.schema);
  if (std::ranges::count(read, kStandardInput) > 1) {
    return CommandResult::Misuse("standard input can be read once only");
  }
  Result<std::vector<std::string>> paths = FindInputs(options.inputs);
  if (!paths.ok()) return FailureOf(paths.status());
  if (options.create_table && options.partition_key.empty() && options.schema.empty()) {
    options.schema = FindTableManifest(options.inputs, *paths);
    if (options.schema.empty()) {
      return CommandResult::Misuse(
          "--create-table needs --partition-key or --schema, unless the input is a directory that "
          "dolmen export wrote");
    }
  }
  const Result<std::optional<PlannedTable>> to_create = PlanTable(options);
  if (!to_create.ok()) return FailureOf(to_create.status());
  ImportInputs inputs(*std::move(paths));
  const Imported imported = RunImport(options, *to_create, &inputs);
  if (imported.result.exit_code != 0) return imported.result;
  Status finished = Finish(options, imported.checkpoint);
  if (!finished.ok()) return FailureOf(finished);
  std::fprintf(stderr, "Imported %s.\n", imported.summary.c_str());
  return {};
}

void AddImportCommand(CLI::App* app, CommandResult* result) {
  auto options = std::make_shared<ImportOptions>();
  CLI::App* command = app->add_subcommand("import", "Import items from files into a table");
  AddDatabaseOrEndpointOptions(command, &options->database);
  AddTableOption(command, &options->table);
  command->add_option("INPUT", options->inputs, "Files or directories; without any, standard input")
      ->type_name("");
  command->add_flag("--skip-errors", options->skip_errors,
                    "Skip lines that are not valid items for the table");
  command->add_flag("--restart", options->restart,
                    "Begin at the first line, even if an earlier import is incomplete");
  CLI::Option* create = command->add_flag("--create-table", options->create_table,
                                          "Create the table and the database if they do not exist");
  CLI::Option* partition = AddKeyOption(command, "--partition-key", &options->partition_key,
                                        "The new table's partition key, such as PK:S");
  partition->needs(create);
  AddKeyOption(command, "--sort-key", &options->sort_key, "The new table's sort key, such as SK:S")
      ->needs(partition);
  command
      ->add_option("--schema", options->schema,
                   "The new table's schema: JSON of CreateTable, DescribeTable or dolmen tables")
      ->type_name("FILE")
      ->needs(create)
      ->excludes(partition);
  command->footer(kImportFooter);
  command->callback([options, result] { *result = Import(*options); });
}

}  // namespace dolmen::command
