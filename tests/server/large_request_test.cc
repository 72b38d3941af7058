// Tests of large requests, which other threads execute than small ones.

#include <algorithm>
#include <atomic>
#include <memory>
#include <semaphore>
#include <string>
#include <thread>

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

std::string CreateTableText(const std::string& name) {
  return RequestText(R"({"TableName":")" + name +
                         R"(","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],)"
                         R"("AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],)"
                         R"("BillingMode":"PAY_PER_REQUEST"})",
                     {.operation = "DynamoDB_20120810.CreateTable"});
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
