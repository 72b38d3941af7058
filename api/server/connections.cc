#include "server/connections.h"

#include <sys/socket.h>

#include <algorithm>

namespace dolmen::server {
namespace {

using std::chrono::milliseconds;

// The limits of the timer's period. A shorter period would keep the processor busy, and a longer
// period would make deadlines inexact.
constexpr milliseconds kResolutionMin(2);
constexpr milliseconds kResolutionMax(1000);

milliseconds ResolutionFor(const Timeouts& timeouts) {
  const milliseconds shortest = std::min(
      {timeouts.idle, timeouts.request, timeouts.response, timeouts.linger, timeouts.stop});
  return std::clamp(shortest / 4, kResolutionMin, kResolutionMax);
}

}  // namespace

Connections::Connections(const Timeouts& timeouts)
    : timeouts_(timeouts), resolution_(ResolutionFor(timeouts)) {}

std::int64_t Connections::DeadlineAfter(milliseconds timeout) const {
  return now_.load(std::memory_order_relaxed) + (timeout + resolution_).count();
}

bool Connections::Add(Deadline* connection) {
  const MutexLock lock(mutex_);
  if (stopping()) return false;
  all_.push_back(*connection);
  return true;
}

void Connections::Remove(Deadline* connection) {
  const MutexLock lock(mutex_);
  all_.erase(all_.iterator_to(*connection));
  if (all_.empty() && stopping()) none_left_.NotifyAll();
}

std::size_t Connections::size() const {
  const MutexLock lock(mutex_);
  return all_.size();
}

void Connections::Sweep() {
  const std::int64_t now = Now();
  now_.store(now, std::memory_order_relaxed);
  const MutexLock lock(mutex_);
  for (const Deadline& connection : all_) {
    if (now >= connection.at_.load(std::memory_order_relaxed)) {
      ::shutdown(connection.socket_, SHUT_RDWR);
    }
  }
}

void Connections::Stop() {
  const MutexLock lock(mutex_);
  stopping_.store(true);
  ShutAll(SHUT_RD);
  const auto deadline = std::chrono::steady_clock::now() + timeouts_.stop;
  while (!all_.empty() && std::chrono::steady_clock::now() < deadline) {
    none_left_.WaitUntil(mutex_, deadline);
  }
  if (!all_.empty()) ShutAll(SHUT_RDWR);
  while (!all_.empty()) none_left_.Wait(mutex_);
}

void Connections::ShutAll(int how) {
  for (const Deadline& connection : all_) ::shutdown(connection.socket_, how);
}

std::int64_t Connections::Now() {
  return std::chrono::duration_cast<milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace dolmen::server
