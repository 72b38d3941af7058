// Tests of a process that calls fork(2) while it has databases open. The child has the parent's memory and files, but
// neither its threads nor its locks.

#include <gmock/gmock.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"
#include "dolmen/testing/simulate.h"
#include "tests/support/child_process.h"
#include "tests/support/forked_child.h"
#include "tests/support/intercepted_disk.h"
#include "tests/support/open_on_disk.h"
#include "tests/support/sanitizer.h"
#include "tests/support/status_matchers.h"
#include "tests/support/system_call_filter.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

constexpr std::string_view kRefusal = "This process is a child of fork(2)";

// Returns true if the call was refused because the process is a child of fork(2).
bool IsRefused(const Status& status) {
  return status.code() == StatusCode::kStorage && status.message().starts_with(kRefusal);
}

// An open database with the handles that a program may have.
struct Handles {
  Database db;
  Table table;
  Subscription subscription;
};

Handles OpenHandles(const Database& db) {
  Table table = Value(db.CreateTable(
      {.name = "app", .stream_specification = {{.view_type = StreamViewType::kNewAndOldImages}}}));
  Subscription subscription =
      Value(table.Subscribe({.name = "s"}, [](const StreamRecord&) { return Status(); }));
  return {db, std::move(table), std::move(subscription)};
}

Item ItemOf(int number) { return {{"PK", "p"}, {"SK", std::to_string(number)}, {"n", number}}; }

// A call of the API.
struct Call {
  const char* name;
  Status (*run)(Handles& handles);
};

