// A run of tests in which each database in memory is behind a server, and the test talks to it by HTTP.
// Set the environment variable DOLMEN_REMOTE=1 for it. tests/CMakeLists.txt lets the linker replace
// Database::InMemory in the test programs that have such a run.

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/database.h"
#include "dolmen/wire.h"
#include "server/server.h"

namespace dolmen::test {

// With the linker's option --wrap, a test calls InMemoryInThisRun in place of Database::InMemory, and
// InMemoryOfLibrary is Database::InMemory.
Result<Database> InMemoryOfLibrary(const OpenOptions& options) asm("__real_" DOLMEN_IN_MEMORY);
Result<Database> InMemoryInThisRun(const OpenOptions& options) asm("__wrap_" DOLMEN_IN_MEMORY);

namespace {

// The servers of the process. They stop after the last test, because tests may share a database.
class Servers final : public testing::Environment {
 public:
  Result<std::string> Start(const Database& database, const SharedClock& clock) {
    server::Service service{.endpoint = Endpoint(database), .clock = clock};
    auto server = server::Server::Start(std::move(service), {.port = 0, .threads = 2});
    if (!server.ok()) return server.status();
    const std::string url = "http://127.0.0.1:" + std::to_string((*server)->port());
    const std::lock_guard<std::mutex> lock(mutex_);
    servers_.push_back(*std::move(server));
    return url;
  }

  void TearDown() override { servers_.clear(); }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<server::Server>> servers_;
};

// Returns the servers, which belong to googletest.
Servers& ServersOfRun() {
  static auto* const servers =
      static_cast<Servers*>(testing::AddGlobalTestEnvironment(new Servers()));
  return *servers;
}

}  // namespace

Result<Database> InMemoryInThisRun(const OpenOptions& options) {
  Result<Database> local = InMemoryOfLibrary(options);
  if (!local.ok() || std::getenv("DOLMEN_REMOTE") == nullptr) return local;
  const Result<std::string> url = ServersOfRun().Start(*local, options.clock);
  if (!url.ok()) return url.status();
  return Database::Connect({.endpoint = *url, .clock = options.clock});
}

}  // namespace dolmen::test
