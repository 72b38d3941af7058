// What a thread of the server has for itself, so that its connections need little.

#pragma once

#include <array>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "server/budget.h"
#include "server/connections.h"
#include "server/service.h"

namespace dolmen::server {

// A socket that knows its executor's type does without a virtual call per operation.
using Socket =
    boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

struct Worker {
  Worker(const Service& service, Connections& all_connections, Budget& all_buffered_bytes)
      : limits(service.limits),
        responder(service),
        connections(all_connections),
        buffered_bytes(all_buffered_bytes) {}

  // One thread runs it: what is accepted here stays here, and needs no lock.
  boost::asio::io_context context{1};
  // Keeps the thread while there is no client.
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work{
      context.get_executor()};
  RequestLimits limits;
  Responder responder;
  Connections& connections;
  Budget& buffered_bytes;             // of half requests, and of answers that are not taken
  std::array<char, 64 * 1024> input;  // what has just been received
};

}  // namespace dolmen::server
