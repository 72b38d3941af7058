// Tests of Base64: the vectors of RFC 4648, and DynamoDB's messages about invalid text.

#include "database/base64.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "tests/support/status_matchers.h"

namespace dolmen {
namespace {

using namespace std::string_view_literals;
using test::IsOk;

std::string InBase64(std::string_view bytes) {
  std::string text;
  internal::AppendBase64(bytes, &text);
  return text;
}

// Returns the message about the text, or "" if the text is valid Base64.
std::string Base64Fault(std::string_view text) {
  std::string bytes;
  return internal::DecodeBase64(text, &bytes).message();
}

TEST(Base64Test, EncodesAndDecodesTheVectorsOfTheRfc) {
  struct {
    std::string_view bytes;
    std::string_view text;
  } const vectors[] = {{"", ""},
                       {"f", "Zg=="},
                       {"fo", "Zm8="},
                       {"foo", "Zm9v"},
                       {"foob", "Zm9vYg=="},
                       {"fooba", "Zm9vYmE="},
                       {"foobar", "Zm9vYmFy"},
                       {"\0"sv, "AA=="},
                       {"\xff\xff\xff", "////"},
                       {"\xfb\xef\xbe", "++++"}};
  for (const auto& [bytes, text] : vectors) {
    EXPECT_EQ(InBase64(bytes), text);
    std::string decoded;
    EXPECT_THAT(internal::DecodeBase64(text, &decoded), IsOk()) << text;
    EXPECT_EQ(decoded, bytes);
  }
}

TEST(Base64Test, EveryByteIsReadBackAtEveryPosition) {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes.push_back(static_cast<char>(byte));
  for (std::size_t start = 0; start < 3; ++start) {
    const std::string part = bytes.substr(start);
    std::string decoded;
    EXPECT_THAT(internal::DecodeBase64(InBase64(part), &decoded), IsOk());
    EXPECT_EQ(decoded, part);
  }
}

TEST(Base64Test, BothFunctionsAppend) {
  std::string text = "before ";
  internal::AppendBase64("foo", &text);
  EXPECT_EQ(text, "before Zm9v");
  std::string bytes = "before ";
  EXPECT_THAT(internal::DecodeBase64("Zm9v", &bytes), IsOk());
  EXPECT_EQ(bytes, "before foo");
}

TEST(Base64Test, TheLengthMustBeAMultipleOf4) {
  for (const std::string_view text : {"Z", "Zg", "Zg=", "Zm9vY"}) {
    EXPECT_EQ(Base64Fault(text),
              "Base64 encoded length is expected a multiple of 4 bytes but found: " +
                  std::to_string(text.size()));
  }
}

TEST(Base64Test, PaddingIsAtTheEndAndAtMostTwoCharacters) {
  for (const std::string_view text : {"====", "A===", "AA=A", "=AAA", "AA==AAAA"}) {
    EXPECT_EQ(Base64Fault(text), "Invalid Base64 character: '='") << text;
  }
}

TEST(Base64Test, OnlyTheStandardAlphabetIsAccepted) {
  for (const char character : "-_ \n.%"sv) {
    EXPECT_EQ(Base64Fault(std::string("AA") + character + "A"),
              std::string("Invalid Base64 character: '") + character + "'");
  }
}

TEST(Base64Test, UnusedBitsOfTheLastCharacterMustBeZero) {
  for (const std::string_view text : {"Zh==", "Zv==", "Zm9=", "Zm+="}) {
    EXPECT_EQ(Base64Fault(text), "Invalid last non-pad Base64 character dectected") << text;
  }
}

}  // namespace
}  // namespace dolmen