constexpr Call kCalls[] = {
    {"CreateTable", [](Handles& h) { return h.db.CreateTable({.name = "b"}).status(); }},
    {"OpenTable", [](Handles& h) { return h.db.OpenTable("app").status(); }},
    {"DescribeTable", [](Handles& h) { return h.db.DescribeTable("app").status(); }},
    {"ListTables", [](Handles& h) { return h.db.ListTables().status(); }},
    {"UpdateTable", [](Handles& h) { return h.db.UpdateTable({.name = "app"}).status(); }},
    {"DeleteTable", [](Handles& h) { return h.db.DeleteTable("app"); }},
    {"UpdateTimeToLive",
     [](Handles& h) { return h.db.UpdateTimeToLive({.table_name = "app"}).status(); }},
    {"DescribeTimeToLive", [](Handles& h) { return h.db.DescribeTimeToLive("app").status(); }},
    {"GetItem",
     [](Handles& h) {
       return h.table.GetItem({.key = {{"PK", "p"}, {"SK", "1"}}}).status();
     }},
    {"Query",
     [](Handles& h) {
       return h.table.Query({.key_condition = "PK = :p", .values = {{":p", "p"}}}).status();
     }},
    {"Scan", [](Handles& h) { return h.table.Scan({}).status(); }},
    {"ScanAll",
     [](Handles& h) {
       ItemRange items = h.table.ScanAll({});
       for ([[maybe_unused]] const ItemView item : items) return Status();
       return items.status();
     }},
    {"PutItem", [](Handles& h) { return h.table.PutItem({.item = ItemOf(9)}).status(); }},
    {"UpdateItem",
     [](Handles& h) {
       return h.table.UpdateItem({.key = {{"PK", "p"}, {"SK", "1"}}, .update = "SET a = SK"})
           .status();
     }},
    {"DeleteItem",
     [](Handles& h) {
       return h.table.DeleteItem({.key = {{"PK", "p"}, {"SK", "1"}}}).status();
     }},
    {"BatchGetItem", [](Handles& h) { return h.db.BatchGetItem({}).status(); }},
    {"BatchWriteItem", [](Handles& h) { return h.db.BatchWriteItem({}).status(); }},
    {"TransactGetItems", [](Handles& h) { return h.db.TransactGetItems({}).status(); }},
    {"TransactWriteItems", [](Handles& h) { return h.db.TransactWriteItems({}).status(); }},
    {"Transaction",
     [](Handles& h) {
       return Transaction(h.db, h.table).Put({.item = ItemOf(9)}).Commit().status();
     }},
    {"Execute", [](Handles& h) { return h.db.Execute("SELECT * FROM app").status(); }},
    {"BatchExecuteStatement", [](Handles& h) { return h.db.BatchExecuteStatement({}).status(); }},
    {"ExecuteTransaction", [](Handles& h) { return h.db.ExecuteTransaction({}).status(); }},
    {"WaitForIndexes", [](Handles& h) { return h.table.WaitForIndexes(); }},
    {"ItemCollectionSize", [](Handles& h) { return h.table.ItemCollectionSize("p").status(); }},
    {"ExpireNow", [](Handles& h) { return h.table.ExpireNow().status(); }},
    {"Subscribe",
     [](Handles& h) {
       return h.table.Subscribe({.name = "t"}, [](const StreamRecord&) { return Status(); })
           .status();
     }},
    {"Unsubscribe", [](Handles& h) { return h.table.Unsubscribe("s"); }},
    {"Subscription::Deliver", [](Handles& h) { return h.subscription.Deliver().status(); }},
    {"Subscription::Seek",
     [](Handles& h) { return h.subscription.Seek({.type = ShardIteratorType::kTrimHorizon}); }},
    {"Subscription::status", [](Handles& h) { return h.subscription.status(); }},
    {"ListStreams", [](Handles& h) { return h.db.ListStreams({}).status(); }},
    {"DescribeStream", [](Handles& h) { return h.db.DescribeStream({}).status(); }},
    {"GetShardIterator", [](Handles& h) { return h.db.GetShardIterator({}).status(); }},
    {"GetRecords", [](Handles& h) { return h.db.GetRecords({}).status(); }},
    {"Verify", [](Handles& h) { return h.db.Verify().status(); }},
    {"Backup", [](Handles& h) { return h.db.Backup("/nowhere").status(); }},
    {"CreateBackup", [](Handles& h) { return h.db.CreateBackup({}).status(); }},
    {"DescribeBackup", [](Handles& h) { return h.db.DescribeBackup("b").status(); }},
    {"ListBackups", [](Handles& h) { return h.db.ListBackups().status(); }},
    {"DeleteBackup", [](Handles& h) { return h.db.DeleteBackup("b").status(); }},
    {"RestoreTableFromBackup", [](Handles& h) { return h.db.RestoreTableFromBackup({}).status(); }},
    {"RestoreTableToPointInTime",
     [](Handles& h) { return h.db.RestoreTableToPointInTime({}).status(); }},
    {"ReadChanges", [](Handles& h) { return h.db.ReadChanges({}).status(); }},
    {"UpdateContinuousBackups",
     [](Handles& h) { return h.db.UpdateContinuousBackups({}).status(); }},
    {"DescribeContinuousBackups",
     [](Handles& h) { return h.db.DescribeContinuousBackups("app").status(); }},
    {"Fork", [](Handles& h) { return h.db.Fork().status(); }},
    {"Reset", [](Handles& h) { return h.db.Reset(); }},
    {"Stats", [](Handles& h) { return h.db.Stats().status(); }},
    {"WriteFailure", [](Handles& h) { return h.db.WriteFailure(); }},
    {"CheckWritable", [](Handles& h) { return h.db.CheckWritable(); }},
    {"Simulation", [](Handles& h) { return Simulation::Of(h.db).status(); }},
    {"Open", [](Handles&) { return Database::Open("/nowhere").status(); }},
    {"InMemory", [](Handles&) { return Database::InMemory().status(); }},
    {"InMemoryFrom", [](Handles&) { return Database::InMemoryFrom("/nowhere").status(); }},
    {"Restore", [](Handles&) { return Database::Restore("/nowhere", "/nowhere/b").status(); }},
    {"Repair", [](Handles&) { return Repair("/nowhere", "/nowhere/b").status(); }},
};

// Returns the names of the calls that were not refused.
std::string CallsNotRefused(Handles& handles) {
  std::string names;
  for (const Call& call : kCalls) {
    if (!IsRefused(call.run(handles))) names.append(call.name).append(" ");
  }
  return names;
}

TEST(ForkedProcessTest, AChildIsRefusedEveryCall) {
  const TempDirectory directory;
  for (const Database& db : {Value(Database::Open(directory / "db")),
                             Value(Database::InMemory({.simulate = Simulate({})}))}) {
    Handles handles = OpenHandles(db);
    EXPECT_EQ(RunInForkedChild([&] { return CallsNotRefused(handles); }), "");
    EXPECT_THAT(handles.table.PutItem({.item = ItemOf(1)}), IsOk()) << "the parent goes on";
    EXPECT_EQ(Value(handles.table.Scan({})).size(), 1U);
  }
}

