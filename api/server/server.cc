#include "server/server.h"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdio>
#include <exception>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "engine/base/status_macros.h"
#include "server/listener.h"
#include "server/worker.h"

namespace dolmen::server {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

// The pause of a thread after its event loop has ended with an exception. In this time other
// threads may free memory.
constexpr std::chrono::milliseconds kRetryPause(50);

// The number of long operations that run at once. Most of them wait for the disk.
constexpr std::size_t kLongOperationsMax = 4;

// Runs the thread's event loop. If memory is exhausted, a handler may throw an exception. The
// connection of that handler is then closed. `begin` is called again, and the loop continues. No
// content of a request can cause an exception.
template <typename Begin>
void RunLoop(asio::io_context* context, const Begin& begin) {
  for (;;) {
    try {
      begin();
      context->run();
      return;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "dolmen: a connection was closed: %s\n", error.what());
      std::this_thread::sleep_for(kRetryPause);
    }
  }
}

}  // namespace

struct Server::State {
  State(Service of, const ServerOptions& options)
      : shared{.service = std::move(of),
               .connections = Connections(options.timeouts),
               .buffered_bytes = Budget(options.buffered_bytes_max),
               .large_requests = asio::thread_pool(1),
               .long_operations = asio::thread_pool(kLongOperationsMax)},
        places(options.connections_max) {
    do {
      workers.push_back(std::make_unique<Worker>(&shared));
    } while (workers.size() < options.threads);
    sweep.emplace(workers.front()->context);
  }

  // Listens on an address. The first address gets `port`, or a port that the system chooses if
  // `port` is 0. Every further address gets the same port as the first one.
  Status Listen(const asio::ip::address& host, std::uint16_t port) {
    auto listener = std::make_unique<Listener>(workers, &places);
    Status status = listener->Listen(host, listeners.empty() ? port : listeners.front()->port());
    if (status.ok()) listeners.push_back(std::move(listener));
    return status;
  }

  void Accept() {
    for (const auto& listener : listeners) listener->Accept();
  }

  void Sweep() {
    if (sweeping || closed) return;
    sweep->expires_after(shared.connections.resolution());
    sweep->async_wait([this](const error_code& error) {
      sweeping = false;
      // Checks `closed` because cancel() has no effect on a timer that has already expired.
      if (error || closed) return;
      shared.connections.Sweep();
      DropIdleDatabases();
      Sweep();
    });
    sweeping = true;
  }

  // Closing a database takes about a millisecond, so a worker leaves it to the thread for large
  // requests.
  void DropIdleDatabases() {
    if (shared.service.databases == nullptr) return;
    asio::post(shared.large_requests, [this] { shared.service.databases->DropIdle(); });
  }

  void Close() {
    closed = true;
    for (const auto& listener : listeners) listener->Close();
    sweep->cancel();
  }

  Shared shared;
  Budget places;
  std::vector<std::unique_ptr<Worker>> workers;
  std::vector<std::unique_ptr<Listener>> listeners;
  asio::ip::address address;
  // The following members are used only by the first worker's thread.
  std::optional<asio::steady_timer> sweep;
  bool sweeping = false;
  bool closed = false;
};

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}

Server::~Server() { Stop(); }

Result<std::unique_ptr<Server>> Server::Start(Service service, const ServerOptions& options) {
  const bool is_localhost = options.host == "localhost";
  error_code error;
  const auto address = asio::ip::make_address(is_localhost ? "127.0.0.1" : options.host, error);
  if (error) {
    return Status::Validation("\"" + options.host +
                              "\" is not an address to listen on; give --host an address such as "
                              "127.0.0.1, 0.0.0.0 or ::1.");
  }
  service.cors.checks_host = address.is_loopback() && service.access_keys.empty();
  try {
    auto state = std::make_unique<State>(std::move(service), options);
    DOLMEN_RETURN_IF_ERROR(state->Listen(address, options.port));
    if (is_localhost) {
      // If a different program uses the port on ::1, Start fails. Other errors for ::1 are ignored,
      // because the machine might have no IPv6.
      Status status = state->Listen(asio::ip::address_v6::loopback(), options.port);
      if (status.code() == StatusCode::kResourceInUse) return status;
    }
    state->address = address;
    std::unique_ptr<Server> server(new Server(std::move(state)));
    server->Run();
    return server;
  } catch (const std::runtime_error& refused) {  // both std's and Boost's system_error
    return Status::Storage("Can't start " + std::to_string(options.threads) +
                           " threads: " + refused.what() +
                           "; raise the limits (ulimit -u, ulimit -n), or lower --threads.");
  }
}

void Server::Run() {
  State* const state = state_.get();
  for (const auto& worker : state->workers) {
    const bool is_first = worker == state->workers.front();
    threads_.emplace_back([state, context = &worker->context, is_first] {
      RunLoop(context, [state, is_first] {
        if (!is_first) return;
        state->Accept();
        state->Sweep();
      });
    });
  }
}

std::uint16_t Server::port() const { return state_->listeners.front()->port(); }

std::string Server::url() const {
  const asio::ip::address& address = state_->address;
  const std::string host = address.is_v6() ? "[" + address.to_string() + "]" : address.to_string();
  return "http://" + host + ":" + std::to_string(port());
}

bool Server::is_loopback() const { return state_->address.is_loopback(); }

std::size_t Server::connections() const { return state_->shared.connections.size(); }

void Server::Stop() {
  if (threads_.empty()) return;
  State& state = *state_;
  asio::post(state.workers.front()->context, [&state] { state.Close(); });
  state.shared.connections.Stop();
  // Ends these threads before the workers, because the connections that they close use their loops.
  state.shared.large_requests.join();
  state.shared.long_operations.join();
  for (const auto& worker : state.workers) worker->work.reset();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace dolmen::server
