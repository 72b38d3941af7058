// Takes in clients, and hands them to the workers in turn.

#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "dolmen/status.h"
#include "server/budget.h"
#include "server/worker.h"

namespace dolmen::server {

// Runs in the first worker's thread.
class Listener {
 public:
  // Each client takes one of the places; those for whom there is none wait in the system's queue.
  // REQUIRES: there is a worker, and all, and the places, outlive the Listener.
  Listener(const std::vector<std::unique_ptr<Worker>>& workers, Budget* places);

  // Binds and listens.  kResourceInUse: another program does.  kValidation: it is not an address of
  // this machine's, or the port is not for this user.  kStorage: the system refuses for another
  // reason.
  Status Listen(const boost::asio::ip::address& host, std::uint16_t port);
  std::uint16_t port() const { return port_; }

  // Takes in clients from now on, if it does not do so already.  Throws std::bad_alloc if there is
  // no memory for that, and so may what it does later, in the thread's loop: call it again.
  // REQUIRES, as Close does: called in the first worker's thread, or none runs.
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
  bool accepting_ = false;  // or waiting until it can
  std::uint16_t port_ = 0;
  std::size_t next_ = 0;  // the worker whose turn it is
};

}  // namespace dolmen::server
