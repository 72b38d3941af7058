#include "server/databases/served_database.h"

#include <utility>

#include "dolmen/internal/status_macros.h"

namespace dolmen::server {

ServedDatabase::ServedDatabase(Database database, const EndpointOptions& options)
    : options_(options), database_(std::move(database)), endpoint_(database_, options) {}

void ServedDatabase::Execute(std::string_view operation, std::string_view json,
                             std::string_view region, EndpointResponse* response) const {
  endpoint_.Execute(operation, json, response, region);
}

Result<std::shared_ptr<ServedDatabase>> ServedDatabase::Fork() const {
  DOLMEN_ASSIGN_OR_RETURN(Database fork, database_.Fork());
  return std::make_shared<ServedDatabase>(std::move(fork), options_);
}

}  // namespace dolmen::server
