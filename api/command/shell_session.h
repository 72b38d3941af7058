// A session of `dolmen shell`: its lines, its statements and its commands.

#pragma once

#include <string>
#include <string_view>

#include "command/completion.h"
#include "command/screen.h"
#include "dolmen/database.h"

namespace dolmen::command {

struct SessionOptions {
  bool json = false;         // prints lines of JSON, for programs
  bool interactive = false;  // a person types the lines: Ctrl-C ends the output of a statement
};

// Takes lines and prints the results of their statements. A statement ends with a semicolon, and may
// have several lines. A line that begins with a backslash is a command of the shell. Not
// thread-safe.
class ShellSession {
 public:
  ShellSession(Database database, const SessionOptions& options)
      : database_(std::move(database)), options_(options), screen_(options.interactive) {}

  // Takes a line without its end, and executes the statements that end in it. After an error, drops
  // the rest of the line.
  // - kValidation: the database refuses a statement, or the shell has no such command.
  // - kStorage: standard output cannot be written.
  Status TakeLine(std::string_view line);

  // Executes the last statement, which may lack its semicolon.
  // - The errors of TakeLine.
  Status Finish();

  // Returns the completion of an unfinished line.
  Completion Complete(std::string_view before, std::string_view after) const;

  // The text of the unfinished statement. Empty between two statements.
  const std::string& unfinished() const { return text_; }
  void DropUnfinished() { text_.clear(); }

  // True after the command \q.
  bool has_ended() const { return has_ended_; }

 private:
  Status Execute(const std::string& statement);
  template <typename Interrupted>
  Status PrintPages(const std::string& statement, const Interrupted& interrupted);
  Status ExecuteCommand(std::string_view line);
  Status Describe(const std::string& table);
  Status Print(std::string_view lines);

  const Database database_;
  const SessionOptions options_;
  Screen screen_;
  std::string text_;
  bool shows_cost_ = false;
  bool has_ended_ = false;
};

}  // namespace dolmen::command
