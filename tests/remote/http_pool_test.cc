// Tests of the connections.

#include "remote/http_pool.h"

#include <gmock/gmock.h>

#include <future>
#include <thread>

#include "tests/remote/scripted_server.h"
#include "tests/remote/sockets.h"

namespace dolmen::test {
namespace {

using remote::HttpOutcome;
using remote::HttpPool;
using remote::HttpRequest;
using remote::HttpResponse;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

HttpRequest RequestTo(const std::string& url) {
  return {
      .url = url + "/", .fields = {"X-Test: yes"}, .body = "{}", .timeout = 60s, .proxy = false};
}

TEST(HttpPoolTest, SendsTheRequestAndReturnsTheResponse) {
  ScriptedServer server({ResponseText(400, "body", "Date: now\r\nX-Amz-Crc32:  5 \r\n")});
  HttpPool pool(1);
  const HttpResponse response = pool.Send(RequestTo(server.url()));
  EXPECT_EQ(response.outcome, HttpOutcome::kResponse);
  EXPECT_EQ(response.status, 400);
  EXPECT_EQ(response.body, "body");
  EXPECT_EQ(response.date, "now");
  EXPECT_EQ(response.crc32, "5");
  ASSERT_EQ(server.requests().size(), 1U);
  const ReceivedRequest received = server.requests()[0];
  EXPECT_EQ(received.line, "POST / HTTP/1.1");
  EXPECT_EQ(received.body, "{}");
  EXPECT_EQ(received.fields.at("x-test"), "yes");
  EXPECT_EQ(received.fields.count("expect"), 0U);
}

TEST(HttpPoolTest, SendsOtherMethods) {
  ScriptedServer server({ResponseText(200, "")});
  HttpPool pool(1);
  for (const char* const method : {"GET", "PUT"}) {
    HttpRequest request = RequestTo(server.url());
    request.method = method;
    request.body = {};
    EXPECT_EQ(pool.Send(request).status, 200);
    EXPECT_EQ(server.requests().back().line, std::string(method) + " / HTTP/1.1");
  }
}

TEST(HttpPoolTest, ReusesItsConnection) {
  ScriptedServer server({ResponseText(200, "")});
  HttpPool pool(4);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(pool.Send(RequestTo(server.url())).status, 200);
  EXPECT_EQ(server.connections(), 1U);
  EXPECT_EQ(pool.handles(), 1U);
}

TEST(HttpPoolTest, AServerThatIsNotReachedHasNotSeenTheRequest) {
  HttpPool pool(1);
  ScriptedServer plain({ResponseText(200, "")});
  const ReservedPort port;
  for (const std::string& url :
       {"http://127.0.0.1:" + std::to_string(port.number()), std::string("ftp://127.0.0.1"),
        plain.url().replace(0, 4, "https")}) {
    HttpRequest request = RequestTo(url);
    request.connect_timeout = 100ms;  // the server waits for more of the TLS handshake
    const HttpResponse response = pool.Send(request);
    EXPECT_EQ(response.outcome, HttpOutcome::kNotSent) << url;
    EXPECT_THAT(response.error, ::testing::Not(IsEmpty())) << url;
  }
}

TEST(HttpPoolTest, ALostResponseIsTold) {
  for (const char* const response :
       {"", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", "HTTP/1.1 200 OK\r\nContent-",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nDate: now\r\n", "HTTP/1.1 100 Continue\r\n\r\n"}) {
    ScriptedServer server({response});
    HttpPool pool(1);
    EXPECT_EQ(pool.Send(RequestTo(server.url())).outcome, HttpOutcome::kLost) << response;
    EXPECT_EQ(server.requests().size(), 1U);
  }
}

TEST(HttpPoolTest, ARequestThatIsSentOnceIsNotSentAgainOnAnotherConnection) {
  for (const bool sent_once : {true, false}) {
    // The second request meets a kept connection, which ends without a response.
    ScriptedServer server({ResponseText(200, "first"), "", ResponseText(200, "third")});
    HttpPool pool(1);
    HttpRequest request = RequestTo(server.url());
    request.sent_once = sent_once;
    EXPECT_EQ(pool.Send(request).body, "first");
    const HttpResponse second = pool.Send(request);
    EXPECT_EQ(second.outcome, sent_once ? HttpOutcome::kLost : HttpOutcome::kResponse);
    EXPECT_EQ(server.requests().size(), sent_once ? 2U : 3U);
    EXPECT_EQ(pool.Send(request).body, "third");
  }
}

TEST(HttpPoolTest, AResponseThatDoesNotArriveInTimeIsATimeout) {
  ScriptedServer server({kNoResponse});
  HttpPool pool(1);
  HttpRequest request = RequestTo(server.url());
  request.timeout = 50ms;
  // The time may be over before the connection exists.
  EXPECT_THAT(pool.Send(request).outcome,
              ::testing::AnyOf(HttpOutcome::kTimeout, HttpOutcome::kNotSent));
}

TEST(HttpPoolTest, TheSizeOfAResponseIsLimited) {
  ScriptedServer server({ResponseText(200, "1234")});
  HttpPool pool(1);
  HttpRequest request = RequestTo(server.url());
  request.response_bytes_max = 4;
  EXPECT_EQ(pool.Send(request).body, "1234");
  request.response_bytes_max = 3;
  EXPECT_EQ(pool.Send(request).outcome, HttpOutcome::kTooLarge);
}

TEST(HttpPoolTest, ThreadsShareAtMostTheGivenNumberOfConnections) {
  ScriptedServer server({ResponseText(200, "")});
  HttpPool pool(3);
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 20; ++j) EXPECT_EQ(pool.Send(RequestTo(server.url())).status, 200);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(server.requests().size(), 320U);
  EXPECT_LE(server.connections(), 3U);
  EXPECT_LE(pool.handles(), 3U);
}

TEST(HttpPoolTest, ARequestWaitsForAConnectionWithinItsTimeout) {
  std::promise<void> received;
  std::promise<void> answer;
  ScriptedServer server([&](const ReceivedRequest&) {
    received.set_value();
    answer.get_future().wait();
    return ResponseText(200, "");
  });
  HttpPool pool(1);
  std::thread busy([&] { EXPECT_EQ(pool.Send(RequestTo(server.url())).status, 200); });
  received.get_future().wait();
  HttpRequest request = RequestTo(server.url());
  request.timeout = 1ms;
  const HttpResponse response = pool.Send(request);
  EXPECT_EQ(response.outcome, HttpOutcome::kNotSent);
  EXPECT_THAT(response.error, HasSubstr("connections_max"));
  answer.set_value();
  busy.join();
}

}  // namespace
}  // namespace dolmen::test
