#include "tests/remote/scripted_server.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <utility>

#include "tests/remote/sockets.h"

namespace dolmen::test {
namespace {

ReceivedRequest ReadHead(const std::string& head) {
  ReceivedRequest request;
  std::size_t at = head.find("\r\n");
  request.line = head.substr(0, at);
  while (at + 2 < head.size()) {
    const std::size_t end = head.find("\r\n", at + 2);
    const std::string line = head.substr(at + 2, end - at - 2);
    const std::size_t colon = line.find(": ");
    if (colon != line.npos) {
      std::string name = line.substr(0, colon);
      std::transform(name.begin(), name.end(), name.begin(),
                     [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      request.fields[name] = line.substr(colon + 2);
    }
    at = end;
  }
  return request;
}

// Reads the next request. `received` holds the bytes that were read too early.
std::optional<ReceivedRequest> ReadRequest(int socket, std::string* received) {
  const std::optional<std::string> message = ReadMessage(socket, received);
  if (!message) return std::nullopt;
  const std::size_t end = message->find("\r\n\r\n");
  ReceivedRequest request = ReadHead(message->substr(0, end + 2));
  request.body = message->substr(end + 4);
  return request;
}

bool IsWhole(const std::string& response) {
  const std::size_t length = response.find("Content-Length: ");
  const std::size_t end = response.find("\r\n\r\n");
  if (length == response.npos || end == response.npos) return false;
  return response.size() - end - 4 == std::strtoul(response.c_str() + length + 16, nullptr, 10);
}

}  // namespace

std::string ResponseText(int status, const std::string& body, const std::string& more) {
  return "HTTP/1.1 " + std::to_string(status) + " Text\r\n" + more +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

ScriptedServer::ScriptedServer(Handler handler)
    : handler_(std::move(handler)), listener_(OpenListener(&port_)) {
  thread_ = std::thread([this] { Listen(); });
}

ScriptedServer::ScriptedServer(std::vector<std::string> responses)
    : ScriptedServer([responses = std::move(responses),
                      next = std::size_t{0}](const ReceivedRequest&) mutable {
        const std::string& response = responses[std::min(next, responses.size() - 1)];
        ++next;
        return response;
      }) {}

ScriptedServer::~ScriptedServer() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    for (const int socket : sockets_) ::shutdown(socket, SHUT_RDWR);
  }
  ::shutdown(listener_, SHUT_RDWR);
  thread_.join();
  for (std::thread& serving : serving_) serving.join();
  for (const int socket : sockets_) ::close(socket);
  ::close(listener_);
}

void ScriptedServer::StopListening() const { ::shutdown(listener_, SHUT_RDWR); }

std::vector<ReceivedRequest> ScriptedServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

std::size_t ScriptedServer::connections() const {
  const std::lock_guard lock(mutex_);
  return sockets_.size();
}

void ScriptedServer::Listen() {
  for (;;) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) return;
    const std::lock_guard lock(mutex_);
    sockets_.push_back(socket);
    if (ending_) return;
    serving_.emplace_back([this, socket] { Serve(socket); });
  }
}

void ScriptedServer::Serve(int socket) {
  std::string received;
  while (const auto request = ReadRequest(socket, &received)) {
    std::string response;
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(*request);
      response = handler_(*request);
    }
    if (response == kNoResponse) continue;
    const bool sent = ::send(socket, response.data(), response.size(), MSG_NOSIGNAL) >= 0;
    if (!sent || !IsWhole(response)) break;
  }
  ::shutdown(socket, SHUT_RDWR);
}

}  // namespace dolmen::test
