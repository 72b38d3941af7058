// Tests of the texts of pictures: one line, their widths, and XML.

#include "design/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dolmen::picture {
namespace {

TEST(PictureTextTest, AStringIsShownWithoutQuotesAndOtherValuesAsInLogs) {
  EXPECT_EQ(ValueText("a \"b\""), "a \"b\"");
  EXPECT_EQ(ValueText(1.5), "1.5");
  EXPECT_EQ(ValueText(Map{{"n", List{1, nullptr, true}}}), "{n: [1, null, true]}");
  EXPECT_EQ(ValueText(Binary{std::string("\x00\xFF", 2)}), "x\"00ff\"");
}

TEST(PictureTextTest, ControlCharactersAndDamagedBytesAreEscaped) {
  EXPECT_EQ(ValueText("a\nb\tc\x1B[2J"), "a\\nb\\tc\\x1b[2J");
  EXPECT_EQ(OneLine("a\xC2\x9B\xFFz"), "a\\x9b\\xffz");
}

TEST(PictureTextTest, WideCharactersCountTwiceAndCombiningMarksNotAtAll) {
  EXPECT_EQ(ColumnsOf("São"), 3);
  EXPECT_EQ(ColumnsOf("東京"), 4);
  EXPECT_EQ(ColumnsOf("🎉"), 2);
  EXPECT_EQ(ColumnsOf("e\xCC\x81"), 1);  // e and a combining acute accent
}

TEST(PictureTextTest, ALongTextEndsWithAnEllipsis) {
  EXPECT_EQ(Truncated("abcdef", 6), "abcdef");
  EXPECT_EQ(Truncated("abcdefg", 6), "abcde…");
  EXPECT_EQ(Truncated("abcd efg", 6), "abcd…") << "no blank before the ellipsis";
  EXPECT_EQ(Truncated("東京都", 4), "東…") << "a wide character is not cut in half";
  EXPECT_EQ(Truncated("abc", 1), "…");
  EXPECT_EQ(Truncated("abc", 0), "");
}

TEST(PictureTextTest, CharactersWithAMeaningInXmlAreEscaped) {
  EXPECT_EQ(Escaped("<a b=\"1\">'&'</a>"), "&lt;a b=&quot;1&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
  EXPECT_EQ(Escaped("a\x01z\xEF\xBF\xBE"), "a\xEF\xBF\xBDz\xEF\xBF\xBD");
}

}  // namespace
}  // namespace dolmen::picture
