// Tests of a connection: successive requests, pipelined requests, requests in pieces, idle
// connections, size limits and malformed HTTP.

#include <list>
#include <string>
#include <vector>

#include "tests/server/server_fixture.h"

namespace dolmen::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string CreateTable(const std::string& name) {
  return RequestText(R"({"TableName":")" + name +
                         R"(","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],)"
                         R"("AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],)"
                         R"("BillingMode":"PAY_PER_REQUEST"})",
                     {.operation = "DynamoDB_20120810.CreateTable"});
}

std::string Describe(const std::string& name) {
  return RequestText(R"({"TableName":")" + name + R"("})",
                     {.operation = "DynamoDB_20120810.DescribeTable"});
}

// Returns a ListTables request whose body has `body_bytes` bytes.
std::string Padded(std::size_t body_bytes) {
  return RequestText("{" + std::string(body_bytes - 2, ' ') + "}");
}

std::string Chunked(const std::string& chunks, const std::string& more = "") {
  std::string text = RequestText("", {.more = "Transfer-Encoding: chunked\r\n" + more});
  text.erase(text.find("Content-Length: 0\r\n"), 19);
  return text + chunks;
}

using ConnectionTest = ServerFixture;

TEST_F(ConnectionTest, StaysOpenForTheNextRequest) {
  HttpClient client = Connect();
  for (int i = 0; i < 3; ++i) {
    const auto response = client.Ask(RequestText("{}"));
    ASSERT_TRUE(response.has_value());
    EXPECT_EQ(response->Field("connection"), "keep-alive");
  }
}

TEST_F(ConnectionTest, ClosesAfterConnectionClose) {
  HttpClient client = Connect();
  client.Send(RequestText("{}", {.more = "Connection: close\r\n"}));
  const std::string all = client.ReadToEnd();
  EXPECT_THAT(all, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(all, HasSubstr("\r\nConnection: close\r\n"));
}

TEST_F(ConnectionTest, ClosesAfterARequestOfHttp10) {
  HttpClient client = Connect();
  client.Send("GET / HTTP/1.0\r\n\r\n");
  EXPECT_THAT(client.ReadToEnd(), HasSubstr("healthy"));
}

TEST_F(ConnectionTest, AnswersPipelinedRequestsInOrder) {
  HttpClient client = Connect();
  std::string requests;
  for (int i = 0; i < 200; ++i) {
    requests += CreateTable("table" + std::to_string(i)) + Describe("table" + std::to_string(i));
  }
  client.Send(requests);
  for (int i = 0; i < 200; ++i) {
    const std::string name = R"("TableName":"table)" + std::to_string(i) + '"';
    EXPECT_THAT(client.Read()->body, HasSubstr(name));
    EXPECT_THAT(client.Read()->body, HasSubstr(name));
  }
}

TEST_F(ConnectionTest, EmptyLinesBeforeARequestAreIgnored) {
  EXPECT_EQ(Ask("\r\n\r\n" + RequestText("{}")).status, 200);
}

TEST_F(ConnectionTest, ARequestCanArriveByteByByte) {
  HttpClient client = Connect();
  for (const char byte : RequestText("{}")) ASSERT_TRUE(client.Send({&byte, 1}));
  EXPECT_EQ(client.Read()->status, 200);
  for (const char byte : Chunked("1\r\n{\r\n1;x=y\r\n}\r\n0\r\nTrailer: z\r\n\r\n")) {
    ASSERT_TRUE(client.Send({&byte, 1}));
  }
  EXPECT_EQ(client.Read()->status, 200);
  for (const char byte : Chunked("0\r\n\r\n")) ASSERT_TRUE(client.Send({&byte, 1}));
  EXPECT_EQ(client.Read()->status, 400) << "an empty body is not JSON";
}

TEST_F(ConnectionTest, ABodyCanArriveInChunks) {
  HttpClient client = Connect();
  for (int i = 0; i < 3; ++i) {
    const auto response = client.Ask(Chunked("2\r\n{ \r\n2;extension=1\r\n }\r\n0\r\n\r\n"));
    ASSERT_TRUE(response.has_value());
    EXPECT_EQ(response->body, R"({"TableNames":[]})");
  }
}

