// Handling of Ctrl-C, for commands that clean up before they end.

#pragma once

#include <signal.h>

namespace dolmen::command {

// A guard that records SIGINT and SIGTERM instead of letting them end the process. A signal makes a
// waiting system call return with EINTR. The destructor restores the earlier handling of signals,
// but not after a signal: some programs send a signal twice, and the second one would kill the
// process during its cleanup. At most one guard may exist at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  // Returns true after a signal. Thread-safe.
  bool interrupted() const;
  // Returns true if a further signal has arrived more than a second after the first. Thread-safe.
  bool interrupted_again() const;

  // Forgets SIGINT, for a program that continues after Ctrl-C. If no SIGTERM has arrived, the
  // destructor then restores the earlier handling of signals.
  static void ForgetCtrlC();

  // Waits until the file can be written without blocking. For a pipe, at least PIPE_BUF bytes can
  // then be written. Returns false if a signal arrived before or during the wait. Without a guard,
  // signals are not detected.
  static bool WaitUntilWritable(int file);

 private:
  struct sigaction int_before_ = {};
  struct sigaction term_before_ = {};
};

// The exit code that a shell reports for a process that SIGINT has ended.
inline constexpr int kInterruptedExitCode = 130;

}  // namespace dolmen::command
