#include "c/handles.h"

#include <utility>

#include "dolmen/testing/simulate.h"
#include "engine/base/status_macros.h"
#include "wire/json_writer.h"
#include "wire/stream_operations.h"

dolmen_database::dolmen_database(dolmen::Database database, dolmen::EndpointOptions options)
    : options_(std::move(options)),
      database_(std::move(database)),
      endpoint_(database_, options_) {}

void dolmen_database::Execute(std::string_view operation, std::string_view json,
                              dolmen::EndpointResponse* response) const {
  const dolmen::ReaderLock lock(mutex_);
  endpoint_.Execute(operation, json, response);
}

dolmen::Database dolmen_database::Current() const {
  const dolmen::ReaderLock lock(mutex_);
  return database_;
}

dolmen::Status dolmen_database::Reset() {
  const dolmen::WriterLock lock(mutex_);
  const auto simulation = dolmen::Simulation::Of(database_);
  DOLMEN_RETURN_IF_ERROR(database_.Reset());
  if (simulation.ok()) {
    // The new database begins with the simulation of dolmen_open, which may have been replaced.
    DOLMEN_ASSIGN_OR_RETURN(const auto next, dolmen::Simulation::Of(database_));
    DOLMEN_RETURN_IF_ERROR(next.Restart(simulation->Options()));
  }
  endpoint_ = dolmen::Endpoint(database_, options_);
  return {};
}

namespace dolmen::c {

RecordHandler HandlerOf(dolmen_handler handler, void* context, std::string region) {
  return [handler, context, region = std::move(region)](const StreamRecord& record) -> Status {
    std::string records;
    wire::JsonWriter json(&records);
    json.BeginArray();
    wire::WriteStreamRecord(record, region, &json);
    json.EndArray();
    if (handler(context, records.c_str(), records.size()) == 0) return {};
    return Status::Validation("The handler of the subscription did not acknowledge the records.");
  };
}

}  // namespace dolmen::c
