#include "engine/storage/thread_priority.h"

#ifdef __linux__
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <thread>

namespace dolmen::engine {
namespace {

#ifdef __linux__
constexpr int kNiceness = 15;
// Linux ignores the length of a turn before version 6.12. A lower priority alone helps little: a turn
// can last 4 milliseconds, and a request waits until it ends.
constexpr std::uint64_t kTurnNanoseconds = 100'000;

// The structure of Linux's calls sched_getattr and sched_setattr, for which C libraries have no
// functions before glibc 2.41.
struct ThreadAttributes {
  std::uint32_t size;
  std::uint32_t policy;
  std::uint64_t flags;
  std::int32_t nice;
  std::uint32_t priority;
  std::uint64_t runtime;  // of a turn, in nanoseconds
  std::uint64_t deadline;
  std::uint64_t period;
};

// Lowers the priority of the calling thread. Ignores errors, because the thread then works as before.
void GiveWay() {
  ThreadAttributes attributes = {};
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return;
  if (attributes.policy != SCHED_OTHER) return;
  attributes.nice = std::min(attributes.nice + kNiceness, 19);
  attributes.runtime = kTurnNanoseconds;
  syscall(SYS_sched_setattr, 0, &attributes, 0);
}

// A thread yields at most this multiple of the time in which it works.
constexpr std::int64_t kYieldPerWork = 8;

// Returns the processor time that the calling thread has taken.
std::chrono::microseconds ProcessorTime() {
  rusage usage = {};
  getrusage(RUSAGE_THREAD, &usage);
  return std::chrono::seconds(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         std::chrono::microseconds(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

// Ends the turn of the calling thread. On a processor that others keep busy a yield lasts long, so that a
// thread that yields too often would hardly work. Such a thread yields less often.
void Yield() {
  static thread_local std::chrono::nanoseconds next = {};  // the processor time of the next yield
  const std::chrono::nanoseconds now = ProcessorTime();
  if (now < next) return;
  const auto start = std::chrono::steady_clock::now();
  std::this_thread::yield();
  next = now + (std::chrono::steady_clock::now() - start) / kYieldPerWork;
}
#else
void GiveWay() {}
void Yield() {}
#endif

class GivesWay : public rocksdb::EventListener {
 public:
  void OnFlushBegin(rocksdb::DB*, const rocksdb::FlushJobInfo&) override { GiveWayOnce(); }
  void OnCompactionBegin(rocksdb::DB*, const rocksdb::CompactionJobInfo&) override {
    GiveWayOnce();
  }

 private:
  static void GiveWayOnce() {
    static thread_local bool gives_way = false;
    if (!gives_way) GiveWay();
    gives_way = true;
  }
};

// Limits nothing. RocksDB calls it before each write of a flush or a compaction.
class YieldsBetweenWrites : public rocksdb::RateLimiter {
 public:
  void SetBytesPerSecond(std::int64_t) override {}
  using RateLimiter::Request;
  void Request(std::int64_t, rocksdb::Env::IOPriority, rocksdb::Statistics*, OpType) override {
    Yield();
  }
  // RocksDB's files in memory ask here, for the same write again. The function of the base class would
  // end the process in a build with assertions.
  void Request(std::int64_t, rocksdb::Env::IOPriority) override {}
  std::int64_t GetSingleBurstBytes() const override {
    return std::numeric_limits<std::int64_t>::max();
  }
  std::int64_t GetTotalBytesThrough(rocksdb::Env::IOPriority) const override { return 0; }
  std::int64_t GetTotalRequests(rocksdb::Env::IOPriority) const override { return 0; }
  std::int64_t GetBytesPerSecond() const override {
    return std::numeric_limits<std::int64_t>::max();
  }
};

}  // namespace

std::shared_ptr<rocksdb::EventListener> ThreadsThatGiveWay() {
  return std::make_shared<GivesWay>();
}

std::shared_ptr<rocksdb::RateLimiter> YieldBetweenWrites() {
  return std::make_shared<YieldsBetweenWrites>();
}

}  // namespace dolmen::engine
