// The commands behind `dolmen`: how one makes itself known, and how it says how it went.
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

// How a command went.  RunCommand prints the error and exits with the code.
struct CommandResult {
  int exit_code = 0;
  // One line for people, a sentence that says what is wrong and what to do about it; without the
  // program's name, without a line end.  Nothing is printed if it is empty.
  std::string error = {};

  // The command could not do what it was asked to: exit code 1.
  static CommandResult Failure(std::string error) { return {1, std::move(error)}; }
  // The command line asks for what makes no sense, in a way that CLI11 can't see: exit code 2, as
  // for what it sees (unknown options, missing values), and a hint at --help.
  static CommandResult Misuse(std::string error) { return {2, std::move(error)}; }
};

// Adds a command with its options to `app`.  The command runs when its callback does, and leaves
// how it went in `result`; it writes to standard output and, but for the error, to standard error
// what it likes, and throws nothing.  The others are like it: commands/database_command.h.
void AddServeCommand(CLI::App* app, CommandResult* result);

// Adds all that there are.
void AddCommands(CLI::App* app, CommandResult* result);

// `dolmen`, less the process: does what the command line says and returns the exit code.
int RunCommand(int argc, const char* const* argv);

}  // namespace dolmen::command
