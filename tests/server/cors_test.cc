// Tests of requests from web pages (CORS). A request from a page that is not allowed is rejected
// before it is executed, because a browser sends a request even if the page may not read the
// response.

#include "server/cors.h"

#include <string>

#include "tests/server/server_fixture.h"

namespace dolmen::test {
namespace {

using server::CorsPolicy;
using ::testing::HasSubstr;

std::string ListTablesOf(const std::string& origin) {
  return RequestText("{}", {.more = "Origin: " + origin + "\r\n"});
}

std::string ListTablesAt(const std::string& host) { return RequestText("{}", {.host = host}); }

std::string Preflight(const std::string& origin, const std::string& more = "") {
  return "OPTIONS / HTTP/1.1\r\nHost: localhost\r\nOrigin: " + origin +
         "\r\nAccess-Control-Request-Method: POST\r\n"
         "Access-Control-Request-Headers: authorization,x-amz-target\r\n" +
         more + "\r\n";
}

using CorsTest = ServerFixture;

TEST_F(CorsTest, PagesOfThisMachineAreAllowed) {
  for (const std::string origin : {"http://localhost", "http://localhost:3000",
                                   "https://127.0.0.1:8443", "http://[::1]:5173"}) {
    const HttpResponse response = Ask(ListTablesOf(origin));
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.Field("access-control-allow-origin"), origin);
    EXPECT_EQ(response.Field("vary"), "Origin");
    EXPECT_THAT(response.Field("access-control-expose-headers"), HasSubstr("x-amz-crc32"));
  }
  EXPECT_EQ(Ask(RequestText("{}")).Field("access-control-allow-origin"), "");
}

TEST_F(CorsTest, PagesOfOtherOriginsAreRejected) {
  for (const std::string origin :
       {"http://page.example", "null", "http://localhost.page.example", "http://localhost:80.x",
        "http://127.0.0.1.page.example", "ftp://localhost", "localhost", "*"}) {
    const HttpResponse response = Ask(ListTablesOf(origin));
    EXPECT_EQ(response.status, 403) << origin;
    EXPECT_THAT(response.body, HasSubstr("--cors-origin " + origin));
    EXPECT_EQ(response.Field("access-control-allow-origin"), "");
    EXPECT_EQ(Ask(Preflight(origin)).status, 403) << origin;
  }
}

TEST_F(CorsTest, ARejectedPagesRequestIsNotExecuted) {
  const HttpResponse response = Ask(RequestText(
      R"({"TableName":"made","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],)"
      R"("AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],)"
      R"("BillingMode":"PAY_PER_REQUEST"})",
      {.operation = "DynamoDB_20120810.CreateTable", .more = "Origin: http://page.example\r\n"}));
  EXPECT_EQ(response.status, 403);
  ExpectAlive();
}

TEST_F(CorsTest, ConfiguredOriginsAreAllowed) {
  cors_.origins = {"https://app.example", "null"};
  for (const std::string& origin : cors_.origins) {
    EXPECT_EQ(Ask(ListTablesOf(origin)).Field("access-control-allow-origin"), origin);
  }
  EXPECT_EQ(Ask(ListTablesOf("http://app.example")).status, 403) << "another scheme";
  EXPECT_EQ(Ask(ListTablesOf("https://app.example:8443")).status, 403) << "another port";
}

TEST_F(CorsTest, AStarAllowsEveryOrigin) {
  cors_.origins = {"*"};
  const HttpResponse response = Ask(ListTablesOf("http://page.example"));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.Field("access-control-allow-origin"), "*");
  EXPECT_EQ(Ask(ListTablesAt("page.example")).status, 200);
}

TEST_F(CorsTest, APreflightIsGrantedItsMethodAndHeaders) {
  const HttpResponse response = Ask(Preflight("http://localhost:3000"));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.Field("access-control-allow-origin"), "http://localhost:3000");
  EXPECT_EQ(response.Field("access-control-max-age"), "172800");
  EXPECT_EQ(response.Field("access-control-allow-methods"), "POST");
  EXPECT_EQ(response.Field("access-control-allow-headers"), "authorization,x-amz-target");
  EXPECT_EQ(response.Field("access-control-expose-headers"),
            Ask(ListTablesOf("http://localhost:3000")).Field("access-control-expose-headers"));
  EXPECT_EQ(response.body, "");
}

// A browser lets a page of the public internet send requests into a private network only if the
// response to the preflight request has the header Access-Control-Allow-Private-Network.
TEST_F(CorsTest, APreflightFromThePublicInternetIsNotGrantedPrivateNetworkAccess) {
  cors_.origins = {"*"};
  const HttpResponse response =
      Ask(Preflight("http://page.example", "Access-Control-Request-Private-Network: true\r\n"));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.Field("access-control-allow-origin"), "*");
  EXPECT_EQ(response.Field("access-control-allow-private-network"), "");
}

// An attacker can make the host name of his page resolve to this machine (DNS rebinding). The
// browser then treats the page and this server as the same origin, so the rules for foreign origins
// do not apply. The server must reject the request because of the foreign name in its Host header.
TEST_F(CorsTest, AHostNameThatAnAttackerCanPointAtThisMachineIsRejected) {
  for (const std::string host :
       {"page.example", "page.example:8000", "page.example.", "localhost..",
        "localhost.page.example", "127.0.0.1.page.example", "x.localhost.page"}) {
    const HttpResponse response = Ask(ListTablesAt(host));
    EXPECT_EQ(response.status, 403) << host;
    EXPECT_THAT(response.body, HasSubstr("--cors-origin http://" + host));
  }
}

TEST_F(CorsTest, LocalAndConfiguredHostNamesAreAccepted) {
  cors_.origins = {"http://dynamo.test"};
  for (const std::string host :
       {"127.0.0.1:8000", "[::1]:8000", "192.0.2.1", "localhost", "LOCALHOST:8000", "app.localhost",
        "localhost.", "localhost.:8000", "app.localhost.:8000", "host.docker.internal:8000",
        "host.containers.internal", "host.testcontainers.internal", "host.lima.internal",
        "host.orb.internal:8000", "dynamo.test:8000"}) {
    EXPECT_EQ(Ask(ListTablesAt(host)).status, 200) << host;
  }
}

// With access keys, a foreign page cannot sign a request, and a proxy in front of the server may
// have any name. So the response is the error for the wrong signature (400) and not for the host
// name (403).
TEST_F(CorsTest, WithAccessKeysTheHostNameIsNotChecked) {
  access_keys_ = {{"id", "secret"}};
  EXPECT_EQ(Ask(ListTablesAt("page.example")).status, 400);
}

TEST_F(CorsTest, OnAPublicAddressTheHostNameIsNotChecked) {
  options_.host = "0.0.0.0";
  EXPECT_EQ(Ask(ListTablesAt("dynamodb:8000")).status, 200) << "a service of docker compose";
}

}  // namespace
}  // namespace dolmen::test
