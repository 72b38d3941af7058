#include "server/server.h"

#include <utility>

#include "command/run_command.h"
#include "dolmen/database.h"

int main() {
#ifdef PLANTED
  // undefined: dolmen::command::RunCommand(
  if (dolmen::command::RunCommand(0, nullptr) != 0) return 1;
  // undefined: dolmen::Database::Connect(
  if (dolmen::Database::Connect().ok()) return 1;
#endif
  dolmen::server::Service service{.endpoint = dolmen::Endpoint(*dolmen::Database::InMemory())};
  return dolmen::server::Server::Start(std::move(service), {.port = 0}).ok() ? 0 : 1;
}
