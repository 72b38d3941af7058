#include "engine/storage/thread_priority.h"

#ifdef __linux__
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <cstdint>
#include <memory>

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
#else
void GiveWay() {}
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

}  // namespace

std::shared_ptr<rocksdb::EventListener> ThreadsThatGiveWay() {
  return std::make_shared<GivesWay>();
}

}  // namespace dolmen::engine
