#include "tests/remote/sockets.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

namespace dolmen::test {
namespace {

sockaddr_in Loopback(std::uint16_t port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

int BindToFreePort(std::uint16_t* port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  sockaddr_in address = Loopback(0);
  socklen_t size = sizeof(address);
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0 ||
      ::bind(socket, generic, size) != 0 || ::getsockname(socket, generic, &size) != 0) {
    std::abort();
  }
  *port = ntohs(address.sin_port);
  return socket;
}

// Returns the number in the line "Content-Length: 5", or 0. libcurl and the server write the name so.
std::size_t BodyBytes(std::string_view head) {
  constexpr std::string_view kName = "\r\nContent-Length: ";
  const std::size_t at = head.find(kName);
  if (at == head.npos) return 0;
  return std::strtoul(std::string(head.substr(at + kName.size(), 20)).c_str(), nullptr, 10);
}

std::size_t CountSocketsTo(std::uint16_t port) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    sockaddr_in peer = {};
    socklen_t size = sizeof(peer);
    const int socket = std::atoi(entry.path().filename().c_str());
    if (::getpeername(socket, reinterpret_cast<sockaddr*>(&peer), &size) != 0) continue;
    if (peer.sin_family == AF_INET && ntohs(peer.sin_port) == port) ++count;
  }
  return count;
}

}  // namespace

int OpenListener(std::uint16_t* port) {
  const int listener = BindToFreePort(port);
  if (::listen(listener, 128) != 0) std::abort();
  return listener;
}

ReservedPort::ReservedPort() : socket_(BindToFreePort(&number_)) {}

ReservedPort::~ReservedPort() { ::close(socket_); }

int ConnectTo(std::uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = Loopback(port);
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) {
    return socket;
  }
  ::close(socket);
  return -1;
}

bool SendAll(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

std::optional<std::string> ReadMessage(int socket, std::string* received) {
  std::array<char, 16384> buffer;
  std::size_t size = 0;  // of the message; 0: the header has not arrived
  for (;;) {
    const std::size_t end = size > 0 ? 0 : received->find("\r\n\r\n");
    if (size == 0 && end != received->npos) {
      size = end + 4 + BodyBytes(std::string_view(*received).substr(0, end));
    }
    if (size > 0 && received->size() >= size) {
      std::string message = received->substr(0, size);
      received->erase(0, size);
      return message;
    }
    const ssize_t count = ::recv(socket, buffer.data(), buffer.size(), 0);
    if (count <= 0) return std::nullopt;
    received->append(buffer.data(), static_cast<std::size_t>(count));
  }
}

std::size_t SocketsTo(std::uint16_t port) {
  // A count sees a connection twice if it is closed and opened again meanwhile.
  return std::min({CountSocketsTo(port), CountSocketsTo(port), CountSocketsTo(port)});
}

}  // namespace dolmen::test