TEST(ForkedProcessTest, AChildThatDestroysADatabaseTakesNothingFromItsParent) {
  const TempDirectory directory;
  std::optional<Handles> handles(OpenHandles(Value(Database::Open(directory / "db"))));
  EXPECT_THAT(handles->table.PutItem({.item = ItemOf(1)}), IsOk());
  EXPECT_EQ(RunInForkedChild([&] {
              handles.reset();
              return "destroyed";
            }),
            "destroyed");
  EXPECT_EQ(Database::Open(directory / "db").status().code(), StatusCode::kResourceInUse);
  EXPECT_THAT(handles->table.PutItem({.item = ItemOf(2)}), IsOk());
  EXPECT_THAT(handles->subscription.Deliver(), IsOk());
  handles.reset();
  const Database again = Value(Database::Open(directory / "db"));
  EXPECT_EQ(Value(again.Verify()).items, 2U);
}

// Lets a database be used on a kernel without MADV_WIPEONFORK. Returns 0 if a child is refused all the same.
int ForkOnOldKernel(const ChildArguments&) {
  const FilteredCall wipe_on_fork = {
      .number = SYS_madvise, .error = EINVAL, .argument = 2, .value = MADV_WIPEONFORK};
  if (!FilterSystemCalls({wipe_on_fork})) return 1;
  Handles handles = OpenHandles(Value(Database::InMemory()));
  const std::string refused_in_child =
      RunInForkedChild([&] { return IsRefused(handles.db.Stats().status()) ? "refused" : ""; });
  return refused_in_child == "refused" && handles.db.Stats().ok() ? 0 : 2;
}
const ChildRole kForkOnOldKernel("fork_on_old_kernel", ForkOnOldKernel);

TEST(ForkedProcessTest, AChildIsRefusedOnAnOldKernelToo) {
  EXPECT_EQ(ChildProcess(kForkOnOldKernel, {}).Finish(), 0);
}

// The parent may close and reopen the database although the child still has its descriptors.
TEST(ForkedProcessTest, AChildKeepsItsParentFromNothing) {
  const TempDirectory directory;
  std::optional<Database> db = Value(Database::Open(directory / "db"));
  std::array<int, 2> pipe = {};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(pipe[1]);
    char end = 0;
    ::_exit(::read(pipe[0], &end, 1) == 0 ? 0 : 1);
  }
  db.reset();
  EXPECT_THAT(Database::Open(directory / "db"), IsOk());
  ::close(pipe[1]);
  ::close(pipe[0]);
  EXPECT_EQ(::waitpid(child, nullptr, 0), child);
}

// A handler that forks and returns would make both processes store the position of its subscription.
TEST(ForkedProcessTest, AChildThatReturnsFromAHandlerWritesNothing) {
  const TempDirectory directory;
  {
    const Database db = Value(Database::Open(directory / "db"));
    const Handles handles = OpenHandles(db);
    pid_t child = -1;
    Subscription forking = Value(handles.table.Subscribe(
        {.name = "forking", .in_background = false}, [&](const StreamRecord&) {
          if (child == -1) child = ::fork();
          return Status();
        }));
    EXPECT_THAT(handles.table.PutItem({.item = ItemOf(1)}), IsOk());
    const auto delivered = forking.Deliver();
    if (child == 0) ::_exit(IsRefused(delivered.status()) ? 0 : 1);
    EXPECT_THAT(delivered, IsOkAndHolds(1U));
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(Value(Value(Database::Open(directory / "db")).Verify()).finding_count, 0U);
}

// The databases that a process still has when it ends.
std::vector<Handles>& LeftOpen() {
  static std::vector<Handles> left;
  return left;
}

// Forks in the middle of writes that flush and compact. Each child ends by exit(3) with the open databases, and the
// functions run that were registered after the opening. The arguments are a directory and a file for stdout. Returns 0 if all children end so.
int EndChildrenByExit(const ChildArguments& arguments) {
  constexpr int kChildren = 20;
  if (std::freopen(arguments.at(1).c_str(), "a", stdout) == nullptr) return 1;
  LeftOpen().push_back(OpenHandles(Value(Database::Open(
      arguments.at(0), {.durability = Durability::kBuffered, .write_buffer_bytes = 64 << 10}))));
  LeftOpen().push_back(OpenHandles(Value(Database::InMemory({.write_buffer_bytes = 64 << 10}))));
  std::atexit([] { std::printf("."); });
  std::atomic<bool> ended = false;
  std::thread writer([&] {
    const std::string text(1000, 'x');
    for (int i = 0; !ended.load(); ++i) {
      for (const Handles& handles : LeftOpen()) {
        const Item item = {{"PK", "p"}, {"SK", std::to_string(i)}, {"text", text}};
        if (!handles.table.PutItem({.item = item}).ok()) std::abort();
      }
    }
  });
  int wrong = 0;
  for (int i = 0; i < kChildren; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(60);
      std::printf("c");
      std::exit(7);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 7) ++wrong;
  }
  ended.store(true);
  writer.join();
  LeftOpen().clear();
  return wrong;
}
const ChildRole kEndChildrenByExit("end_children_by_exit", EndChildrenByExit);

