#include "engine/storage/rocks_process.h"

#include <rocksdb/env.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <iostream>

#include "engine/base/own_process.h"

namespace dolmen::engine {
namespace {

void EndNow(int status, void*) {
  std::fflush(nullptr);
  std::cout.flush();
  ::_exit(status);
}

constinit std::atomic<bool> has_static_objects = true;
constinit std::atomic<bool> leaves_static_objects = false;

// A static object that is destroyed before those that RocksDB has constructed earlier.
class BeginOfDestruction : public internal::OfOwnProcess {
 public:
  ~BeginOfDestruction() {
    has_static_objects = false;
    // A destructor does not know the status of exit(3). exit(3) calls this function next, with the status.
    if (!IsInOwnProcess() || leaves_static_objects) ::on_exit(&EndNow, nullptr);
  }
};

}  // namespace

Status CheckMayOpen() {
  static constinit std::atomic<const internal::OfOwnProcess*> first = nullptr;
  const internal::OfOwnProcess* known = first.load();
  if (known == nullptr) {
    const auto* const created = new internal::OfOwnProcess();
    if (first.compare_exchange_strong(known, created)) {
      known = created;
    } else {
      delete created;
    }
  }
  return known->IsInOwnProcess() ? Status() : internal::RefusedAfterFork();
}

void NoteObjectsOfThreads() {
  rocksdb::Env::Default();  // constructs the objects whose destructors wait for threads
  static const BeginOfDestruction begin;
}

void NoteStaticObjects() { static const BeginOfDestruction begin; }

void LeaveStaticObjects() { leaves_static_objects = true; }

bool HasStaticObjects() { return has_static_objects; }

}  // namespace dolmen::engine
