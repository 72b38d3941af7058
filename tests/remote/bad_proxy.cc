#include "tests/remote/bad_proxy.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "tests/remote/sockets.h"

namespace dolmen::test {
namespace {

using Fault = NetworkFault;

// Chances in 1000; all other requests are only forwarded.
struct Chance {
  Fault fault;
  std::size_t chance;
};
constexpr std::array<Chance, 11> kChances = {{{Fault::kCutUnread, 20},
                                              {Fault::kCutBefore, 20},
                                              {Fault::kCutInRequest, 20},
                                              {Fault::kThrottled, 100},
                                              {Fault::kRefused, 20},
                                              {Fault::kCutAfter, 25},
                                              {Fault::kCutInResponse, 25},
                                              {Fault::kAnsweredByError, 20},
                                              {Fault::kDuplicated, 60},
                                              {Fault::kHeld, 100},
                                              {Fault::kClosed, 50}}};

// A held response waits at most this time. No test depends on it.
constexpr std::chrono::milliseconds kHoldMax(5);

std::string ErrorBody(const char* name) {
  return std::string(R"({"__type":"com.amazonaws.dynamodb.v20120810#)")
      .append(name)
      .append(R"(","message":"by the proxy"})");
}

std::string Answer(const char* status, const std::string& body) {
  return std::string("HTTP/1.1 ").append(status).append("\r\nContent-Length: ") +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

// Waits for a byte. Returns false if the connection has ended.
bool IsReadable(int socket) {
  char byte = 0;
  return ::recv(socket, &byte, 1, MSG_PEEK) > 0;
}

bool IsSuccess(const std::string& response) { return response.starts_with("HTTP/1.1 200 "); }

void ReadToEnd(int socket) {
  std::array<char, 4096> buffer;
  while (::recv(socket, buffer.data(), buffer.size(), 0) > 0) {
  }
}

}  // namespace

BadProxy::BadProxy(std::uint16_t server_port, std::uint64_t seed, Filter may_duplicate)
    : server_port_(server_port),
      may_duplicate_(std::move(may_duplicate)),
      listener_(OpenListener(&port_)),
      random_(seed) {
  thread_ = std::thread([this] { Listen(); });
}

BadProxy::~BadProxy() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    for (const Connection& connection : open_) {
      ::shutdown(connection.client, SHUT_RDWR);
      if (connection.server >= 0) ::shutdown(connection.server, SHUT_RDWR);
    }
    changed_.notify_all();
  }
  ::shutdown(listener_, SHUT_RDWR);
  thread_.join();
  WaitUntilClosed();
  for (Connection& connection : ended_) connection.thread.join();
  ::close(listener_);
}

void BadProxy::Begin() {
  const std::lock_guard lock(mutex_);
  mode_ = Mode::kBad;
}

void BadProxy::Stall() {
  const std::lock_guard lock(mutex_);
  mode_ = Mode::kStalled;
}

void BadProxy::WaitUntilClosed() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return open_.empty(); });
}

std::size_t BadProxy::connections_max() const {
  const std::lock_guard lock(mutex_);
  return connections_max_;
}

std::array<std::size_t, kNetworkFaults> BadProxy::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

void BadProxy::Listen() {
  for (;;) {
    const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) return;
    const std::size_t count = SocketsTo(port_);
    Connections ended;
    {
      const std::lock_guard lock(mutex_);
      ended.swap(ended_);
      const auto connection = open_.emplace(open_.end());
      connection->client = client;
      connections_max_ = std::max(connections_max_, count);
      if (ending_) ::shutdown(client, SHUT_RDWR);
      connection->thread = std::thread([this, connection] { Serve(connection); });
    }
    for (Connection& connection : ended) connection.thread.join();
  }
}

void BadProxy::Serve(Connections::iterator connection) {
  while (ServeOne(&*connection)) {
  }
  const std::lock_guard lock(mutex_);
  ::close(connection->client);
  if (connection->server >= 0) ::close(connection->server);
  ended_.splice(ended_.end(), open_, connection);
  changed_.notify_all();
}

