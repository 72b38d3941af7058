#include "server/health.h"

#include <utility>

namespace dolmen::server {

Health::Health(Database database, std::function<void()> on_failure)
    : database_(std::move(database)), on_failure_(std::move(on_failure)) {}

void Health::Check() {
  if (!good()) std::call_once(failed_, on_failure_);
}

}  // namespace dolmen::server