TEST_F(ConnectionTest, BodiesUpToTheLimitAreRead) {
  EXPECT_EQ(Ask(Padded(kBodyBytesMax)).status, 200);
  EXPECT_EQ(Ask(Chunked("fffffe\r\n{" + std::string(kBodyBytesMax - 4, ' ') +
                        "}\r\n2\r\n  \r\n0\r\n\r\n"))
                .status,
            200);
}

TEST_F(ConnectionTest, ABodyOverTheLimitIsRejectedAndTheConnectionCloses) {
  const std::string too_long = std::to_string(kBodyBytesMax + 1);
  HttpClient client = Connect();
  client.Send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + too_long + "\r\n\r\n");
  EXPECT_THAT(client.ReadToEnd(), StartsWith("HTTP/1.1 413 "));

  HttpClient in_chunks = Connect();
  in_chunks.Send(Chunked("1000001\r\n"));
  EXPECT_THAT(in_chunks.ReadToEnd(), StartsWith("HTTP/1.1 413 "));
  ExpectAlive();
}

// The server rejects the request before the body arrives. The client reads only after it has sent
// the whole body, and must still receive the rejection.
TEST_F(ConnectionTest, AClientThatSendsABodyOverTheLimitReceivesTheRejection) {
  HttpClient client = Connect();
  client.Send(Padded(kBodyBytesMax + 1));
  EXPECT_EQ(client.Read()->status, 413);
}

TEST_F(ConnectionTest, AHeadOverTheLimitIsRejected) {
  HttpClient endless = Connect();
  endless.Send("POST / HTTP/1.1\r\nX: " + std::string(64 * 1024, 'x'));
  EXPECT_THAT(endless.ReadToEnd(), StartsWith("HTTP/1.1 400 "));

  // The limit counts the bytes from the method to the empty line.
  for (const std::size_t over : {0U, 1U}) {
    std::string request = RequestText("{}", {.more = "X: y\r\n"});
    const std::size_t head_bytes = request.size() - 2;
    request.insert(request.find("X: y") + 3, kHeadBytesMax + over - head_bytes, 'y');
    EXPECT_EQ(Ask(request).status, over == 0 ? 200 : 400);
  }

  HttpClient many = Connect();
  std::string fields;
  for (int i = 0; i < 200; ++i) fields += "X: y\r\n";
  many.Send("POST / HTTP/1.1\r\n" + fields + "\r\n");
  EXPECT_THAT(many.ReadToEnd(), StartsWith("HTTP/1.1 400 "));

  HttpClient trailers = Connect();
  trailers.Send(Chunked("0\r\nX: " + std::string(64 * 1024, 'x')));
  EXPECT_THAT(trailers.ReadToEnd(), StartsWith("HTTP/1.1 400 "));
  ExpectAlive();
}

TEST_F(ConnectionTest, InvalidHttpIsRejected) {
  const std::vector<std::string> garbage = {
      std::string("\x16\x03\x01\x02\x00\x01\x00\x01", 8),  // TLS
      std::string(100, '\0'),
      "{\"TableName\": \"app\"}",
      "POST\r\n\r\n",
      "POST / HTTP/2.0\r\n\r\n",
      "POST / HTTP/1.1\r\nno colon\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: localhost\r\nX: folded\r\n  line\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length:\r\n 2\r\n\r\n{}",
      "POST / HTTP/1.1\r\nHost: localhost\r\nX: \r\n\t\r\n\r\n",
      "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
      "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
      Chunked("x\r\n"),
  };
  for (const std::string& bytes : garbage) {
    HttpClient client = Connect();
    client.Send(bytes);
    ASSERT_EQ(client.Read().value_or(HttpResponse{}).status, 400) << bytes;
    EXPECT_EQ(client.ReadToEnd(), "") << bytes;
  }
  ExpectAlive();
}

TEST_F(ConnectionTest, NoRequestIsReadAfterInvalidHttp) {
  HttpClient client = Connect();
  client.Send("POST / HTTP/1.1\r\nno colon\r\n\r\n" + RequestText("{}"));
  EXPECT_EQ(client.Read()->status, 400);
  EXPECT_FALSE(client.Read().has_value());
}

