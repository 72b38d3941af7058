// The signals that end the server.

#pragma once

#include <signal.h>

#include <atomic>
#include <chrono>

namespace dolmen::server {

// SIGINT, SIGTERM and SIGHUP, blocked from construction on, so that Wait can receive them. A SIGHUP
// that was ignored when the process started, as by nohup, stays ignored. Later threads inherit the
// blocked signals. A process may have one object at most, constructed by its first thread.
class ShutdownSignals {
 public:
  ShutdownSignals();

  // Waits until a signal arrives or RequestStop is called.
  void Wait();
  // Makes Wait return. Does nothing after Wait has returned. Thread-safe.
  void RequestStop() const;

  // Makes a further signal end the process at once if the signal arrives after `grace`. Ignores
  // signals that arrive earlier, because tools such as timeout and npm send the same signal twice.
  void EndOnRepeatAfter(std::chrono::milliseconds grace) const;

 private:
  sigset_t set_ = {};
  std::atomic<bool> stopped_{false};
};

}  // namespace dolmen::server
