// The log of the latest requests to a database.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "dolmen/clock.h"
#include "dolmen/wire.h"
#include "engine/base/mutex.h"

namespace dolmen::server {

// A list of the latest requests, in the order of their ends. Thread-safe.
class RequestLog {
 public:
  static constexpr std::size_t kRequestsMax = 1000;

  // Adds a request of a known operation. Ignores a request of an unknown operation.
  void Add(std::string_view operation, std::string_view json, const EndpointResponse& response,
           Timestamp time) DOLMEN_EXCLUDES(mutex_);

  // Removes all requests. The numbers of later requests begin with 1 again.
  void Clear() DOLMEN_EXCLUDES(mutex_);

  // Returns a JSON array of the requests, from the oldest to the latest. Members of a request:
  // - Number: 1 for the first request, and one more for each further request.
  // - Time: the time by the database's clock.
  // - Operation, Tables, Status: the operation, the tables that the request names, the HTTP status.
  // - Error, Message: the exception and its message; absent after success.
  // - ConsumedCapacity: the units, if the request asked for them.
  std::string Json() const DOLMEN_EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  std::uint64_t count_ DOLMEN_GUARDED_BY(mutex_) = 0;
  // Each request as the members of a JSON object, without the number and the braces.
  std::deque<std::string> requests_ DOLMEN_GUARDED_BY(mutex_);
};

}  // namespace dolmen::server