// For these requests, a proxy and the server may find different ends of the body. The proxy would
// then forward a second request that it takes for a part of the body (request smuggling). So the
// server must reject the whole request.
TEST_F(ConnectionTest, ABodyWithAnAmbiguousEndIsRejectedAndNothingAfterItIsRead) {
  const std::string smuggled = "0\r\n\r\n" + RequestText("{}");
  const std::string length = "Content-Length: " + std::to_string(smuggled.size()) + "\r\n";
  for (const std::string fields :
       {"Transfer-Encoding: gzip\r\n", "Transfer-Encoding: identity\r\n",
        "Transfer-Encoding: chunked, gzip\r\n", "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding: chunked, chunked\r\n", "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding: chunked;x=y\r\n", "Transfer-Encoding: \r\n",
        "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n"}) {
    for (const std::string& more : {fields, fields + length, length + fields}) {
      HttpClient client = Connect();
      client.Send("POST / HTTP/1.1\r\nHost: localhost\r\n" + more + "\r\n" + smuggled);
      const std::string all = client.ReadToEnd();
      EXPECT_THAT(all, StartsWith("HTTP/1.1 400 ")) << more;
      EXPECT_EQ(all.find("HTTP/1.1 ", 1), all.npos) << more << all;
    }
  }
  EXPECT_EQ(Ask("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n" + smuggled).status, 400);
}

TEST_F(ConnectionTest, TheTransferCodingIsCaseInsensitive) {
  std::string request = Chunked("2\r\n{}\r\n0\r\n\r\n");
  request.replace(request.find("chunked"), 7, "Chunked");
  EXPECT_EQ(Ask(request).status, 200);
}

TEST_F(ConnectionTest, ARequestNeedsExactlyOneHost) {
  EXPECT_EQ(Ask(RequestText("{}", {.host = ""})).status, 400);
  EXPECT_EQ(Ask(RequestText("{}", {.more = "Host: localhost:8000\r\n"})).status, 400);
  EXPECT_EQ(Ask("GET / HTTP/1.0\r\n\r\n").status, 200) << "HTTP/1.0 needs no Host";
  EXPECT_EQ(Ask("GET / HTTP/1.0\r\nHost: x\r\nHost: x\r\n\r\n").status, 400);
}

TEST_F(ConnectionTest, AClientOfHttp10GetsNo100Continue) {
  const std::string request =
      "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";
  HttpClient client = Connect();
  client.Send(request);
  client.Send("{}");
  EXPECT_EQ(client.Read()->status, 404);
}

TEST_F(ConnectionTest, AClientThatExpects100ContinueGetsIt) {
  const std::string request = RequestText("{}", {.more = "Expect: 100-continue\r\n"});
  HttpClient client = Connect();
  client.Send(request.substr(0, request.size() - 2));
  EXPECT_EQ(client.Read()->status, 100);
  client.Send("{}");
  EXPECT_EQ(client.Read()->status, 200);
  EXPECT_EQ(client.Ask(request)->status, 200) << "no 100 Continue for a body that has arrived";

  client.Send(Chunked("", "Expect: 100-continue\r\n"));
  EXPECT_EQ(client.Read()->status, 100);
  client.Send("2\r\n{}\r\n0\r\n\r\n");
  EXPECT_EQ(client.Read()->status, 200);
}

TEST_F(ConnectionTest, AnIncompleteRequestIsNotExecuted) {
  const std::string request = CreateTable("half");
  {
    const HttpClient client = Connect();
    client.Send(request.substr(0, request.size() - 1));
  }
  HttpClient ends_sending = Connect();
  ends_sending.Send(request.substr(0, request.size() - 1));
  ends_sending.EndSending();
  EXPECT_EQ(ends_sending.ReadToEnd(), "");
  ExpectAlive();
}

TEST_F(ConnectionTest, AClientThatHasEndedSendingIsAnswered) {
  HttpClient client = Connect();
  client.Send(RequestText("{}"));
  client.EndSending();
  EXPECT_THAT(client.ReadToEnd(), StartsWith("HTTP/1.1 200 OK"));
}

TEST_F(ConnectionTest, ManyIdleConnectionsDoNotBlockOthers) {
  std::vector<HttpClient> idle;
  for (int i = 0; i < 400; ++i) idle.push_back(Connect());
  for (HttpClient& client : idle) ASSERT_EQ(client.Ask(RequestText("{}"))->status, 200);
  EXPECT_EQ(server().connections(), idle.size());
  ExpectAlive();
  for (HttpClient& client : idle) ASSERT_EQ(client.Ask(RequestText("{}"))->status, 200);
}

