#include "server/shutdown_signals.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <utility>

namespace dolmen::server {
namespace {

constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};

using Clock = std::chrono::steady_clock;  // now() is async-signal-safe: clock_gettime

// HandleRepeatedSignal ignores signals before this time. A later signal ends the process. The time
// is set before the handler is installed.
Clock::time_point repeats_end_from = {};

// Handles a signal. Calls only async-signal-safe functions.
void HandleRepeatedSignal(int signal) {
  if (Clock::now() < repeats_end_from) return;
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

bool IsIgnored(int signal) {
  struct sigaction action = {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

ShutdownSignals::ShutdownSignals() {
  sigemptyset(&set_);
  for (const int signal : kSignals) {
    // Blocks SIGINT even if SIGINT was ignored when the process started. A shell starts background
    // programs with SIGINT ignored, so that Ctrl-C does not end them. A SIGINT that a program sends
    // to the server must still end the server. Only an ignored SIGHUP stays ignored.
    if (signal == SIGHUP && IsIgnored(signal)) continue;
    sigaddset(&set_, signal);
  }
  awaited_ = set_;
  pthread_sigmask(SIG_BLOCK, &set_, nullptr);
}

// The thread takes no signal that arrives after the start: it stays pending for Wait.
ShutdownSignals::StartGuard::StartGuard(const sigset_t& set)
    : ended_(::eventfd(0, EFD_CLOEXEC)), thread_([set, ended = ended_] {
        const int signals = ::signalfd(-1, &set, SFD_CLOEXEC);
        std::array<pollfd, 2> files = {{{.fd = signals, .events = POLLIN, .revents = 0},
                                        {.fd = ended, .events = POLLIN, .revents = 0}}};
        while (::poll(files.data(), files.size(), -1) < 0 && errno == EINTR) {
        }
        signalfd_siginfo info = {};
        if (files[1].revents == 0 && ::read(signals, &info, sizeof info) == sizeof info) {
          const int signal = static_cast<int>(info.ssi_signo);
          ::signal(signal, SIG_DFL);
          pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
          ::raise(signal);
        }
        ::close(signals);
      }) {}

ShutdownSignals::StartGuard::~StartGuard() {
  ::eventfd_write(ended_, 1);
  thread_.join();
  ::close(ended_);
}

void ShutdownSignals::OnUserSignal(std::function<void()> handler) {
  on_user_signal_ = std::move(handler);
  sigaddset(&awaited_, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &awaited_, nullptr);
}

void ShutdownSignals::Wait() {
  int signal = 0;
  while (sigwait(&awaited_, &signal) == 0 && signal == SIGUSR1) on_user_signal_();
  stopped_ = true;
}

bool ShutdownSignals::IsStopPending() const {
  sigset_t pending = {};
  sigpending(&pending);
  return std::any_of(kSignals.begin(), kSignals.end(), [&](int signal) {
    return sigismember(&set_, signal) == 1 && sigismember(&pending, signal) == 1;
  });
}

void ShutdownSignals::RequestStop() const {
  if (!stopped_) ::kill(::getpid(), SIGTERM);
}

void ShutdownSignals::EndOnRepeatAfter(std::chrono::milliseconds grace) const {
  repeats_end_from = Clock::now() + grace;
  struct sigaction action = {};
  action.sa_handler = HandleRepeatedSignal;
  action.sa_flags = SA_RESTART;
  for (const int signal : kSignals) {
    if (sigismember(&set_, signal) == 1) ::sigaction(signal, &action, nullptr);
  }
  pthread_sigmask(SIG_UNBLOCK, &set_, nullptr);
}

}  // namespace dolmen::server
