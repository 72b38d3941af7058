// Tests of a server with access keys, which verifies signatures. botocore 1.43.11 made the valid
// signatures below for the time kSignedAt. SigV4Auth made the signatures in headers. SigV4QueryAuth
// made the presigned requests. SigV4QueryAuth does not hash the body itself, so the hash of the
// body was passed to it.

#include <string>

#include "tests/server/server_fixture.h"

namespace dolmen::test {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

constexpr Timestamp kSignedAt = kNow + 12h;
constexpr const char* kListed = R"({"TableNames":[]})";
constexpr const char* kMismatch =
    R"({"__type":"com.amazon.coral.service#InvalidSignatureException","message":"The request )"
    R"(signature we calculated does not match the signature you provided. Check your AWS Secret )"
    R"(Access Key and signing method. Consult the service documentation for details."})";

std::string Authorization(
    const std::string& signed_headers, const std::string& signature,
    const std::string& credential = "AKIDEXAMPLE/20260101/eu-north-1/dynamodb/aws4_request") {
  return "AWS4-HMAC-SHA256 Credential=" + credential + ", SignedHeaders=" + signed_headers +
         ", Signature=" + signature;
}

RequestParts Plain() {
  return {.authorization =
              Authorization("content-type;host;x-amz-date;x-amz-target",
                            "d64d7445b64f0cebb5ed99e4ed35cde58678db3ce7369164a53458cc032c937d"),
          .date = "20260101T120000Z"};
}

RequestParts Presigned() {
  return {.target =
              "/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIDEXAMPLE%2F20260101%2F"
              "eu-north-1%2Fdynamodb%2Faws4_request&X-Amz-Date=20260101T120000Z&X-Amz-Expires=3600"
              "&X-Amz-SignedHeaders=content-type%3Bhost%3Bx-amz-target&X-Amz-Signature="
              "2b50a47f51cd982d8821a8ec99e98ad910494446205b8117bb70539ead38f128",
          .authorization = "",
          .date = ""};
}

class SigV4Test : public ServerFixture {
 protected:
  SigV4Test() {
    access_keys_ = {{"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"},
                    {"OTHER", "secret"}};
    clock_->Set(kSignedAt);
  }

  std::string Answer(const RequestParts& parts, const std::string& body = "{}") {
    return Ask(RequestText(body, parts)).body;
  }
};

TEST_F(SigV4Test, AcceptsARequestSignedWithAKey) {
  EXPECT_EQ(Answer(Plain()), kListed);
  EXPECT_EQ(Answer(Plain()), kListed) << "the signing key comes from the cache";
}

TEST_F(SigV4Test, AcceptsASignedSessionToken) {
  EXPECT_EQ(Answer({.authorization = Authorization(
                        "content-type;host;x-amz-date;x-amz-security-token;x-amz-target",
                        "8038304e34cfc84dcbb6ed8c318929c5efdda3bb43b3b00c1496371c6dde5cb8"),
                    .date = "20260101T120000Z",
                    .more = "X-Amz-Security-Token: a/session+token=\r\n"}),
            kListed);
}

TEST_F(SigV4Test, RepeatedSpacesInAHeaderCountAsOne) {
  EXPECT_EQ(Answer({.authorization = Authorization(
                        "content-type;host;x-amz-date;x-amz-meta;x-amz-target",
                        "36da804a8c250214c0f86e3e4ca78d330bd860f6c93c9d1ed7a253d0bc5615af"),
                    .date = "20260101T120000Z",
                    .more = "X-Amz-Meta:   two   words  \r\n"},
                   R"({"Limit": 1})"),
            kListed);
}

TEST_F(SigV4Test, TheQueryIsSignedInItsCanonicalForm) {
  RequestParts parts = Plain();
  parts.target = "/?b=2&a=1%2F2&a=%20";
  EXPECT_EQ(Answer(parts), kMismatch);
  parts.authorization =
      Authorization("content-type;host;x-amz-date;x-amz-target",
                    "d8259dde3ce02c56c5aeae9851d9a7f14031f53b364a3116a33312d763ce641f");
  EXPECT_EQ(Answer(parts), kListed);
}

