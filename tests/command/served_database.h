// A database in memory behind a server in the test's process, on which a command works.

#pragma once

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "command/endpoint.h"
#include "dolmen/wire.h"
#include "server/server.h"
#include "tests/command/command_fixture.h"
#include "tests/support/value.h"

namespace dolmen::test {

struct ServedDatabase {
  Database database = Value(Database::InMemory({.expiry_lag = std::nullopt}));
  std::unique_ptr<server::Server> server = Value(server::Server::Start(
      server::Service{.endpoint = Endpoint(database), .clock = Clock::System()},
      {.port = 0, .threads = 2}));

  std::string url() const { return server->url(); }
};

// A test of commands on a server. It is skipped if the command was built without libcurl.
class ServedCommandTest : public CommandTest {
 protected:
  void SetUp() override {
    ::setenv("XDG_STATE_HOME", File("state").c_str(), 1);
    const Result<Database> connected = command::ConnectTo({.url = served_.url()});
    if (!connected.ok()) GTEST_SKIP() << connected.status().message();
  }
  ~ServedCommandTest() override { ::unsetenv("XDG_STATE_HOME"); }

  CommandOutput OnServer(const std::string& command, std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {command, "--endpoint-url", served_.url()});
    return RunDolmen(std::move(arguments));
  }

  Table MakeServedTable(const CreateTableInput& table = {.name = "app"}) const {
    return Value(served_.database.CreateTable(table));
  }

  const ServedDatabase served_;
};

}  // namespace dolmen::test
