#include "server/end_signals.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cstdint>

namespace dolmen::server {
namespace {

constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};

// Set before there is a handler that reads it.
std::int64_t kills_from = 0;

std::int64_t Milliseconds() {
  timespec now = {};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

// Calls only what a handler may call.
void KillUnlessTooEarly(int signal) {
  if (Milliseconds() < kills_from) return;
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

bool IsIgnored(int signal) {
  struct sigaction action = {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

EndSignals::EndSignals() {
  sigemptyset(&set_);
  for (const int signal : kSignals) {
    // Shells start what runs in the background with SIGINT ignored, and mean that for the keyboard.
    if (signal == SIGHUP && IsIgnored(signal)) continue;
    sigaddset(&set_, signal);
  }
  pthread_sigmask(SIG_BLOCK, &set_, nullptr);
}

void EndSignals::Wait() {
  int signal = 0;
  sigwait(&set_, &signal);
  ended_ = true;
}

void EndSignals::End() const {
  if (!ended_) ::kill(::getpid(), SIGTERM);
}

void EndSignals::KillAfter(std::chrono::milliseconds patience) const {
  kills_from = Milliseconds() + patience.count();
  struct sigaction action = {};
  action.sa_handler = KillUnlessTooEarly;
  action.sa_flags = SA_RESTART;
  for (const int signal : kSignals) {
    if (sigismember(&set_, signal) == 1) ::sigaction(signal, &action, nullptr);
  }
  pthread_sigmask(SIG_UNBLOCK, &set_, nullptr);
}

}  // namespace dolmen::server
