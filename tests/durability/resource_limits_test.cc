// Tests of a process at a limit of its threads, descriptors or the size of its files. An operation
// that needs more returns kStorage, which names the limit. It succeeds after the limit is lifted, and
// the database then holds everything that was acknowledged.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "dolmen/dolmen.h"
#include "engine/base/status_macros.h"
#include "engine/engine.h"
#include "engine/storage/files/process_limits.h"
#include "tests/durability/every_write.h"
#include "tests/support/child_process.h"
#include "tests/support/random.h"
#include "tests/support/sanitizer.h"
#include "tests/support/system_call_filter.h"
#include "tests/support/temp_directory.h"

#ifdef DOLMEN_TEST_ADDRESS_SANITIZER
// RocksDB loses 16 bytes when a thread of its pool cannot be started.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:rocksdb::ThreadPoolImpl::Impl::StartBGThreads";
}
#endif

namespace dolmen::test {
namespace {

namespace fs = std::filesystem;

std::size_t CountIn(const char* directory) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(directory), fs::directory_iterator()));
}

// A kind of limit.
struct LimitKind {
  const char* name;
  int resource;
  // Returns what the process uses.
  std::size_t (*used)();
  // A part of the message of an operation that needs more.
  const char* message;
  // The process may use so much in addition, in one run for each.
  std::vector<std::size_t> rests;
};

const std::vector<LimitKind>& Kinds() {
  static const std::vector<LimitKind> kinds = {
      {"threads",
       RLIMIT_NPROC,
       [] { return CountIn("/proc/self/task"); },
       "can't start a thread",
       {0, 1, 2, 3, 4}},
      {"descriptors",
       RLIMIT_NOFILE,
       [] { return CountIn("/proc/self/fd") - 1; },  // without that of the count
       "ulimit -n",
       {0, 2, 4, 8, 12, 16, 17, 20, 32}},
      {"size of files",
       RLIMIT_FSIZE,
       [] { return std::size_t{0}; },
       "ulimit -f",
       {0, 100, 64 << 10, 640 << 10, 4 << 20}},
  };
  return kinds;
}

// A limit of this process.
class Limit {
 public:
  explicit Limit(const LimitKind& kind) : resource_(kind.resource) {
    ::getrlimit(resource_, &lifted_);
  }
  void Set(std::size_t value) const {
    const rlimit limit = {.rlim_cur = value, .rlim_max = lifted_.rlim_max};
    ::setrlimit(resource_, &limit);
  }
  void Lift() const { ::setrlimit(resource_, &lifted_); }

 private:
  int resource_;
  rlimit lifted_ = {};
};

// Makes the process one of a user that has no other process. The limit of threads counts those of a
// user, and the superuser has no such limit.
bool BecomeOnlyProcessOfUser(const std::string& directory) {
  if (::geteuid() != 0) return false;
  const auto user = static_cast<uid_t>(1'000'000 + ::getpid());
  return ::chown(directory.c_str(), user, user) == 0 && ::setresuid(user, user, user) == 0;
}

// The operations that are no step of EveryWrite().
struct Operation {
  const char* name;
  Status (*run)(const Database& db, const std::string& directory);
};

Status ReadAll(const Result<Database>& db) {
  DOLMEN_RETURN_IF_ERROR(db.status());
  return db->ListTables().status();
}

const std::vector<Operation>& OtherOperations() {
  static const std::vector<Operation> operations = {
      {"fork to memory", [](const Database& db, const std::string&) { return ReadAll(db.Fork()); }},
      {"fork to a directory",
       [](const Database& db, const std::string& directory) {
         DOLMEN_RETURN_IF_ERROR(RemoveDirectory(directory + "/fork"));
         return ReadAll(db.Fork({.directory = directory + "/fork"}));
       }},
      {"create a database in memory",
       [](const Database&, const std::string&) { return ReadAll(Database::InMemory()); }},
      {"back up",
       [](const Database& db, const std::string& directory) {
         return db.Backup(directory + "/backup").status();
       }},
      {"restore",
       [](const Database&, const std::string& directory) {
         DOLMEN_RETURN_IF_ERROR(RemoveDirectory(directory + "/restored"));
         if (!fs::exists(directory + "/backup/DOLMEN.backup.current")) return Status();
         return Database::Restore(directory + "/backup", directory + "/restored").status();
       }},
      {"create a table's backup",
       [](const Database& db, const std::string&) {
         return db.CreateBackup({.table_name = "things", .backup_name = "backup"}).status();
       }},
      {"verify", [](const Database& db, const std::string&) { return db.Verify().status(); }},
  };
  return operations;
}

// Does everything at the limit. Tells the parent each outcome that must not be.
class LimitedProcess {
 public:
  LimitedProcess(std::string directory, const LimitKind& kind, std::size_t rest)
      : directory_(std::move(directory)), kind_(kind), rest_(rest), limit_(kind) {
    session_.open = [this](OpenOptions options) {
      options.durability = Durability::kBuffered;  // no power cut follows
      return Database::Open(directory_ + "/db", options);
    };
    session_.backup_directory = directory_ + "/backup";
  }