TEST(ForkedProcessTest, AChildMayEndByExit) {
  const TempDirectory directory;
  const std::string db = directory / "db";
  const std::string printed = directory / "printed";
  EXPECT_EQ(ChildProcess(kEndChildrenByExit, {db, printed}).Finish(), 0);
  EXPECT_EQ(std::filesystem::file_size(printed), 41U) << "c. of each child, and . of the parent";
  EXPECT_EQ(Value(Value(Database::Open(db)).Verify()).finding_count, 0U);
}

// A disk that stops each call until another thread has let it pass.
class SteppedDisk : public InterceptedDisk {
 public:
  rocksdb::IOStatus Intercept(const DiskCall& call, const PerformCall& perform) override {
    std::unique_lock lock(mutex_);
    is_stopped_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !is_stopped_; });
    lock.unlock();
    return perform(call.bytes);
  }
  // Waits for the next call. Returns false if End() is called instead.
  bool WaitForCall() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_stopped_ || has_ended_; });
    return is_stopped_;
  }
  void LetPass() {
    const std::lock_guard lock(mutex_);
    is_stopped_ = false;
    changed_.notify_all();
  }
  void End() {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_stopped_ = false;
  bool has_ended_ = false;
};

// Forks at each call of the file system while another thread opens the process's first database. Each child is refused
// to open another one, and ends by exit(3). Returns 0 if all children do so.
int ForkDuringFirstOpening(const ChildArguments& arguments) {
  const auto disk = std::make_shared<SteppedDisk>();
  std::thread opening([&] {
    OpenOnDisk(arguments.at(0), disk, {}).status().IgnoreError();  // closes the database, too
    disk->End();
  });
  int children = 0;
  while (disk->WaitForCall()) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(5);
      std::exit(IsRefused(Database::InMemory().status()) ? 7 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 7) ::_exit(1);
    ++children;
    disk->LetPass();
  }
  opening.join();
  TellParent(std::to_string(children));
  return 0;
}
const ChildRole kForkDuringFirstOpening("fork_during_first_opening", ForkDuringFirstOpening);

TEST(ForkedProcessTest, AChildFromTheMiddleOfTheFirstOpeningMayEndByExit) {
  if (kUnderAddressSanitizer)
    GTEST_SKIP() << "the objects of the opening thread look lost in a child without it";
  const TempDirectory directory;
  ChildProcess child(kForkDuringFirstOpening, {directory / "db"});
  const std::optional<std::string> children = child.ReadLine();
  ASSERT_TRUE(children);
  EXPECT_GT(std::stoi(*children), 20);
  EXPECT_EQ(child.Finish(), 0);
}

// Forks before the process has opened a database. Returns 0 if parent and child can use databases, and a child of the
// child, which comes after the opening, cannot.
int ForkFirst(const ChildArguments& arguments) {
  const auto use = [&](const char* name) {
    const auto db = Database::Open(arguments.at(0) + name);
    return db.ok() && db->CreateTable({.name = "app"}).ok() ? "" : "cannot open";
  };
  const std::string child = RunInForkedChild([&] {
    const std::string first = use("/child");
    return first + RunInForkedChild([&] { return use("/grandchild"); });
  });
  return child == "cannot open" && std::string_view(use("/parent")).empty() ? 0 : 1;
}
const ChildRole kForkFirst("fork_first", ForkFirst);

TEST(ForkedProcessTest, AChildMayOpenDatabasesIfItsParentHasOpenedNone) {
  const TempDirectory directory;
  EXPECT_EQ(ChildProcess(kForkFirst, {directory.path()}).Finish(), 0);
  EXPECT_FALSE(std::filesystem::exists(directory / "grandchild"));
}

}  // namespace
}  // namespace dolmen::test