bool BadProxy::ServeOne(Connection* connection) {
  if (!IsReadable(connection->client)) return false;
  const Fault fault = Choose();
  if (fault == Fault::kUnanswered) ReadToEnd(connection->client);
  if (fault == Fault::kCutUnread || fault == Fault::kUnanswered) return false;
  const auto request = ReadMessage(connection->client, &connection->from_client);
  if (!request) return false;
  return Treat(fault, *request, connection);
}

bool BadProxy::Treat(Fault fault, const std::string& request, Connection* connection) {
  switch (fault) {
    case Fault::kCutBefore:
      return false;
    case Fault::kCutInRequest: {
      const int server = ConnectTo(server_port_);
      SendAll(server, std::string_view(request).substr(0, Below(request.size())));
      ::close(server);
      return false;
    }
    case Fault::kThrottled:
    case Fault::kRefused:
      return SendAll(connection->client, ErrorResponse(fault));
    default:
      return TreatExecuted(fault, request, connection);
  }
}

bool BadProxy::TreatExecuted(Fault fault, const std::string& request, Connection* connection) {
  std::string response = Forward(request, connection);
  if (response.empty() || fault == Fault::kCutAfter) return false;
  if (fault == Fault::kDuplicated && may_duplicate_(request)) {
    std::string second = Forward(request, connection);
    // With an error in place of the success of the same request, no client could know what happened.
    if (IsSuccess(second) && (!IsSuccess(response) || Below(2) == 0)) response = std::move(second);
  }
  if (fault == Fault::kAnsweredByError) response = ErrorResponse(fault);
  std::string_view rest = response;
  if (fault == Fault::kCutInResponse || fault == Fault::kHeld) {
    const std::size_t part = Below(response.size());
    if (!SendAll(connection->client, rest.substr(0, part))) return false;
    if (fault == Fault::kCutInResponse) return false;
    Hold();
    rest.remove_prefix(part);
  }
  if (!SendAll(connection->client, rest)) return false;
  const std::lock_guard lock(mutex_);
  ++passed_;
  changed_.notify_all();
  return fault != Fault::kClosed;
}

std::string BadProxy::Forward(const std::string& request, Connection* connection) {
  if (connection->server < 0) {
    const int server = ConnectTo(server_port_);
    const std::lock_guard lock(mutex_);
    if (!ending_) connection->server = server;
    if (ending_) ::close(server);
  }
  if (!SendAll(connection->server, request)) return {};
  return ReadMessage(connection->server, &connection->from_server).value_or("");
}

void BadProxy::Hold() {
  std::unique_lock lock(mutex_);
  const std::size_t until = passed_ + 1 + random_.Below(4);
  changed_.wait_for(lock, kHoldMax, [&] { return ending_ || passed_ >= until; });
}

Fault BadProxy::Choose() {
  const std::lock_guard lock(mutex_);
  Fault chosen = mode_ == Mode::kStalled ? Fault::kUnanswered : Fault::kNone;
  std::size_t draw = mode_ == Mode::kBad ? random_.Below(1000) : 1000;
  for (const auto& [fault, chance] : kChances) {
    if (draw < chance) {
      chosen = fault;
      break;
    }
    draw -= chance;
  }
  ++counts_.at(static_cast<std::size_t>(chosen));
  return chosen;
}

std::size_t BadProxy::Below(std::size_t bound) {
  const std::lock_guard lock(mutex_);
  return random_.Below(bound);
}

std::string BadProxy::ErrorResponse(Fault fault) {
  const std::size_t draw = Below(3);
  if (fault == Fault::kThrottled) {
    constexpr std::array<const char*, 3> kNames = {
        "ThrottlingException", "ProvisionedThroughputExceededException", "RequestLimitExceeded"};
    return Answer("400 Bad Request", ErrorBody(kNames.at(draw)));
  }
  if (draw == 0) return Answer("500 Internal Server Error", ErrorBody("InternalServerError"));
  if (draw == 1) return Answer("503 Service Unavailable", ErrorBody("ServiceUnavailable"));
  return Answer("503 Service Unavailable", "<html>503</html>");
}

}  // namespace dolmen::test
