#include "engine/storage/rocks_process.h"

#include <stdlib.h>
#include <unistd.h>

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

// A static object that is destroyed before those that RocksDB has constructed earlier.
class EndOfForkedChild : public internal::OfOwnProcess {
 public:
  ~EndOfForkedChild() {
    // A destructor does not know the status of exit(3). exit(3) calls this function next, with the status.
    if (!IsInOwnProcess()) ::on_exit(&EndNow, nullptr);
  }
};

}  // namespace

Status CheckMayOpen() {
  static const internal::OfOwnProcess first;
  return first.IsInOwnProcess() ? Status() : internal::RefusedAfterFork();
}

void LetForkedChildrenEnd() { static const EndOfForkedChild end; }

}  // namespace dolmen::engine
