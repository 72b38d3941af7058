// The state of one thread of the server, which its connections share.

#pragma once

#include <array>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "server/budget.h"
#include "server/connections.h"
#include "server/service.h"

namespace dolmen::server {

// A socket with a concrete executor type, which saves a virtual call per operation.
using Socket =
    boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

// A thread's event loop and its buffers. Only that thread uses them. All threads of the server
// share the Connections and the Budget.
struct Worker {
  Worker(const Service& service, Connections& all_connections, Budget& all_buffered_bytes)
      : limits(service.limits),
        responder(service),
        connections(all_connections),
        buffered_bytes(all_buffered_bytes) {}

  // One thread runs the context. A connection never moves to another context, so the connection
  // needs no lock.
  boost::asio::io_context context{1};
  // Keeps the loop running while there are no connections.
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work{
      context.get_executor()};
  RequestLimits limits;
  Responder responder;
  Connections& connections;
  Budget& buffered_bytes;             // for incomplete requests and unsent responses
  std::array<char, 64 * 1024> input;  // the bytes that were just received
};

}  // namespace dolmen::server
