// The signals that end the server.

#pragma once

#include <signal.h>

#include <atomic>
#include <chrono>

namespace dolmen::server {

// SIGINT, SIGTERM and SIGHUP, blocked from construction on, so that Wait can receive them. A SIGHUP
// that was ignored when the process started, as by nohup, stays ignored. Later threads inherit the
// blocked signals. A process may have one object at most, constructed by its first thread.
class EndSignals {
 public:
  EndSignals();

  // Waits until a signal arrives or End is called.
  void Wait();
  // Makes Wait return. Does nothing after Wait has returned. Thread-safe.
  void End() const;

  // Lets a further signal end the process at once, after `patience` has passed. Tools such as
  // timeout and npm send the same signal twice, so that an earlier repetition is ignored.
  void KillAfter(std::chrono::milliseconds patience) const;

 private:
  sigset_t set_ = {};
  std::atomic<bool> ended_{false};
};

}  // namespace dolmen::server
