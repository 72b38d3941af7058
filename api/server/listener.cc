#include "server/listener.h"

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <string>
#include <utility>

#include "server/connection.h"

namespace dolmen::server {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

// The delay before the next attempt to accept, if no place or no descriptor is left for a client.
constexpr std::chrono::milliseconds kRetryAfter(50);

Status StatusOf(const error_code& error, const asio::ip::tcp::endpoint& endpoint) {
  const std::string port = std::to_string(endpoint.port());
  if (error == asio::error::address_in_use) {
    return Status::ResourceInUse("Port " + port +
                                 " is in use by another program; choose another port with "
                                 "--port, or 0 for any free port.");
  }
  if (error == asio::error::access_denied) {
    return Status::Validation("Port " + port +
                              " needs privileges; choose a port from 1024 with --port.");
  }
  const std::string message = "Can't listen on " + endpoint.address().to_string() + " port " +
                              port + ": " + error.message() + ".";
  return error == boost::system::errc::address_not_available ? Status::Validation(message)
                                                             : Status::Storage(message);
}

}  // namespace

Listener::Listener(const std::vector<std::unique_ptr<Worker>>& workers, Budget* places)
    : workers_(workers),
      places_(*places),
      acceptor_(workers.front()->context),
      retry_(workers.front()->context) {}

Status Listener::Listen(const asio::ip::address& host, std::uint16_t port) {
  const asio::ip::tcp::endpoint endpoint(host, port);
  error_code error;
  acceptor_.open(endpoint.protocol(), error);
  // Sets SO_REUSEADDR. Otherwise the closed connections of a stopped server would block the port
  // for a minute.
  if (!error) acceptor_.set_option(Acceptor::reuse_address(true), error);
  if (!error) acceptor_.bind(endpoint, error);
  if (!error) acceptor_.listen(Acceptor::max_listen_connections, error);
  if (error) return StatusOf(error, endpoint);
  port_ = acceptor_.local_endpoint(error).port();
  return Status();
}

void Listener::Accept() {
  if (accepting_ || !acceptor_.is_open()) return;
  Share place(&places_);
  if (!place.Resize(1)) return AcceptLater();
  Worker& worker = *workers_[next_];
  acceptor_.async_accept(worker.context, [this, &worker, place = std::move(place)](
                                             const error_code& error, Socket socket) mutable {
    accepting_ = false;
    // Accepts no client after Close(). Checks is_open() and not only `error`: if a client arrived
    // just before Close(), this handler runs after Close() without an error.
    if (!acceptor_.is_open()) return;
    if (error) return AcceptLater();
    next_ = (next_ + 1) % workers_.size();
    // Waits for the next client before it allocates memory for the accepted client. If the
    // allocation throws an exception, the server still accepts further clients.
    Accept();
    asio::post(worker.context,
               [&worker, taken = std::move(place), accepted = std::move(socket)]() mutable {
                 Connection::Serve(std::move(accepted), std::move(taken), &worker);
               });
  });
  accepting_ = true;
}

void Listener::AcceptLater() {
  retry_.expires_after(kRetryAfter);
  retry_.async_wait([this](const error_code& error) {
    accepting_ = false;
    if (!error) Accept();
  });
  accepting_ = true;
}

void Listener::Close() {
  error_code ignored;
  acceptor_.close(ignored);
  retry_.cancel();
}

}  // namespace dolmen::server