TEST_F(ConnectionTest, ClientsOverTheMaximumWait) {
  options_.connections_max = 4;
  std::list<HttpClient> clients;
  for (int i = 0; i < 7; ++i) clients.push_back(Connect());
  for (HttpClient& client : clients) client.Send(RequestText("{}"));
  auto fourth = clients.begin();
  for (int i = 0; i < 3; ++i) EXPECT_EQ((fourth++)->Read()->status, 200);
  EXPECT_EQ(fourth->Read()->status, 200);
  // While the fourth client sends these requests, the server has time to accept a fifth client. The
  // server must not do this.
  for (int i = 0; i < 100; ++i) ASSERT_EQ(fourth->Ask(RequestText("{}"))->status, 200);
  EXPECT_EQ(server().connections(), 4U);
  while (clients.size() > 4) clients.pop_front();
  for (HttpClient& client : clients) EXPECT_EQ(client.Ask(RequestText("{}"))->status, 200);
}

class BufferedBytesTest : public ConnectionTest {
 protected:
  BufferedBytesTest() { options_.buffered_bytes_max = 2 << 20; }
};

TEST_F(BufferedBytesTest, ARequestThatNeedsMoreMemoryThanIsLeftIsRejected) {
  HttpClient half = Connect();
  half.Send(Padded(4 << 20).substr(0, 3 << 20));
  EXPECT_EQ(half.Read()->status, 503);
  EXPECT_EQ(half.ReadToEnd(), "");
  HttpClient in_chunks = Connect();
  in_chunks.Send(Chunked("300000\r\n" + std::string(3 << 20, ' ')));
  EXPECT_EQ(in_chunks.Read()->status, 503);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(Ask(Padded(1 << 20)).status, 200) << "memory was returned, repetition " << i;
  }
}

// The server answers a request for this path without executing it. So the body takes the budget only
// while it arrives.
TEST_F(BufferedBytesTest, AGrowingBodyTakesAtMostOneAndAHalfTimesItsSize) {
  options_.buffered_bytes_max = kBodyBytesMax / 2 * 3;
  EXPECT_EQ(Ask(RequestText(std::string(kBodyBytesMax, ' '), {.target = "/none"})).status, 404);
}

TEST_F(BufferedBytesTest, SmallRequestsNeedNoneOfTheBudget) {
  options_.buffered_bytes_max = 0;
  const std::string request = Padded(60'000);
  HttpClient client = Connect();
  client.Send(request.substr(0, 50'000));
  client.Send(request.substr(50'000));
  EXPECT_EQ(client.Read()->status, 200);
  EXPECT_EQ(Ask(Padded(1 << 20)).status, 503);
}

// A fixture with a request whose response has 16 MB. The system's socket buffers cannot hold such a
// response for a client that does not read.
class LargeAnswersTest : public BufferedBytesTest {
 protected:
  void SetUp() override {
    const auto table = database_.CreateTable({.name = "app"});
    ASSERT_THAT(table, IsOk());
    std::string keys;
    for (int i = 0; i < 40; ++i) {
      const std::string sort_key = std::to_string(i);
      const Item item{{"PK", "p"}, {"SK", sort_key}, {"x", std::string(400'000, 'x')}};
      ASSERT_THAT(table->PutItem({.item = item}), IsOk());
      keys += keys.empty() ? "" : ",";
      keys += R"({"PK":{"S":"p"},"SK":{"S":")" + sort_key + R"("}})";
    }
    request_ = RequestText(R"({"RequestItems":{"app":{"Keys":[)" + keys + "]}}}",
                           {.operation = "DynamoDB_20120810.BatchGetItem"});
    options_.timeouts.response = std::chrono::hours(1);
    options_.threads = 1;  // one thread returns memory before it answers the next request
  }

  std::string request_;
};

TEST_F(LargeAnswersTest, AClientThatDoesNotReadThemIsDisconnectedWhenMemoryRunsOut) {
  HttpClient client = Connect();
  while (client.Send(request_)) {
  }
  EXPECT_EQ(Ask(RequestText("{}")).status, 200);
}

TEST_F(LargeAnswersTest, TheyWaitForTheClientWhileMemorySuffices) {
  options_.buffered_bytes_max = 17 << 20;
  for (int i = 0; i < 3; ++i) {
    HttpClient client = Connect();
    client.Send(request_);
    EXPECT_EQ(Ask(RequestText("{}")).status, 200) << "for another client";
    EXPECT_GT(client.Read()->body.size(), 40U * 400'000) << "repetition " << i;
  }
}

}  // namespace
}  // namespace dolmen::test
