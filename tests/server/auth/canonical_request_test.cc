// Tests of the canonical request: the text of a request that a client signs.

#include "server/auth/canonical_request.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace dolmen::test {
namespace {

server::Signature SignatureOf(std::string_view signed_headers) {
  server::Signature signature;
  signature.signed_headers = signed_headers;
  return signature;
}

std::string Canonical(const server::Request& request, const server::Signature& signature) {
  std::string text;
  server::AppendCanonicalRequest(request, signature, &text);
  return text;
}

// The example of AWS's documentation of Signature Version 4.
TEST(CanonicalRequestTest, HasTheFormOfAwssExample) {
  server::Request request;
  request.method = "GET";
  request.target = "/?Action=ListUsers&Version=2010-05-08";
  request.fields = {{"Host", "iam.amazonaws.com"},
                    {"Content-Type", "application/x-www-form-urlencoded; charset=utf-8"},
                    {"X-Amz-Date", "20150830T123600Z"},
                    {"User-Agent", "not signed"}};
  server::Signature signature = SignatureOf("content-type;host;x-amz-date");
  signature.query = server::QueryOf(request.target);
  EXPECT_EQ(Canonical(request, signature),
            "GET\n"
            "/\n"
            "Action=ListUsers&Version=2010-05-08\n"
            "content-type:application/x-www-form-urlencoded; charset=utf-8\n"
            "host:iam.amazonaws.com\n"
            "x-amz-date:20150830T123600Z\n"
            "\n"
            "content-type;host;x-amz-date\n");
}

TEST(CanonicalRequestTest, QueriesAreEncodedAndSortedWithoutTheSignature) {
  server::Signature signature = SignatureOf("host");
  signature.query = {{"b", "2"}, {"a", "z"},   {"a", "B"},
                     {"a", ""},  {"A", "x y"}, {"X-Amz-Signature", "00"}};
  EXPECT_EQ(Canonical({.method = "GET", .target = "/"}, signature),
            "GET\n/\nA=x%20y&a=&a=B&a=z&b=2\nhost:\n\nhost\n");
}

TEST(CanonicalRequestTest, ValuesOfOneNameAreJoinedAndSpacesAreSingle) {
  server::Request request;
  request.fields = {{"My-Header", "  a   b "}, {"other", "x"}, {"my-header", "c"}};
  EXPECT_EQ(Canonical(request, SignatureOf("my-header")), "\n/\n\nmy-header:a b,c\n\nmy-header\n");
}

TEST(CanonicalRequestTest, ThePayloadIsUnsignedByHeaderOrByQuery) {
  EXPECT_FALSE(server::IsPayloadUnsigned({}, {}));
  EXPECT_FALSE(server::IsPayloadUnsigned({.amz_content_sha256 = "unsigned-payload"}, {}));
  EXPECT_TRUE(server::IsPayloadUnsigned({.amz_content_sha256 = "UNSIGNED-PAYLOAD"}, {}));
  EXPECT_TRUE(
      server::IsPayloadUnsigned({}, {.query = {{"X-Amz-Content-Sha256", "UNSIGNED-PAYLOAD"}}}));
}

TEST(CanonicalRequestTest, EachHeaderIsSignedAtMostOnce) {
  for (const std::string_view headers : {"host", "host;x-amz-date", "a;b;c"}) {
    EXPECT_TRUE(server::AreSignedOnce(SignatureOf(headers))) << headers;
  }
  for (const std::string_view headers : {"host;host", "host;x;HOST", ";"}) {
    EXPECT_FALSE(server::AreSignedOnce(SignatureOf(headers))) << headers;
  }
}

TEST(CanonicalRequestTest, SignedHeadersAreWholeNamesInAnyCase) {
  const server::Signature signature = SignatureOf("host;x-amz-date");
  EXPECT_TRUE(server::IsSigned("Host", signature));
  EXPECT_TRUE(server::IsSigned("X-AMZ-DATE", signature));
  EXPECT_FALSE(server::IsSigned("x-amz", signature));
  EXPECT_FALSE(server::IsSigned("host;x-amz-date", signature));
}

TEST(CanonicalRequestTest, TheFirstUnsignedAmzHeaderIsFound) {
  server::Request request;
  request.fields = {{"Accept", "*"}, {"X-Amz-Date", "d"}, {"x-amzn-trace-id", "t"}};
  EXPECT_EQ(server::UnsignedAmzHeader(request, SignatureOf("x-amz-date")), "");
  EXPECT_EQ(server::UnsignedAmzHeader(request, SignatureOf("host")), "X-Amz-Date");
  request.fields.push_back({"X-AMZ-Target", "t"});
  EXPECT_EQ(server::UnsignedAmzHeader(request, SignatureOf("x-amz-date")), "X-AMZ-Target");
}

}  // namespace
}  // namespace dolmen::test