  // Begins the limit before the database is created, or afterwards.
  void Run(bool from_creation) {
    if (from_creation) Begin();
    RunEveryWrite(&session_, [&](const WriteStep& step, const Status* outcome) {
      if (outcome == nullptr) {
        if (step.kind == WriteStep::Kind::kClose && session_.table) RunOtherOperations();
        return;
      }
      Status ended = *outcome;
      if (!ended.ok()) {
        Judge(step.name, ended);
        if (CanRepeat(step)) ended = Repeat(step.name, [&] { return RunAgain(step); });
      }
      ended.ok() ? expected_.Acknowledge(step) : expected_.Fail(step);
      if (step.kind == WriteStep::Kind::kCreateTable) Begin();
    });
    limit_.Lift();
    const Status reopened = EveryWrite().front().run(session_);
    if (!reopened.ok()) return Report("open without the limit", reopened);
    if (const Status held = expected_.Check(*session_.db); !held.ok()) Report("check", held);
  }

 private:
  // Tries each operation at the limit, and without the limit if it has failed.
  void RunOtherOperations() {
    for (const Operation& operation : OtherOperations()) {
      const Status limited = operation.run(*session_.db, directory_);
      if (limited.ok()) continue;
      Judge(operation.name, limited);
      Repeat(operation.name, [&] { return operation.run(*session_.db, directory_); }).IgnoreError();
    }
  }

  // The count needs a descriptor.
  void Begin() const {
    limit_.Lift();
    limit_.Set(kind_.used() + rest_);
  }

  // Returns true if the step can be done again after it has failed in part.
  static bool CanRepeat(const WriteStep& step) {
    using Kind = WriteStep::Kind;
    return step.kind != Kind::kCreateIndex && step.kind != Kind::kSweep &&
           step.name != "read by_colour";
  }
  // Runs a step that has failed, perhaps after it has enabled the time to live. A backfill that has
  // failed is tried again after a second.
  Status RunAgain(const WriteStep& step) {
    Status ended = step.run(session_);
    if (step.kind != WriteStep::Kind::kExpiry || ended.ok()) return ended;
    do ended = session_.table->WaitForIndexes();
    while (ended.code() == StatusCode::kStorage);
    return ended;
  }
  // Does the operation without the limit. It must succeed then. Ends the work in the background before
  // the limit begins again.
  template <typename Run>
  Status Repeat(const std::string& name, const Run& run) {
    limit_.Lift();
    const Status lifted = run();
    if (!lifted.ok()) Report(name + " without the limit", lifted);
    if (session_.db) {
      auto* const engine = static_cast<engine::Engine*>(session_.db->backend().get());
      const Status compacted = engine->store().Compact();
      if (!compacted.ok()) Report("compact after " + name, compacted);
    }
    Begin();
    return lifted;
  }

  void Judge(const std::string& name, const Status& failure) {
    // An index whose backfill has failed cannot be read.
    if (has_failed_ && failure.code() == StatusCode::kValidation) return;
    has_failed_ = true;
    const bool names_limit = failure.ToString().find(kind_.message) != std::string::npos;
    if (failure.code() != StatusCode::kStorage || !names_limit) Report(name, failure);
  }
  static void Report(const std::string& name, const Status& status) {
    TellParent(name + ": " + status.ToString());
  }

  const std::string directory_;
  const LimitKind& kind_;
  const std::size_t rest_;
  const Limit limit_;
  WriteSession session_;
  ExpectedState expected_;
  bool has_failed_ = false;
};

int RunAtLimit(const ChildArguments& arguments) {
  const LimitKind& kind = Kinds()[std::stoul(arguments[1])];
  if (kind.resource == RLIMIT_NPROC && !BecomeOnlyProcessOfUser(arguments[0])) return 2;
  FilterSystemCalls(Syncs());  // without filters the test takes longer
  LimitedProcess(arguments[0], kind, std::stoul(arguments[2])).Run(arguments[3] == "creation");
  return 0;
}
const ChildRole kRunAtLimit("run_at_limit", RunAtLimit);

void RunChild(std::size_t kind, std::size_t rest, const std::string& begin) {
  SCOPED_TRACE(std::string(Kinds()[kind].name) + ", " + std::to_string(rest) + " more, " + begin);
  const TempDirectory directory;
  ChildProcess child(kRunAtLimit,
                     {directory.path(), std::to_string(kind), std::to_string(rest), begin});
  while (const auto line = child.ReadLine()) ADD_FAILURE() << *line;
  const int ended = child.Finish();
  if (ended == 2) return;  // an ordinary user has other processes
  EXPECT_EQ(ended, 0);
}

// The parameter is the number of a kind of limit.
class ResourceLimitsTest : public testing::TestWithParam<std::size_t> {};

