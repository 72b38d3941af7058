// Tests of the calculation of Signature Version 4.

#include "http/signature.h"

#include <gtest/gtest.h>

#include <string>

namespace dolmen::test {
namespace {

constexpr std::string_view kSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
constexpr http::SigningScope kScope = {.date = "20150830", .region = "us-east-1", .service = "iam"};

// The examples of AWS's documentation of Signature Version 4.
TEST(SignatureTest, TheSigningKeyIsThatOfAwssExample) {
  std::string key;
  http::AppendHex(http::SigningKey(kSecret, kScope), &key);
  EXPECT_EQ(key, "c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9");
}

TEST(SignatureTest, TheSignatureIsThatOfAwssExample) {
  const std::vector<http::HeaderField> fields = {
      {"Content-Type", "application/x-www-form-urlencoded; charset=utf-8"},
      {"Host", "iam.amazonaws.com"},
      {"X-Amz-Date", "20150830T123600Z"}};
  std::string canonical;
  http::AppendCanonicalRequest({.method = "GET",
                                .path = "/",
                                .query = http::QueryOf("/?Action=ListUsers&Version=2010-05-08"),
                                .fields = fields,
                                .signed_headers = "content-type;host;x-amz-date"},
                               &canonical);
  http::AppendHex(http::Sha256Of(""), &canonical);
  std::string signature;
  http::AppendSignature(http::SigningKey(kSecret, kScope), "20150830T123600Z",
                        "20150830/us-east-1/iam/aws4_request", canonical, &signature);
  EXPECT_EQ(signature, "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7");
}

}  // namespace
}  // namespace dolmen::test
