#include "server/commands/interrupt.h"

namespace dolmen::server {
namespace {

volatile sig_atomic_t signalled = 0;

}  // namespace

// Not SA_RESTART: a read from a pipe that nobody writes to would never end.  Not SA_RESETHAND:
// timeout, npm and others send the same signal twice, and the second would end the process at once.
InterruptGuard::InterruptGuard() {
  signalled = 0;
  struct sigaction action = {};
  action.sa_handler = [](int) { signalled = 1; };
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, &int_before_);
  ::sigaction(SIGTERM, &action, &term_before_);
}

InterruptGuard::~InterruptGuard() {
  if (interrupted()) return;  // the process is about to end, with an exit code of its own
  ::sigaction(SIGINT, &int_before_, nullptr);
  ::sigaction(SIGTERM, &term_before_, nullptr);
}

bool InterruptGuard::interrupted() const { return signalled != 0; }

}  // namespace dolmen::server
