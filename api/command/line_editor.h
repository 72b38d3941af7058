// A line of text that a user types and edits in a terminal, with a history and with completion.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "command/completion.h"

namespace dolmen::command {

// An editor of lines on standard input and standard output, which are a terminal. Not thread-safe.
class LineEditor {
 public:
  // Returns the completion for the text before the cursor and the text after the cursor.
  using Completer = std::function<Completion(std::string_view before, std::string_view after)>;

  // Reads the history from a file, and adds further lines to this file. The file is readable by its
  // owner only. If the name is empty, or the file cannot be written, the history ends with the
  // editor.
  LineEditor(std::string history_file, Completer completer);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  // A line without its end, or the reason for which no line was read.
  struct Line {
    std::string text = {};
    bool is_canceled = false;  // the user pressed Ctrl-C
    bool is_end = false;       // the user pressed Ctrl-D in an empty line, or the terminal is gone
  };
  Line Read(const std::string& prompt);

  // Adds a text to the history. A text that begins with a space is not added.
  void Remember(const std::string& text);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dolmen::command