TEST_F(SigV4Test, AcceptsAnUnsignedBody) {
  const RequestParts parts = {
      .authorization =
          Authorization("content-type;host;x-amz-content-sha256;x-amz-date;x-amz-target",
                        "d4b35e4e5da6cc63d1e022be971bc70bbea4cfa057ab1c714d8ba64509fdaec8"),
      .date = "20260101T120000Z",
      .more = "X-Amz-Content-SHA256: UNSIGNED-PAYLOAD\r\n"};
  EXPECT_EQ(Answer(parts), kListed);
  EXPECT_EQ(Answer(parts, R"({"Limit": 1})"), kListed);

  Restart();
  requires_signed_payload_ = true;
  EXPECT_THAT(Answer(parts), HasSubstr("requires a signed payload"));
  EXPECT_EQ(Answer(Plain()), kListed);
}

TEST_F(SigV4Test, AnUnsignedBodyIsRejectedBeforeItArrives) {
  requires_signed_payload_ = true;
  RequestParts parts = Plain();
  parts.more = "X-Amz-Content-SHA256: UNSIGNED-PAYLOAD\r\n";
  const std::string request = RequestText(std::string(100'000, ' '), parts);
  HttpClient client = Connect();
  client.Send(request.substr(0, 1000));
  EXPECT_THAT(client.Read()->body, HasSubstr("requires a signed payload"));
}

TEST_F(SigV4Test, RejectsAnUnsignedPayloadHeaderThatIsNotSigned) {
  RequestParts parts = Plain();
  parts.more = "X-Amz-Content-SHA256: UNSIGNED-PAYLOAD\r\n";
  EXPECT_THAT(Answer(parts), HasSubstr("'X-Amz-Content-SHA256' must be a 'SignedHeader'"));
}

TEST_F(SigV4Test, AcceptsAPresignedRequest) {
  EXPECT_EQ(Answer(Presigned()), kListed);
  EXPECT_EQ(
      Answer({.target = "/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIDEXAMPLE%2F2026010"
                        "1%2Feu-north-1%2Fdynamodb%2Faws4_request&X-Amz-Date=20260101T120000Z"
                        "&X-Amz-Expires=60&X-Amz-SignedHeaders=content-type%3Bhost%3Bx-amz-target"
                        "&X-Amz-Security-Token=a%2Fb%2Bc%3D&X-Amz-Signature="
                        "07c16b1759f9e4b1c39f3688fe2a3076ca43d22d4fb50d54c95dd33279353313",
              .authorization = "",
              .date = ""}),
      kListed);
}

TEST_F(SigV4Test, APresignedRequestExpiresAfterXAmzExpires) {
  clock_->Set(kSignedAt + 1h);
  EXPECT_EQ(Answer(Presigned()), kListed);
  clock_->Set(kSignedAt + 1h + 1s);
  EXPECT_THAT(Answer(Presigned()),
              HasSubstr("Signature expired: 20260101T120000Z is now earlier than 20260101T120001Z "
                        "(20260101T130001Z - 3600 s.)"));
}

TEST_F(SigV4Test, ASignatureIsValidFor15Minutes) {
  for (const auto off : {-15min, 15min}) {
    clock_->Set(kSignedAt + off);
    EXPECT_EQ(Answer(Plain()), kListed);
  }
  clock_->Set(kSignedAt + 15min + 1s);
  EXPECT_THAT(Answer(Plain()),
              HasSubstr("Signature expired: 20260101T120000Z is now earlier than 20260101T120001Z "
                        "(20260101T121501Z - 15 min.)"));
  clock_->Set(kSignedAt - 15min - 1s);
  EXPECT_THAT(Answer(Plain()),
              HasSubstr("Signature not yet current: 20260101T120000Z is still later than "
                        "20260101T115959Z (20260101T114459Z + 15 min.)"));
}

TEST_F(SigV4Test, RejectsAChangeOfAnySignedPart) {
  EXPECT_EQ(Answer(Plain(), "{ }"), kMismatch) << "body";
  RequestParts parts = Plain();
  parts.host = "localhost:8001";
  EXPECT_EQ(Answer(parts), kMismatch) << "header";
  parts = Plain();
  parts.operation = "DynamoDB_20120810.DescribeLimits";
  EXPECT_EQ(Answer(parts), kMismatch) << "operation";
  parts = Plain();
  parts.target = "/?a=b";
  EXPECT_EQ(Answer(parts), kMismatch) << "query";
  parts = Plain();
  parts.date = "20260101T120001Z";
  EXPECT_EQ(Answer(parts), kMismatch) << "time";
  parts = Plain();
  parts.authorization.back() = 'e';
  EXPECT_EQ(Answer(parts), kMismatch) << "signature";
  parts.authorization.pop_back();
  EXPECT_EQ(Answer(parts), kMismatch) << "its length";
}

TEST_F(SigV4Test, RejectsASignatureMadeWithAnotherKeysSecret) {
  RequestParts parts = Plain();
  parts.authorization =
      Authorization("content-type;host;x-amz-date;x-amz-target",
                    "d64d7445b64f0cebb5ed99e4ed35cde58678db3ce7369164a53458cc032c937d",
                    "OTHER/20260101/eu-north-1/dynamodb/aws4_request");
  EXPECT_EQ(Answer(parts), kMismatch);
}

TEST_F(SigV4Test, RejectsAnUnknownKey) {
  RequestParts parts = Plain();
  parts.authorization = Authorization("host", "00", "X/20260101/eu/dynamodb/aws4_request");
  EXPECT_EQ(Answer(parts),
            R"({"__type":"com.amazon.coral.service#UnrecognizedClientException","message":"The )"
            R"(security token included in the request is invalid."})");
}

TEST_F(SigV4Test, TheCredentialScopeMustNameTheDayAndDynamoDb) {
  const auto with = [&](const std::string& credential) {
    RequestParts parts = Plain();
    parts.authorization = Authorization("host", "00", credential);
    return Answer(parts);
  };
  EXPECT_THAT(with("X/20260101/eu/dynamodb"), HasSubstr("exactly 5 slash-delimited elements"));
  EXPECT_THAT(with("X/20260101/eu/s3/aws4_request"), HasSubstr("correct service: 'dynamodb'."));
  EXPECT_THAT(with("X/20260101//dynamodb/aws4_request"), HasSubstr("a valid region."));
  EXPECT_THAT(with("X/20260101/eu/dynamodb/aws5"),
              HasSubstr("valid terminator: 'aws4_request', not 'aws5'."));
  EXPECT_THAT(with("X/20260102/eu/dynamodb/aws4_request"),
              HasSubstr("'20260102' != '20260101', from '20260101T120000Z'."));
}

TEST_F(SigV4Test, TheHostMustBeSigned) {
  RequestParts parts = Plain();
  parts.authorization = Authorization("x-amz-date", "00");
  EXPECT_THAT(Answer(parts), HasSubstr("'Host' or ':authority' must be a 'SignedHeader'"));
}

// The server must reject a repeated header before it builds the canonical request. The canonical
// request contains the value of each listed header, so a client could make the canonical request
// very long by repeating a header.
TEST_F(SigV4Test, RejectsAHeaderThatIsSignedTwice) {
  for (const std::string more : {";host", ";HOST", ";x;y;x"}) {
    RequestParts parts = Plain();
    parts.authorization = Authorization("content-type;host;x-amz-date;x-amz-target" + more, "00");
    EXPECT_THAT(Answer(parts), HasSubstr("names a header twice")) << more;
  }
  std::string many = "host";
  for (int i = 0; i < 200; ++i) many += ";x" + std::to_string(i);
  RequestParts parts = Plain();
  parts.authorization = Authorization(many, "00");
  EXPECT_THAT(Answer(parts), HasSubstr("more headers than a request may have"));
}

// The server must reject a request whose X-Amz-Target is not signed. Otherwise a program that has
// seen a signed request could use its signature for a different operation.
TEST_F(SigV4Test, AmazonsHeadersMustBeSigned) {
  RequestParts parts = Plain();
  parts.authorization = Authorization("content-type;host;x-amz-date", "00");
  EXPECT_THAT(Answer(parts), HasSubstr("'X-Amz-Target' must be a 'SignedHeader'"));
  parts = Plain();
  parts.more = "x-amz-meta: more\r\n";
  EXPECT_THAT(Answer(parts), HasSubstr("'x-amz-meta' must be a 'SignedHeader'"));
  parts.more = "X-Amzn-Trace-Id: a proxy's\r\n";
  EXPECT_EQ(Answer(parts), kListed);
}

// Tests of bodies that the server does not read. A client without a key must not use memory that
// other clients need.
class LargeBodyTest : public SigV4Test {
 protected:
  // Sends a request's head that announces a body of this size. Returns the status and the body of
  // the response, or "closed".
  std::string AnswerToHead(RequestParts parts, std::size_t body_bytes) {
    parts.more = "Expect: 100-continue\r\n";
    const std::string request = RequestText(std::string(body_bytes, ' '), parts);
    HttpClient client = Connect();
    client.Send(request.substr(0, request.size() - body_bytes));
    const auto response = client.Read();
    if (!response) return "closed";
    if (response->status != 100) {
      EXPECT_EQ(client.ReadToEnd(), "");
    }
    return std::to_string(response->status) + response->body;
  }
  static constexpr std::size_t kLarge = 1 << 20;
};

TEST_F(LargeBodyTest, IsReadIfTheRequestNamesAKnownKey) {
  EXPECT_EQ(AnswerToHead(Plain(), kLarge), "100");
}

TEST_F(LargeBodyTest, IsNotReadIfTheHeadAloneIsRejected) {
  RequestParts parts = Plain();
  parts.authorization = "";
  EXPECT_THAT(AnswerToHead(parts, kLarge), HasSubstr("400{\"__type\":\"com.amazon.coral.service#"
                                                     "MissingAuthenticationTokenException"));
  EXPECT_EQ(AnswerToHead(parts, 2), "100") << "a small body is always read";
  parts.authorization = Authorization("host", "00", "X/20260101/eu/dynamodb/aws4_request");
  EXPECT_THAT(AnswerToHead(parts, kLarge), HasSubstr("#UnrecognizedClientException"));
  clock_->Set(kSignedAt + 16min);
  EXPECT_THAT(AnswerToHead(Plain(), kLarge), HasSubstr("Signature expired"));
}

TEST_F(LargeBodyTest, IsNotReadInChunksIfTheHeadAloneIsRejected) {
  RequestParts parts = Plain();
  parts.authorization = "";
  parts.more = "Transfer-Encoding: chunked\r\n";
  std::string request = RequestText("", parts);
  request.erase(request.find("Content-Length: 0\r\n"), 19);
  HttpClient client = Connect();
  client.Send(request);
  EXPECT_THAT(client.ReadToEnd(), HasSubstr("#MissingAuthenticationTokenException"));
}

TEST_F(SigV4Test, RejectsAnInvalidDate) {
  for (const std::string date : {"2026-01-01T12:00:00Z", "20260101", "20261301T120000Z", "x"}) {
    RequestParts parts = Plain();
    parts.date = date;
    EXPECT_THAT(Answer(parts), HasSubstr("Date must be in ISO-8601 'basic format'. Got '" + date))
        << date;
  }
}

TEST_F(SigV4Test, RejectsAnotherAlgorithm) {
  RequestParts parts = Plain();
  parts.authorization.replace(0, 16, "AWS4-HMAC-SHA512");
  EXPECT_THAT(Answer(parts), HasSubstr("#IncompleteSignatureException"));
}

}  // namespace
}  // namespace dolmen::test
