// A fixture with a database behind a server in the test's process, and a remote database on it.

#pragma once

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "dolmen/database.h"
#include "dolmen/testing/simulate.h"
#include "dolmen/wire.h"
#include "remote/backend.h"
#include "remote/client.h"
#include "server/server.h"
#include "tests/remote/test_system.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::remote {

using test::IsOk;
using test::StatusIs;
using test::Value;

class BackendTest : public testing::Test {
 protected:
  BackendTest() : remote_(Connect()) {}

  // Advances the clocks by each pause, so that no test sleeps.
  Service::Pause pause() {
    return [this](std::chrono::milliseconds time) {
      clock_->Advance(time);
      steady_ = steady_.load() + time;
      ++pauses_;
    };
  }

  // Connects to the server, as another process does.
  Database Connect(int attempts_max = 1) {
    return Database(std::make_shared<RemoteBackend>(
        NewClient(attempts_max), clock_, pause(),
        SubscriptionOptions{.poll_pause = std::chrono::milliseconds(1)},
        [this] { return std::chrono::steady_clock::time_point(steady_.load()); }));
  }

  std::unique_ptr<Client> NewClient(int attempts_max = 1) {
    const std::string url = "http://127.0.0.1:" + std::to_string(server_->port());
    return Value(Client::Create({.endpoint = url, .attempts_max = attempts_max, .clock = clock_},
                                system_.Functions()));
  }

  void Simulate(SimulateOptions options) const {
    EXPECT_THAT(Value(Simulation::Of(local_)).Restart(std::move(options)), IsOk());
  }

  std::shared_ptr<ManualClock> clock_ =
      std::make_shared<ManualClock>(std::chrono::sys_days(std::chrono::January / 1 / 2026));
  test::TestSystem system_;
  int pauses_ = 0;
  // The time by which leases are measured. Begins at a time that is far from 0.
  std::atomic<std::chrono::milliseconds> steady_{std::chrono::hours(1)};
  // The database of the server.
  Database local_ = Value(Database::InMemory(
      {.clock = clock_, .expiry_lag = std::nullopt, .simulate = dolmen::Simulate({})}));
  std::unique_ptr<server::Server> server_ = Value(server::Server::Start(
      server::Service{.endpoint = Endpoint(local_), .clock = clock_}, {.port = 0, .threads = 2}));
  Database remote_;
};

}  // namespace dolmen::remote
