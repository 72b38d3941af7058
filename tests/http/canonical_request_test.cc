// Tests of the canonical request: the text of a request that a client signs.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "http/signature.h"

namespace dolmen::test {
namespace {

using Fields = std::vector<http::HeaderField>;

std::string Canonical(std::string_view method, std::string_view target, const Fields& fields,
                      std::string_view signed_headers) {
  std::string text;
  http::AppendCanonicalRequest({.method = method,
                                .path = http::PathOf(target),
                                .query = http::QueryOf(target),
                                .fields = fields,
                                .signed_headers = signed_headers},
                               &text);
  return text;
}

// The example of AWS's documentation of Signature Version 4.
TEST(CanonicalRequestTest, HasTheFormOfAwssExample) {
  const Fields fields = {{"Host", "iam.amazonaws.com"},
                         {"Content-Type", "application/x-www-form-urlencoded; charset=utf-8"},
                         {"X-Amz-Date", "20150830T123600Z"},
                         {"User-Agent", "not signed"}};
  EXPECT_EQ(Canonical("GET", "/?Action=ListUsers&Version=2010-05-08", fields,
                      "content-type;host;x-amz-date"),
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
  EXPECT_EQ(Canonical("GET", "/?b=2&a=z&a=B&a=&A=x%20y&X-Amz-Signature=00", {}, "host"),
            "GET\n/\nA=x%20y&a=&a=B&a=z&b=2\nhost:\n\nhost\n");
}

// The path as it is sent is encoded once more.
TEST(CanonicalRequestTest, ThePathIsPartOfIt) {
  EXPECT_EQ(Canonical("GET", "/_dolmen/reset?a=b", {}, "host"),
            "GET\n/_dolmen/reset\na=b\nhost:\n\nhost\n");
  EXPECT_EQ(Canonical("GET", "/a%20b", {}, "host"), "GET\n/a%2520b\n\nhost:\n\nhost\n");
  EXPECT_EQ(Canonical("GET", "", {}, "host"), "GET\n/\n\nhost:\n\nhost\n");
}

TEST(CanonicalRequestTest, ValuesOfOneNameAreJoinedAndSpacesAreSingle) {
  EXPECT_EQ(Canonical("", "/", {{"My-Header", "  a   b "}, {"other", "x"}, {"my-header", "c"}},
                      "my-header"),
            "\n/\n\nmy-header:a b,c\n\nmy-header\n");
}

}  // namespace
}  // namespace dolmen::test
