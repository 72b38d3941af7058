// Tests of `dolmen shell` in a terminal.

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "command/run_command.h"
#include "tests/command/command_fixture.h"
#include "tests/support/child_process.h"
#include "tests/support/items.h"
#include "tests/support/watchdog.h"

namespace dolmen::test {
namespace {

using testing::HasSubstr;
using testing::Not;

// Runs the shell in the terminal with this path. The other arguments are the file of the history and
// the database.
int ShellInTerminal(const ChildArguments& arguments) {
  ::setsid();
  const int terminal = ::open(arguments.at(0).c_str(), O_RDWR);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    ::dup2(terminal, standard);
  }
  ::setenv("TERM", "xterm", 1);
  ::setenv("DOLMEN_HISTORY", arguments.at(1).c_str(), 1);
  ::setenv("HOME", "/nonexistent", 1);
  const std::array<const char*, 4> words = {"dolmen", "shell", "--path", arguments.at(2).c_str()};
  return command::RunCommand(words.size(), words.data());
}
const ChildRole kShellInTerminal("shell_in_terminal", ShellInTerminal);

// A terminal of 24 rows of 80 columns, in which the shell runs.
class Terminal {
 public:
  Terminal(const std::string& history, const std::string& database) {
    ::grantpt(master_);
    ::unlockpt(master_);
    const winsize size = {.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
    ::ioctl(master_, TIOCSWINSZ, &size);
    child_.emplace(kShellInTerminal, ChildArguments{::ptsname(master_), history, database});
  }
  ~Terminal() { ::close(master_); }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void Type(const std::string& keys) const {
    EXPECT_EQ(::write(master_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
  }

  // Returns what the terminal shows until it has shown this text.
  std::string Until(const std::string& text) {
    while (shown_.find(text) == shown_.npos) {
      std::array<char, 4096> bytes{};
      const ssize_t count = ::read(master_, bytes.data(), bytes.size());
      if (count <= 0) {
        ADD_FAILURE() << "the shell ended before it printed " << text << ":\n" << shown_;
        return shown_;
      }
      shown_.append(bytes.data(), static_cast<std::size_t>(count));
    }
    const std::size_t end = shown_.find(text) + text.size();
    const std::string before = shown_.substr(0, end);
    shown_.erase(0, end);
    return before;
  }

  // Waits until the shell ends, and returns its exit code.
  int Finish() { return child_->Finish(); }

 private:
  const int master_ = ::posix_openpt(O_RDWR | O_NOCTTY);
  std::optional<ChildProcess> child_;
  std::string shown_;
};

const char* const kPrompt = "dolmen> ";
const char* const kUp = "\x1b[A";
const char* const kCtrlC = "\x03";
const char* const kCtrlD = "\x04";

class ShellTerminalTest : public CommandTest {
 protected:
  void SetUp() override {
    MakeDatabase();
    Put({{{"PK", "a"}, {"SK", "1"}, {"total", 12}}});
  }

  const Watchdog watchdog_{"a shell in a terminal"};
  const std::string history_ = File("history");
};

TEST_F(ShellTerminalTest, AStatementIsKeptInAPrivateHistory) {
  {
    Terminal terminal(history_, path_);
    terminal.Until(kPrompt);
    terminal.Type("SELECT SK\n");
    terminal.Until("   ...> ");
    terminal.Type("FROM app;\n");
    terminal.Until("\n1\r\n1 item\r\n");
    terminal.Until(kPrompt);
    terminal.Type(kCtrlD);
    EXPECT_EQ(terminal.Finish(), 0);
  }
  struct stat file {};
  ASSERT_EQ(::stat(history_.c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0777U, 0600U);
  Terminal terminal(history_, path_);
  terminal.Until(kPrompt);
  terminal.Type(std::string(kUp) + "\n");
  terminal.Until("\n1\r\n1 item\r\n");
  terminal.Type("\\q\n");
  EXPECT_EQ(terminal.Finish(), 0);
}

TEST_F(ShellTerminalTest, TheTabKeyCompletesNames) {
  Terminal terminal(history_, path_);
  terminal.Until(kPrompt);
  terminal.Type("sel\ttot\t from ap\t;\n");
  terminal.Until("\ntotal\r\n12\r\n1 item\r\n");
  terminal.Type("SELECT * FROM app WHERE \t");
  terminal.Until("PK     SK     total");
  terminal.Type(std::string(kCtrlC) + "\\q\n");
  EXPECT_EQ(terminal.Finish(), 0);
}

TEST_F(ShellTerminalTest, CtrlCDropsTheStatementAndAnErrorDoesNotEndTheShell) {
  Terminal terminal(history_, path_);
  terminal.Until(kPrompt);
  terminal.Type("DELETE FROM app\n");
  terminal.Until("   ...> ");
  terminal.Type(std::string("WHERE") + kCtrlC);
  terminal.Until(kPrompt);
  terminal.Type("SELECT * FROM absent;\n");
  terminal.Until("ResourceNotFoundException: ");
  terminal.Until(kPrompt);
  terminal.Type("SELECT SK FROM app;\n");
  terminal.Until("1 item");
  terminal.Type("\\q\n");
  EXPECT_EQ(terminal.Finish(), 0);
}

TEST_F(ShellTerminalTest, ALongResultStopsAfterEachScreen) {
  for (int i = 10; i < 99; ++i) Put({{{"PK", "b"}, {"SK", std::to_string(i)}}});
  Terminal terminal(history_, path_);
  terminal.Until(kPrompt);
  terminal.Type("SELECT SK FROM app WHERE PK = 'b';\n");
  const std::string first = terminal.Until("-- Space");
  EXPECT_THAT(first, HasSubstr("\r\n31\r\n"));
  EXPECT_THAT(first, Not(HasSubstr("\r\n32\r\n")));
  terminal.Type("\n");
  EXPECT_THAT(terminal.Until("-- Space"), HasSubstr("32\r\n"));
  terminal.Type(" ");
  EXPECT_THAT(terminal.Until("-- Space"), HasSubstr("\r\n55\r\n"));
  terminal.Type("q");
  EXPECT_THAT(terminal.Until(kPrompt), Not(HasSubstr("56")));
  terminal.Type("\\q\n");
  EXPECT_EQ(terminal.Finish(), 0);
}

}  // namespace
}  // namespace dolmen::test
