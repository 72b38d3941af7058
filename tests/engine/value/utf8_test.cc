// Tests of UTF-8: the texts that are well-formed, and the length of texts in UTF-16 units.

#include "engine/value/utf8.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace dolmen::engine {
namespace {

using namespace std::string_view_literals;

TEST(Utf8Test, TheFirstAndLastCodePointOfEachLengthIsWellFormed) {
  for (const std::string_view text :
       {""sv, "\0"sv, "\x7f"sv, "\xc2\x80"sv, "\xdf\xbf"sv, "\xe0\xa0\x80"sv, "\xed\x9f\xbf"sv,
        "\xee\x80\x80"sv, "\xef\xbf\xbf"sv, "\xf0\x90\x80\x80"sv, "\xf4\x8f\xbf\xbf"sv}) {
    EXPECT_TRUE(IsUtf8(text)) << text;
  }
}

TEST(Utf8Test, OverlongFormsSurrogatesAndLargerCodePointsAreNotWellFormed) {
  for (const std::string_view text :
       {"\x80"sv, "\xbf"sv, "\xc0\x80"sv, "\xc1\xbf"sv, "\xe0\x9f\xbf"sv, "\xed\xa0\x80"sv,
        "\xed\xbf\xbf"sv, "\xf0\x8f\xbf\xbf"sv, "\xf4\x90\x80\x80"sv, "\xf5\x80\x80\x80"sv,
        "\xfe"sv, "\xff"sv}) {
    EXPECT_FALSE(IsUtf8(text)) << std::string(text);
  }
}

// The check reads ASCII in steps of 8 bytes. The test therefore puts a wrong byte at each position
// of texts that are shorter and longer than a step.
TEST(Utf8Test, AWrongByteIsFoundAtEveryPosition) {
  for (std::size_t size = 1; size <= 20; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      std::string text(size, 'a');
      EXPECT_TRUE(IsUtf8(text));
      text[at] = '\xff';
      EXPECT_FALSE(IsUtf8(text)) << at << " of " << size;
    }
  }
}

TEST(Utf8Test, ACharacterIsReadAtEveryPositionAndRejectedIfItIsCut) {
  for (std::size_t before = 0; before <= 17; ++before) {
    const std::string start(before, 'a');
    for (const std::string_view character : {"é"sv, "€"sv, "😀"sv}) {
      EXPECT_TRUE(IsUtf8(start + std::string(character) + "end"));
      for (std::size_t kept = 1; kept < character.size(); ++kept) {
        const std::string cut = start + std::string(character.substr(0, kept));
        EXPECT_FALSE(IsUtf8(cut)) << before;
        EXPECT_FALSE(IsUtf8(cut + "end")) << before;
      }
    }
  }
}

TEST(Utf8Test, BytesOutsideCharactersAreShownInHexadecimal) {
  struct {
    std::string_view text;
    std::string_view utf8;
  } const cases[] = {
      {"", ""}, {"aé€😀", "aé€😀"}, {"a\xC3", "a\\xc3"}, {"\xFF\xE2\x82é", "\\xff\\xe2\\x82é"}};
  for (const auto& [text, utf8] : cases) EXPECT_EQ(ToUtf8(std::string(text)), utf8);
}

TEST(Utf8Test, OnlyCharactersOfFourBytesAreTwoUnits) {
  struct {
    std::string_view text;
    std::size_t units;
  } const cases[] = {{"", 0},
                     {"a", 1},
                     {"\0"sv, 1},
                     {"é", 1},
                     {"€", 1},
                     {"\xef\xbf\xbf", 1},
                     {"\xf0\x90\x80\x80", 2},
                     {"\xf4\x8f\xbf\xbf", 2},
                     {"aé€😀", 5}};
  for (const auto& [text, units] : cases) EXPECT_EQ(Utf16Units(text), units) << text;
}

}  // namespace
}  // namespace dolmen::engine
