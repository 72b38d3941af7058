// Tests of large requests, which other threads execute than small ones.

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <semaphore>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/compression.h"
#include "tests/server/server_fixture.h"

namespace dolmen::test {
namespace {

// A clock that stops the next request that reads the time, until the test releases it. The server
// reads the time while it executes a request.
class GateClock : public ManualClock {
 public:
  GateClock() : ManualClock(kNow) {}

  Timestamp Now() override {
    if (stops_next_.exchange(false)) {
      stopped_.release();
      open_.acquire();
    }
    return ManualClock::Now();
  }

  void StopNext() { stops_next_ = true; }
  void WaitUntilStopped() { stopped_.acquire(); }
  void Open() { open_.release(); }

 private:
  std::atomic<bool> stops_next_ = false;
  std::binary_semaphore stopped_{0};
  std::binary_semaphore open_{0};
};

std::string Spaces(std::size_t bytes) { return "{" + std::string(bytes - 2, ' ') + "}"; }

// Returns a request whose body has at least `body_bytes` bytes.
std::string CreateTableText(const std::string& name, std::size_t body_bytes = 0,
                            const std::string& more = "") {
  std::string body = R"({"TableName":")" + name +
                     R"(","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],)"
                     R"("AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],)"
                     R"("BillingMode":"PAY_PER_REQUEST"})";
  body.resize(std::max(body.size(), body_bytes), ' ');
  return RequestText(body, {.operation = "DynamoDB_20120810.CreateTable", .more = more});
}

std::string Compressed() {
  std::string body;
  EXPECT_TRUE(server::Codec().Compress(server::Coding::kGzip, Spaces(kBodyBytesMax), &body));
  return RequestText(body, {.more = "Content-Encoding: gzip\r\n"});
}

std::string Chunked() {
  std::string text = RequestText("", {.more = "Transfer-Encoding: chunked\r\n"});
  text.erase(text.find("Content-Length: 0\r\n"), 19);
  return text + "100000\r\n" + Spaces(1 << 20) + "\r\n0\r\n\r\n";
}

class LargeRequestsTest : public ServerFixture {
 protected:
  LargeRequestsTest() { clock_ = gate_; }

  const std::shared_ptr<GateClock> gate_ = std::make_shared<GateClock>();
  const std::string requests_[3] = {RequestText(Spaces(1 << 20)), Chunked(), Compressed()};
};

TEST_F(LargeRequestsTest, SmallRequestsDoNotWaitForLargeOnes) {
  options_.threads = 1;
  for (const std::string& request : requests_) {
    HttpClient large = Connect();
    gate_->StopNext();
    large.Send(request);
    gate_->WaitUntilStopped();
    EXPECT_EQ(Ask(RequestText("{}")).status, 200);
    gate_->Open();
    EXPECT_EQ(large.Read()->body, R"({"TableNames":[]})");
  }
}

// A client may send many requests before it reads a response.
TEST_F(LargeRequestsTest, OtherClientsAreAnsweredBetweenTheRequestsOfOneClient) {
  constexpr int kCount = 80;  // together smaller than the buffer of a worker
  options_.threads = 1;
  HttpClient other = Connect();
  ASSERT_EQ(other.Ask(RequestText("{}"))->status, 200);
  HttpClient client = Connect();
  gate_->StopNext();
  client.Send(RequestText("{}"));
  gate_->WaitUntilStopped();
  std::string requests;
  for (int i = 0; i < kCount; ++i) requests += CreateTableText("table" + std::to_string(i));
  client.Send(requests);
  other.Send(RequestText("{}"));
  gate_->Open();
  const std::string tables = other.Read()->body;
  EXPECT_LT(std::count(tables.begin(), tables.end(), ','), kCount / 2) << tables;
  for (int i = 0; i <= kCount; ++i) EXPECT_EQ(client.Read()->status, 200);
}

// Clients whose large bodies arrive while the only worker is stopped.
class WaitingBodiesTest : public LargeRequestsTest {
 protected:
  static constexpr int kClients = 16;
  // Larger than 64 KiB with its head, so that it waits for a turn, and smaller without the head, so that it arrives in
  // one turn. The worker itself executes it.
  static constexpr std::size_t kBodyBytes = 65'500;

  WaitingBodiesTest() { options_.threads = 1; }

