#include <memory>
#include <thread>
#include <utility>

#include "dolmen/database.h"
#include "dolmen/internal/status_macros.h"
#include "remote/backend.h"
#include "remote/client.h"

namespace dolmen {

Result<Database> Database::Connect(const ConnectOptions& options) {
  DOLMEN_ASSIGN_OR_RETURN(std::unique_ptr<remote::Client> client, remote::Client::Create(options));
  const auto pause = [](std::chrono::milliseconds time) { std::this_thread::sleep_for(time); };
  const SharedClock clock = options.clock ? options.clock : Clock::System();
  std::shared_ptr<internal::Backend> backend =
      std::make_shared<remote::RemoteBackend>(std::move(client), clock, pause);
  return Database(std::move(backend));
}

}  // namespace dolmen
