#include <unistd.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <utility>

#include "command/command.h"
#include "command/database_command.h"
#include "command/encryption_key.h"
#include "command/fixture.h"
#include "command/line_editor.h"
#include "command/shell_session.h"
#include "command/statement_text.h"
#include "command/text.h"
#include "engine/base/status_macros.h"

namespace dolmen::command {
namespace {

constexpr const char* kShellFooter =
    R"(A statement ends with a semicolon and may have several lines.  In a terminal, the
Tab key completes tables, indexes, attributes and keywords, the arrow keys and
Ctrl-R find earlier statements, and \? prints help.  The history is in
~/.dolmen_history, or in the file of the variable DOLMEN_HISTORY; an empty
variable keeps no history.  A statement that begins with a space is not kept.

If standard input is not a terminal, the shell executes its statements and ends
at the first error, with exit code 1.

Examples:
  dolmen shell --path app.dolmen
  dolmen shell --memory --fixture seed.json
  echo "SELECT * FROM app WHERE PK = 'USER#1'" |
      dolmen shell --path app.dolmen --read-only --json)";

struct ShellOptions {
  DatabaseWords database = {};
  bool memory = false;
  std::string fixture = {};
  bool read_only = false;
  bool json = false;
};

Result<Database> OpenForShell(const ShellOptions& options) {
  // Does not delete expired items, so that a look at a database changes nothing.
  OpenOptions open = {
      .create_if_missing = false, .read_only = options.read_only, .expiry_lag = std::nullopt};
  if (options.memory && options.fixture.empty()) return Database::InMemory(open);
  DOLMEN_ASSIGN_OR_RETURN(open.encryption_key, ReadEncryptionKey(options.database.key_file));
  if (options.memory) return OpenFixture(options.fixture, open);
  auto database = Database::Open(options.database.path, open);
  if (!database.ok()) return DescribeOpenError(options.database.path, database.status());
  return database;
}

std::string HistoryFile() {
  if (const char* file = std::getenv("DOLMEN_HISTORY")) return file;
  const char* home = std::getenv("HOME");
  return home == nullptr ? "" : std::string(home) + "/.dolmen_history";
}

// Executes the lines that a person types.
CommandResult RunInteractively(ShellSession* session) {
  LineEditor editor(HistoryFile(), [session](std::string_view before, std::string_view after) {
    return session->Complete(before, after);
  });
  std::cout << "Statements end with a semicolon. \\? prints help.\n" << std::flush;
  std::string entry;  // the lines of the unfinished statement
  while (!session->has_ended()) {
    const LineEditor::Line line =
        editor.Read(session->unfinished().empty() ? "dolmen> " : "   ...> ");
    if (line.is_end) {
      std::cout << '\n';
      break;
    }
    if (line.is_canceled) {
      std::cout << '\n';
      session->DropUnfinished();
      entry.clear();
      continue;
    }
    entry.append(entry.empty() ? "" : "\n").append(line.text);
    const Status taken = session->TakeLine(line.text);
    if (session->unfinished().empty()) editor.Remember(std::exchange(entry, {}));
    if (!taken.ok()) std::cerr << taken.message() << '\n';
  }
  return FlushedOutput();
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

// Returns the next line without its end. Returns false at the end of the file.
bool ReadLine(std::FILE* file, std::string* line) {
  line->clear();
  int c = std::getc(file);
  if (c == EOF) return false;
  for (; c != EOF && c != '\n'; c = std::getc(file)) line->push_back(static_cast<char>(c));
  return true;
}

// Executes the lines of standard input until the first error.
CommandResult RunScript(ShellSession* session) {
  // Has a buffer of its own, because a later command of this process may read another input.
  const std::unique_ptr<std::FILE, CloseFile> input(::fdopen(::dup(STDIN_FILENO), "r"));
  if (input == nullptr) return CommandResult::Failure("can't read standard input");
  std::string line;
  std::uint64_t number = 0;
  Status taken;
  while (taken.ok() && !session->has_ended() && ReadLine(input.get(), &line)) {
    ++number;
    taken = session->TakeLine(line);
  }
  if (taken.ok() && !session->has_ended()) taken = session->Finish();
  if (taken.ok()) return FlushedOutput();
  return CommandResult::Failure("line " + CountText(number) + ": " + taken.message());
}

CommandResult Shell(const ShellOptions& options) {
  Result<Database> database = OpenForShell(options);
  if (!database.ok()) return FailureOf(database.status());
  const bool interactive = ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1;
  ShellSession session(*std::move(database), {.json = options.json, .interactive = interactive});
  return interactive ? RunInteractively(&session) : RunScript(&session);
}

}  // namespace

void AddShellCommand(CLI::App* app, CommandResult* result) {
  auto options = std::make_shared<ShellOptions>();
  CLI::App* command = app->add_subcommand("shell", "Execute PartiQL statements");
  CLI::Option_group* where = command->add_option_group("Tables", "Location of the tables; one of");
  where->add_option("--path", options->database.path, "The database's directory")->type_name("DIR");
  CLI::Option* memory = where->add_flag("--memory", options->memory,
                                        "Use tables in memory, which end with the shell");
  where->require_option(1);
  AddKeyFileOption(command, &options->database.key_file);
  command
      ->add_option("--fixture", options->fixture,
                   "Begin with the tables and items of this fixture, as in `dolmen serve`")
      ->type_name("DIR|FILE")
      ->needs(memory);
  command->add_flag("--read-only", options->read_only, "Refuse statements that write");
  command->add_flag("--json", options->json,
                    "Print items as lines of DynamoDB JSON, as `dolmen export` does");
  command->footer(kShellFooter);
  command->callback([options, result] { *result = Shell(*options); });
}

}  // namespace dolmen::command
