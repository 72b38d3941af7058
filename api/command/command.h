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

// Add the commands of the program to `app`. The help of each command says what it does.
void AddServeCommand(CLI::App* app, CommandResult* result);
void AddImportCommand(CLI::App* app, CommandResult* result);
void AddExportCommand(CLI::App* app, CommandResult* result);
void AddCopyCommand(CLI::App* app, CommandResult* result);
void AddImportModelCommand(CLI::App* app, CommandResult* result);
void AddExportModelCommand(CLI::App* app, CommandResult* result);
void AddTablesCommand(CLI::App* app, CommandResult* result);
void AddQueryCommand(CLI::App* app, CommandResult* result);
void AddShellCommand(CLI::App* app, CommandResult* result);
void AddDrawCommand(CLI::App* app, CommandResult* result);
void AddStatsCommand(CLI::App* app, CommandResult* result);
void AddVerifyCommand(CLI::App* app, CommandResult* result);
void AddBackupCommand(CLI::App* app, CommandResult* result);
void AddRestoreCommand(CLI::App* app, CommandResult* result);
void AddRepairCommand(CLI::App* app, CommandResult* result);

}  // namespace dolmen::command
