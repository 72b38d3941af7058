// Output to a terminal, one screen at a time.

#pragma once

#include <cstddef>
#include <string_view>

namespace dolmen::command {

// The size of the terminal of standard output, or 24 rows of 80 columns if it is unknown.
struct ScreenSize {
  std::size_t rows = 24;
  std::size_t columns = 80;
};
ScreenSize TerminalSize();

// Standard output. Not thread-safe.
class Screen {
 public:
  // With `pages`, standard input and standard output are a terminal, and the output waits for a key
  // after each full screen.
  explicit Screen(bool pages) : pages_(pages) {}

  // Starts a new text at the top of a screen.
  void Begin() { rows_ = 0; }

  // Prints lines. Returns false if the user does not want to see more of the text, or if standard
  // output cannot be written.
  bool Print(std::string_view lines);

 private:
  bool Wait();

  const bool pages_;
  std::size_t rows_ = 0;  // the number of rows that were printed since the last wait
};

}  // namespace dolmen::command
