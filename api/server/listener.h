// A listener, which accepts clients and assigns them to the workers in turn.

#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "dolmen/result.h"
#include "server/budget.h"
#include "server/worker.h"

namespace dolmen::server {

// A listening socket. Its handlers run in the first worker's thread.
class Listener {
 public:
  // Each client occupies one of the places. If no place is left, clients wait in the system's
  // queue.
  // REQUIRES: `workers` is not empty, and `workers` and `places` outlive the Listener.
  Listener(const std::vector<std::unique_ptr<Worker>>& workers, Budget* places);

  // Binds the address and listens.
  // - kResourceInUse: a different program listens on the port.
  // - kValidation: the address is not one of this machine, or the user may not bind the port.
  // - kStorage: the system reports any other error.
  Status Listen(const boost::asio::ip::address& host, std::uint16_t port);
  std::uint16_t port() const { return port_; }

  // Starts to accept clients. Does nothing if the Listener already accepts. Throws std::bad_alloc
  // if there is no memory. The handlers that run in the thread's event loop may throw
  // std::bad_alloc for the same reason. After such an exception, call Accept again.
  // REQUIRES: Accept and Close are called in the first worker's thread, or while no worker runs.
  void Accept();
  void Close();

 private:
  using Acceptor = boost::asio::basic_socket_acceptor<boost::asio::ip::tcp,
                                                      boost::asio::io_context::executor_type>;

  void AcceptLater();

  const std::vector<std::unique_ptr<Worker>>& workers_;
  Budget& places_;
  Acceptor acceptor_;
  boost::asio::steady_timer retry_;
  bool accepting_ = false;  // an accept, or a timer for the next accept, is pending
  std::uint16_t port_ = 0;
  std::size_t next_ = 0;  // index of the worker for the next client
};

}  // namespace dolmen::server
