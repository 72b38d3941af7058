#include "server/server.h"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdio>
#include <exception>
#include <utility>

#include "server/listener.h"
#include "server/worker.h"

namespace dolmen::server {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

// What a request can't make happen, but a lack of memory can: the connection at hand is closed.
void Run(asio::io_context* context) {
  for (;;) {
    try {
      context->run();
      return;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "dolmen: a connection was closed: %s\n", error.what());
    }
  }
}

}  // namespace

struct Server::State {
  using Workers = std::vector<std::unique_ptr<Worker>>;

  State(Service of, const ServerOptions& options)
      : service(std::move(of)),
        connections(options.timeouts),
        workers(MakeWorkers(options.threads, service, connections)) {}

  static Workers MakeWorkers(unsigned count, const Service& service, Connections& connections) {
    Workers workers;
    do {
      workers.push_back(std::make_unique<Worker>(service, connections));
    } while (workers.size() < count);
    return workers;
  }

  void SweepLater() {
    sweep.expires_after(connections.resolution());
    sweep.async_wait([this](const error_code& error) {
      // Cancelling comes too late for a timer that has run out already.
      if (error || closed) return;
      connections.Sweep();
      SweepLater();
    });
  }

  const Service service;
  Connections connections;
  Workers workers;
  Listener listener{workers};
  asio::steady_timer sweep{workers.front()->context};
  bool closed = false;  // for the first worker's thread
  asio::ip::address address;
};

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}

Server::~Server() { Stop(); }

Result<std::unique_ptr<Server>> Server::Start(Service service, const ServerOptions& options) {
  error_code error;
  const auto address =
      asio::ip::make_address(options.host == "localhost" ? "127.0.0.1" : options.host, error);
  if (error) {
    return Status::Validation("\"" + options.host +
                              "\" is no address to listen on; give one like 127.0.0.1, 0.0.0.0 or "
                              "::1 with --host.");
  }
  service.cors.checks_host = address.is_loopback() && service.access_keys.empty();
  auto state = std::make_unique<State>(std::move(service), options);
  if (Status status = state->listener.Listen(address, options.port); !status.ok()) return status;
  state->address = address;
  state->listener.Accept();
  state->SweepLater();
  std::unique_ptr<Server> server(new Server(std::move(state)));
  for (const auto& worker : server->state_->workers) {
    server->threads_.emplace_back(Run, &worker->context);
  }
  return server;
}

std::uint16_t Server::port() const { return state_->listener.port(); }

std::string Server::url() const {
  const asio::ip::address& address = state_->address;
  const std::string host = address.is_v6() ? "[" + address.to_string() + "]" : address.to_string();
  return "http://" + host + ":" + std::to_string(port());
}

bool Server::is_loopback() const { return state_->address.is_loopback(); }

std::size_t Server::connections() const { return state_->connections.size(); }

void Server::Stop() {
  if (threads_.empty()) return;
  State& state = *state_;
  asio::post(state.workers.front()->context, [&state] {
    state.closed = true;
    state.listener.Close();
    state.sweep.cancel();
  });
  state.connections.Stop();
  for (const auto& worker : state.workers) worker->work.reset();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace dolmen::server
