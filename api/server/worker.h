// The state of one thread of the server, which its connections share.

#pragma once

#include <array>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/thread_pool.hpp>

#include "server/budget.h"
#include "server/connections.h"
#include "server/service.h"
#include "server/turns.h"

namespace dolmen::server {

// A socket with a concrete executor type, which saves a virtual call per operation.
using Socket =
    boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

// The state that all workers share. Thread-safe.
struct Shared {
  const Service service;
  Connections connections;
  Budget buffered_bytes;  // for incomplete requests, unsent responses and large requests
  // The thread that executes large requests, in the order of their arrival. Small requests do not
  // have to wait for large ones. It is one thread, because two large requests at the same time could
  // need more than the whole budget, and one of them would be refused.
  boost::asio::thread_pool large_requests;
  // The threads that execute long operations (wire/operation.h). Neither small nor large requests
  // have to wait for them. Their number is the number of long operations that run at once.
  boost::asio::thread_pool long_operations;
};

// A thread's event loop and its buffers. Only that thread uses them.
struct Worker {
  // REQUIRES: `all` outlives the Worker.
  explicit Worker(Shared* all)
      : limits(all->service.limits),
        responder(all->service),
        connections(all->connections),
        buffered_bytes(all->buffered_bytes),
        shared(*all) {}

  // One thread runs the context. A connection never moves to another context, so the connection
  // needs no lock.
  boost::asio::io_context context{1};
  // Keeps the loop running while there are no connections.
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work{
      context.get_executor()};
  // The connections that have more to do than fits between two small requests.
  Turns turns{&context};
  RequestLimits limits;
  Responder responder;
  Connections& connections;
  Budget& buffered_bytes;
  Shared& shared;
  std::array<char, 64 * 1024> input;  // the bytes that were just received
};

}  // namespace dolmen::server
