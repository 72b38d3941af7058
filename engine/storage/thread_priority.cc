#include "engine/storage/thread_priority.h"

#ifdef __linux__
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>

namespace dolmen::engine {
namespace {

#ifdef __linux__
constexpr int kNiceness = 10;
// The time slice that a thread asks for. Linux ignores it before version 6.12. When another thread wakes
// up, it need not wait longer than this for the processor.
constexpr std::uint64_t kSliceNanoseconds = 100'000;

// The structure of Linux's calls sched_getattr and sched_setattr, for which C libraries have no
// functions before glibc 2.41.
struct ThreadAttributes {
  std::uint32_t size;
  std::uint32_t policy;
  std::uint64_t flags;
  std::int32_t nice;
  std::uint32_t priority;
  std::uint64_t runtime;  // the time slice, in nanoseconds
  std::uint64_t deadline;
  std::uint64_t period;
};

// Lowers the priority of the calling thread. Ignores errors, because the thread then works as before.
void GiveWay() {
  ThreadAttributes attributes = {};
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return;
  if (attributes.policy != SCHED_OTHER) return;
  attributes.nice = std::min(attributes.nice + kNiceness, 19);
  attributes.runtime = kSliceNanoseconds;
  syscall(SYS_sched_setattr, 0, &attributes, 0);
}
#else
void GiveWay() {}
#endif

// A thread that gives way yields when it has run for this long.
constexpr auto kYieldInterval = std::chrono::microseconds(50);

thread_local bool gives_way = false;

class GivesWay : public rocksdb::EventListener {
 public:
  void OnFlushBegin(rocksdb::DB*, const rocksdb::FlushJobInfo&) override { GiveWayOnce(); }
  void OnCompactionBegin(rocksdb::DB*, const rocksdb::CompactionJobInfo&) override {
    GiveWayOnce();
  }

 private:
  static void GiveWayOnce() {
    if (!gives_way) GiveWay();
    gives_way = true;
  }
};

}  // namespace

std::shared_ptr<rocksdb::EventListener> ThreadsThatGiveWay() {
  return std::make_shared<GivesWay>();
}

void LetOthersRun() {
  if (!gives_way) return;
  static thread_local std::chrono::steady_clock::time_point start = {};
  if (std::chrono::steady_clock::now() - start < kYieldInterval) return;
  std::this_thread::yield();
  start = std::chrono::steady_clock::now();
}

}  // namespace dolmen::engine
