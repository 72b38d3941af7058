// The signals that end the server.

#pragma once

#include <signal.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

namespace dolmen::server {

// SIGINT, SIGTERM and SIGHUP, blocked from construction on, so that Wait can receive them. A SIGHUP
// that was ignored when the process started, as by nohup, stays ignored. Later threads inherit the
// blocked signals. A process may have one object at most, constructed by its first thread.
class ShutdownSignals {
 public:
  ShutdownSignals();

  // Makes Wait call `handler` at each SIGUSR1, in the thread that waits. A SIGUSR1 that arrives
  // while the handler runs causes one more call. REQUIRES: the process has only one thread.
  void OnUserSignal(std::function<void()> handler);

  // Calls `start`, and returns what it returns. A signal that ends the server ends the process at
  // once meanwhile: the start can take long, for example if a log of the database is damaged, and no
  // client waits for an answer yet.
  template <typename Start>
  auto WhileStarting(const Start& start) const {
    const StartGuard guard(set_);
    return start();
  }

  // Waits until a signal that ends the server arrives, or RequestStop is called.
  void Wait();
  // Returns true if Wait will return without waiting. For a long handler of SIGUSR1.
  bool IsStopPending() const;
  // Makes Wait return. Does nothing after Wait has returned. Thread-safe.
  void RequestStop() const;

  // Makes a further signal end the process at once if the signal arrives after `grace`. Ignores
  // signals that arrive earlier, because tools such as timeout and npm send the same signal twice.
  void EndOnRepeatAfter(std::chrono::milliseconds grace) const;

 private:
  // A thread that ends the process at one of the signals.
  class StartGuard {
   public:
    explicit StartGuard(const sigset_t& set);
    ~StartGuard();
    StartGuard(const StartGuard&) = delete;
    StartGuard& operator=(const StartGuard&) = delete;

   private:
    const int ended_;  // a descriptor that becomes readable at the end of the start
    std::thread thread_;
  };

  sigset_t set_ = {};      // the signals that end the server
  sigset_t awaited_ = {};  // set_, and SIGUSR1 if it has a handler
  std::function<void()> on_user_signal_;
  std::atomic<bool> stopped_{false};
};

}  // namespace dolmen::server
