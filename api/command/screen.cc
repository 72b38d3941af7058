#include "command/screen.h"

#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iostream>

#include "command/text.h"

namespace dolmen::command {
namespace {

constexpr std::string_view kMore = "-- Space: next page, Enter: next line, q: stop --";

// Shows a question and returns the key that the user types. Returns 'q' for Ctrl-C, Ctrl-D, Escape and
// an error. The terminal sends no signal meanwhile.
char AskForKey(std::string_view question) {
  termios before{};
  if (::tcgetattr(STDIN_FILENO, &before) != 0) return 'q';
  termios raw = before;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  ::tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
  std::cout << question << std::flush;
  char key = 'q';
  while (::read(STDIN_FILENO, &key, 1) < 0 && errno == EINTR) {
  }
  std::cout << '\r' << std::string(question.size(), ' ') << '\r' << std::flush;
  ::tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
  constexpr std::string_view kStop = "qQ\x03\x04\x1B";
  return kStop.find(key) == kStop.npos ? key : 'q';
}

}  // namespace

ScreenSize TerminalSize() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) {
    return {};
  }
  return {.rows = size.ws_row, .columns = size.ws_col};
}

bool Screen::Print(std::string_view lines) {
  if (!pages_) {
    std::cout << lines;
    return static_cast<bool>(std::cout);
  }
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size() - 1) + 1;
    const std::string_view line = lines.substr(0, end);
    const ScreenSize size = TerminalSize();
    const std::size_t line_rows =
        1 + (std::max<std::size_t>(ColumnsOf(line), 2) - 2) / size.columns;
    if (rows_ > 0 && rows_ + line_rows >= size.rows && !Wait()) return false;
    std::cout << line;
    rows_ += line_rows;
    lines.remove_prefix(end);
  }
  return static_cast<bool>(std::cout);
}

// Waits for a key, and sets rows_ so that another page or another line is printed. Returns false if
// the user stops the output.
bool Screen::Wait() {
  const char key = AskForKey(kMore);
  const bool one_line = key == '\r' || key == '\n';
  rows_ = one_line ? rows_ - 1 : 0;
  return key != 'q';
}

}  // namespace dolmen::command
