#include "engine/storage/rocks_env.h"

#include <pthread.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <thread>
#include <utility>

#include "engine/background/start_thread.h"
#include "engine/base/mutex.h"
#include "engine/base/own_process.h"
#include "engine/base/status_macros.h"
#include "engine/storage/options.h"

namespace dolmen::engine {
namespace {

using Priority = rocksdb::Env::Priority;

// A job, as RocksDB describes it. The tag names its database.
struct BackgroundJob {
  void (*run)(void*) = nullptr;
  void* argument = nullptr;
  void* tag = nullptr;
  void (*cancel)(void*) = nullptr;  // may be null
};

// The jobs of one priority, and the thread that runs them one after another. Thread-safe.
class JobQueue {
 public:
  explicit JobQueue(const char* name) : name_(name) {}

  // Starts the thread, unless it runs already.
  // - kStorage: the system cannot create a thread.
  Status Start() DOLMEN_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    if (thread_.joinable()) return {};
    return StartThread(
        "for flushes and compactions", [this] { Run(); }, &thread_);
  }

  void Add(const BackgroundJob& job) DOLMEN_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    jobs_.push_back(job);
    changed_.NotifyOne();
  }

  // Removes the jobs with the tag that have not begun. Returns their number.
  int Remove(const void* tag) DOLMEN_EXCLUDES(mutex_) {
    std::deque<BackgroundJob> removed;
    {
      const MutexLock lock(mutex_);
      const auto first = std::stable_partition(
          jobs_.begin(), jobs_.end(), [&](const BackgroundJob& job) { return job.tag != tag; });
      removed.assign(first, jobs_.end());
      jobs_.erase(first, jobs_.end());
    }
    for (const BackgroundJob& job : removed) {
      if (job.cancel != nullptr) job.cancel(job.argument);
    }
    return static_cast<int>(removed.size());
  }

  unsigned size() const DOLMEN_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return static_cast<unsigned>(jobs_.size());
  }

  // Ends the thread after the job that it runs. No later job begins.
  void End() DOLMEN_EXCLUDES(mutex_) {
    std::thread thread;
    {
      const MutexLock lock(mutex_);
      is_ending_ = true;
      thread = std::move(thread_);
      changed_.NotifyOne();
    }
    if (thread.joinable()) thread.join();
  }

 private:
  void Run() DOLMEN_EXCLUDES(mutex_) {
    ::pthread_setname_np(::pthread_self(), name_);
    for (std::optional<BackgroundJob> job = Next(); job; job = Next()) job->run(job->argument);
  }

  // Waits for a job. Returns nothing at the end.
  std::optional<BackgroundJob> Next() DOLMEN_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    while (jobs_.empty() && !is_ending_) changed_.Wait(mutex_);
    if (is_ending_) return std::nullopt;
    const BackgroundJob job = jobs_.front();
    jobs_.pop_front();
    return job;
  }

  const char* const name_;  // of the thread
  mutable Mutex mutex_;
  ConditionVariable changed_;
  std::deque<BackgroundJob> jobs_ DOLMEN_GUARDED_BY(mutex_);
  std::thread thread_ DOLMEN_GUARDED_BY(mutex_);
  bool is_ending_ DOLMEN_GUARDED_BY(mutex_) = false;
};

// The jobs of all databases of the process.
struct JobQueues {
  JobQueue flushes{"dolmen:flush"};
  JobQueue compactions{"dolmen:compact"};

  JobQueue& Of(Priority priority) { return priority == Priority::HIGH ? flushes : compactions; }
};

// Waits for running jobs at the end of the process, because RocksDB's static objects are destroyed then.
class EndOfQueues : public internal::OfOwnProcess {
 public:
  explicit EndOfQueues(JobQueues& queues) : queues_(queues) {}
  ~EndOfQueues() {
    if (!IsInOwnProcess()) return;
    queues_.flushes.End();
    queues_.compactions.End();
  }

 private:
  JobQueues& queues_;
};

JobQueues& Queues() {
  rocksdb::Env::Default();  // its static objects are destroyed after those of this function
  static JobQueues& queues =
      *new JobQueues;  // never destroyed: a child of fork(2) has no thread to wait for
  static const EndOfQueues end(queues);
  return queues;
}

class RocksEnv final : public rocksdb::EnvWrapper {
 public:
  explicit RocksEnv(const std::shared_ptr<rocksdb::FileSystem>& files)
      : EnvWrapper(rocksdb::NewCompositeEnv(files)) {
    file_system_ = target()->GetFileSystem();
    system_clock_ = target()->GetSystemClock();
  }

  void Schedule(void (*run)(void*), void* argument, Priority priority, void* tag,
                void (*cancel)(void*)) override {
    Queues().Of(priority).Add({run, argument, tag, cancel});
  }
  int UnSchedule(void* tag, Priority priority) override {
    return Queues().Of(priority).Remove(tag);
  }
  unsigned GetThreadPoolQueueLen(Priority priority) const override {
    return Queues().Of(priority).size();
  }
  int GetBackgroundThreads(Priority priority) override {
    return priority == Priority::HIGH || priority == Priority::LOW ? 1 : 0;
  }
  // RocksDB asks for as many threads as there are.
  static_assert(kBackgroundJobs == 2);
  void SetBackgroundThreads(int, Priority) override {}
  void IncBackgroundThreadsIfNeeded(int, Priority) override {}
  int ReserveThreads(int, Priority) override { return 0; }
  int ReleaseThreads(int, Priority) override { return 0; }
  // The threads keep the priority that the program has given them.
  void LowerThreadPoolIOPriority(Priority) override {}
  void LowerThreadPoolCPUPriority(Priority) override {}
  rocksdb::Status LowerThreadPoolCPUPriority(Priority, rocksdb::CpuPriority) override {
    return rocksdb::Status::OK();
  }
};

}  // namespace

Result<std::unique_ptr<rocksdb::Env>> NewRocksEnv(
    const std::shared_ptr<rocksdb::FileSystem>& files) {
  JobQueues& queues = Queues();
  DOLMEN_RETURN_IF_ERROR(queues.flushes.Start());
  DOLMEN_RETURN_IF_ERROR(queues.compactions.Start());
  return std::unique_ptr<rocksdb::Env>(std::make_unique<RocksEnv>(files));
}

Status CheckMayOpen() {
  static const internal::OfOwnProcess first;
  return first.IsInOwnProcess() ? Status() : internal::RefusedAfterFork();
}

}  // namespace dolmen::engine
