// The signals that ask a server to end.

#pragma once

#include <signal.h>

#include <atomic>
#include <chrono>

namespace dolmen::server {

// SIGINT, SIGTERM and SIGHUP, kept from killing the process from its making on; but a SIGHUP that
// the process was started to ignore, as nohup does, stays ignored.  Threads that are made later
// inherit that.  At most one in a process, made by its first thread.
class EndSignals {
 public:
  EndSignals();

  // Returns when there is one, or End is called.
  void Wait();
  // From any thread.  Once Wait has returned, it does nothing.
  void End() const;

  // From now on another one kills, if `patience` has passed: who asks twice at once (timeout, npm
  // and terminals do) has asked once, and who asks again does not want to wait.
  void KillAfter(std::chrono::milliseconds patience) const;

 private:
  sigset_t set_ = {};
  std::atomic<bool> ended_{false};
};

}  // namespace dolmen::server
