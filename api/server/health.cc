#include "server/health.h"

#include <utility>

namespace dolmen::server {

Health::Health(Database database, std::function<void()> on_failure)
    : database_(std::move(database)), on_failure_(std::move(on_failure)) {}

void Health::Check() {
  if (!good()) std::call_once(failed_, on_failure_);
}

std::string Health::Problem() const {
  // The message of a failed write may contain paths, which a client does not need to know.
  if (!good()) return "The database cannot be written until the server restarts.";
  return database_.CheckWritable().message();
}

}  // namespace dolmen::server
