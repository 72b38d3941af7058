// Tests of how the server handles the process's file descriptors.

#include "server/descriptors.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>

#include "command/run_command.h"
#include "tests/support/child_process.h"
#include "tests/support/sanitizer.h"
#include "tests/support/status_matchers.h"

namespace dolmen::test {
namespace {

// Closes the standard descriptor whose number is the argument, and runs the command. Returns 0 if
// the command then has /dev/null open as this descriptor, so that no other file can get the number.
// Reading standard input, or writing one of the other two, must then fail with EBADF, as for a closed
// descriptor.
int RunWithClosed(const ChildArguments& arguments) {
  const int descriptor = std::stoi(arguments.front());
  ::close(descriptor);
  const char* const words[] = {"dolmen", "--version"};
  if (command::RunCommand(2, words) != 0) return 2;
  char byte = 'x';
  const ssize_t used =
      descriptor == STDIN_FILENO ? ::read(descriptor, &byte, 1) : ::write(descriptor, &byte, 1);
  if (used != -1 || errno != EBADF) return 3;
  return std::filesystem::read_symlink("/proc/self/fd/" + arguments.front()) == "/dev/null" ? 0 : 1;
}
const ChildRole kRunWithClosed("run_with_closed", RunWithClosed);

// If a file of the database got the number of a standard descriptor, printed text would be written
// into that file.
TEST(DescriptorsTest, NoFileGetsTheNumberOfAClosedStandardDescriptor) {
  for (const char* descriptor : {"0", "1", "2"}) {
    EXPECT_EQ(ChildProcess(kRunWithClosed, {descriptor}).Finish(), 0) << descriptor;
  }
}

int OpenOneOfTen(const ChildArguments&) {
  const rlimit few = {10, 10};
  ::setrlimit(RLIMIT_NOFILE, &few);
  const std::size_t before = server::DescriptorsLeft();
  ::open("/dev/null", O_RDONLY);
  const std::size_t after = server::DescriptorsLeft();
  return before < 10 && after + 1 == before ? 0 : 1;
}
const ChildRole kOpenOneOfTen("open_one_of_ten", OpenOneOfTen);

TEST(DescriptorsTest, AnOpenFileReducesTheCountByOne) {
  EXPECT_EQ(ChildProcess(kOpenOneOfTen, {}).Finish(), 0);
}

int OpenAllOfTen(const ChildArguments&) {
  const rlimit few = {10, 10};
  ::setrlimit(RLIMIT_NOFILE, &few);
  while (::open("/dev/null", O_RDONLY) != -1) {
  }
  return server::DescriptorsLeft() == 0 ? 0 : 1;
}
const ChildRole kOpenAllOfTen("open_all_of_ten", OpenAllOfTen);

// DescriptorsLeft() itself opens a directory. If no descriptor is left for the directory,
// DescriptorsLeft() must return 0.
TEST(DescriptorsTest, TheCountIsZeroWhenNoDescriptorIsLeft) {
  if (kUnderAddressSanitizer) GTEST_SKIP() << "the sanitizers need descriptors";
  EXPECT_EQ(ChildProcess(kOpenAllOfTen, {}).Finish(), 0);
}

}  // namespace
}  // namespace dolmen::test
