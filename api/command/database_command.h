// What the commands that work on a database's files have in common.

#pragma once

#include <string>

#include "command/command.h"
#include "dolmen/database.h"

namespace CLI {
class App;
}

namespace dolmen::command {

// Declare the option --path, and --table; neither may be empty.
void AddPathOption(CLI::App* command, std::string* path);
void AddTableOption(CLI::App* command, std::string* table);

// A database and one of its tables.
struct OpenedTable {
  Database database;
  Table table;
  TableDescription description;
};

// A database that is there, for reading only; a message of an error says what to do about it.
Result<Database> OpenDatabase(const std::string& path);
Result<OpenedTable> OpenTable(const std::string& path, const std::string& table,
                              ContentSizes sizes = ContentSizes::kOmit);

// The same about a database that was opened otherwise; `status` is as Database::Open has it.
Status ExplainOpening(const std::string& path, const Status& status);
Result<OpenedTable> TableOf(Database database, const std::string& name,
                            ContentSizes sizes = ContentSizes::kOmit);

CommandResult FailureOf(const Status& status);

// Success, unless what was written to standard output has not arrived.
CommandResult FlushedOutput();

// Add the commands that work on a database's files, as AddServeCommand (command.h) does.
void AddExportCommand(CLI::App* app, CommandResult* result);
void AddImportCommand(CLI::App* app, CommandResult* result);
void AddQueryCommand(CLI::App* app, CommandResult* result);
void AddStatsCommand(CLI::App* app, CommandResult* result);
void AddTablesCommand(CLI::App* app, CommandResult* result);
void AddVerifyCommand(CLI::App* app, CommandResult* result);

}  // namespace dolmen::command
