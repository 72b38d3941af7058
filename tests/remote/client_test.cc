// Tests of calls: their retries, their errors, and the server that verifies their signatures.

#include "remote/client.h"

#include <gmock/gmock.h>

#include <thread>
#include <vector>

#include "http/signing_time.h"
#include "server/server.h"
#include "tests/remote/scripted_server.h"
#include "tests/remote/sockets.h"
#include "tests/remote/test_system.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

using remote::Repeat;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

constexpr Timestamp kNow = std::chrono::sys_days(std::chrono::January / 1 / 2026);

std::string ErrorText(int status, const std::string& name, const std::string& more = {}) {
  return ResponseText(
      status, R"({"__type":"com.amazonaws.dynamodb.v20120810#)" + name + R"(","message":"text"})",
      more);
}

const std::string kFine = ResponseText(200, "{}", "x-amz-crc32: 2745614147\r\n");
const std::string kThrottled = ErrorText(400, "ThrottlingException");
const std::string kFailed = ErrorText(500, "InternalServerError");
const std::string kHalf = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{";

class ClientTest : public ::testing::Test {
 protected:
  // Connects to a server that gives these responses.
  void Serve(std::vector<std::string> responses) {
    client_.reset();
    server_ = std::make_unique<ScriptedServer>(std::move(responses));
    Connect(server_->url());
  }
  void Connect(const std::string& url) {
    options_.endpoint = url;
    options_.clock = clock_;
    client_ = Value(remote::Client::Create(options_, system_.Functions()));
  }
  Result<std::string> Call(Repeat repeat = Repeat::kSafe) {
    return client_->Call("ListTables", "{}", repeat);
  }
  std::size_t Attempts() const { return server_->requests().size(); }

  std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>(kNow);
  ConnectOptions options_ = {.region = "eu-west-1"};
  TestSystem system_;
  std::unique_ptr<ScriptedServer> server_;
  std::unique_ptr<remote::Client> client_;
};

TEST_F(ClientTest, SendsTheRequestAndReturnsTheResponse) {
  Serve({kFine});
  EXPECT_EQ(Value(Call()), "{}");
  EXPECT_EQ(Value(client_->Call("DynamoDBStreams.ListStreams", "{}", Repeat::kSafe)), "{}");
  EXPECT_EQ(client_->region(), "eu-west-1");
  EXPECT_EQ(client_->endpoint(), server_->url());
  const auto requests = server_->requests();
  EXPECT_EQ(requests[0].line, "POST / HTTP/1.1");
  EXPECT_EQ(requests[0].body, "{}");
  EXPECT_EQ(requests[0].fields.at("x-amz-target"), "DynamoDB_20120810.ListTables");
  EXPECT_EQ(requests[0].fields.at("content-type"), "application/x-amz-json-1.0");
  EXPECT_THAT(requests[0].fields.at("authorization"),
              HasSubstr("Credential=local/20260101/eu-west-1/dynamodb/aws4_request"));
  EXPECT_EQ(requests[1].fields.at("x-amz-target"), "DynamoDBStreams_20120810.ListStreams");
}

TEST_F(ClientTest, TransientErrorsAreRetriedWithGrowingPauses) {
  Serve({kFailed, kThrottled, kHalf, kFine});
  EXPECT_EQ(Value(Call()), "{}");
  EXPECT_EQ(Attempts(), 4U);
  EXPECT_THAT(system_.pauses(), ElementsAre(25, 2000, 100));
}

TEST_F(ClientTest, TheLastErrorIsReturned) {
  Serve({kThrottled});
  EXPECT_THAT(Call(), StatusIs(StatusCode::kThrottling, "text"));
  EXPECT_EQ(Attempts(), 4U);
  options_.attempts_max = 1;
  Serve({kThrottled});
  EXPECT_THAT(Call(), StatusIs(StatusCode::kThrottling, "text"));
  EXPECT_EQ(Attempts(), 1U);
}

TEST_F(ClientTest, AnErrorThatWouldComeAgainIsNotRetried) {
  Serve({ErrorText(400, "ConditionalCheckFailedException")});
  EXPECT_THAT(Call(), StatusIs(StatusCode::kConditionalCheckFailed, "text"));
  EXPECT_EQ(Attempts(), 1U);
}

TEST_F(ClientTest, AnUnsafeRequestIsOnlySentAgainIfItWasNotExecuted) {
  Serve({kThrottled, kFine});
  EXPECT_EQ(Value(Call(Repeat::kUnsafe)), "{}");
  EXPECT_EQ(Attempts(), 2U);
  for (const std::string& response :
       {std::string(), kHalf, ResponseText(200, "{}", "x-amz-crc32: 1\r\n")}) {
    Serve({response, kFine});
    EXPECT_THAT(Call(Repeat::kUnsafe), StatusIs(StatusCode::kInternalServerError,
                                                HasSubstr("The request may have been executed.")));
    EXPECT_EQ(Attempts(), 1U);
  }
  Serve({kFailed, kFine});
  EXPECT_THAT(Call(Repeat::kUnsafe), StatusIs(StatusCode::kInternalServerError, "text"));
  EXPECT_EQ(Attempts(), 1U);
}

TEST_F(ClientTest, AnUnsafeRequestOnAConnectionThatHasEndedIsNotSentTwice) {
  Serve({kFine, "", kFine});
  EXPECT_EQ(Value(Call(Repeat::kUnsafe)), "{}");
  EXPECT_THAT(Call(Repeat::kUnsafe), StatusIs(StatusCode::kInternalServerError,
                                              HasSubstr("The request may have been executed.")));
  EXPECT_EQ(Attempts(), 2U);
}

TEST_F(ClientTest, AServiceThatIsNotReachedHasNotExecutedTheRequest) {
  const ReservedPort port;
  Connect("http://127.0.0.1:" + std::to_string(port.number()));
  EXPECT_THAT(Call(Repeat::kUnsafe), StatusIs(StatusCode::kServiceUnavailable,
                                              HasSubstr("The request was not executed.")));
  EXPECT_THAT(system_.pauses(), ElementsAre(25, 50, 100)) << "the request can be sent again";
}

TEST_F(ClientTest, AnEarlierAttemptThatMayHaveBeenExecutedIsTold) {
  Serve({"", kThrottled});
  EXPECT_THAT(Call(), StatusIs(StatusCode::kInternalServerError,
                               "text An earlier attempt may have been executed."));
  // libcurl sends the second request again, because it meets a kept connection that ends.
  options_.attempts_max = 1;
  Serve({kFine, "", kThrottled});
  EXPECT_EQ(Value(Call()), "{}");
  EXPECT_THAT(Call(), StatusIs(StatusCode::kInternalServerError,
                               "text An earlier attempt may have been executed."));
}

TEST_F(ClientTest, AnEarlierAttemptIsToldIfTheCredentialsEnd) {
  ScriptedServer container(
      {ResponseText(
           200, R"({"AccessKeyId":"k","SecretAccessKey":"s","Expiration":"2027-01-01T00:00:00Z"})"),
       ResponseText(400, "")});
  system_.variables["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = container.url();
  Serve({"", ErrorText(400, "ExpiredTokenException")});
  EXPECT_THAT(Call(), StatusIs(StatusCode::kInternalServerError,
                               HasSubstr("An earlier attempt may have been executed.")));
}

TEST_F(ClientTest, ACallEndsBeforeAPauseThatExceedsItsTime) {
  options_.attempts_max = 100;
  options_.total_timeout = 10s;
  Serve({kThrottled});
  EXPECT_THAT(Call(), StatusIs(StatusCode::kThrottling, testing::_));
  EXPECT_THAT(system_.pauses(), ElementsAre(1000, 2000, 4000)) << "the next pause is 8 s";
}

TEST_F(ClientTest, AnAttemptEndsAfterItsTimeout) {
  options_.attempt_timeout = 50ms;
  options_.attempts_max = 1;
  Serve({kNoResponse});
  // The time may be over before the connection exists.
  EXPECT_THAT(Call().status().code(),
              testing::AnyOf(StatusCode::kInternalServerError, StatusCode::kServiceUnavailable));
}

TEST_F(ClientTest, AServiceThatIsDownUsesUpTheRetries) {
  Serve({kFailed});
  for (int i = 0; i < 50; ++i)
    EXPECT_THAT(Call(), StatusIs(StatusCode::kInternalServerError, testing::_));
  EXPECT_EQ(Attempts(), 50U + 500 / 14);
}

TEST_F(ClientTest, AWrongClockIsCorrectedByTheServersDate) {
  const std::string skewed =
      ErrorText(400, "InvalidSignatureException", "Date: Thu, 01 Jan 2026 01:00:00 GMT\r\n");
  Serve({skewed, kFine});
  EXPECT_EQ(Value(Call(Repeat::kUnsafe)), "{}");
  EXPECT_EQ(Value(Call()), "{}");
  const auto requests = server_->requests();
  ASSERT_EQ(requests.size(), 3U);
  EXPECT_EQ(requests[0].fields.at("x-amz-date"), "20260101T000000Z");
  EXPECT_EQ(requests[1].fields.at("x-amz-date"), "20260101T010000Z");
  EXPECT_EQ(requests[2].fields.at("x-amz-date"), "20260101T010000Z");

  Serve({ErrorText(400, "InvalidSignatureException", "Date: Thu, 01 Jan 2026 00:03:59 GMT\r\n")});
  EXPECT_THAT(Call(), StatusIs(StatusCode::kValidation, "InvalidSignatureException: text"));
  EXPECT_EQ(Attempts(), 1U) << "the clocks are about equal";
}

TEST_F(ClientTest, ExpiredCredentialsAreFetchedAgain) {
  int fetches = 0;
  ScriptedServer container([&](const ReceivedRequest&) {
    return ResponseText(200, R"({"AccessKeyId":"k)" + std::to_string(++fetches) +
                                 R"(","SecretAccessKey":"s","Expiration":"2027-01-01T00:00:00Z"})");
  });
  system_.variables["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = container.url();
  const std::string expired = ErrorText(400, "ExpiredTokenException");
  Serve({expired, kFine});
  EXPECT_EQ(Value(Call()), "{}");
  EXPECT_THAT(server_->requests()[1].fields.at("authorization"), HasSubstr("Credential=k2/"));
  system_.variables.erase("AWS_CONTAINER_CREDENTIALS_FULL_URI");
  Serve({expired});
  EXPECT_THAT(Call(), StatusIs(StatusCode::kValidation, HasSubstr("ExpiredTokenException")));
  EXPECT_EQ(Attempts(), 1U) << "the credentials never change";
}

TEST_F(ClientTest, ACallWithoutCredentialsSendsNothing) {
  Connect("http://name.invalid");
  EXPECT_THAT(Call(), StatusIs(StatusCode::kValidation, HasSubstr("There are no credentials.")));
  EXPECT_THAT(system_.pauses(), IsEmpty());
}

// A server of this repository, which verifies signatures.
class VerifiedClientTest : public ClientTest {
 protected:
  VerifiedClientTest() {
    server::Service service{
        .endpoint = Endpoint(database_), .clock = clock_, .access_keys = {{"KEY", "secret"}}};
    verifying_ = Value(server::Server::Start(std::move(service), {.port = 0, .threads = 2}));
    options_.access_key_id = "KEY";
    options_.secret_access_key = "secret";
  }

  Database database_ = Value(Database::InMemory({.expiry_lag = std::nullopt}));
  std::unique_ptr<server::Server> verifying_;
};

TEST_F(VerifiedClientTest, TheServerAcceptsTheSignatures) {
  for (const char* const token : {"", "a/session+token="}) {
    options_.session_token = token;
    Connect(verifying_->url());
    EXPECT_EQ(Value(Call()), R"({"TableNames":[]})");
  }
  options_.secret_access_key = "wrong";
  Connect(verifying_->url());
  EXPECT_THAT(Call(), StatusIs(StatusCode::kValidation, HasSubstr("InvalidSignatureException")));
}

TEST_F(VerifiedClientTest, AnyNumberOfThreadsMayCall) {
  options_.connections_max = 4;
  Connect(verifying_->url());
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 20; ++j) EXPECT_EQ(Value(Call()), R"({"TableNames":[]})");
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(verifying_->connections(), 4U);
}

}  // namespace
}  // namespace dolmen::test
