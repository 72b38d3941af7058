// The HTTP endpoint: threads that answer DynamoDB's requests on a port.

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
  std::string host = "127.0.0.1";  // an address, or "localhost": both of its addresses
  std::uint16_t port = 8000;       // 0: any that is free
  unsigned threads = 2;            // at least 1
  // More clients wait until others have gone.
  std::size_t connections_max = std::numeric_limits<std::size_t>::max();
  // Of requests that have come in part and of answers that are not taken, over all connections.
  // Whose request needs more is answered 503; whose answer does is closed.
  std::size_t buffered_bytes_max = 256 * 1024 * 1024;
  Timeouts timeouts = {};
};

// Its methods are for one thread.
class Server {
 public:
  // Returns when clients can connect.  kResourceInUse: the port is taken.  kValidation: there is no
  // such address here, or the port is not for this user.  kStorage: the system refuses for another
  // reason.  On an address that only this machine reaches, without access keys, a request whose
  // Host is a foreign name is refused (cors.h).
  static Result<std::unique_ptr<Server>> Start(Service service, const ServerOptions& options);

  // Stops.
  ~Server();

  std::uint16_t port() const;
  std::string url() const;
  bool is_loopback() const;  // clients are programs of this machine
  std::size_t connections() const;

  // Takes no more clients and no more requests, answers those that are there in full, and returns
  // when that is done; clients that don't take their answers are waited for no longer than
  // Timeouts::stop.  The endpoint is no longer used then.
  void Stop();

 private:
  struct State;
  explicit Server(std::unique_ptr<State> state);

  void Run();

  std::unique_ptr<State> state_;
  std::vector<std::thread> threads_;
};

}  // namespace dolmen::server
