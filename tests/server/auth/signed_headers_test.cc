// Tests of the parts of a request that its signature covers.

#include "server/auth/signed_headers.h"

#include <gtest/gtest.h>

#include <string_view>

namespace dolmen::test {
namespace {

server::Signature SignatureOf(std::string_view signed_headers) {
  server::Signature signature;
  signature.signed_headers = signed_headers;
  return signature;
}

TEST(SignedHeadersTest, ThePayloadIsUnsignedByHeaderOrByQuery) {
  EXPECT_FALSE(server::IsPayloadUnsigned({}, {}));
  EXPECT_FALSE(server::IsPayloadUnsigned({.amz_content_sha256 = "unsigned-payload"}, {}));
  EXPECT_TRUE(server::IsPayloadUnsigned({.amz_content_sha256 = "UNSIGNED-PAYLOAD"}, {}));
  EXPECT_TRUE(
      server::IsPayloadUnsigned({}, {.query = {{"X-Amz-Content-Sha256", "UNSIGNED-PAYLOAD"}}}));
}

TEST(SignedHeadersTest, EachHeaderIsSignedAtMostOnce) {
  for (const std::string_view headers : {"host", "host;x-amz-date", "a;b;c"}) {
    EXPECT_TRUE(server::AreSignedOnce(SignatureOf(headers))) << headers;
  }
  for (const std::string_view headers : {"host;host", "host;x;HOST", ";"}) {
    EXPECT_FALSE(server::AreSignedOnce(SignatureOf(headers))) << headers;
  }
}

TEST(SignedHeadersTest, SignedHeadersAreWholeNamesInAnyCase) {
  const server::Signature signature = SignatureOf("host;x-amz-date");
  EXPECT_TRUE(server::IsSigned("Host", signature));
  EXPECT_TRUE(server::IsSigned("X-AMZ-DATE", signature));
  EXPECT_FALSE(server::IsSigned("x-amz", signature));
  EXPECT_FALSE(server::IsSigned("host;x-amz-date", signature));
}

TEST(SignedHeadersTest, TheFirstUnsignedHeaderIsFound) {
  server::Request request;
  request.fields = {{"Accept", "*"}, {"X-Amz-Date", "d"}, {"x-amzn-trace-id", "t"}};
  EXPECT_EQ(server::UnsignedHeader(request, SignatureOf("x-amz-date")), "");
  EXPECT_EQ(server::UnsignedHeader(request, SignatureOf("host")), "X-Amz-Date");
  request.fields.push_back({"X-AMZ-Target", "t"});
  EXPECT_EQ(server::UnsignedHeader(request, SignatureOf("x-amz-date")), "X-AMZ-Target");
  request.fields.back() = {"X-Dolmen-Access-Key", "k"};
  EXPECT_EQ(server::UnsignedHeader(request, SignatureOf("x-amz-date")), "X-Dolmen-Access-Key");
}

}  // namespace
}  // namespace dolmen::test
