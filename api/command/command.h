// The result of a command of the program `dolmen`, and the form of the commands.
//
// Each command has a header with one function, which adds the command and its options to the
// program. The command runs in its callback and stores its result in `result`. It may write to
// standard output and to standard error, except for the error message, and throws no exception:
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
}

namespace dolmen::command {

// The result of a command. RunCommand prints the error and exits with the code.
struct CommandResult {
  int exit_code = 0;
  // The error message, one sentence for a person: the fault and what to do about it. The text has
  // no program name and no line end. If it is empty, nothing is printed.
  std::string error = {};

  // A result for a command that failed: exit code 1.
  static CommandResult Failure(std::string error) { return {1, std::move(error)}; }
  // A result for a command line that is invalid in a way that CLI11 cannot detect: exit code 2, as
  // for faults that CLI11 detects (unknown options, missing values).
  static CommandResult Misuse(std::string error) { return {2, std::move(error)}; }
};

}  // namespace dolmen::command
