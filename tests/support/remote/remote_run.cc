// A run of tests in which each database in memory is remote. With the environment variable
// DOLMEN_REMOTE=1, each database is behind a server of the process. With a URL, it is on the service with
// this URL, as an account of its own. Programs that link this file replace the functions of
// Database::InMemory and Simulation::Of.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "database/openers.h"
#include "dolmen/clock.h"
#include "dolmen/database.h"
#include "dolmen/testing/simulate.h"
#include "dolmen/uuid.h"
#include "dolmen/wire.h"
#include "engine/base/status_macros.h"
#include "remote/backend.h"
#include "remote/client.h"
#include "server/server.h"

namespace dolmen::test {

namespace {

// The servers of the process. A server stops after the test that has started it, or after the test suite
// if its tests share the database.
class Servers final : public testing::EmptyTestEventListener {
 public:
  Result<std::string> Start(const Database& database, const SharedClock& clock) {
    // With the additions to PartiQL, as Database::Execute has them.
    server::Service service{.endpoint = Endpoint(database, {.statement_additions = true}),
                            .clock = clock};
    auto server = server::Server::Start(std::move(service), {.port = 0, .threads = 2});
    if (!server.ok()) return server.status();
    const std::string url = "http://127.0.0.1:" + std::to_string((*server)->port());
    const bool is_shared = testing::UnitTest::GetInstance()->current_test_info() == nullptr;
    const std::lock_guard<std::mutex> lock(mutex_);
    (is_shared ? of_suite_ : of_test_).push_back(*std::move(server));
    return url;
  }

  void OnTestEnd(const testing::TestInfo&) override { of_test_.clear(); }
  void OnTestSuiteEnd(const testing::TestSuite&) override { of_suite_.clear(); }

 private:
  using Started = std::vector<std::unique_ptr<server::Server>>;
  std::mutex mutex_;
  Started of_test_;
  Started of_suite_;
};

// Connects to a new account of the service, which has no tables. DynamoDB Local without its option
// -sharedDb and `dolmen serve --database-per-access-key` have separate tables for each access key.
Result<Database> Account(const std::string& url, const SharedClock& clock) {
  std::string key = NewUuid();
  std::erase(key, '-');  // DynamoDB Local allows only letters and digits
  return Database::Connect(
      {.endpoint = url, .access_key_id = key, .secret_access_key = "any", .clock = clock});
}

// Returns the servers, which belong to googletest.
Servers& ServersOfRun() {
  static Servers* const servers = [] {
    auto* const listener = new Servers();
    testing::UnitTest::GetInstance()->listeners().Append(listener);
    return listener;
  }();
  return *servers;
}

// The pause between two requests for records of a shard: that of Database::Connect on this machine.
constexpr std::chrono::milliseconds kPollPause{50};

Result<std::shared_ptr<internal::Backend>> Serve(const Database& database, int attempts_max);

// A remote database whose server is in this process. The tools of tests that a service does not have
// are those of the database behind the server. All other operations are requests.
class ServedBackend final : public remote::RemoteBackend {
 public:
  ServedBackend(std::unique_ptr<remote::Client> client, Database served, int attempts_max)
      : RemoteBackend(std::move(client), served.clock(),
                      [](std::chrono::milliseconds time) { std::this_thread::sleep_for(time); },
                      {.poll_pause = kPollPause}),
        served_(std::move(served)),
        attempts_max_(attempts_max) {}

  const Database& served() const { return served_; }

  Result<std::uint64_t> ExpireNow(const TableRef& table, std::uint64_t items_max) override {
    DOLMEN_ASSIGN_OR_RETURN(const Table& behind, served_.OpenTable(table.name()));
    return behind.ExpireNow(items_max);
  }
  // Waits also until an enabled time to live knows all items. A service says this only after a while.
  Status WaitForIndexes(const TableRef& table) override {
    DOLMEN_RETURN_IF_ERROR(RemoteBackend::WaitForIndexes(table));
    DOLMEN_ASSIGN_OR_RETURN(const Table& behind, served_.OpenTable(table.name()));
    return behind.WaitForIndexes();
  }
  Result<VerifyOutput> Verify(const VerifyProgressHandler& progress) override {
    return served_.Verify(progress);
  }
  Result<std::shared_ptr<internal::Backend>> Fork(const ForkOptions& options) override {
    DOLMEN_ASSIGN_OR_RETURN(const Database& fork, served_.Fork(options));
    return Serve(fork, attempts_max_);
  }

 private:
  const Database served_;
  const int attempts_max_;
};

Result<std::shared_ptr<internal::Backend>> Serve(const Database& database, int attempts_max) {
  DOLMEN_ASSIGN_OR_RETURN(const std::string& url, ServersOfRun().Start(database, database.clock()));
  DOLMEN_ASSIGN_OR_RETURN(
      std::unique_ptr<remote::Client> client,
      remote::Client::Create(
          {.endpoint = url, .attempts_max = attempts_max, .clock = database.clock()}));
  return std::shared_ptr<internal::Backend>(
      std::make_shared<ServedBackend>(std::move(client), database, attempts_max));
}

Result<Database> InMemoryInThisRun(const internal::Openers& library, const OpenOptions& options) {
  const char* const remote = std::getenv("DOLMEN_REMOTE");
  if (remote != nullptr && std::string_view(remote) != "1") return Account(remote, options.clock);
  Result<Database> local = library.in_memory(options);
  if (!local.ok() || remote == nullptr) return local;
  // The program must see the simulated failures.
  const int attempts_max = options.simulate ? 1 : ConnectOptions().attempts_max;
  return Serve(*local, attempts_max).transform([](std::shared_ptr<internal::Backend> backend) {
    return Database(std::move(backend));
  });
}

// Puts functions for this run in the place of those of the library.
[[maybe_unused]] const bool remote_injected = [] {
  static const internal::Openers library = internal::openers;
  internal::openers.in_memory = [](const OpenOptions& options) {
    return InMemoryInThisRun(library, options);
  };
  internal::openers.simulated = [](const Database& database) {
    const auto* const remote = dynamic_cast<const ServedBackend*>(database.backend().get());
    return remote == nullptr ? database : remote->served();
  };
  return true;
}();

}  // namespace
}  // namespace dolmen::test
