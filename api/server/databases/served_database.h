// A database that the server shows to clients, with its snapshots and its log of requests.

#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "database/simulate/connection_fault.h"
#include "dolmen/database.h"
#include "dolmen/result.h"
#include "dolmen/testing/simulate.h"
#include "dolmen/wire.h"
#include "engine/base/mutex.h"
#include "server/databases/request_log.h"

namespace dolmen::server {

struct ServedOptions {
  EndpointOptions endpoint = {};
  bool logs_requests = false;
  // The clock of the database, if a control request may move it. Null: any other clock.
  std::shared_ptr<ManualClock> clock = nullptr;
};

// A database in memory and its endpoint. The contents can be reset and restored. A request that is
// executed meanwhile sees the contents before or after that. Thread-safe.
class ServedDatabase {
 public:
  using SteadyTime = std::chrono::steady_clock::time_point;
  static constexpr std::size_t kSnapshotsMax = 100;

  ServedDatabase(Database database, ServedOptions options);

  // Executes a request, as Endpoint::Execute does, and logs it. Returns the fault of the connection
  // that the simulation of the database produces.
  internal::ConnectionFault Execute(std::string_view operation, std::string_view json,
                                    std::string_view region, EndpointResponse* response) const
      DOLMEN_EXCLUDES(mutex_);

  // Returns a database of its own with the same contents and the same time, but without snapshots.
  // Fails as Database::Fork does.
  Result<std::shared_ptr<ServedDatabase>> Fork() const DOLMEN_EXCLUDES(mutex_);

  // Reset brings the database back to the contents that it had at first, as Database::Reset does,
  // and clears the log of requests. Snapshot keeps the contents under a name, in place of a snapshot
  // with this name. Restore brings the contents of a snapshot back. The clock and the snapshots stay
  // as they are. The simulation keeps its options and begins again. Reset and Restore fail as
  // Database::Reset and Database::Fork do, and with:
  // - kValidation: the name of a snapshot is not 1 to 255 characters of a-z, A-Z, 0-9, "_", "-"
  //   and ".", or there are kSnapshotsMax other snapshots.
  // - kResourceNotFound: no snapshot has the name.
  Status Reset() DOLMEN_EXCLUDES(mutex_);
  Status Snapshot(const std::string& name) DOLMEN_EXCLUDES(mutex_);
  Status Restore(const std::string& name) DOLMEN_EXCLUDES(mutex_);

  // Deletes the expired items of all tables, and returns their number. Fails as Table::ExpireNow
  // does.
  Result<std::uint64_t> ExpireNow() const DOLMEN_EXCLUDES(mutex_);
  // Waits until all indexes of all tables are built. Fails as Table::WaitForIndexes does.
  Status WaitForIndexes() const DOLMEN_EXCLUDES(mutex_);

  // Restart the simulation of the database, or return its trace. Fail as Simulation::Of and
  // Simulation::Restart do.
  Status Simulate(SimulateOptions options) const DOLMEN_EXCLUDES(mutex_);
  Result<SimulatedTrace> Trace() const DOLMEN_EXCLUDES(mutex_);

  // Returns the report of Endpoint::ContributorInsights.
  std::string ContributorInsights() const DOLMEN_EXCLUDES(mutex_);

  // Returns the time by the clock of the database.
  Timestamp Now() const { return Current().clock()->Now(); }
  // Returns the clock that can be moved, or null.
  ManualClock* clock() const { return options_.clock.get(); }
  // Returns the log of requests; empty unless options.logs_requests is true.
  const RequestLog& log() const { return log_; }

  // The time of the last use, by the steady clock.
  void SetUsed(SteadyTime now) { used_.store(now, std::memory_order_relaxed); }
  SteadyTime used() const { return used_.load(std::memory_order_relaxed); }

 private:
  Database Current() const DOLMEN_EXCLUDES(mutex_);
  // Takes the database in place of the current one.
  Status Replace(Database database) DOLMEN_REQUIRES(mutex_);

  const ServedOptions options_;
  mutable SharedMutex mutex_;                 // a request holds it as a reader while it is executed
  Database first_ DOLMEN_GUARDED_BY(mutex_);  // the database to which Reset returns
  Database current_ DOLMEN_GUARDED_BY(mutex_);   // first_, or the fork of a snapshot
  Endpoint endpoint_ DOLMEN_GUARDED_BY(mutex_);  // of current_
  std::map<std::string, Database> snapshots_ DOLMEN_GUARDED_BY(mutex_);
  mutable RequestLog log_;
  std::atomic<SteadyTime> used_ = SteadyTime();
};

}  // namespace dolmen::server
