// Tests of an opening of a database that finds a thread for RocksDB's timer, and then loses it to the program. RocksDB
// leaves a half open database behind, whose jobs use the files of the database.

#include <gtest/gtest.h>
#include <rocksdb/env.h>
#include <sys/syscall.h>

#include <cerrno>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/storage/store.h"
#include "tests/engine/faulty_disk.h"
#include "tests/support/child_process.h"
#include "tests/support/intercepted_disk.h"
#include "tests/support/system_call_filter.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {
namespace {

using engine::Store;

// A disk with whose first manifest the process gets no thread any more.
class ThreadlessDisk : public InterceptedDisk {
 public:
  rocksdb::IOStatus Intercept(const DiskCall& call, const PerformCall& perform) override {
    if (call.kind == DiskCall::Kind::kCreate && call.path.find("/MANIFEST") != std::string::npos) {
      FilterSystemCalls(
          {{.number = SYS_clone, .error = EAGAIN}, {.number = SYS_clone3, .error = EAGAIN}});
    }
    return perform(call.bytes);
  }
};

// The thread of RocksDB's compactions.
class CompactionThread {
 public:
  // Keeps the thread busy until Release().
  void Hold() { Schedule(&released_); }
  void Release() { Set(&released_); }
  // Waits until the thread has done the jobs that it has.
  void WaitForJobs() {
    Schedule(&ended_, true);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return ended_; });
  }

 private:
  struct Job {
    CompactionThread* thread;
    bool* flag;
    bool sets;
  };

  void Schedule(bool* flag, bool sets = false) {
    rocksdb::Env::Default()->Schedule(
        [](void* pointer) {
          const std::unique_ptr<Job> job(static_cast<Job*>(pointer));
          job->sets ? job->thread->Set(job->flag) : job->thread->Wait(job->flag);
        },
        new Job{this, flag, sets}, rocksdb::Env::Priority::LOW);
  }
  void Set(bool* flag) {
    const std::lock_guard lock(mutex_);
    *flag = true;
    changed_.notify_all();
  }
  void Wait(const bool* flag) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [flag] { return *flag; });
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool released_ = false;
  bool ended_ = false;
};

Status PutRow(Store* store) {
  engine::EncodedKey key(engine::KeyspaceId::kFirst);
  key.AppendRaw("row");
  engine::WriteBatch batch;
  batch.Put(key, "value");
  return store->Write(std::move(batch));
}

// Makes so many table files with one key that the next opening schedules a compaction.
Status MakeOverlappingFiles(const engine::StoreOptions& options) {
  for (int i = 0; i < 6; ++i) {
    DOLMEN_ASSIGN_OR_RETURN(const std::unique_ptr<Store> store, engine::OpenPrepared(options));
    DOLMEN_RETURN_IF_ERROR(PutRow(store.get()));
  }
  return {};
}

// Returns 0 if the database that lost its thread keeps its files, and lets the process go on and end.
int LoseThread(const ChildArguments& arguments) {
  CompactionThread thread;
  thread.Hold();
  engine::StoreOptions options = {.directory = arguments.at(0), .sync = false};
  if (!MakeOverlappingFiles(options).ok()) return 1;
  auto disk = std::make_shared<ThreadlessDisk>();
  const std::weak_ptr<ThreadlessDisk> kept = disk;
  options.file_system = std::move(disk);
  const Status opened = engine::OpenPrepared(options).status();
  options.file_system.reset();
  TellParent(opened.ToString());
  if (kept.expired()) return 2;
  thread.Release();
  thread.WaitForJobs();
  const Status again = engine::OpenPrepared(options).status();
  TellParent(again.ToString());
  return 0;
}
const ChildRole kLoseThread("lose_thread", LoseThread);

TEST(LostThreadTest, AHalfOpenDatabaseKeepsItsFilesUntilTheProcessEnds) {
  const TempDirectory directory;
  ChildProcess child(kLoseThread, {directory / "db"});
  const std::optional<std::string> opened = child.ReadLine();
  ASSERT_TRUE(opened);
  EXPECT_NE(opened->find("can't start a thread to open the database"), std::string::npos)
      << *opened;
  const std::optional<std::string> again = child.ReadLine();
  ASSERT_TRUE(again);
  EXPECT_NE(again->find("open already"), std::string::npos) << *again;
  EXPECT_EQ(child.Finish(), 0);
}

}  // namespace
}  // namespace dolmen::test
