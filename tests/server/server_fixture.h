// A server on a port of its own, in the test's process.

#pragma once

#include <gmock/gmock.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "dolmen/clock.h"
#include "dolmen/database.h"
#include "dolmen/wire.h"
#include "server/server.h"
#include "tests/server/http_client.h"
#include "tests/support/status_matchers.h"

namespace dolmen::test {

inline constexpr std::size_t kBodyBytesMax = 16 * 1024 * 1024;

// When the requests of RequestParts were signed.
inline constexpr Timestamp kNow = std::chrono::sys_days(std::chrono::January / 1 / 2026);

class ServerFixture : public testing::Test {
 protected:
  // The options that a test cares about; set before the first Connect.
  server::ServerOptions options_ = {.port = 0, .threads = 2};
  server::AccessKeys access_keys_ = {};
  server::CorsPolicy cors_ = {};
  std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>(kNow);

  server::Server& server() {
    if (server_ == nullptr) Start();
    return *server_;
  }

  HttpClient Connect() { return HttpClient(server().port()); }

  // Ends the server; the next call of server() starts another one.
  void Restart() { server_.reset(); }

  // On a connection of its own.
  HttpResponse Ask(const std::string& request) {
    HttpClient client = Connect();
    return client.Ask(request).value_or(HttpResponse{});
  }

  // The same server goes on serving others.
  void ExpectAlive() {
    EXPECT_EQ(Ask(RequestText("{}")).body, R"({"TableNames":[]})") << "after what it has met";
  }

  Database database_ = *Database::InMemory({.expiry_lag = std::nullopt});

 private:
  void Start() {
    server::Service service{.endpoint = Endpoint(database_),
                            .clock = clock_,
                            .access_keys = access_keys_,
                            .cors = cors_};
    auto server = server::Server::Start(std::move(service), options_);
    ASSERT_THAT(server, IsOk());
    server_ = std::move(*server);
  }

  std::unique_ptr<server::Server> server_;
};

}  // namespace dolmen::test
