// A fixture with a server on its own port, in the test's process.

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

inline constexpr std::size_t kHeadBytesMax = 16 * 1024;
inline constexpr std::size_t kBodyBytesMax = 16 * 1024 * 1024;

// The time at which the requests of RequestParts were signed.
inline constexpr Timestamp kNow = std::chrono::sys_days(std::chrono::January / 1 / 2026);

class ServerFixture : public testing::Test {
 protected:
  // The server's options. A test sets them before the first call of Connect or server().
  server::ServerOptions options_ = {.port = 0, .threads = 2};
  server::AccessKeys access_keys_ = {};
  bool requires_signed_payload_ = false;
  server::CorsPolicy cors_ = {};
  std::shared_ptr<server::Databases> databases_ = nullptr;
  bool control_ = false;
  std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>(kNow);

  server::Server& server() {
    if (server_ == nullptr) Start();
    return *server_;
  }

  HttpClient Connect() { return HttpClient(server().port()); }

  // Ends the server. The next call of server() starts a new server.
  void Restart() { server_.reset(); }

  // Sends the request on a new connection and returns the response.
  HttpResponse Ask(const std::string& request) {
    HttpClient client = Connect();
    return client.Ask(request).value_or(HttpResponse{});
  }

  // Expects that the server still answers other clients, and that no table has been created.
  void ExpectAlive() {
    EXPECT_EQ(Ask(RequestText("{}")).body, R"({"TableNames":[]})") << "after what it has met";
  }

  Database database_ = *Database::InMemory({.expiry_lag = std::nullopt});

 private:
  void Start() {
    server::Service service{.endpoint = Endpoint(database_),
                            .databases = databases_,
                            .control = control_,
                            .clock = clock_,
                            .access_keys = access_keys_,
                            .requires_signed_payload = requires_signed_payload_,
                            .cors = cors_};
    auto server = server::Server::Start(std::move(service), options_);
    ASSERT_THAT(server, IsOk());
    server_ = std::move(*server);
  }

  std::unique_ptr<server::Server> server_;
};

}  // namespace dolmen::test
