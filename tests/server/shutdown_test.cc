// Tests of a server that ends: it answers requests in progress and accepts no new requests.

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "tests/server/server_fixture.h"

namespace dolmen::test {
namespace {

using std::chrono::milliseconds;

using ShutdownTest = ServerFixture;

TEST_F(ShutdownTest, ClosesIdleConnectionsAndIncompleteRequests) {
  HttpClient idle = Connect();
  idle.Ask(RequestText("{}"));
  HttpClient half = Connect();
  half.Send("POST / HTTP/1.1\r\n");
  server().Stop();
  EXPECT_EQ(idle.ReadToEnd(), "");
  EXPECT_EQ(half.ReadToEnd(), "");
  EXPECT_EQ(server().connections(), 0U);
}

TEST_F(ShutdownTest, AcceptsNoMoreClients) {
  const std::uint16_t port = server().port();
  server().Stop();
  HttpClient late(port);
  EXPECT_FALSE(late.Send("GET / HTTP/1.1\r\n\r\n"));
}

TEST_F(ShutdownTest, ASecondStopDoesNothing) {
  server().Stop();
  server().Stop();
}

// Calls Stop() while a request arrives and while the timers of the server fire.
TEST_F(ShutdownTest, StopsSafelyAtAnyTime) {
  constexpr milliseconds kShort(8);  // the sweep for timeouts then runs every 2 ms
  options_.timeouts = {kShort, kShort, kShort, kShort, kShort};
  for (int i = 0; i < 200; ++i) {
    HttpClient client = Connect();
    client.Send(RequestText("{}"));
    server().Stop();
    Restart();
  }
}

// Every response that a client reads is complete, and no partial response follows.
TEST_F(ShutdownTest, RequestsInProgressGetACompleteResponse) {
  server();
  std::vector<std::thread> clients;
  std::atomic<int> answered = 0;
  for (int i = 0; i < 4; ++i) {
    clients.emplace_back([&] {
      HttpClient client = Connect();
      while (const auto response = client.Ask(RequestText("{}"))) {
        EXPECT_EQ(response->body, R"({"TableNames":[]})");
        ++answered;
      }
      EXPECT_EQ(client.ReadToEnd(), "") << "a partial response";
    });
  }
  while (answered < 100) std::this_thread::yield();
  server().Stop();
  for (std::thread& client : clients) client.join();
}

TEST_F(ShutdownTest, WaitsForASlowClientNoLongerThanTheStopTimeout) {
  options_.timeouts.stop = milliseconds(20);
  HttpClient client = Connect();
  std::thread sender([&] {
    const std::string request = RequestText("{}");
    while (client.Send(request)) {
    }
  });
  // The client's thread sends requests and reads no responses. Stop() must close the connection and
  // return, although the client does not stop.
  ExpectAlive();
  server().Stop();
  EXPECT_EQ(server().connections(), 0U);
  // Makes the next Send() of the client's thread fail, so that the thread ends. Otherwise the
  // system could still accept bytes from this thread although the server has closed the connection.
  client.EndSending();
  sender.join();
}

}  // namespace
}  // namespace dolmen::test
