#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "dolmen/database.h"
#include "engine/base/status_macros.h"
#include "remote/backend.h"
#include "remote/client.h"
#include "remote/subscriber.h"
#include "remote/target.h"

namespace dolmen {
namespace {

// Defaults of ConnectOptions::poll_pause.
constexpr std::chrono::milliseconds kPollPause{200};
constexpr std::chrono::milliseconds kLocalPollPause{50};
constexpr std::chrono::milliseconds kPollPauseMin{1};

}  // namespace

Result<Database> Database::Connect(const ConnectOptions& options) {
  DOLMEN_ASSIGN_OR_RETURN(std::unique_ptr<remote::Client> client, remote::Client::Create(options));
  const auto pause = [](std::chrono::milliseconds time) { std::this_thread::sleep_for(time); };
  const SharedClock clock = options.clock ? options.clock : Clock::System();
  const bool is_local = remote::IsLocal(client->endpoint());
  const std::chrono::milliseconds default_pause = is_local ? kLocalPollPause : kPollPause;
  remote::SubscriptionOptions subscriptions{
      .table = options.subscriptions_table,
      .poll_pause = std::max(options.poll_pause.value_or(default_pause), kPollPauseMin)};
  std::shared_ptr<internal::Backend> backend = std::make_shared<remote::RemoteBackend>(
      std::move(client), clock, pause, std::move(subscriptions));
  return Database(std::move(backend));
}

}  // namespace dolmen
