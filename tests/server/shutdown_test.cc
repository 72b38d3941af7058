// A server that ends: what has been asked is answered, and no more.

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "tests/server/server_fixture.h"

namespace dolmen::test {
namespace {

using std::chrono::milliseconds;

using ShutdownTest = ServerFixture;

TEST_F(ShutdownTest, ClosesIdleConnectionsAndThoseInTheMiddleOfARequest) {
  HttpClient idle = Connect();
  idle.Ask(RequestText("{}"));
  HttpClient half = Connect();
  half.Send("POST / HTTP/1.1\r\n");
  server().Stop();
  EXPECT_EQ(idle.ReadToEnd(), "");
  EXPECT_EQ(half.ReadToEnd(), "");
  EXPECT_EQ(server().connections(), 0U);
}

TEST_F(ShutdownTest, TakesNoMoreClients) {
  const std::uint16_t port = server().port();
  server().Stop();
  HttpClient late(port);
  EXPECT_FALSE(late.Send("GET / HTTP/1.1\r\n\r\n"));
}

TEST_F(ShutdownTest, StoppingTwiceIsStoppingOnce) {
  server().Stop();
  server().Stop();
}

// Whatever timer, client or request comes up at that very moment.
TEST_F(ShutdownTest, MayComeAtAnyTime) {
  constexpr milliseconds kShort(8);  // makes the sweep come every 2 ms
  options_.timeouts = {kShort, kShort, kShort, kShort, kShort};
  for (int i = 0; i < 200; ++i) {
    HttpClient client = Connect();
    client.Send(RequestText("{}"));
    server().Stop();
    Restart();
  }
}

// Each request whose answer is read was done, whatever happened meanwhile; and no answer is cut.
TEST_F(ShutdownTest, AnswersInFullWhatIsUnderWay) {
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
      EXPECT_EQ(client.ReadToEnd(), "") << "half an answer";
    });
  }
  while (answered < 100) std::this_thread::yield();
  server().Stop();
  for (std::thread& client : clients) client.join();
}

TEST_F(ShutdownTest, AClientThatDoesNotTakeItsAnswersIsNotWaitedForLongerThanAllowed) {
  options_.timeouts.stop = milliseconds(20);
  HttpClient client = Connect();
  std::thread sender([&] {
    const std::string request = RequestText("{}");
    while (client.Send(request)) {
    }
  });
  // Its thread is in send() by then or will be: either way the server has to end without it.
  ExpectAlive();
  server().Stop();
  EXPECT_EQ(server().connections(), 0U);
  // What it has sent may fill the system's buffers for a while yet.
  client.EndSending();
  sender.join();
}

}  // namespace
}  // namespace dolmen::test
