// Tests of request targets: their path, their query, and percent-encoding.

#include "http/uri.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

namespace dolmen::test {
namespace {

using namespace std::string_view_literals;

std::string UriEncoded(std::string_view text, std::string_view also_kept = {}) {
  std::string encoded;
  http::AppendUriEncoded(text, also_kept, &encoded);
  return encoded;
}

TEST(UriTest, ThePathEndsAtTheFirstQuestionMark) {
  EXPECT_EQ(http::PathOf("/"), "/");
  EXPECT_EQ(http::PathOf("/a%20b?c=d?e"), "/a%20b");
  EXPECT_EQ(http::PathOf("?c=d"), "");
  EXPECT_EQ(http::PathOf(""), "");
}

TEST(UriTest, ThePathOfAWholeUrlFollowsTheHost) {
  EXPECT_EQ(http::PathOf("http://localhost:8000"), "/");
  EXPECT_EQ(http::PathOf("http://localhost:8000/?c=d"), "/");
  EXPECT_EQ(http::PathOf("http://localhost:8000?c=/d"), "/");
  EXPECT_EQ(http::PathOf("http://localhost/a/b"), "/a/b");
  EXPECT_EQ(http::PathOf("/a://b/c"), "/a://b/c");
}

TEST(UriTest, AQueryHasItsParametersInTheirOrder) {
  struct {
    std::string_view target;
    http::QueryParameters parameters;
  } const cases[] = {{"/", {}},
                     {"/?", {}},
                     {"/?b=2&a=1", {{"b", "2"}, {"a", "1"}}},
                     {"/?a=1&a=0", {{"a", "1"}, {"a", "0"}}},
                     {"/?a", {{"a", ""}}},
                     {"/?a=", {{"a", ""}}},
                     {"/?=1", {{"", "1"}}},
                     {"/?a=b=c", {{"a", "b=c"}}},
                     {"/?&&a=1&", {{"a", "1"}}},
                     {"/?a=1?2", {{"a", "1?2"}}}};
  for (const auto& [target, parameters] : cases) {
    EXPECT_EQ(http::QueryOf(target), parameters) << target;
  }
}

TEST(UriTest, NamesAndValuesAreDecodedOnce) {
  struct {
    std::string_view encoded;
    std::string_view decoded;
  } const cases[] = {{"%41", "A"},    {"%2f%2F", "//"}, {"%26%3D", "&="}, {"%00", "\0"sv},
                     {"%FF", "\xff"}, {"%2541", "%41"}, {"a+b", "a+b"},   {"%", "%"},
                     {"%4", "%4"},    {"%4G", "%4G"},   {"%G4", "%G4"},   {"%%41", "%A"}};
  for (const auto& [encoded, decoded] : cases) {
    const std::string part(encoded);
    const http::QueryParameters expected = {{std::string(decoded), std::string(decoded)}};
    EXPECT_EQ(http::QueryOf("/?" + part + "=" + part), expected) << encoded;
  }
}

TEST(UriTest, FindReturnsTheFirstParameterOfExactlyThatName) {
  const http::QueryParameters parameters = {{"a", "1"}, {"a", "2"}, {"b", ""}};
  EXPECT_EQ(http::Find(parameters, "a"), "1");
  EXPECT_EQ(http::Find(parameters, "b"), "");
  EXPECT_EQ(http::Find(parameters, "A"), std::nullopt);
  EXPECT_EQ(http::Find({}, "a"), std::nullopt);
}

TEST(UriTest, UnreservedCharactersAreNotEncoded) {
  constexpr std::string_view kUnreserved =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  EXPECT_EQ(UriEncoded(kUnreserved), kUnreserved);
}

TEST(UriTest, OtherBytesAreEncodedInUpperCase) {
  EXPECT_EQ(UriEncoded(" +/%*"), "%20%2B%2F%25%2A");
  EXPECT_EQ(UriEncoded("\0\x7f\xff"sv), "%00%7F%FF");
  EXPECT_EQ(UriEncoded("é"), "%C3%A9");
  EXPECT_EQ(UriEncoded("/a b", "/"), "/a%20b");
}

TEST(UriTest, EveryByteIsReadBack) {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes.push_back(static_cast<char>(byte));
  EXPECT_EQ(http::Find(http::QueryOf("/?all=" + UriEncoded(bytes)), "all"), bytes);
}

}  // namespace
}  // namespace dolmen::test
