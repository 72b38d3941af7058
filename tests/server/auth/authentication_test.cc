// Tests of the signature that a request needs, its required parts, and the order of the errors.

#include <string>

#include "tests/server/server_fixture.h"

namespace dolmen::test {
namespace {

std::string Error(const std::string& name, const std::string& message) {
  return R"({"__type":"com.amazon.coral.service#)" + name + R"(","message":")" + message + R"("})";
}

class AuthenticationTest : public ServerFixture {
 protected:
  std::string BodyOf(const RequestParts& parts, const std::string& body = "{}") {
    const HttpResponse response = Ask(RequestText(body, parts));
    EXPECT_EQ(response.status, response.body.find("__type") == std::string::npos ? 200 : 400);
    return response.body;
  }
};

TEST_F(AuthenticationTest, AnySignatureIsAcceptedWithoutAccessKeys) {
  EXPECT_EQ(BodyOf({}), R"({"TableNames":[]})");
  EXPECT_EQ(BodyOf({.authorization = "AWS4-HMAC-SHA256 Credential=x,SignedHeaders=y,Signature=z"}),
            R"({"TableNames":[]})");
}

TEST_F(AuthenticationTest, ASignatureInTheQueryIsAccepted) {
  EXPECT_EQ(BodyOf({.target = "/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=a%2Fb"
                              "&X-Amz-Date=20260101T000000Z&X-Amz-SignedHeaders=host"
                              "&X-Amz-Signature=00",
                    .authorization = "",
                    .date = ""}),
            R"({"TableNames":[]})");
}

TEST_F(AuthenticationTest, TheResponseHasTheRegionOfTheSignature) {
  ASSERT_THAT(database_.CreateTable({.name = "app"}), IsOk());
  const auto arn_for = [&](RequestParts parts) {
    parts.operation = "DynamoDB_20120810.DescribeTable";
    const std::string body = BodyOf(parts, R"({"TableName":"app"})");
    const std::size_t at = body.find("arn:aws:dynamodb:");
    return at == body.npos ? body : body.substr(at, body.find(":0000", at) - at);
  };
  const auto header_for = [](const std::string& credential) {
    return "AWS4-HMAC-SHA256 Credential=" + credential + ",SignedHeaders=y,Signature=z";
  };
  const std::string scope = "/dynamodb/aws4_request";
  EXPECT_EQ(arn_for({.authorization = header_for("key/20260101/eu-west-1" + scope)}),
            "arn:aws:dynamodb:eu-west-1");
  EXPECT_EQ(arn_for({.target = "/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=key%2F20260101"
                               "%2Fap-south-1%2Fdynamodb%2Faws4_request&X-Amz-Date=20260101T000000Z"
                               "&X-Amz-SignedHeaders=host&X-Amz-Signature=00",
                     .authorization = "",
                     .date = ""}),
            "arn:aws:dynamodb:ap-south-1");
  for (const std::string& credential : {std::string("x"), std::string("x/"), std::string("x/y"),
                                        "x/y/" + scope, "x/y/<EU>" + scope}) {
    EXPECT_EQ(arn_for({.authorization = header_for(credential)}), "arn:aws:dynamodb:us-east-1")
        << credential;
  }
}

TEST(AuthenticationRegion, ARejectedRequestHasTheDefaultRegion) {
  const server::AccessKeys no_keys;
  server::Authentication authentication(no_keys);
  EXPECT_EQ(authentication.region(), kDefaultRegion);
  const server::Request accepted{
      .authorization =
          "AWS4-HMAC-SHA256 Credential=key/20260101/eu-west-1/dynamodb/aws4_request,"
          "SignedHeaders=y,Signature=z",
      .amz_date = "20260101T000000Z"};
  EXPECT_THAT(authentication.Check(accepted, kNow), IsOk());
  EXPECT_EQ(authentication.region(), "eu-west-1");
  EXPECT_THAT(authentication.Check({}, kNow), Not(IsOk()));
  EXPECT_EQ(authentication.region(), kDefaultRegion);
}

TEST_F(AuthenticationTest, ARequestWithoutASignatureIsRejected) {
  for (const std::string header : {"", "Basic eDp5", "AWS3 Credential=x", "x"}) {
    EXPECT_EQ(BodyOf({.authorization = header}), Error("MissingAuthenticationTokenException",
                                                       "Request is missing Authentication Token"))
        << header;
  }
}

TEST_F(AuthenticationTest, SignaturesInBothQueryAndHeaderAreRejected) {
  EXPECT_EQ(
      BodyOf({.target = "/?X-Amz-Algorithm=AWS4-HMAC-SHA256"}),
      Error("InvalidSignatureException",
            "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP "
            "header."));
}

TEST_F(AuthenticationTest, AllMissingPartsOfTheHeaderAreNamed) {
  EXPECT_EQ(
      BodyOf({.authorization = "AWS4-HMAC-SHA256 x", .date = ""}),
      Error("IncompleteSignatureException",
            "Authorization header requires 'Credential' parameter. Authorization header requires "
            "'Signature' parameter. Authorization header requires 'SignedHeaders' parameter. "
            "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
            "Authorization=AWS4-HMAC-SHA256 x"));
  EXPECT_EQ(BodyOf({.authorization = "AWS4-HMAC-SHA256 Credential=a/b, Signature=c"}),
            Error("IncompleteSignatureException",
                  "Authorization header requires 'SignedHeaders' parameter. "
                  "Authorization=AWS4-HMAC-SHA256 Credential=a/b, Signature=c"));
}

TEST_F(AuthenticationTest, TheDateHeaderReplacesXAmzDate) {
  EXPECT_EQ(BodyOf({.date = "", .more = "Date: Thu, 01 Jan 2026 00:00:00 GMT\r\n"}),
            R"({"TableNames":[]})");
}

TEST_F(AuthenticationTest, AllMissingPartsOfTheQueryAreNamed) {
  EXPECT_EQ(BodyOf({.target = "/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=a&X-Amz-Date=b"
                              "&X-Amz-SignedHeaders=c",
                    .authorization = ""}),
            Error("IncompleteSignatureException",
                  "AWS query-string parameters must include 'X-Amz-Signature'. Re-examine the "
                  "query-string parameters."));
}

// DynamoDB looks for a signature before it reads the body.
TEST_F(AuthenticationTest, AMissingSignatureIsReportedBeforeAnyFaultOfTheBody) {
  const std::string missing =
      Error("MissingAuthenticationTokenException", "Request is missing Authentication Token");
  for (const std::string body : {"{", "", "{}", R"({"TableName":1})"}) {
    EXPECT_EQ(BodyOf({.operation = "DynamoDB_20120810.GetItem", .authorization = ""}, body),
              missing);
  }
  EXPECT_EQ(BodyOf({.authorization = "", .more = "Content-Encoding: gzip\r\n"}, "{}"), missing);
}

TEST_F(AuthenticationTest, AnUnreadableBodyIsReportedBeforeAnIncompleteSignature) {
  EXPECT_EQ(BodyOf({.authorization = "AWS4-HMAC-SHA256 x"}, "{"),
            R"({"__type":"com.amazon.coral.service#SerializationException"})");
}

TEST_F(AuthenticationTest, AnUnknownOperationIsReportedBeforeAMissingSignature) {
  for (const std::string body : {"{", "{}"}) {
    EXPECT_THAT(BodyOf({.operation = "DynamoDB_20120810.Nothing", .authorization = ""}, body),
                ::testing::HasSubstr("#UnknownOperationException"));
  }
}

TEST_F(AuthenticationTest, AHeaderQuotedInAnErrorIsEscaped) {
  EXPECT_EQ(BodyOf({.authorization = "AWS4-HMAC-SHA256 \"\\\xff,Credential=a,Signature=b"}),
            Error("IncompleteSignatureException",
                  R"(Authorization header requires 'SignedHeaders' parameter. )"
                  R"(Authorization=AWS4-HMAC-SHA256 \"\\?,Credential=a,Signature=b)"));
}

}  // namespace
}  // namespace dolmen::test
