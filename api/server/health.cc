#include "server/health.h"

#include <utility>

namespace dolmen::server {

Health::Health(Database database, std::function<void()> on_failure)
    : database_(std::move(database)), on_failure_(std::move(on_failure)) {}

void Health::Check(std::string_view answer) {
  if (!good() || database_.Stats().ok()) return;
  std::call_once(failed_, [&] {
    cause_ = answer;
    good_.store(false, std::memory_order_release);
    on_failure_();
  });
}

}  // namespace dolmen::server
