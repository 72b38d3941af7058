// A run of tests in which each database in memory is remote. With the environment variable
// DOLMEN_REMOTE=1, each database is behind a server of the process. With a URL, it is on the service with
// this URL, as an account of its own. tests/CMakeLists.txt lets the linker replace Database::InMemory in
// the test programs that have such a run.

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/database.h"
#include "dolmen/wire.h"
#include "server/server.h"

namespace dolmen::test {

// With the linker's option --wrap, a test calls InMemoryInThisRun in place of Database::InMemory, and
// InMemoryOfLibrary is Database::InMemory.
Result<Database> InMemoryOfLibrary(const OpenOptions& options) asm("__real_" DOLMEN_IN_MEMORY);
Result<Database> InMemoryInThisRun(const OpenOptions& options) asm("__wrap_" DOLMEN_IN_MEMORY);

namespace {

// The servers of the process. A server stops after the test that has started it, or after the test suite
// if its tests share the database.
class Servers final : public testing::EmptyTestEventListener {
 public:
  Result<std::string> Start(const Database& database, const SharedClock& clock) {
    server::Service service{.endpoint = Endpoint(database), .clock = clock};
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

}  // namespace

Result<Database> InMemoryInThisRun(const OpenOptions& options) {
  const char* const remote = std::getenv("DOLMEN_REMOTE");
  if (remote != nullptr && std::string_view(remote) != "1") return Account(remote, options.clock);
  Result<Database> local = InMemoryOfLibrary(options);
  if (!local.ok() || remote == nullptr) return local;
  const Result<std::string> url = ServersOfRun().Start(*local, options.clock);
  if (!url.ok()) return url.status();
  return Database::Connect({.endpoint = *url, .clock = options.clock});
}

}  // namespace dolmen::test
