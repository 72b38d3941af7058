// The commands of the program `dolmen`, their results, and the rules for the code of a command.
//
// The source of each command defines one function, which adds the command and its options to the
// program. CLI11 calls the command's callback, which runs the command and stores the result in
// `result`. The callback throws no exception. It may write to standard output and to standard
// error, but RunCommand prints the error message. Example:
//
//   void AddTablesCommand(CLI::App* app, CommandResult* result) {
//     auto options = std::make_shared<TablesOptions>();  // lives as long as the callback
//     CLI::App* command = app->add_subcommand("tables", "List the tables of a database");
//     command->add_option("--path", options->path, "The database's directory")->required();
//     command->callback([options, result] { *result = ListTables(*options); });
//   }

#pragma once

#include <string>
#include <utility>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace dolmen::command {

// The result of a command. RunCommand prints the error and exits with the code.
struct CommandResult {
  int exit_code = 0;
  // The error message: one sentence for a person, which says what is wrong and what to do about it.
  // The text has no program name and no line end. If it is empty, nothing is printed.
  std::string error = {};

  // Returns the result of a command that failed. Its exit code is 1.
  static CommandResult Failure(std::string error) { return {1, std::move(error)}; }
  // Returns the result for a command line that is invalid in a way that CLI11 cannot detect. The
  // exit code is 2, as for errors that CLI11 detects (unknown options, missing values).
  static CommandResult Misuse(std::string error) { return {2, std::move(error)}; }
};

// The commands of the program. Each function adds a command and its options to `app`.
void AddServeCommand(CLI::App* app, CommandResult* result);  // serves DynamoDB requests on a port
void AddImportCommand(CLI::App* app,
                      CommandResult* result);  // writes items from files into a table
void AddExportCommand(CLI::App* app,
                      CommandResult* result);  // writes a table's items as lines of JSON
void AddCopyCommand(
    CLI::App* app,
    CommandResult* result);  // copies a table between directories, services and exports
void AddImportModelCommand(CLI::App* app,
                           CommandResult* result);  // reads a data model of NoSQL Workbench
void AddExportModelCommand(CLI::App* app,
                           CommandResult* result);  // writes a data model of NoSQL Workbench
void AddTablesCommand(CLI::App* app, CommandResult* result);  // lists tables
void AddQueryCommand(CLI::App* app, CommandResult* result);   // shows items
void AddShellCommand(CLI::App* app, CommandResult* result);   // executes PartiQL statements
void AddDrawCommand(CLI::App* app, CommandResult* result);    // draws a picture of a table
void AddStatsCommand(CLI::App* app,
                     CommandResult* result);  // shows a database's use of disk and memory
void AddVerifyCommand(CLI::App* app, CommandResult* result);   // checks a database for damage
void AddBackupCommand(CLI::App* app, CommandResult* result);   // backs up a database or a table
void AddRestoreCommand(CLI::App* app, CommandResult* result);  // restores a backup
void AddRepairCommand(CLI::App* app, CommandResult* result);   // copies a damaged database

}  // namespace dolmen::command
