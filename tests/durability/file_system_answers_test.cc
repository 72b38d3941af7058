// Tests of file systems and sandboxes that lack calls which only help the real work. Such an answer means
// "unknown": the work is done without the call.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <vector>

#include "dolmen/dolmen.h"
#include "engine/base/status_macros.h"
#include "engine/engine.h"
#include "tests/support/child_process.h"
#include "tests/support/status_matchers.h"
#include "tests/support/system_call_filter.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

constexpr int kItems = 200;

OpenOptions SmallBuffer() {
  OpenOptions options;
  options.write_buffer_bytes = 64 << 10;
  options.durability = Durability::kBuffered;
  return options;
}

Status CreateThings(const std::string& directory) {
  DOLMEN_ASSIGN_OR_RETURN(const Database db, Database::Open(directory, SmallBuffer()));
  return db.CreateTable({.name = "things"}).status();
}

// Writes several table files, and compacts them.
Status WriteThings(const Database& db) {
  DOLMEN_ASSIGN_OR_RETURN(const Table table, db.OpenTable("things"));
  for (int i = 0; i < kItems; ++i) {
    DOLMEN_RETURN_IF_ERROR(table
                               .PutItem({.item = {{"PK", "p"},
                                                  {"SK", std::to_string(i)},
                                                  {"text", std::string(1000, 'x')}}})
                               .status());
  }
  DOLMEN_RETURN_IF_ERROR(db.CheckWritable());
  return static_cast<engine::Engine*>(db.backend().get())->store().Compact();
}

// Makes all kinds of copies of the database.
Status CopyThings(const Database& db, const std::string& directory) {
  DOLMEN_RETURN_IF_ERROR(db.Fork().status());
  DOLMEN_RETURN_IF_ERROR(db.Fork({.directory = directory + "/fork"}).status());
  DOLMEN_RETURN_IF_ERROR(
      db.CreateBackup({.table_name = "things", .backup_name = "backup"}).status());
  DOLMEN_RETURN_IF_ERROR(db.Backup(directory + "/backup").status());
  DOLMEN_RETURN_IF_ERROR(
      Database::Restore(directory + "/backup", directory + "/restored").status());
  return CreateThings(directory + "/new");
}

// Does everything in the directory, whose database "db" exists.
Status DoEverything(const std::string& directory, bool copies) {
  DOLMEN_ASSIGN_OR_RETURN(const Database db, Database::Open(directory + "/db", SmallBuffer()));
  DOLMEN_RETURN_IF_ERROR(WriteThings(db));
  if (copies) DOLMEN_RETURN_IF_ERROR(CopyThings(db, directory));
  DOLMEN_ASSIGN_OR_RETURN(const VerifyOutput verified, db.Verify());
  if (verified.finding_count == 0 && verified.items == kItems) return {};
  return Status::Corruption("the database is damaged or not whole");
}

int Tell(const Status& status) {
  if (!status.ok()) TellParent(status.ToString());
  return status.ok() ? 0 : 1;
}

// A set of calls that fail.
struct Sandbox {
  const char* name;
  std::vector<long> calls;
  std::vector<int> errors;
  bool copies = true;  // a new database syncs its marker file by fsync, which must work
};

const std::vector<Sandbox>& Sandboxes() {
  static const std::vector<Sandbox> sandboxes = {
      {"hard links",
       {
#ifdef SYS_link
           SYS_link,
#endif
           SYS_linkat},
       {EPERM, EMLINK, EXDEV, ENOSYS, ENOTSUP}},
      {"sync of a directory", {SYS_fsync}, {EINVAL, ENOSYS, ENOTSUP}, false},
      {"sync of a part of a file",
       {SYS_sync_file_range},
       {ENOSYS}},  // RocksDB ends the process at others
      {"reserved space", {SYS_fallocate}, {EPERM, EINVAL, ENOSYS, ENOTSUP}},
      {"advice", {SYS_fadvise64, SYS_readahead}, {EPERM, ENOSYS}},
      {"permissions",
       {
#ifdef SYS_chmod
           SYS_chmod,
#endif
           SYS_fchmod, SYS_fchmodat},
       {EPERM, ENOSYS, ENOTSUP}},
      {"free space", {SYS_statfs}, {EPERM, ENOSYS}},
      {"limits", {SYS_prlimit64, SYS_getrlimit}, {EPERM, ENOSYS}},
      {"random numbers", {SYS_getrandom}, {EPERM, ENOSYS}},
  };
  return sandboxes;
}

int RunInSandbox(const ChildArguments& arguments) {
  const Sandbox& sandbox = Sandboxes()[std::stoul(arguments[1])];
  std::vector<FilteredCall> denied;
  for (const long call : sandbox.calls) {
    denied.push_back({.number = call, .error = std::stoi(arguments[2])});
  }
  const std::vector<FilteredCall> syncs = Syncs();  // those that are denied are denied
  denied.insert(denied.end(), syncs.begin(), syncs.end());
  if (!FilterSystemCalls(denied)) return 2;
  return Tell(DoEverything(arguments[0], sandbox.copies));
}
const ChildRole kRunInSandbox("run_in_sandbox", RunInSandbox);

