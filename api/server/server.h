// The HTTP endpoint: threads that answer DynamoDB requests on a port.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "dolmen/result.h"
#include "server/connections.h"
#include "server/service.h"

namespace dolmen::server {

struct ServerOptions {
  std::string host = "127.0.0.1";  // an address, or "localhost" for 127.0.0.1 and ::1
  std::uint16_t port = 8000;       // 0: any free port
  unsigned threads = 2;            // at least 1
  // The largest number of connections. Further clients wait until other clients close their
  // connections.
  std::size_t connections_max = std::numeric_limits<std::size_t>::max();
  // The memory for incomplete requests, unsent responses and the execution of large requests of all
  // connections together, in bytes. If a request needs more memory than is left, the server answers
  // it with 503. If an unsent response needs more memory than is left, the server closes the
  // connection.
  std::size_t buffered_bytes_max = 256 * 1024 * 1024;
  Timeouts timeouts = {};
};

// A running server. Not thread-safe.
class Server {
 public:
  // Starts a server. Clients can connect as soon as Start returns. On a loopback address without
  // access keys, the server rejects requests whose Host header has a foreign name (cors.h).
  // - kResourceInUse: a different program uses the port.
  // - kValidation: the address is not one of this machine, or the user may not bind the port.
  // - kStorage: the system reports any other error.
  static Result<std::unique_ptr<Server>> Start(Service service, const ServerOptions& options);

  // Calls Stop.
  ~Server();

  std::uint16_t port() const;
  // The URL of the first address: "http://127.0.0.1:8000".
  std::string url() const;
  bool is_loopback() const;  // only programs on this machine can connect
  std::size_t connections() const;

  // Stops accepting clients and requests, answers the requests that have arrived completely, and
  // returns when all connections are closed. Waits at most Timeouts::stop for clients that do not
  // read their responses. Afterwards the server no longer uses the endpoint.
  void Stop();

 private:
  struct State;
  explicit Server(std::unique_ptr<State> state);

  void Run();

  std::unique_ptr<State> state_;
  std::vector<std::thread> threads_;
};

}  // namespace dolmen::server
