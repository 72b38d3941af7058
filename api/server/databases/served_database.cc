#include "server/databases/served_database.h"

#include <utility>

#include "engine/base/status_macros.h"
#include "wire/all_tables.h"
#include "wire/names.h"

namespace dolmen::server {
namespace {

// - kValidation: the text is not the name of a snapshot.
Status CheckName(std::string_view name) {
  constexpr std::size_t kNameBytesMax = 255;
  if (wire::IsName(name) && name.size() <= kNameBytesMax) return {};
  return Status::Validation(
      "the name of a snapshot has 1 to 255 letters, digits, dots, hyphens and underscores: give "
      "name=before");
}

}  // namespace

ServedDatabase::ServedDatabase(Database database, ServedOptions options)
    : options_(std::move(options)),
      first_(database),
      current_(std::move(database)),
      endpoint_(current_, options_.endpoint) {}

internal::ConnectionFault ServedDatabase::Execute(std::string_view operation, std::string_view json,
                                                  std::string_view region,
                                                  EndpointResponse* response) const {
  const ReaderLock lock(mutex_);
  const internal::ConnectionFaultReceiver receiver;
  endpoint_.Execute(operation, json, response, region);
  if (options_.logs_requests) log_.Add(operation, json, *response, current_.clock()->Now());
  return receiver.fault();
}

Database ServedDatabase::Current() const {
  const ReaderLock lock(mutex_);
  return current_;
}

Status ServedDatabase::Replace(Database database) {
  if (const auto simulation = Simulation::Of(current_); simulation.ok()) {
    DOLMEN_ASSIGN_OR_RETURN(const Simulation& next, Simulation::Of(database));
    DOLMEN_RETURN_IF_ERROR(next.Restart(simulation->Options()));
  }
  current_ = std::move(database);
  endpoint_ = Endpoint(current_, options_.endpoint);
  return {};
}

Result<std::shared_ptr<ServedDatabase>> ServedDatabase::Fork() const {
  ServedOptions options = options_;
  if (clock() != nullptr) options.clock = std::make_shared<ManualClock>(clock()->Now());
  DOLMEN_ASSIGN_OR_RETURN(Database fork, Current().Fork({.clock = options.clock}));
  return std::make_shared<ServedDatabase>(std::move(fork), std::move(options));
}

Status ServedDatabase::Reset() {
  const WriterLock lock(mutex_);
  DOLMEN_RETURN_IF_ERROR(first_.Reset());
  log_.Clear();
  return Replace(first_);
}

Status ServedDatabase::Snapshot(const std::string& name) {
  DOLMEN_RETURN_IF_ERROR(CheckName(name));
  const WriterLock lock(mutex_);
  if (snapshots_.size() >= kSnapshotsMax && !snapshots_.contains(name)) {
    return Status::Validation("there are " + std::to_string(kSnapshotsMax) +
                              " snapshots already: use one of their names again");
  }
  // The clock of a snapshot stands still, so that no item of the snapshot expires.
  const auto clock = std::make_shared<ManualClock>(current_.clock()->Now());
  DOLMEN_ASSIGN_OR_RETURN(Database fork, current_.Fork({.clock = clock}));
  snapshots_.insert_or_assign(name, std::move(fork));
  return {};
}

Status ServedDatabase::Restore(const std::string& name) {
  DOLMEN_RETURN_IF_ERROR(CheckName(name));
  const WriterLock lock(mutex_);
  const auto snapshot = snapshots_.find(name);
  if (snapshot == snapshots_.end()) {
    return Status::ResourceNotFound("there is no snapshot " + name + " of this database");
  }
  DOLMEN_ASSIGN_OR_RETURN(Database fork, snapshot->second.Fork({.clock = current_.clock()}));
  return Replace(std::move(fork));
}

Status ServedDatabase::Simulate(SimulateOptions options) const {
  DOLMEN_ASSIGN_OR_RETURN(const Simulation& simulation, Simulation::Of(Current()));
  return simulation.Restart(std::move(options));
}

Result<SimulatedTrace> ServedDatabase::Trace() const {
  DOLMEN_ASSIGN_OR_RETURN(const Simulation& simulation, Simulation::Of(Current()));
  return simulation.Trace();
}

std::string ServedDatabase::ContributorInsights() const {
  const ReaderLock lock(mutex_);
  return endpoint_.ContributorInsights();
}

Result<std::uint64_t> ServedDatabase::ExpireNow() const { return wire::ExpireAllTables(Current()); }

Status ServedDatabase::WaitForIndexes() const { return wire::WaitForAllIndexes(Current()); }

}  // namespace dolmen::server
