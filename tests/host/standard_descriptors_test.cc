// Tests that no file of Dolmen gets the number of standard input, output or error.

#include <gmock/gmock.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "dolmen/dolmen.h"
#include "tests/support/child_process.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

constexpr int kItems = 500;

// Returns true if a text that the program prints reaches no file.
bool PrintsNowhere() {
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    if (::write(descriptor, "printed", 7) != -1 || errno != EBADF) return false;
  }
  return true;
}

void CloseStandardDescriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::close(descriptor);
}

// Writes a database in the directory of the arguments and backs it up, without standard descriptors
// from the start, or from the opening on. Returns 0 if printed text has reached no file.
int WriteWithoutDescriptors(const ChildArguments& arguments) {
  const std::string directory = arguments[0];
  if (arguments[1] == "before") CloseStandardDescriptors();
  const auto db = Database::Open(directory + "/db", {.write_buffer_bytes = 64 << 10});
  if (!db.ok()) return 1;
  CloseStandardDescriptors();
  const auto table = db->CreateTable({.name = "app"});
  if (!table.ok()) return 2;
  for (int i = 0; i < kItems; ++i) {
    const Item item = {{"PK", "p"}, {"SK", std::to_string(i)}, {"text", std::string(1000, 'x')}};
    if (!table->PutItem({.item = item}).ok()) return 3;
  }
  if (!db->Backup(directory + "/backup").ok()) return 4;
  return PrintsNowhere() ? 0 : 5;
}
const ChildRole kWriteWithoutDescriptors("write_without_descriptors", WriteWithoutDescriptors);

TEST(StandardDescriptorsTest, PrintedTextReachesNoFile) {
  for (const char* closed : {"before", "after"}) {
    const TempDirectory directory;
    ASSERT_EQ(ChildProcess(kWriteWithoutDescriptors, {directory.path(), closed}).Finish(), 0)
        << closed;
    ASSERT_THAT(Database::Restore(directory / "backup", directory / "restored"), IsOk());
    for (const char* name : {"db", "restored"}) {
      const Database db = Value(Database::Open(directory / name));
      EXPECT_EQ(Value(db.Verify()).finding_count, 0U) << closed << " " << name;
      EXPECT_EQ(Value(db.Verify()).items, static_cast<std::uint64_t>(kItems))
          << closed << " " << name;
    }
  }
}

}  // namespace
}  // namespace dolmen::test
