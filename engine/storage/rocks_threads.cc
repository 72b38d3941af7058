#include "engine/storage/rocks_threads.h"

#include <rocksdb/env.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "engine/base/start_thread.h"
#include "engine/base/status_macros.h"
#include "engine/storage/rocks_process.h"

namespace dolmen::engine {
namespace {

constexpr const char* kPurpose = "for RocksDB";

void DoNothing(void*) {}

// Starts the thread of the jobs of one priority.
void StartJobThread(rocksdb::Env::Priority priority) {
  rocksdb::Env* const env = rocksdb::Env::Default();
  env->IncBackgroundThreadsIfNeeded(1, priority);
  // RocksDB does not try again to start a thread before it gets a job.
  env->Schedule(DoNothing, nullptr, priority);
}

// Starts a thread, and waits until the system counts it no more. A thread that was joined is still
// counted for a moment.
void StartAndEndThread() {
  pid_t id = 0;
  std::thread([&id] { id = ::gettid(); }).join();
  while (::tgkill(::getpid(), id, 0) == 0) std::this_thread::yield();
}

}  // namespace

Status StartRocksThreads() {
  static std::atomic<bool> have_jobs_threads = false;  // RocksDB never ends these threads
  if (have_jobs_threads) return {};
  NoteObjectsOfThreads();
  DOLMEN_RETURN_IF_ERROR(StartThreads(kPurpose, [] {
    StartJobThread(rocksdb::Env::Priority::LOW);
    StartJobThread(rocksdb::Env::Priority::HIGH);
  }));
  have_jobs_threads = true;
  return {};
}

Status CheckThreadForTimer() {
  DOLMEN_RETURN_IF_ERROR(StartRocksThreads());
  return StartThreads(kPurpose, StartAndEndThread);
}

}  // namespace dolmen::engine
