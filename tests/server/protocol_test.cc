// Tests of the form of the server's HTTP responses.

#include <zlib.h>

#include <string>

#include "tests/server/server_fixture.h"

namespace dolmen::test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

std::string Crc32(const std::string& bytes) {
  return std::to_string(
      ::crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

using ProtocolTest = ServerFixture;

TEST_F(ProtocolTest, AnswersAnOperation) {
  const HttpResponse response = Ask(RequestText("{}"));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, R"({"TableNames":[]})");
}

TEST_F(ProtocolTest, AnErrorOfTheOperationHasItsStatus) {
  const HttpResponse response =
      Ask(RequestText(R"({"TableName":"none"})", {.operation = "DynamoDB_20120810.DescribeTable"}));
  EXPECT_EQ(response.status, 400);
  EXPECT_THAT(response.body, HasSubstr("#ResourceNotFoundException"));
}

TEST_F(ProtocolTest, StreamOperationsHaveTheirOwnTargetPrefix) {
  const HttpResponse response =
      Ask(RequestText("{}", {.operation = "DynamoDBStreams_20120810.ListStreams"}));
  EXPECT_EQ(response.body, R"({"Streams":[]})");
}

TEST_F(ProtocolTest, EveryResponseHasAmazonsHeaders) {
  const HttpResponse response = Ask(RequestText("{}"));
  EXPECT_THAT(response.Field("x-amzn-requestid"), MatchesRegex("[0-9A-Z]{52}"));
  EXPECT_EQ(response.Field("x-amz-crc32"), Crc32(response.body));
  EXPECT_EQ(response.Field("date"), "Thu, 01 Jan 2026 00:00:00 GMT");
  EXPECT_NE(response.Field("server"), "");
}

TEST_F(ProtocolTest, RequestIdsDiffer) {
  HttpClient client = Connect();
  const std::string first = client.Ask(RequestText("{}"))->Field("x-amzn-requestid");
  EXPECT_NE(client.Ask(RequestText("{}"))->Field("x-amzn-requestid"), first);
}

TEST_F(ProtocolTest, TheContentTypeIsEchoed) {
  for (const std::string type : {"application/x-amz-json-1.0", "application/json"}) {
    EXPECT_EQ(Ask(RequestText("{}", {.content_type = type})).Field("content-type"), type);
    EXPECT_EQ(
        Ask(RequestText("{}", {.content_type = type + "; charset=utf-8"})).Field("content-type"),
        type);
  }
  EXPECT_EQ(Ask(RequestText("{}", {.content_type = "Application/JSON ;x"})).Field("content-type"),
            "application/json")
      << "media types are case-insensitive";
}

TEST_F(ProtocolTest, AnUnknownContentTypeGets404) {
  for (const std::string type : {"", "text/plain", "application/x-amz-json-1.1"}) {
    const HttpResponse response = Ask(RequestText("{}", {.content_type = type}));
    EXPECT_EQ(response.status, 404) << type;
    EXPECT_EQ(response.body, "<UnknownOperationException/>\n") << type;
    EXPECT_EQ(response.Field("x-amz-crc32"), Crc32(response.body));
  }
}

TEST_F(ProtocolTest, AnUnknownTargetIsAnUnknownOperation) {
  for (const std::string target : {"", "ListTables", "DynamoDB_20111205.ListTables",
                                   "DynamoDB_20120810.", "DynamoDB_20120810.\xff"}) {
    const HttpResponse response = Ask(RequestText("{}", {.operation = target}));
    EXPECT_EQ(response.status, 400) << target;
    EXPECT_EQ(response.body, R"({"__type":"com.amazon.coral.service#UnknownOperationException"})")
        << target;
  }
}

// An SDK with endpoint discovery sends its later requests to this address.
TEST_F(ProtocolTest, DescribeEndpointsNamesTheHostOfTheRequest) {
  const HttpResponse response =
      Ask(RequestText("{}", {.operation = "DynamoDB_20120810.DescribeEndpoints"}));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body,
            R"({"Endpoints":[{"Address":"localhost:8000","CachePeriodInMinutes":1440}]})");
}

TEST_F(ProtocolTest, GetOfTheRootReportsHealthAndNamesTheHost) {
  const HttpResponse response = Ask("GET / HTTP/1.1\r\nHost: localhost:8000\r\n\r\n");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "healthy: localhost:8000 ");
}

TEST_F(ProtocolTest, OtherMethodsAndPathsGet404) {
  for (const std::string method : {"PUT", "DELETE", "PATCH", "OPTIONS", "BREW"}) {
    EXPECT_EQ(Ask(RequestText("{}", {.method = method})).status, 404) << method;
  }
  for (const std::string method : {"GET", "POST", "OPTIONS"}) {
    for (const std::string target : {"/shell", "//", "/?/../x/", "http://localhost/shell"}) {
      const bool is_root = target.starts_with("/?");
      const HttpResponse response = Ask(RequestText(
          "{}", {.method = method, .target = target, .more = "Origin: http://localhost\r\n"}));
      EXPECT_EQ(response.status, is_root ? 200 : 404) << method << ' ' << target;
    }
  }
}

TEST_F(ProtocolTest, ARequestCanNameAWholeUrl) {
  EXPECT_EQ(Ask(RequestText("{}", {.target = "http://localhost:8000/"})).status, 200);
  EXPECT_EQ(Ask(RequestText("{}", {.target = "http://localhost:8000"})).status, 200);
}

// Programs that wait for a server also send HEAD. The response has the same head as the response to GET.
TEST_F(ProtocolTest, AResponseToHeadHasNoBody) {
  HttpClient client = Connect();
  client.Send("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(client.Read(/*head_only=*/true)->status, 200);
  client.Send("HEAD /unknown HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(client.Read(/*head_only=*/true)->status, 404);
  EXPECT_EQ(client.Ask(RequestText("{}"))->status, 200) << "the next response is in step";
}

}  // namespace
}  // namespace dolmen::test
