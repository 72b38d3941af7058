// A database that the server shows to clients.

#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string_view>

#include "dolmen/database.h"
#include "dolmen/result.h"
#include "dolmen/wire.h"

namespace dolmen::server {

// A database and its endpoint. Thread-safe.
class ServedDatabase {
 public:
  using SteadyTime = std::chrono::steady_clock::time_point;

  ServedDatabase(Database database, const EndpointOptions& options);

  // Executes a request, as Endpoint::Execute does.
  void Execute(std::string_view operation, std::string_view json, std::string_view region,
               EndpointResponse* response) const;

  // Returns a database of its own with the same contents. Fails as Database::Fork does.
  Result<std::shared_ptr<ServedDatabase>> Fork() const;

  // The time of the last use, by the steady clock.
  void SetUsed(SteadyTime now) { used_.store(now, std::memory_order_relaxed); }
  SteadyTime used() const { return used_.load(std::memory_order_relaxed); }

 private:
  const EndpointOptions options_;
  const Database database_;
  const Endpoint endpoint_;
  std::atomic<SteadyTime> used_ = SteadyTime();
};

}  // namespace dolmen::server
