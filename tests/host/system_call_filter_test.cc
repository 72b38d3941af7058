// Tests that Dolmen needs no system call that programs forbid to their libraries.

#include "tests/support/system_call_filter.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <vector>

#include "dolmen/dolmen.h"
#include "engine/engine.h"
#include "tests/support/child_process.h"
#include "tests/support/forked_child.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {
namespace {

// The calls of systemd's SystemCallFilter=~@resources, which change the priorities, processors, memory nodes and limits
// of threads.
const std::vector<FilteredCall>& ResourceCalls() {
  static const std::vector<FilteredCall> calls = {
      {SYS_ioprio_set},
      {SYS_mbind},
      {SYS_migrate_pages},
      {SYS_move_pages},
#ifdef SYS_nice
      {SYS_nice},
#endif
      {SYS_sched_setaffinity},
      {SYS_sched_setattr},
      {SYS_sched_setparam},
      {SYS_sched_setscheduler},
      {SYS_set_mempolicy},
      {SYS_setpriority},
      {SYS_setrlimit},
      {.number = SYS_prlimit64, .argument = 2, .value = 0, .compared = Compared::kOther}};
  return calls;
}

TEST(SystemCallFilterTest, TheFilterKillsAProcessThatChangesItsPriority) {
  const auto change = [](auto call) {
    return RunInForkedChild([&] {
      if (!FilterSystemCalls(ResourceCalls())) return "no filter";
      call();
      return "not killed";
    });
  };
  const std::string killed = " ended by signal " + std::to_string(SIGSYS);
  EXPECT_EQ(change([] { return ::setpriority(PRIO_PROCESS, 0, 1); }), killed);
  EXPECT_EQ(change([] {
              rlimit limit = {};
              ::getrlimit(RLIMIT_CORE, &limit);
              return ::setrlimit(RLIMIT_CORE, &limit);
            }),
            killed);
}

// Uses a database in each way that starts threads or works in the background. Returns 0, or the number of the step
// that failed.
int UseWithoutResourceCalls(const ChildArguments& arguments) {
  if (!FilterSystemCalls(ResourceCalls())) return 1;
  const std::string directory = arguments.at(0);
  {
    const auto db = Database::Open(
        directory + "/db", {.durability = Durability::kBuffered, .write_buffer_bytes = 64 << 10});
    if (!db.ok()) return 2;
    const auto table = db->CreateTable(
        {.name = "app", .stream_specification = {{.view_type = StreamViewType::kNewAndOldImages}}});
    if (!table.ok()) return 3;
    const auto subscription =
        table->Subscribe({.name = "s"}, [](const StreamRecord&) { return Status(); });
    if (!subscription.ok()) return 4;
    for (int i = 0; i < 2000; ++i) {
      const Item item = {{"PK", "p"}, {"SK", std::to_string(i)}, {"t", std::string(1000, 'x')}};
      if (!table->PutItem({.item = item}).ok()) return 5;
    }
    if (!static_cast<engine::Engine&>(*db->backend()).store().Compact().ok()) return 6;
    if (!db->Backup(directory + "/backup").ok()) return 7;
    if (!db->Fork({.directory = directory + "/fork"}).ok()) return 8;
    if (!db->Verify().ok()) return 9;
  }
  if (!Database::Restore(directory + "/backup", directory + "/restored").ok()) return 10;
  if (!Repair(directory + "/db", directory + "/repaired").ok()) return 11;
  for (const char* name : {"/db", "/fork", "/restored", "/repaired"}) {
    const auto again = Database::Open(directory + name, {.read_only = true});
    if (!again.ok() || again->Verify()->items != 2000) return 12;
  }
  return 0;
}
const ChildRole kUseWithoutResourceCalls("use_without_resource_calls", UseWithoutResourceCalls);

TEST(SystemCallFilterTest, DolmenChangesNoResource) {
  const TempDirectory directory;
  EXPECT_EQ(ChildProcess(kUseWithoutResourceCalls, {directory.path()}).Finish(), 0);
}

}  // namespace
}  // namespace dolmen::test
