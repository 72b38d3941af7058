// dolmen import: items out of files into a table.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "server/commands/database_command.h"
#include "server/commands/import_inputs.h"
#include "server/commands/import_table.h"
#include "server/commands/importer.h"
#include "server/commands/interrupt.h"
#include "server/commands/text.h"

namespace dolmen::server {
namespace {

constexpr const char* kFooter =
    R"(An input is a file, a directory (of an export to S3, say: all *.json and
*.json.gz below it but the manifests), or - for standard input.  A line is
{"Item":{"PK":{"S":"a"},...}}, as in DynamoDB's exports, or the attributes alone.
Whether an input is compressed by gzip is seen from what is in it.

An item takes the place of one with the same key.  While an import runs, the
table's annotations say how far it is.  One that was interrupted, by Ctrl-C, by
a crash or by a line that is no item, goes on from there when it is run again
with the same inputs: nothing is lost, and nothing is there twice.

Examples:
  dolmen import --path app.dolmen --table app app.json.gz
  dolmen import --path new.dolmen --table app --create-table \
      --partition-key PK:S --sort-key SK:S AWSDynamoDB/01693685827463-2d8752fd/
  aws dynamodb describe-table --table-name app > schema.json
  dolmen import --path app.dolmen --table app --create-table \
      --schema schema.json data/)";

struct ImportOptions {
  std::string path = {};
  std::string table = {};
  std::vector<std::string> inputs = {};
  bool skip_errors = false;
  bool create_table = false;
  std::string partition_key = {};
  std::string sort_key = {};
  std::string schema = {};
};

OpenOptions HowToOpen(const ImportOptions& options, Durability durability) {
  return {.durability = durability,
          .create_if_missing = options.create_table,
          .expiry_lag = std::nullopt};
}

// What the options say of a table to be made: one of the two.
struct NewTable {
  CreateTableInput input = {};
  std::string schema = {};  // JSON
};

Status ReadSchema(const std::string& path, std::string* schema) {
  Result<LineReader> reader = LineReader::Open(path);
  if (!reader.ok()) return reader.status();
  for (;;) {
    const auto line = reader->Next();
    if (!line.ok()) return line.status();
    if (!*line) return {};
    schema->append(**line).push_back('\n');
  }
}

Status Fill(const ImportOptions& options, NewTable* table) {
  if (!options.schema.empty()) return ReadSchema(options.schema, &table->schema);
  const Result<KeyAttribute> partition = ParseKeyAttribute(options.partition_key);
  if (!partition.ok()) return partition.status();
  table->input.name = options.table;
  table->input.partition_key = *partition;
  table->input.sort_key.reset();
  if (options.sort_key.empty()) return {};
  const Result<KeyAttribute> sort = ParseKeyAttribute(options.sort_key);
  if (!sort.ok()) return sort.status();
  table->input.sort_key = *sort;
  return {};
}

// The table, made if it is to be and is not there.
Result<OpenedTable> TableToImportTo(const Database& database, const ImportOptions& options,
                                    const NewTable& table) {
  if (options.create_table &&
      database.OpenTable(options.table).status().code() == StatusCode::kResourceNotFound) {
    const Status created = table.schema.empty()
                               ? database.CreateTable(table.input).status()
                               : CreateTableOf(database, options.table, table.schema);
    if (!created.ok()) return created;
  }
  Result<OpenedTable> opened = TableOf(database, options.table);
  if (opened.ok() || opened.status().code() != StatusCode::kResourceNotFound) return opened;
  return Status::ResourceNotFound(opened.status().message() + " (--create-table makes it)");
}

std::string Summary(const ImportOptions& options, const Importer& importer) {
  const ImportCheckpoint& done = importer.checkpoint();
  std::string text = CountText(done.items, "item") + " into " + Printable(options.table);
  if (importer.items_before() > 0) {
    text += ", " + CountText(importer.items_before()) + " of them before";
  }
  if (done.skipped > 0) text += "; skipped " + CountText(done.skipped, "line");
  return text;
}

// Opened once more, the database has on the disk what was buffered, and the checkpoint can go.
Status Finish(const ImportOptions& options) {
  const auto database = Database::Open(options.path, HowToOpen(options, Durability::kSync));
  if (!database.ok()) return ExplainOpening(options.path, database.status());
  const auto described = database->DescribeTable(options.table);
  if (!described.ok()) return described.status();
  return ImportCheckpoints(*database, *described).Remove();
}

// Buffered, a checkpoint still says no more than what survives the machine: the log is one, and the
// checkpoint is behind what it speaks of.
CommandResult RunImport(const ImportOptions& options, const NewTable& table, ImportInputs* inputs,
                        std::string* summary) {
  const auto database = Database::Open(options.path, HowToOpen(options, Durability::kBuffered));
  if (!database.ok()) return FailureOf(ExplainOpening(options.path, database.status()));
  const Result<OpenedTable> opened = TableToImportTo(*database, options, table);
  if (!opened.ok()) return FailureOf(opened.status());
  const InterruptGuard interrupt;
  Importer importer(
      *database, opened->table, opened->description, inputs,
      {.skip_errors = options.skip_errors, .interrupted = [&] { return interrupt.interrupted(); }});
  const Status imported = importer.Run();
  *summary = Summary(options, importer);
  if (!imported.ok()) {
    return CommandResult::Failure(imported.message() + " (imported " + *summary + ")");
  }
  if (!importer.interrupted()) return {};
  return {kInterruptedExitCode,
          "interrupted after " + *summary + ": run it again, and it goes on from there"};
}

CommandResult Import(const ImportOptions& options) {
  if (options.create_table && options.partition_key.empty() && options.schema.empty()) {
    return CommandResult::Misuse("--create-table needs --partition-key or --schema");
  }
  Result<std::vector<std::string>> paths = FindInputs(options.inputs);
  if (!paths.ok()) return FailureOf(paths.status());
  NewTable table;
  if (options.create_table) {
    if (const Status filled = Fill(options, &table); !filled.ok()) return FailureOf(filled);
  }
  ImportInputs inputs(*std::move(paths));
  std::string summary;
  CommandResult result = RunImport(options, table, &inputs, &summary);
  if (result.exit_code != 0) return result;
  if (Status finished = Finish(options); !finished.ok()) return FailureOf(finished);
  std::fprintf(stderr, "Imported %s.\n", summary.c_str());
  return result;
}

}  // namespace

void AddImportCommand(CLI::App* app, CommandResult* result) {
  auto options = std::make_shared<ImportOptions>();
  CLI::App* command = app->add_subcommand("import", "Put the items of files into a table");
  AddPathOption(command, &options->path);
  AddTableOption(command, &options->table);
  command->add_option("INPUT", options->inputs,
                      "Files or directories; without any, standard input");
  command->add_flag("--skip-errors", options->skip_errors,
                    "Leave out lines that are no item for the table");
  CLI::Option* create = command->add_flag("--create-table", options->create_table,
                                          "Make the table, and the database, if there is none");
  CLI::Option* partition =
      command->add_option("--partition-key", options->partition_key, "Its partition key, as PK:S")
          ->type_name("NAME:S|N|B")
          ->needs(create);
  command->add_option("--sort-key", options->sort_key, "Its sort key, as SK:S")
      ->type_name("NAME:S|N|B")
      ->needs(partition);
  command
      ->add_option("--schema", options->schema,
                   "What it is like: the JSON of CreateTable or DescribeTable")
      ->type_name("FILE")
      ->needs(create)
      ->excludes(partition);
  command->footer(kFooter);
  command->callback([options, result] { *result = Import(*options); });
}

}  // namespace dolmen::server
