// Takes in clients, and hands them to the workers in turn.

#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "dolmen/status.h"
#include "server/worker.h"

namespace dolmen::server {

// Runs in the first worker's thread.
class Listener {
 public:
  // REQUIRES: there is a worker, and all outlive the Listener.
  explicit Listener(const std::vector<std::unique_ptr<Worker>>& workers);

  // Binds and listens.  kResourceInUse: another program does.  kValidation: it is not an address of
  // this machine's.  kStorage: the system refuses for another reason.
  Status Listen(const boost::asio::ip::address& host, std::uint16_t port);
  std::uint16_t port() const { return port_; }

  void Accept();
  // REQUIRES: called in the first worker's thread, or none runs.
  void Close();

 private:
  using Acceptor = boost::asio::basic_socket_acceptor<boost::asio::ip::tcp,
                                                      boost::asio::io_context::executor_type>;

  void AcceptLater();

  const std::vector<std::unique_ptr<Worker>>& workers_;
  Acceptor acceptor_;
  boost::asio::steady_timer retry_;
  std::uint16_t port_ = 0;
  std::size_t next_ = 0;  // the worker whose turn it is
};

}  // namespace dolmen::server
