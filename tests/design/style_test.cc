// Tests of the colours of pictures.

#include "design/style.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace dolmen::picture {
namespace {

// Returns the light of one channel of a colour, as the Web Content Accessibility Guidelines define
// it. `hex` is the channel's two digits.
double ChannelLight(const std::string& hex) {
  const double value = static_cast<double>(std::stoi(hex, nullptr, 16)) / 255;
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double Light(const std::string& colour) {
  return 0.2126 * ChannelLight(colour.substr(1, 2)) + 0.7152 * ChannelLight(colour.substr(3, 2)) +
         0.0722 * ChannelLight(colour.substr(5, 2));
}

double Contrast(const std::string& a, const std::string& b) {
  const auto [low, high] = std::minmax({Light(a), Light(b)});
  return (high + 0.05) / (low + 0.05);
}

// Returns the style sheet of one theme.
std::string ThemeSheet(bool is_dark) {
  const std::string sheet = StyleSheet();
  const std::size_t dark = sheet.find("@media(prefers-color-scheme:dark)");
  EXPECT_NE(dark, sheet.npos);
  return is_dark ? sheet.substr(dark) : sheet.substr(0, dark);
}

// Returns the colour of a class.
std::string ColourOf(const std::string& sheet, const std::string& css) {
  const std::string start = "." + css + "{fill:";
  const std::size_t at = sheet.find(start);
  EXPECT_NE(at, sheet.npos) << css;
  return at == sheet.npos ? "#000000" : sheet.substr(at + start.size(), 7);
}

class PictureStyleTest : public testing::TestWithParam<bool> {
 protected:
  void ExpectReadable(const std::string& text, const std::string& background) const {
    const std::string sheet = ThemeSheet(GetParam());
    EXPECT_GE(Contrast(ColourOf(sheet, text), ColourOf(sheet, background)), 4.5)
        << text << " on " << background;
  }
};

INSTANTIATE_TEST_SUITE_P(Themes, PictureStyleTest, testing::Bool(),
                         [](const auto& is_dark) { return is_dark.param ? "Dark" : "Light"; });

TEST_P(PictureStyleTest, EachTextHasContrastToItsBackground) {
  for (const char* text : {"title", "heading", "muted"}) ExpectReadable(text, "paper");
  for (const char* text : {"name", "keyname", "value", "muted"}) ExpectReadable(text, "band");
  for (const char* text : {"key", "muted"}) ExpectReadable(text, "head");
  for (std::size_t i = 0; i < kHues; ++i) {
    const std::string tint = "t" + std::to_string(i);
    ExpectReadable("k" + std::to_string(i), tint);
    ExpectReadable("value", tint);
  }
}

TEST_P(PictureStyleTest, EachKindHasAColourOfItsOwn) {
  const std::string sheet = ThemeSheet(GetParam());
  std::vector<std::string> colours;
  for (std::size_t i = 0; i < kHues; ++i) {
    colours.push_back(ColourOf(sheet, "k" + std::to_string(i)));
    EXPECT_EQ(ColourOf(sheet, "f" + std::to_string(i)), colours.back());
  }
  std::ranges::sort(colours);
  EXPECT_EQ(std::ranges::adjacent_find(colours), colours.end());
}

}  // namespace
}  // namespace dolmen::picture
