// Tests of slow clients. No test waits for a fixed time. Each test waits until the server closes
// the connection.

#include <chrono>
#include <string>
#include <thread>

#include "tests/server/server_fixture.h"

namespace dolmen::test {
namespace {

using std::chrono::milliseconds;

// The duration of all timeouts that a test does not check. If the checked timeout did not work, the
// test would exceed its own time limit and fail.
constexpr std::chrono::hours kNever(1);

class TimeoutTest : public ServerFixture {
 protected:
  TimeoutTest() { options_.timeouts = {kNever, kNever, kNever, kNever, kNever}; }
};

TEST_F(TimeoutTest, AnIdleConnectionIsClosed) {
  options_.timeouts.idle = milliseconds(20);
  HttpClient fresh = Connect();
  EXPECT_EQ(fresh.ReadToEnd(), "");
  HttpClient used = Connect();
  EXPECT_EQ(used.Ask(RequestText("{}"))->status, 200);
  EXPECT_EQ(used.ReadToEnd(), "");
}

TEST_F(TimeoutTest, ARequestMustArriveInTime) {
  options_.timeouts.request = milliseconds(20);
  const std::string request = RequestText("{}");
  for (const std::size_t part : {std::size_t{1}, std::size_t{30}, request.size() - 1}) {
    HttpClient client = Connect();
    client.Send(request.substr(0, part));
    EXPECT_EQ(client.ReadToEnd(), "") << part;
  }
  HttpClient second = Connect();
  EXPECT_EQ(second.Ask(request + "P")->status, 200);
  EXPECT_EQ(second.ReadToEnd(), "");
}

// The timeout counts from the first byte of a request to its last byte. Single bytes that arrive in
// between must not restart it. A fast client may exceed the limit of a header first, and the server
// then lingers.
TEST_F(TimeoutTest, ARequestInSingleBytesMustArriveInTime) {
  options_.timeouts.request = options_.timeouts.linger = milliseconds(20);
  HttpClient client = Connect();
  client.Send("POST / HTTP/1.1\r\nX: ");
  while (client.Send("x")) {
    std::this_thread::yield();
  }
  ExpectAlive();
}

TEST_F(TimeoutTest, AClientThatDoesNotReadItsResponsesIsDisconnected) {
  options_.timeouts.response = milliseconds(20);
  HttpClient client = Connect();
  // The responses to these requests are larger than the socket buffers of client and server
  // together, so the server cannot send all responses before the client reads some.
  while (client.Send(RequestText("{}"))) {
  }
  ExpectAlive();
}

TEST_F(TimeoutTest, TheServerClosesAConnectionWhoseClientKeepsSendingAfterTheLastResponse) {
  options_.timeouts.linger = milliseconds(20);
  HttpClient client = Connect();
  client.Send("garbage\r\n\r\n");
  while (client.Send("x")) {
    std::this_thread::yield();
  }
  ExpectAlive();
}

}  // namespace
}  // namespace dolmen::test
