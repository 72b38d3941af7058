#include "engine/base/own_process.h"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

namespace dolmen::internal {
namespace {

using Number = std::atomic<std::uint32_t>;

// Returns a number that is 0 in every child of fork(2), or null if the kernel does not support it.
Number* CreateNumber() {
  void* const page =
      ::mmap(nullptr, sizeof(Number), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return nullptr;
  if (::madvise(page, sizeof(Number), MADV_WIPEONFORK) == 0) return new (page) Number(0);
  ::munmap(page, sizeof(Number));
  return nullptr;
}

// Returns the number of this process, or null. It is 0 until the process creates its first object. A child that another
// thread forks meanwhile would wait for ever for the constructor of a static object, so this function has none.
Number* Current() {
  static constinit Number unsupported = 0;
  static constinit std::atomic<Number*> current = nullptr;
  Number* known = current.load(std::memory_order_acquire);
  if (known == nullptr) {
    Number* const created = CreateNumber();
    Number* const wanted = created != nullptr ? created : &unsupported;
    if (current.compare_exchange_strong(known, wanted)) {
      known = wanted;
    } else if (created != nullptr) {
      ::munmap(created, sizeof(Number));
    }
  }
  return known == &unsupported ? nullptr : known;
}

// Returns the number of this process, which is larger than those of its ancestors. An object of an ancestor therefore
// has another number.
std::uint32_t NumberOfProcess() {
  static constinit Number largest = 0;  // at least the numbers of this process and of its ancestors
  Number* const current = Current();
  if (current == nullptr) return static_cast<std::uint32_t>(::getpid());
  std::uint32_t number = current->load();
  if (number != 0) return number;
  const std::uint32_t next = largest.fetch_add(1) + 1;
  return current->compare_exchange_strong(number, next) ? next : number;
}

}  // namespace

Status RefusedAfterFork() {
  return Status::Storage(
      "This process is a child of fork(2), and its parent had opened a database. Open databases "
      "after the fork, or start the process with exec.");
}

OfOwnProcess::OfOwnProcess() : current_(Current()), number_(NumberOfProcess()) {}

bool OfOwnProcess::IsCurrentId() const { return static_cast<std::uint32_t>(::getpid()) == number_; }

}  // namespace dolmen::internal
