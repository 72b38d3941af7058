#include "command/interrupt.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>

namespace dolmen::command {
namespace {

volatile sig_atomic_t signalled = 0;
volatile sig_atomic_t signalled_again = 0;
volatile sig_atomic_t signalled_at = 0;  // the second in which the first signal arrived
// A descriptor that becomes readable after a signal. A poll() on the descriptor returns even if the
// signal arrived just before the call.
volatile sig_atomic_t signalled_event = -1;

void HandleSignal(int signal) {
  const int error = errno;
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  const auto second = static_cast<sig_atomic_t>(time / std::chrono::seconds(1));
  if (signalled == 0) signalled_at = second;
  if (second - signalled_at > 1) signalled_again = 1;
  if (signalled != SIGTERM) signalled = signal;
  if (signalled_event >= 0) ::eventfd_write(signalled_event, 1);
  errno = error;
}

}  // namespace

// Does not use SA_RESTART, because a read from an idle pipe would then not return after a signal.
// Does not use SA_RESETHAND: some programs, such as timeout and npm, send a signal twice, and the
// second signal would kill the process.
InterruptGuard::InterruptGuard() {
  signalled = 0;
  signalled_again = 0;
  signalled_event = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  struct sigaction action = {};
  action.sa_handler = HandleSignal;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, &int_before_);
  ::sigaction(SIGTERM, &action, &term_before_);
}

InterruptGuard::~InterruptGuard() {
  if (interrupted()) return;  // the process is about to exit with its own exit code
  ::sigaction(SIGINT, &int_before_, nullptr);
  ::sigaction(SIGTERM, &term_before_, nullptr);
  ::close(signalled_event);
  signalled_event = -1;
}

bool InterruptGuard::interrupted() const { return signalled != 0; }

bool InterruptGuard::interrupted_again() const { return signalled_again != 0; }

void InterruptGuard::ForgetCtrlC() {
  if (signalled == SIGINT) signalled = 0;
}

bool InterruptGuard::WaitUntilWritable(int file) {
  std::array<pollfd, 2> files = {{{.fd = file, .events = POLLOUT, .revents = 0},
                                  {.fd = signalled_event, .events = POLLIN, .revents = 0}}};
  while (::poll(files.data(), files.size(), -1) < 0 && errno == EINTR) {
  }
  return files[1].revents == 0;
}

}  // namespace dolmen::command