  void SendBodies() {
    std::vector<std::string> bodies;
    for (int i = 0; i < kClients; ++i) {
      const std::string text =
          CreateTableText("table" + std::to_string(i), kBodyBytes, "Expect: 100-continue\r\n");
      ASSERT_GT(text.size(), 64U * 1024);
      const std::size_t head_bytes = text.find("\r\n\r\n") + 4;
      EXPECT_EQ(clients_.emplace_back(Connect()).Ask(text.substr(0, head_bytes))->status, 100);
      bodies.push_back(text.substr(head_bytes));
    }
    gate_->StopNext();
    stopped_.emplace(Connect()).Send(RequestText("{}"));
    gate_->WaitUntilStopped();
    for (int i = 0; i < kClients; ++i) clients_[i].Send(bodies[i]);
  }

  std::optional<HttpClient> stopped_;  // the client whose request stops the worker
  std::vector<HttpClient> clients_;
};

TEST_F(WaitingBodiesTest, ASmallRequestIsAnsweredBeforeBodiesThatArrivedEarlier) {
  HttpClient other = Connect();
  ASSERT_EQ(other.Ask(RequestText("{}"))->status, 200);
  SendBodies();
  other.Send(RequestText("{}"));
  gate_->Open();
  const std::string tables = other.Read()->body;
  EXPECT_LT(std::count(tables.begin(), tables.end(), ','), kClients / 2) << tables;
  for (HttpClient& client : clients_) EXPECT_EQ(client.Read()->status, 200);
}

TEST_F(WaitingBodiesTest, ClientsThatGoLeaveNoConnectionAndDelayNobody) {
  SendBodies();
  for (int i = 0; i < kClients; i += 2) const HttpClient gone(std::move(clients_[i]));
  gate_->Open();
  for (int i = 1; i < kClients; i += 2) EXPECT_EQ(clients_[i].Read()->status, 200);
  server().Stop();
  EXPECT_EQ(server().connections(), 0U);
}

TEST_F(WaitingBodiesTest, TheServerStopsWhileBodiesWait) {
  SendBodies();
  std::thread stopper([&] { server().Stop(); });
  gate_->Open();
  stopper.join();
  EXPECT_EQ(server().connections(), 0U);
  EXPECT_EQ(stopped_->Read()->status, 200);
}

TEST_F(LargeRequestsTest, OtherRequestsDoNotWaitForALongOperation) {
  options_.threads = 1;
  HttpClient client = Connect();
  gate_->StopNext();
  client.Send(RequestText("{}", {.operation = "DynamoDB_20120810.CreateBackup"}));
  gate_->WaitUntilStopped();
  EXPECT_EQ(Ask(RequestText("{}")).status, 200);
  for (const std::string& request : requests_) EXPECT_EQ(Ask(request).status, 200);
  gate_->Open();
  EXPECT_EQ(client.Read()->status, 400);
}

TEST_F(LargeRequestsTest, RequestsAfterALargeOneAreAnsweredInOrder) {
  const std::string small =
      RequestText(R"({"TableName":"none"})", {.operation = "DynamoDB_20120810.DescribeTable"});
  for (const std::string& request : requests_) {
    HttpClient client = Connect();
    client.Send(small + request + small + request);
    for (const int status : {400, 200, 400, 200}) EXPECT_EQ(client.Read()->status, status);
  }
}

TEST_F(LargeRequestsTest, ALargeRequestInProgressIsAnsweredBeforeTheServerStops) {
  HttpClient client = Connect();
  gate_->StopNext();
  client.Send(requests_[0]);
  gate_->WaitUntilStopped();
  std::thread stopper([&] { server().Stop(); });
  gate_->Open();
  EXPECT_EQ(client.Read()->status, 200);
  stopper.join();
  EXPECT_EQ(client.ReadToEnd(), "");
}

TEST_F(LargeRequestsTest, ALargeRequestWhoseClientHasGoneLeavesNoConnection) {
  {
    HttpClient client = Connect();
    gate_->StopNext();
    client.Send(requests_[0]);
    gate_->WaitUntilStopped();
  }
  gate_->Open();
  server().Stop();
  EXPECT_EQ(server().connections(), 0U);
}

}  // namespace
}  // namespace dolmen::test
