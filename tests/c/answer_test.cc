// Tests of buffers, of fork(2), of a process without memory, and of the end of a process.

#include "c/answer.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "tests/c/c_database.h"
#include "tests/support/allocations.h"
#include "tests/support/child_process.h"
#include "tests/support/temp_directory.h"
#include "tests/support/watchdog.h"

namespace dolmen::test {
namespace {

using testing::HasSubstr;

// Calls each function with a status. Returns the number of calls whose status is not 500.
int CountAnswers(dolmen_database* database) {
  dolmen_database* other = nullptr;
  dolmen_subscription* subscription = nullptr;
  std::int64_t milliseconds = 0;
  const auto ignore = [](void*, const char*, std::size_t) { return 0; };
  const int statuses[] = {
      dolmen_open(nullptr, &other, nullptr),
      dolmen_fork(database, nullptr, &other, nullptr),
      dolmen_reset(database, nullptr),
      dolmen_execute(database, "ListTables", "{}", 2, nullptr),
      dolmen_load_seed(database, "{}", 2, nullptr),
      dolmen_expire(database, nullptr),
      dolmen_wait(database, nullptr),
      dolmen_clock(database, &milliseconds, nullptr),
      dolmen_set_clock(database, 0, nullptr),
      dolmen_backup(database, "backup", nullptr),
      dolmen_simulate(database, "{}", 2, nullptr),
      dolmen_trace(database, nullptr),
      dolmen_restore("backup", "directory", nullptr, nullptr),
      dolmen_subscribe(database, "app", "mail", ignore, nullptr, &subscription, nullptr),
  };
  int answers = 0;
  for (const int status : statuses) answers += status == 500 ? 0 : 1;
  return answers;
}

// Returns true if the library answers a call with 500, and the message contains `words`.
bool Refuses(dolmen_database* database, const std::string& words) {
  dolmen_buffer buffer = {nullptr, 0};
  const bool refuses = dolmen_execute(database, "ListTables", "{}", 2, &buffer) == 500;
  const bool explains = std::string(buffer.data, buffer.size).find(words) != std::string::npos;
  dolmen_free(&buffer);
  dolmen_free(&buffer);
  return refuses && explains;
}

int ExitCodeOf(pid_t child) {
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(AnswerTest, AChildOfForkCannotUseTheDatabaseOfItsParent) {
  const CDatabase database = OpenC(R"({"Clock": "manual"})");
  CreateApp(database.get());
  dolmen_subscription* subscription = nullptr;
  const auto ignore = [](void*, const char*, std::size_t) { return 0; };
  ASSERT_EQ(
      dolmen_subscribe(database.get(), "app", "mail", ignore, nullptr, &subscription, nullptr),
      200);
  const pid_t child = ::fork();
  if (child == 0) {
    const bool refuses = Refuses(database.get(), "Open databases after the fork");
    const int answers = CountAnswers(database.get());
    dolmen_unsubscribe(subscription);
    dolmen_close(database.get());
    ::_exit(refuses ? answers : 100);
  }
  EXPECT_EQ(ExitCodeOf(child), 0);
  EXPECT_EQ(Put(database.get(), "a").status, 200) << "the parent is not affected";
  dolmen_unsubscribe(subscription);
}

// Forks before the process has opened a database. Returns 0 if parent and child can use databases.
int ForkFirst(const ChildArguments&) {
  const pid_t child = ::fork();
  const CDatabase database = OpenC();
  CreateApp(database.get());
  const int code = Put(database.get(), "a").status == 200 ? 0 : 1;
  if (child == 0) ::_exit(code);
  return ExitCodeOf(child) + code;
}
const ChildRole kForkFirst("fork_first", ForkFirst);

TEST(AnswerTest, AChildOfForkCanOpenDatabasesIfItsParentHasOpenedNone) {
  ChildProcess child(kForkFirst, {});
  EXPECT_EQ(child.Finish(), 0);
}

// Opens a database with each of the options and forks after it. Each child writes to the buffers of
// stdout and of std::cout, and ends by exit(3). Returns 0 if all of them end by it. The first
// argument is the file for stdout.
int ExitAfterFork(const ChildArguments& arguments) {
  if (std::freopen(arguments.at(0).c_str(), "a", stdout) == nullptr) return 1;
  std::vector<CDatabase> databases;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    databases.push_back(OpenC(arguments.at(i)));
    const pid_t child = ::fork();
    if (child == 0) {
      const Watchdog watchdog("exit(3) after fork(2)", 30);
      std::ios::sync_with_stdio(false);
      std::printf("by C ");
      std::cout << "by C++ ";
      std::exit(7);
    }
    if (ExitCodeOf(child) != 7) return 2;
  }
  return 0;
}
const ChildRole kExitAfterFork("exit_after_fork", ExitAfterFork);

TEST(AnswerTest, AChildOfForkCanCallExit) {
  const TempDirectory directory;
  const std::string on_disk = R"({"Directory": ")" + (directory / "app").string() + "\"";
  OpenC(on_disk + "}");
  const std::string output = (directory / "stdout").string();
  ChildProcess child(kExitAfterFork, {output, on_disk + R"(, "ReadOnly": true})", "{}"});
  EXPECT_EQ(child.Finish(), 0);
  std::string written;
  std::ifstream file(output);
  std::getline(file, written);
  EXPECT_EQ(written, "by C by C++ by C by C++ ");
}

// Lets an allocation of a call fail. Returns 0 if this call and all later calls fail with 500.
int RunOutOfMemory(const ChildArguments&) {
  dolmen_database* database = OpenC().release();
  CreateApp(database);
  FailAllocationAfter(0);
  if (!Refuses(database, "Memory ran out")) return 100;
  const int answers = CountAnswers(database);
  dolmen_close(database);
  return answers;
}
const ChildRole kRunOutOfMemory("run_out_of_memory", RunOutOfMemory);

TEST(AnswerTest, AfterMemoryRanOutEveryCallFails) {
  if (!kCountsAllocations) GTEST_SKIP() << "the sanitizers' operator new does not fail";
  ChildProcess child(kRunOutOfMemory, {});
  EXPECT_EQ(child.Finish(), 0);
}

// Ends without closing the database, while a subscription runs.
int EndOpen(const ChildArguments& arguments) {
  static dolmen_database* database = OpenC(arguments.at(0)).release();
  static dolmen_subscription* subscription = nullptr;
  CreateApp(database);
  const auto ignore = [](void*, const char*, std::size_t) { return 0; };
  if (dolmen_subscribe(database, "app", "mail", ignore, nullptr, &subscription, nullptr) != 200)
    return 1;
  return Put(database, "a").status == 200 ? 0 : 2;
}
const ChildRole kEndOpen("end_open", EndOpen);

TEST(AnswerTest, AProcessMayEndWithAnOpenDatabase) {
  const TempDirectory directory;
  for (int round = 0; round < 5; ++round) {
    const std::string name = "app" + std::to_string(round);
    const std::string options =
        R"({"Directory": ")" + (directory / name).string() + R"(", "Durability": "buffered"})";
    ChildProcess child(kEndOpen, {options});
    EXPECT_EQ(child.Finish(), 0);
    const CDatabase database = OpenC(options);
    EXPECT_EQ(Get(database.get(), "a"), Stored("a"));
  }
}

TEST(AnswerTest, AnotherThreadMayFreeALargeResponseAfterTheDatabaseIsClosed) {
  CDatabase database = OpenC();
  CreateApp(database.get());
  const std::string text(300'000, 'x');
  Execute(database.get(), "PutItem",
          R"({"TableName": "app", "Item": {"PK": {"S": "a"}, "t": {"S": ")" + text + R"("}}})");
  const std::string get = R"({"TableName": "app", "Key": {"PK": {"S": "a"}}})";
  dolmen_buffer large = {nullptr, 0};
  ASSERT_EQ(dolmen_execute(database.get(), "GetItem", get.data(), get.size(), &large), 200);
  EXPECT_EQ(Get(database.get(), "b"), "{}") << "a later call leaves the buffer as it is";
  database.reset();
  EXPECT_EQ(std::string(large.data, large.size),
            R"({"Item":{"PK":{"S":"a"},"t":{"S":")" + text + R"("}}})");
  std::thread([&] { dolmen_free(&large); }).join();
}

}  // namespace
}  // namespace dolmen::test
