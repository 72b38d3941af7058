// Sockets of this machine, and the messages of HTTP on them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dolmen::test {

// Opens a socket that listens on a free port of 127.0.0.1.
int OpenListener(std::uint16_t* port);

// Opens a connection to a port of 127.0.0.1; -1: nothing listens there.
int ConnectTo(std::uint16_t port);

// Returns false if the connection has ended.
bool SendAll(int socket, std::string_view bytes);

// Returns the next request or response, whose length its header tells. Returns nothing if the connection
// ends before. `received` holds the bytes that were read too early.
std::optional<std::string> ReadMessage(int socket, std::string* received);

// Returns the number of this process's connections to a port of 127.0.0.1.
std::size_t SocketsTo(std::uint16_t port);

// A port of 127.0.0.1 that refuses connections, and that no other program is given while the object lives. A program that
// names it and sets SO_REUSEADDR may listen on it.
class ReservedPort {
 public:
  ReservedPort();
  ~ReservedPort();
  ReservedPort(const ReservedPort&) = delete;
  ReservedPort& operator=(const ReservedPort&) = delete;

  std::uint16_t number() const { return number_; }

 private:
  std::uint16_t number_ = 0;
  const int socket_;
};

}  // namespace dolmen::test
