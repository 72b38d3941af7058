// Objects that work only in the process that created them.
//
// fork(2) copies such an object into the child, but neither the threads that the object needs nor its locks on files.
// The child has the parent's files and connections, too. Whatever it did with them, the parent would not know.
//
// A child may be forked at any moment, also while another thread of its parent opens the parent's first database. It gets the
// same error. It can end by exit(3) unless it is forked between the start of RocksDB's timer, which is the last step of this
// opening, and the call of NoteStaticObjects() that follows (rocks_process.h): exit(3) then waits for ever for the thread of
// the timer. _exit(2) and execve(2) work at any moment.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "dolmen/result.h"

namespace dolmen::internal {

// Returns the error of a call that needs an object of the parent in a child of fork(2).
// - kStorage: always.
Status RefusedAfterFork();

// The base of an object that works only in the process that created it. Nothing is registered with the process, and
// no signal or handler is needed. Thread-safe.
class OfOwnProcess {
 public:
  OfOwnProcess();
  OfOwnProcess(const OfOwnProcess&) = delete;
  OfOwnProcess& operator=(const OfOwnProcess&) = delete;

  // Returns false in a child that fork(2) created after the object. Costs two loads.
  bool IsInOwnProcess() const {
    return current_ != nullptr ? current_->load(std::memory_order_relaxed) == number_
                               : IsCurrentId();
  }

 private:
  bool IsCurrentId() const;

  // The number of the process, which the kernel sets to 0 in a child. Null: the kernel is older than Linux 4.14, so
  // `number_` is the ID of the process.
  const std::atomic<std::uint32_t>* const current_;
  const std::uint32_t number_;
};

// Deletes an object that is in its own process. In a child of fork(2) the object stays until the process ends. Its
// destructor would wait for threads that the child does not have, and unlock or delete files of the parent.
class DeleteInOwnProcess {
 public:
  template <typename Object>
  void operator()(Object* object) const {
    if (object->IsInOwnProcess()) delete object;
  }
};

// Returns an owner of the object that deletes it in its own process only.
template <typename Object>
std::shared_ptr<Object> ShareInOwnProcess(std::unique_ptr<Object> object) {
  return std::shared_ptr<Object>(object.release(), DeleteInOwnProcess());
}

}  // namespace dolmen::internal
