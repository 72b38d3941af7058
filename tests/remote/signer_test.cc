// Tests of the signatures of requests. botocore 1.43.11 made the expected signatures
// (tests/server/auth/sigv4_test.cc).

#include "remote/signer.h"

#include <gmock/gmock.h>

namespace dolmen::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using namespace std::chrono_literals;

constexpr Timestamp kSignedAt = std::chrono::sys_days(std::chrono::January / 1 / 2026) + 12h;
constexpr const char* kTarget = "DynamoDB_20120810.ListTables";

remote::Credentials Key() {
  return {.access_key_id = "AKIDEXAMPLE",
          .secret_access_key = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"};
}

TEST(SignerTest, SignsAsBotocore) {
  remote::Signer signer("eu-north-1");
  for (int i = 0; i < 2; ++i) {  // the second time with the kept key
    EXPECT_THAT(
        signer.Sign("localhost:8000", kTarget, "{}", Key(), kSignedAt),
        ElementsAre("content-type: application/x-amz-json-1.0", "host: localhost:8000",
                    "x-amz-date: 20260101T120000Z", "x-amz-target: DynamoDB_20120810.ListTables",
                    "authorization: AWS4-HMAC-SHA256 "
                    "Credential=AKIDEXAMPLE/20260101/eu-north-1/dynamodb/aws4_request, "
                    "SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature="
                    "d64d7445b64f0cebb5ed99e4ed35cde58678db3ce7369164a53458cc032c937d"));
  }
}

TEST(SignerTest, SignsTheSessionToken) {
  remote::Signer signer("eu-north-1");
  remote::Credentials credentials = Key();
  credentials.session_token = "a/session+token=";
  const auto lines = signer.Sign("localhost:8000", kTarget, "{}", credentials, kSignedAt);
  EXPECT_THAT(lines, Contains("x-amz-security-token: a/session+token="));
  EXPECT_THAT(lines.back(),
              EndsWith("8038304e34cfc84dcbb6ed8c318929c5efdda3bb43b3b00c1496371c6dde5cb8"));
}

TEST(SignerTest, ANewDayAndANewSecretChangeTheSigningKey) {
  remote::Signer signer("eu-north-1");
  const auto line = [&](const remote::Credentials& credentials, Timestamp now) {
    return signer.Sign("h", kTarget, "{}", credentials, now).back();
  };
  remote::Credentials other = Key();
  other.secret_access_key = "other";
  const std::string first = line(Key(), kSignedAt);
  EXPECT_NE(line(other, kSignedAt), first);
  EXPECT_NE(line(Key(), kSignedAt + 24h), first);
  EXPECT_EQ(line(Key(), kSignedAt), first);
}

}  // namespace
}  // namespace dolmen::test
