#include "command/database_command.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Error.hpp>
#include <CLI/Formatter.hpp>
#include <filesystem>
#include <iostream>
#include <utility>

#include "command/encryption_key.h"
#include "command/text.h"
#include "engine/base/status_macros.h"

namespace dolmen::command {
namespace {

constexpr std::size_t kNamesShown = 10;

// Returns "; existing tables: app, chat", for a message about a table that does not exist.
std::string ExistingTables(const Database& database) {
  const auto listed = database.ListTables();
  if (!listed.ok()) return "";
  if (listed->table_names.empty()) return "; the database has no tables";
  std::string text = "; existing tables: ";
  std::size_t shown = 0;
  for (const std::string& name : listed->table_names) {
    if (shown > 0) text.append(", ");
    if (shown++ == kNamesShown) return text + "...";
    text.append(name);
  }
  return text;
}

// Returns an error message for CLI11 to print if the value of an option is empty. Otherwise returns
// an empty text.
std::string CheckNotEmpty(const std::string& value) { return value.empty() ? "is empty" : ""; }

CLI::Option* AddPathOption(CLI::App* command, DatabaseWords* words) {
  return command->add_option("--path", words->path, "The database's directory")
      ->type_name("DIR")
      ->check(&CheckNotEmpty);
}

}  // namespace

void AddDatabaseOptions(CLI::App* command, DatabaseWords* words) {
  AddPathOption(command, words)->required();
  AddKeyFileOption(command, &words->key_file);
}

void AddDatabaseOrEndpointOptions(CLI::App* command, DatabaseWords* words) {
  CLI::Option* const path = AddPathOption(command, words);
  path->description(path->get_description() + "; without it, give --endpoint-url or --region");
  AddEndpointOptions(command, &words->endpoint);
  AddKeyFileOption(command, &words->key_file);
  command->parse_complete_callback([words] {
    if (words->path.empty() && !words->endpoint.given()) {
      throw CLI::RequiredError("--path or --endpoint-url");
    }
    if (!words->path.empty() && words->endpoint.given()) {
      throw CLI::ExcludesError("--path", "--endpoint-url, --region, --profile");
    }
  });
}

CLI::Option* AddKeyFileOption(CLI::App* command, std::string* key_file) {
  return command
      ->add_option("--encryption-key-file", *key_file,
                   "File of the key of an encrypted database, 64 hexadecimal digits. The variable "
                   "DOLMEN_ENCRYPTION_KEY may hold the same")
      ->type_name("FILE")
      ->check(&CheckNotEmpty);
}

CLI::Option* AddTableOption(CLI::App* command, std::string* table) {
  return command->add_option("--table", *table, "The table's name")
      ->required()
      ->type_name("NAME")
      ->check(&CheckNotEmpty);
}

void AddOverwriteOption(CLI::App* command, bool* overwrite) {
  command->add_flag(
      "--overwrite", *overwrite,
      "Replace the output file if it exists; a symbolic link is replaced, not followed");
}

bool IsDatabase(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(std::filesystem::path(path) / "DOLMEN", error);
}

Status DescribeOpenError(const std::string& path, const Status& status) {
  if (status.code() != StatusCode::kResourceInUse) return status;
  return Status::ResourceInUse("the database in " + path +
                               " is open in another program: stop that program (perhaps `dolmen "
                               "serve`), or send the request to it with --endpoint-url");
}

Result<Database> OpenDatabase(const DatabaseWords& words) {
  if (words.endpoint.given()) return ConnectTo(words.endpoint);
  DOLMEN_ASSIGN_OR_RETURN(const auto key, ReadEncryptionKey(words.key_file));
  auto database = Database::Open(words.path, {.read_only = true, .encryption_key = key});
  if (!database.ok()) return DescribeOpenError(words.path, database.status());
  return database;
}

Result<Database> OpenToWrite(const DatabaseWords& words, OpenOptions options) {
  if (words.endpoint.given()) return ConnectTo(words.endpoint);
  DOLMEN_ASSIGN_OR_RETURN(options.encryption_key, ReadEncryptionKey(words.key_file));
  auto database = Database::Open(words.path, options);
  if (!database.ok()) return DescribeOpenError(words.path, database.status());
  return database;
}

Result<OpenedTable> TableOf(Database database, const std::string& name, ContentSizes sizes) {
  const auto described = database.DescribeTable(name, sizes);
  const auto table = database.OpenTable(name);
  if (described.ok() && table.ok()) return OpenedTable{std::move(database), *table, *described};
  const Status status = described.ok() ? table.status() : described.status();
  if (status.code() != StatusCode::kResourceNotFound) return status;
  return Status::ResourceNotFound("there is no table " + Printable(name) +
                                  ExistingTables(database));
}

Result<OpenedTable> OpenTable(const DatabaseWords& words, const std::string& table,
                              ContentSizes sizes) {
  DOLMEN_ASSIGN_OR_RETURN(Database database, OpenDatabase(words));
  return TableOf(std::move(database), table, sizes);
}

CommandResult FailureOf(const Status& status) { return CommandResult::Failure(status.message()); }

CommandResult FlushedOutput() {
  std::cout.flush();
  if (std::cout) return {};
  return CommandResult::Failure("can't write to standard output");
}

}  // namespace dolmen::command
