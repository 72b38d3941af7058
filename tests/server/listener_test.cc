// Tests of the addresses on which a server listens.

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>

#include "tests/server/server_fixture.h"

namespace dolmen::test {
namespace {

// Returns true if `call`, which is connect or bind, succeeds for the address ::1.
template <typename Call>
bool SucceedsOnV6Loopback(const Call& call, std::uint16_t port) {
  const int socket = ::socket(AF_INET6, SOCK_STREAM, 0);
  sockaddr_in6 address = {};
  address.sin6_family = AF_INET6;
  address.sin6_port = htons(port);
  address.sin6_addr = in6addr_loopback;
  const bool done = call(socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
  ::close(socket);
  return done;
}

using ListenerTest = ServerFixture;

// For the name localhost, a client connects to 127.0.0.1 or to ::1, depending on the address that
// the client's system lists first. So the server must listen on both addresses.
TEST_F(ListenerTest, LocalhostListensOnBothLoopbackAddresses) {
  if (!SucceedsOnV6Loopback(::bind, 0)) GTEST_SKIP() << "this machine has no ::1";
  options_.host = "localhost";
  EXPECT_TRUE(SucceedsOnV6Loopback(::connect, server().port()));
  ExpectAlive();
}

TEST_F(ListenerTest, AnAddressListensOnThatAddressOnly) {
  EXPECT_FALSE(SucceedsOnV6Loopback(::connect, server().port()));
  ExpectAlive();
}

}  // namespace
}  // namespace dolmen::test
