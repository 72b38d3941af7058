// Tests that a session of `dolmen shell` on a page prints what the page shows.

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "tests/command/command_fixture.h"
#include "tests/support/source_directory.h"

namespace dolmen::test {
namespace {

using testing::IsEmpty;
using testing::Not;

// The lines of a session that the user types, and the lines that the shell prints.
struct Session {
  std::vector<std::string> arguments = {};
  std::string input = {};
  std::string output = {};
};

// Returns the first session of a page: the lines from `$ dolmen shell ...` to the end of the block.
Session SessionOf(const std::string& page) {
  static constexpr std::string_view kStart = "$ dolmen ";
  static constexpr std::string_view kPrompts[] = {"dolmen> ", "   ...> "};
  std::istringstream lines(page);
  std::string line;
  while (std::getline(lines, line) && !line.starts_with("$ dolmen shell ")) {
  }
  Session session;
  std::istringstream words(line.substr(std::min(line.size(), kStart.size())));
  for (std::string word; words >> word;) session.arguments.push_back(word);
  while (std::getline(lines, line) && line != "```") {
    const bool typed = line.starts_with(kPrompts[0]) || line.starts_with(kPrompts[1]);
    (typed ? session.input : session.output) += line.substr(typed ? kPrompts[0].size() : 0) + "\n";
  }
  return session;
}

TEST(ShellPageTest, TheSessionOfTheReadmePrintsItsLines) {
  const TempDirectory directory;
  const std::string input = (directory / "input").string();
  Session session = SessionOf(ReadFile(SourceFile("/api/command/README.md")));
  ASSERT_THAT(session.input, Not(IsEmpty()));
  WriteFile(input, session.input);
  // The paths of the page are relative to the repository.
  session.arguments.back().insert(0, SourceFile("/"));
  const CommandOutput output = RunDolmen(session.arguments, input);
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_EQ(output.out, session.output);
}

}  // namespace
}  // namespace dolmen::test
