// Ctrl-C, for commands that have something to put in order before they end.

#pragma once

#include <signal.h>

namespace dolmen::command {

// While one lives, SIGINT and SIGTERM are remembered instead of ending the process.  A system call
// that waits returns with EINTR.  Once there was one, it stays so: a second may be on its way.  At
// most one at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  // Whether there was one.  From any thread.
  bool interrupted() const;

  // Waits until the file can be written to: to a pipe, PIPE_BUF bytes at least.  False if there was
  // one, be it before or meanwhile.  Without a guard there is none.
  static bool WaitUntilWritable(int file);

 private:
  struct sigaction int_before_ = {};
  struct sigaction term_before_ = {};
};

// What a shell reports of a process that SIGINT has ended.
inline constexpr int kInterruptedExitCode = 130;

}  // namespace dolmen::command
