// Tests of a process in which allocations fail during a workload of all kinds of writes, or that is at its
// limit of address space (ulimit -v). The process may end. The database in its directory holds everything that was acknowledged, and no change in
// part.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <new>
#include <string>
#include <vector>

#include "tests/durability/every_write.h"
#include "tests/support/allocations.h"
#include "tests/support/child_process.h"
#include "tests/support/failing_disk.h"
#include "tests/support/open_on_disk.h"
#include "tests/support/random.h"
#include "tests/support/sanitizer.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"
#include "tests/support/watchdog.h"

namespace dolmen::test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFailingAllocations = 40;
// The exit codes of a child that got std::bad_alloc, and of a child in which an assertion of RocksDB
// failed then.
constexpr int kOutOfMemory = 9;
constexpr int kAborted = 10;
constexpr std::int64_t kManyAllocations = std::int64_t{1} << 40;

[[noreturn]] void EndOutOfMemory() { ::_exit(kOutOfMemory); }

WriteSession SessionIn(const std::string& directory) {
  return {.open = [directory](const OpenOptions& options) {
    return OpenOnDisk(directory, std::make_shared<FailingDisk>(), options);
  }};
}

// Does the workload in the directory, after `begin_limit`. Tells the parent when a step begins, and its
// outcome.
template <typename BeginLimit>
void Write(const std::string& directory, const BeginLimit& begin_limit) {
  const Watchdog watchdog("a process without memory", 120);
  std::set_terminate(EndOutOfMemory);
  ::signal(SIGABRT, [](int) { ::_exit(kAborted); });
  WriteSession session = SessionIn(directory);
  EveryWrite();  // allocates memory that the workload does not need
  begin_limit();
  try {
    // A line is so short that TellParent() does not allocate.
    RunEveryWrite(&session, [](const WriteStep& step, const Status* outcome) {
      const char* const what = outcome == nullptr ? "begin " : outcome->ok() ? "done " : "failed ";
      TellParent(what + std::to_string(&step - EveryWrite().data()));
    });
  } catch (const std::bad_alloc&) {
    EndOutOfMemory();
  }
}

// Writes in the directory arguments[0]. The allocation after arguments[1] others fails.
int WriteWithoutMemory(const ChildArguments& arguments) {
  Write(arguments[0], [&] { FailAllocationAfter(std::stoll(arguments[1])); });
  const std::int64_t left = AllocationsUntilFailure();
  FailAllocationAfter(kManyAllocations);
  TellParent(std::to_string(left));
  return 0;
}

const ChildRole kWriteWithoutMemory("write_without_memory", WriteWithoutMemory);

// Returns the address space of this process in bytes.
std::uint64_t AddressSpace() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

// Writes in the directory arguments[0]. The address space may grow by arguments[1] bytes.
int WriteInAddressSpace(const ChildArguments& arguments) {
  Write(arguments[0], [&] {
    const std::uint64_t bytes = AddressSpace() + std::stoull(arguments[1]);
    const rlimit limit = {.rlim_cur = bytes, .rlim_max = bytes};
    ::setrlimit(RLIMIT_AS, &limit);
  });
  return 0;
}
const ChildRole kWriteInAddressSpace("write_in_address_space", WriteInAddressSpace);

class FailingAllocationTest : public SeededTest {
 protected:
  // Runs the workload in a child with the limit `limit` of its role. Sets `left_` to the number that the child tells
  // at its end. Returns the outcome in words.
  std::string Run(const ChildRole& role, std::int64_t limit, ExpectedState* expected) {
    fs::remove_all(directory_ / "db");
    ChildProcess child(role, {directory_ / "db", std::to_string(limit)});
    const WriteStep* begun = nullptr;  // the step that has begun and has not ended
    std::size_t failures = 0;
    while (const auto line = child.ReadLine()) {
      const std::size_t space = line->find(' ');
      if (space == line->npos) {
        left_ = std::stoll(*line);
        break;
      }
      const WriteStep& step = EveryWrite().at(std::stoull(line->substr(space)));
      begun = line->starts_with("begin") ? &step : nullptr;
      if (line->starts_with("done")) expected->Acknowledge(step);
      if (line->starts_with("failed")) {
        expected->Fail(step);
        ++failures;
      }
    }
    if (begun != nullptr) expected->Fail(*begun);
    const int code = child.Finish();
    if (code == 0) return failures == 0 ? "no step failed" : "a step failed";
    if (code == kAborted) return "an assertion of RocksDB ended the process";
    EXPECT_EQ(code, kOutOfMemory) << "the process did not end by itself";
    return "std::bad_alloc ended the process";
  }

  // Checks the database that the child has left.
  void Check(const ExpectedState& expected) const {
    WriteSession session = SessionIn(directory_ / "db");
    ASSERT_THAT(EveryWrite().front().run(session), IsOk());
    EXPECT_THAT(expected.Check(*session.db), IsOk());
  }

  TempDirectory directory_;
  std::int64_t left_ = 0;
};

TEST_F(FailingAllocationTest, LosesNoAcknowledgedWriteAndHalvesNone) {
  if (!kCountsAllocations) GTEST_SKIP() << "the sanitizers' operator new does not fail";
  ExpectedState whole;
  ASSERT_EQ(Run(kWriteWithoutMemory, kManyAllocations, &whole), "no step failed");
  Check(whole);
  const std::int64_t allocations = kManyAllocations - left_;
  std::cout << allocations << " allocations\n";
  std::map<std::string, std::size_t> outcomes;
  const auto all = static_cast<std::size_t>(allocations);
  const std::size_t steps = std::min(TestSteps(kFailingAllocations), all);
  for (std::size_t i = 0; i < steps; ++i) {
    // Does every allocation in turn if there are steps enough.
    const auto count = static_cast<std::int64_t>(steps == all ? i : random_.Below(all));
    SCOPED_TRACE("the allocation after " + std::to_string(count) + " others fails");
    ExpectedState expected;
    ++outcomes[Run(kWriteWithoutMemory, count, &expected)];
    Check(expected);
  }
  for (const auto& [outcome, count] : outcomes) std::cout << count << " cases: " << outcome << '\n';
  EXPECT_GT(outcomes["std::bad_alloc ended the process"], 0u);
}

TEST_F(FailingAllocationTest, LosesNoAcknowledgedWriteAtALimitOfAddressSpace) {
  if (kUnderAddressSanitizer) GTEST_SKIP() << "the sanitizer needs address space";
  std::map<std::string, std::size_t> outcomes;
  for (const std::int64_t megabytes : {0, 1, 4, 16, 20, 24, 28, 32, 40, 64, 256}) {
    SCOPED_TRACE(std::to_string(megabytes) + " MiB more");
    ExpectedState expected;
    const std::string outcome = Run(kWriteInAddressSpace, megabytes << 20, &expected);
    std::cout << megabytes << " MiB more: " << outcome << '\n';
    ++outcomes[outcome];
    Check(expected);
  }
  EXPECT_GT(outcomes.size(), 1u);
}

}  // namespace
}  // namespace dolmen::test
