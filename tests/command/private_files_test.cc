// Tests of who may read the files that the commands create.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/command/command_fixture.h"

namespace dolmen::test {
namespace {

namespace fs = std::filesystem;

// A mask under which a program has to restrict each file itself.
class OpenMask {
 public:
  OpenMask() : before_(::umask(0)) {}
  ~OpenMask() { ::umask(before_); }
  OpenMask(const OpenMask&) = delete;
  OpenMask& operator=(const OpenMask&) = delete;

 private:
  const mode_t before_;
};

class PrivateFilesTest : public CommandTest {};

// A database is for its owner only, and so is what a command writes of its items.
TEST_F(PrivateFilesTest, EachFileThatACommandCreatesIsForItsOwnerOnly) {
  const std::string items = Write("items.json", ItemLines(10));
  fs::permissions(items, fs::perms::owner_read);
  const OpenMask mask;
  const std::vector<std::vector<std::string>> kCommands = {
      {"import", "--path", path_, "--table", "app", "--create-table", "--partition-key", "PK:S",
       "--sort-key", "SK:S", items},
      {"backup", path_, "--table", "app"},
      {"backup", path_, File("backup")},
      {"restore", File("backup"), File("restored")},
      {"repair", path_, File("repaired")},
      {"copy", path_, File("copied"), "--table", "app"},
      {"export", "--path", path_, "--table", "app", "--output", File("app.json")},
      {"export", "--path", path_, "--table", "app", "--output", File("exported/")},
      {"draw", "--path", path_, "--table", "app", "--output", File("app.svg")},
  };
  std::set<std::string> checked;
  for (const std::vector<std::string>& command : kCommands) {
    const CommandOutput output = RunDolmen(command);
    EXPECT_EQ(output.exit_code, 0) << command.front() << output.err;
    for (const auto& entry : fs::recursive_directory_iterator(directory_.path())) {
      if (!entry.is_regular_file() || !checked.insert(entry.path()).second) continue;
      const fs::perms others = fs::perms::group_all | fs::perms::others_all;
      EXPECT_EQ(entry.status().permissions() & others, fs::perms::none)
          << command.front() << " created " << entry.path();
    }
  }
}

}  // namespace
}  // namespace dolmen::test
