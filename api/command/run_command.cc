#include "command/run_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "command/command.h"
#include "command/help_formatter.h"
#include "engine/base/standard_descriptors.h"

namespace dolmen::command {
namespace {

constexpr const char* kDescription =
    "Dolmen: DynamoDB's tables in a directory or in memory, without a cloud.";

void PrintError(const std::string& error) { std::fprintf(stderr, "dolmen: %s\n", error.c_str()); }

// Returns the message about a command line that CLI11 rejects. If the command line has an unknown
// word, the message names that word. CLI11 may report a missing option instead, but the unknown
// word is often the cause.
std::string ParseErrorMessage(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> unknown = app.remaining(/*recurse=*/true);
  if (!unknown.empty()) return "unknown argument \"" + unknown.front() + "\"";
  std::string message = error.what();
  std::replace(message.begin(), message.end(), '\n', ' ');
  return message;
}

// Prints help, the version or an error, all of which CLI11 reports as exceptions. Returns the exit
// code.
int ReportParseError(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app.exit(error);
  const std::vector<CLI::App*> commands = app.get_subcommands();
  const std::string command = commands.empty() ? "" : commands.front()->get_name() + " ";
  PrintError(ParseErrorMessage(app, error) + ". Try `dolmen " + command + "--help`.");
  return CommandResult::Misuse({}).exit_code;
}

void AddCommands(CLI::App* app, CommandResult* result) {
  AddServeCommand(app, result);
  AddImportCommand(app, result);
  AddExportCommand(app, result);
  AddCopyCommand(app, result);
  AddImportModelCommand(app, result);
  AddExportModelCommand(app, result);
  AddTablesCommand(app, result);
  AddQueryCommand(app, result);
  AddShellCommand(app, result);
  AddDrawCommand(app, result);
  AddStatsCommand(app, result);
  AddVerifyCommand(app, result);
  AddBackupCommand(app, result);
  AddRestoreCommand(app, result);
  AddRepairCommand(app, result);
}

}  // namespace

int RunCommand(int argc, const char* const* argv) {
  OpenStandardDescriptors();
  CommandResult result;
  try {
    CLI::App app(kDescription, "dolmen");
    app.formatter(std::make_shared<HelpFormatter>());
    app.require_subcommand(1);
    app.set_version_flag("--version", "dolmen " DOLMEN_VERSION, "Print the version");
    app.set_help_flag("-h,--help", "Print this help");
    app.footer("`dolmen COMMAND --help` describes a command, with examples.");
    AddCommands(&app, &result);
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      return ReportParseError(app, error);
    }
  } catch (const std::exception& error) {
    result = CommandResult::Failure(error.what());
  }
  if (!result.error.empty()) PrintError(result.error);
  return result.exit_code;
}

}  // namespace dolmen::command
