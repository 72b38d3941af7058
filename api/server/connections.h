// The set of open connections, with their deadlines.

#pragma once

#include <atomic>
#include <boost/intrusive/list.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "engine/base/mutex.h"

namespace dolmen::server {

// The longest time that a connection may stay in each state.
struct Timeouts {
  // The time between two requests. The default is long, because clients keep connections in pools,
  // and an idle connection costs little.
  std::chrono::milliseconds idle = std::chrono::minutes(15);
  // The time from the first byte of a request to its last byte.
  std::chrono::milliseconds request = std::chrono::minutes(1);
  // The time that may pass until the client accepts the next byte of a response.
  std::chrono::milliseconds response = std::chrono::minutes(1);
  // The time for which the server waits, after the last response, until the client closes.
  std::chrono::milliseconds linger = std::chrono::seconds(2);
  // The time from the start of Server::Stop until the last response is sent.
  std::chrono::milliseconds stop = std::chrono::seconds(5);
};

// A socket with a deadline: the part of a connection that Connections uses.
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

// The registry of open connections. Its clock counts milliseconds, but advances only when Sweep is
// called, once per resolution(). A timer for each request would be more exact, but would cost more
// than parsing the request. Thread-safe.
class Connections {
 public:
  explicit Connections(const Timeouts& timeouts);

  const Timeouts& timeouts() const { return timeouts_; }
  std::chrono::milliseconds resolution() const { return resolution_; }

  // Returns the deadline of an action that begins now and may take `timeout`. The action gets up to
  // resolution() more time.
  std::int64_t DeadlineAfter(std::chrono::milliseconds timeout) const;

  // Registers a connection. Returns false after Stop().
  // REQUIRES: the socket is open from Add to Remove.
  bool Add(Deadline* connection);
  void Remove(Deadline* connection);
  std::size_t size() const;

  // Advances the time, and shuts down the sockets whose deadline has passed. The threads that serve
  // these sockets then read end-of-file.
  void Sweep();

  // Stops accepting requests and waits until all connections are closed. First shuts down all
  // sockets for reading, so that requests in progress are answered. Shuts down the remaining
  // sockets completely after Timeouts::stop.
  void Stop();
  bool stopping() const { return stopping_.load(std::memory_order_relaxed); }

 private:
  // Returns the time of the steady clock in milliseconds.
  static std::int64_t Now();
  // Shuts down all sockets.
  void ShutAll(int how) DOLMEN_REQUIRES(mutex_);

  const Timeouts timeouts_;
  const std::chrono::milliseconds resolution_;
  std::atomic<std::int64_t> now_{Now()};
  std::atomic<bool> stopping_{false};

  mutable Mutex mutex_;
  ConditionVariable none_left_;
  boost::intrusive::list<Deadline> all_ DOLMEN_GUARDED_BY(mutex_);
};

}  // namespace dolmen::server