TEST(FileSystemAnswersTest, ACallThatOnlyHelpsIsNotNeeded) {
  for (std::size_t i = 0; i < Sandboxes().size(); ++i) {
    for (const int error : Sandboxes()[i].errors) {
      SCOPED_TRACE(std::string(Sandboxes()[i].name) + ", " + std::to_string(error));
      const TempDirectory directory;
      ASSERT_THAT(CreateThings((directory / "db").string()), IsOk());
      ChildProcess child(kRunInSandbox,
                         {directory.path(), std::to_string(i), std::to_string(error)});
      while (const auto line = child.ReadLine()) ADD_FAILURE() << *line;
      EXPECT_EQ(child.Finish(), 0);
    }
  }
}

// Locks the database, but the kernel has no lock.
int LockWithoutLocks(const ChildArguments& arguments) {
  const bool by_dolmen = arguments[1] == "flock";
  if (!FilterSystemCalls(
          {by_dolmen
               ? FilteredCall{.number = SYS_flock, .error = ENOLCK}
               : FilteredCall{
                     .number = SYS_fcntl, .error = ENOLCK, .argument = 1, .value = F_SETLK}})) {
    return 2;
  }
  return Tell(Database::Open(arguments[0] + "/db").status());
}
const ChildRole kLockWithoutLocks("lock_without_locks", LockWithoutLocks);

TEST(FileSystemAnswersTest, OpenNamesAMissingLock) {
  const TempDirectory directory;
  ASSERT_THAT(CreateThings((directory / "db").string()), IsOk());
  for (const char* call : {"flock", "fcntl"}) {
    ChildProcess child(kLockWithoutLocks, {directory.path(), call});
    const auto line = child.ReadLine();
    ASSERT_TRUE(line) << call;
    EXPECT_NE(line->find("StorageException"), std::string::npos) << *line;
    EXPECT_NE(line->find("No locks available"), std::string::npos) << *line;
    EXPECT_EQ(child.Finish(), 1);
  }
  EXPECT_THAT(DoEverything(directory.path().string(), /*copies=*/false), IsOk());
}

// Uses a file system in memory that reports neither size nor free space.
int UseRamfs(const ChildArguments& arguments) {
  if (::unshare(CLONE_NEWNS) != 0 && ::unshare(CLONE_NEWNS | CLONE_NEWUSER) != 0) return 2;
  ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
  if (::mount("ramfs", arguments[0].c_str(), "ramfs", 0, nullptr) != 0) return 2;
  Status done = CreateThings(arguments[0] + "/db");
  if (done.ok()) done = DoEverything(arguments[0], /*copies=*/true);
  return Tell(done);
}
const ChildRole kUseRamfs("use_ramfs", UseRamfs);

TEST(FileSystemAnswersTest, AFileSystemThatReportsNoSizeIsNotFull) {
  const TempDirectory directory;
  ChildProcess child(kUseRamfs, {directory.path()});
  while (const auto line = child.ReadLine()) ADD_FAILURE() << *line;
  const int ended = child.Finish();
  if (ended == 2) GTEST_SKIP() << "the test may not mount a ramfs";
  EXPECT_EQ(ended, 0);
}

// Becomes an ordinary user, and uses a directory whose parent this user cannot read.
int UseUnreadableParent(const ChildArguments& arguments) {
  const std::string parent = arguments[0] + "/parent";
  constexpr uid_t kUser = 54321;
  if (::mkdir(parent.c_str(), 0700) != 0) return 2;
  if (::geteuid() == 0 &&
      (::chown(parent.c_str(), kUser, kUser) != 0 || ::chmod(arguments[0].c_str(), 0711) != 0 ||
       ::setresuid(kUser, kUser, kUser) != 0)) {
    return 2;
  }
  if (::chmod(parent.c_str(), 0311) != 0) return 2;
  Status done = CreateThings(parent + "/db");
  if (done.ok()) done = DoEverything(parent, /*copies=*/true);
  ::chmod(parent.c_str(), 0700);
  return Tell(done);
}
const ChildRole kUseUnreadableParent("use_unreadable_parent", UseUnreadableParent);

TEST(FileSystemAnswersTest, TheParentOfADirectoryNeedsNoPermissionToRead) {
  const TempDirectory directory;
  ChildProcess child(kUseUnreadableParent, {directory.path()});
  while (const auto line = child.ReadLine()) ADD_FAILURE() << *line;
  EXPECT_EQ(child.Finish(), 0);
}

}  // namespace
}  // namespace dolmen::test