TEST_P(ResourceLimitsTest, AnOperationAtALimitNamesItAndSucceedsWithoutIt) {
  if (kUnderAddressSanitizer && Kinds()[GetParam()].resource == RLIMIT_NOFILE) {
    GTEST_SKIP() << "the sanitizer needs descriptors";
  }
  for (const std::size_t rest : Kinds()[GetParam()].rests) {
    RunChild(GetParam(), rest, "creation");
    RunChild(GetParam(), rest, "later");
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, ResourceLimitsTest, testing::Range(std::size_t{0}, Kinds().size()));

constexpr std::size_t kManyFiles = 100;
constexpr std::size_t kFewDescriptors = 70;

// Returns 0 if the database has all descriptors at this moment.
std::size_t CountTableFiles(const std::string& directory) {
  std::error_code failure;
  return static_cast<std::size_t>(
      std::count_if(fs::directory_iterator(directory, failure), fs::directory_iterator(),
                    [](const auto& file) { return file.path().extension() == ".sst"; }));
}

// Returns letters that cannot be compressed.
std::string RandomText(Random* random) {
  std::string text(4000, 'a');
  for (char& c : text) c = static_cast<char>('a' + random->Below(26));
  return text;
}

// Writes ascending keys until there are more table files than the process may open. Returns the number of
// items.
Result<std::uint64_t> WriteManyFiles(const std::string& directory, const OpenOptions& options) {
  DOLMEN_ASSIGN_OR_RETURN(const Database db, Database::Open(directory, options));
  DOLMEN_ASSIGN_OR_RETURN(const Table table, db.CreateTable({.name = "app"}));
  std::uint64_t items = 0;
  Random random(1);
  while (items % 100 != 0 || CountTableFiles(directory) < kManyFiles) {
    const std::string key = std::to_string(1'000'000 + items++);
    const Item item = {{"PK", "p"}, {"SK", key}, {"text", RandomText(&random)}};
    DOLMEN_RETURN_IF_ERROR(table.PutItem({.item = item}).status());
  }
  return items;
}

// Writes many files, reads all items after another opening, and compacts the files.
Status UseManyFiles(const std::string& directory) {
  OpenOptions options;
  options.durability = Durability::kBuffered;
  options.write_buffer_bytes = 64 << 10;
  DOLMEN_ASSIGN_OR_RETURN(const std::uint64_t items, WriteManyFiles(directory, options));
  DOLMEN_ASSIGN_OR_RETURN(const Database db, Database::Open(directory, options));
  DOLMEN_ASSIGN_OR_RETURN(const VerifyOutput verified, db.Verify());
  if (verified.items != items) return Status::Corruption(std::to_string(verified.items) + " items");
  return static_cast<engine::Engine*>(db.backend().get())->store().Compact();
}

int UseFewDescriptors(const ChildArguments& arguments) {
  FilterSystemCalls(Syncs());
  const rlimit limit = {.rlim_cur = kFewDescriptors, .rlim_max = kFewDescriptors};
  ::setrlimit(RLIMIT_NOFILE, &limit);
  // With this limit of their size, table files are as small as the write buffer, and are not merged.
  const rlimit file_bytes = {.rlim_cur = 128 << 20, .rlim_max = 128 << 20};
  ::setrlimit(RLIMIT_FSIZE, &file_bytes);
  const Status used = UseManyFiles(arguments[0] + "/db");
  if (!used.ok()) TellParent(used.ToString());
  return used.ok() ? 0 : 1;
}
const ChildRole kUseFewDescriptors("use_few_descriptors", UseFewDescriptors);

TEST(DescriptorsTest, ADatabaseMayHaveMoreTableFilesThanTheProcessDescriptors) {
  const TempDirectory directory;
  ChildProcess child(kUseFewDescriptors, {directory.path()});
  while (const auto line = child.ReadLine()) ADD_FAILURE() << *line;
  EXPECT_EQ(child.Finish(), 0);
}

// Opens and closes a file with the process's last descriptor, while another thread looks for descriptors.
// Returns the number of failures.
int UseLastDescriptor() {
  const rlimit limit = {.rlim_cur = CountIn("/proc/self/fd"), .rlim_max = kFewDescriptors};
  ::setrlimit(RLIMIT_NOFILE, &limit);
  int failures = 0;
  std::atomic<bool> ends = false;
  std::thread looking([&ends] {
    while (!ends) engine::CheckDescriptors(1).IgnoreError();
  });
  for (int i = 0; i < 100'000; ++i) {
    const int file = ::open("/", O_PATH | O_CLOEXEC);
    if (file < 0)
      ++failures;
    else
      ::close(file);
  }
  ends = true;
  looking.join();
  return failures;
}
const ChildRole kUseLastDescriptor("use_last_descriptor", [](const ChildArguments&) {
  return UseLastDescriptor() == 0 ? 0 : 1;
});

TEST(DescriptorsTest, ALookForDescriptorsTakesNoneFromTheProgram) {
  ChildProcess child(kUseLastDescriptor, {});
  EXPECT_EQ(child.Finish(), 0);
}

}  // namespace
}  // namespace dolmen::test
