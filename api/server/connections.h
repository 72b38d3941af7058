// All connections that are open, and how long each may go on as it does.

#pragma once

#include <atomic>
#include <boost/intrusive/list.hpp>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace dolmen::server {

struct Timeouts {
  // Between two requests.  Long: clients keep connections in pools, and idle ones cost little.
  std::chrono::milliseconds idle = std::chrono::minutes(15);
  // From the first byte of a request to its last.
  std::chrono::milliseconds request = std::chrono::minutes(1);
  // For a client that does not take what it is sent.
  std::chrono::milliseconds response = std::chrono::minutes(1);
  // For a client to close, after the last answer.
  std::chrono::milliseconds linger = std::chrono::seconds(2);
  // For the answers that are under way when the server stops.
  std::chrono::milliseconds stop = std::chrono::seconds(5);
};

// One connection as the others see it: a socket with a deadline.
class Deadline : public boost::intrusive::list_base_hook<> {
 public:
  explicit Deadline(int socket) : socket_(socket) {}
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  void Set(std::int64_t at) { at_.store(at, std::memory_order_relaxed); }
  void Clear() { Set(kNever); }

 private:
  friend class Connections;
  static constexpr std::int64_t kNever = INT64_MAX;

  const int socket_;
  std::atomic<std::int64_t> at_{kNever};
};

// Time is counted in milliseconds, in steps of resolution(): a timer per request would cost more
// than the request's reading.  Every method may be called from any thread.
class Connections {
 public:
  explicit Connections(const Timeouts& timeouts);

  const Timeouts& timeouts() const { return timeouts_; }
  std::chrono::milliseconds resolution() const { return resolution_; }

  // A deadline that is `timeout` away, or up to resolution() further.
  std::int64_t In(std::chrono::milliseconds timeout) const;

  // False after Stop().  REQUIRES: the socket is open from Add to Remove.
  bool Add(Deadline* connection);
  void Remove(Deadline* connection);
  std::size_t size() const;

  // Moves the time on, and shuts the sockets of those whose deadline has passed, whose threads
  // then find them closed.
  void Sweep();

  // No more requests: shuts all sockets for reading, so that what is under way can be answered;
  // returns when all connections are gone, having shut what was left wholly after Timeouts::stop.
  void Stop();
  bool stopping() const { return stopping_.load(std::memory_order_relaxed); }

 private:
  static std::int64_t Now();
  void ShutAll(int how);

  const Timeouts timeouts_;
  const std::chrono::milliseconds resolution_;
  std::atomic<std::int64_t> now_{Now()};
  std::atomic<bool> stopping_{false};

  mutable std::mutex mutex_;
  std::condition_variable none_left_;
  boost::intrusive::list<Deadline> all_;  // under mutex_
};

}  // namespace dolmen::server
