// Random operations of several threads over a network with faults.

#include <gmock/gmock.h>

#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "dolmen/database.h"
#include "dolmen/testing/simulate.h"
#include "dolmen/wire.h"
#include "remote/backend.h"
#include "remote/client.h"
#include "server/server.h"
#include "tests/remote/bad_proxy.h"
#include "tests/remote/random_client.h"
#include "tests/remote/test_system.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"
#include "tests/support/watchdog.h"

namespace dolmen::test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kThreads = 8;
constexpr std::size_t kConnections = 5;

// A request that a client may send again may also reach the server twice by a fault of the network.
bool MayBeExecutedTwice(std::string_view request) {
  const auto has = [request](std::string_view text) { return request.find(text) != request.npos; };
  if (has(".UpdateItem\r\n")) return false;
  return !has("\"ConditionExpression\"") && !has("\"ReturnValues\"");
}

template <typename Work>
void RunThreads(Work work) {
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < kThreads; ++i) threads.emplace_back([&work, i] { work(i); });
}

class BadNetworkTest : public SeededTest {
 protected:
  std::unique_ptr<remote::Client> NewClient(ConnectOptions options) {
    options.endpoint = proxy_.url();
    options.connections_max = kConnections;
    // The clock of the test advances only by pauses, which the threads have together.
    options.total_timeout = 24h;
    return Value(remote::Client::Create(options, system_.Functions()));
  }

  Database Connect() {
    const auto no_pause = [](std::chrono::milliseconds) {};
    return Database(std::make_shared<remote::RemoteBackend>(
        NewClient({.attempts_max = 2, .connect_timeout = 10min, .attempt_timeout = 10min}),
        Clock::System(), no_pause));
  }

  TestSystem system_;
  Database local_ =
      Value(Database::InMemory({.expiry_lag = std::nullopt, .simulate = dolmen::Simulate({})}));
  std::unique_ptr<server::Server> server_ = Value(
      server::Server::Start(server::Service{.endpoint = Endpoint(local_), .clock = Clock::System()},
                            {.port = 0, .threads = 2}));
  BadProxy proxy_{server_->port(), random_.Next(), MayBeExecutedTwice};
};

class BadNetworkWritesTest : public BadNetworkTest {
 protected:
  BadNetworkWritesTest() {
    EXPECT_THAT(Value(Simulation::Of(local_))
                    .Restart({.seed = random_.Next(),
                              .rules = {{.fault = SimulatedFault::kPartialBatch, .chance = 0.3}}}),
                IsOk());
  }

  // Runs the operations on a new connection, which is closed at the end.
  void Run(std::size_t steps) {
    const Database remote = Connect();
    const Table table = Value(remote.OpenTable("app"));
    std::vector<std::unique_ptr<RandomClient>> clients;
    for (std::size_t i = 0; i < kThreads; ++i) {
      clients.push_back(std::make_unique<RandomClient>(remote, table, truth_, i + 1,
                                                       Random(random_.Next()), &counts_));
    }
    proxy_.Begin();
    RunThreads([&](std::size_t i) {
      for (std::size_t step = i; step < steps; step += kThreads) clients[i]->Step();
    });
    for (const auto& client : clients) client->CheckTruth();
  }

  std::int64_t SharedSum(const std::string& name) const {
    const auto got = Value(truth_.GetItem({.key = SharedKey(name)}));
    return got.item ? got.item->view()["s"].AsInt64().value_or(0) : 0;
  }

  const Table truth_ = Value(local_.CreateTable({.name = "app"}));
  SharedCounts counts_;
};

TEST_F(BadNetworkWritesTest, EveryWriteHasEndedAsItsResultSays) {
  const std::size_t steps = TestSteps(3000);
  const Watchdog watchdog("BadNetworkWritesTest", static_cast<unsigned>(120 + steps / 50));
  Run(steps);
  EXPECT_EQ(SharedSum("transactions"), counts_.transactions.load());
  EXPECT_GE(SharedSum("sum"), counts_.added.load());
  EXPECT_LE(SharedSum("sum"), counts_.added.load() + counts_.maybe_added.load());
  proxy_.WaitUntilClosed();  // the watchdog ends a test that has lost a connection
  EXPECT_LE(proxy_.connections_max(), kConnections);

  std::cout << "writes that were done, had a false condition, were not done, are unknown:";
  for (const auto& count : counts_.ends) std::cout << ' ' << count.load();
  std::cout << "\nrequests by their fault:";
  const auto faults = proxy_.counts();
  for (const std::size_t count : faults) std::cout << ' ' << count;
  std::cout << std::endl;
  if (steps < 1000) return;
  for (std::size_t fault = 0; fault < static_cast<std::size_t>(NetworkFault::kUnanswered);
       ++fault) {
    EXPECT_GT(faults.at(fault), 0u) << "no request had the fault " << fault;
  }
}

TEST_F(BadNetworkTest, AServiceThatNeverAnswersKeepsNoThreadAndNoConnection) {
  const Watchdog watchdog("BadNetworkTest.AServiceThatNeverAnswers", 120);
  proxy_.Stall();
  auto client = NewClient({.attempts_max = 2, .attempt_timeout = 50ms});
  RunThreads([&](std::size_t i) {
    const auto repeat = i % 2 == 0 ? remote::Repeat::kSafe : remote::Repeat::kUnsafe;
    EXPECT_THAT(client->Call("ListTables", "{}", repeat).status().code(),
                testing::AnyOf(StatusCode::kInternalServerError, StatusCode::kServiceUnavailable));
  });
  client.reset();
  proxy_.WaitUntilClosed();
  EXPECT_LE(proxy_.connections_max(), kConnections);
}

}  // namespace
}  // namespace dolmen::test
