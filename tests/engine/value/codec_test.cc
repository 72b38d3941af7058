// Tests of the encoder: text that is not UTF-8, and items that are too large to encode.

#include "engine/value/codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/status_matchers.h"

namespace dolmen::engine {
namespace {

using test::IsOk;
using test::StatusIs;
using testing::HasSubstr;

Status Encode(const Item& item) {
  std::string bytes = "before";
  Status status = EncodeItem(item, &bytes);
  if (!status.ok()) {
    EXPECT_EQ(bytes, "before");
  }
  return status;
}

TEST(CodecTest, EncodeItemRejectsTextThatIsNotUtf8) {
  const std::vector<std::string> invalid = {
      "\x80",         "\xc3",
      "\xc0\xaf",     "\xe0\x80\xaf",
      "\xed\xa0\x80", "\xf4\x90\x80\x80",
      "\xff",         "a long ascii start and then \xf0\x9f\x98"};
  for (const std::string& text : invalid) {
    EXPECT_THAT(Encode({{"a", text}}), StatusIs(StatusCode::kValidation, HasSubstr("UTF-8")));
    EXPECT_THAT(Encode({{"a", StringSet{text}}}),
                StatusIs(StatusCode::kValidation, HasSubstr("UTF-8")));
    EXPECT_THAT(Encode({{text, 1}}), StatusIs(StatusCode::kValidation, HasSubstr("UTF-8")));
    EXPECT_THAT(Encode({{"m", Map{{text, 1}}}}),
                StatusIs(StatusCode::kValidation, HasSubstr("UTF-8")));
  }
  EXPECT_THAT(Encode({{"a", "ascii, é, €, 😀, \xed\x9f\xbf, \xf4\x8f\xbf\xbf"}}), IsOk());
}

// The encoder must stop before the sum of the sizes overflows 32 bits or the memory is exhausted.
TEST(CodecTest, EncodeItemRejectsPayloadsAboveSixteenMegabytes) {
  Item item;
  const std::string large(std::size_t{1} << 24, 'x');
  for (const char* name : {"a", "b", "c"}) item[name] = large;
  EXPECT_THAT(Encode(item),
              StatusIs(StatusCode::kValidation, "Item size has exceeded the maximum allowed size"));
}

TEST(CodecTest, ItemWriterWritesWhatEncodeItemWrites) {
  std::string encoded;
  ASSERT_THAT(EncodeItem({{"a", 1}, {"b", List{"x"}}, {"c", nullptr}}, &encoded), IsOk());
  const ItemView item = *ItemView::Parse(encoded);
  std::string written;
  ItemWriter writer(&written);
  for (const auto [name, value] : item) writer.Add(name, value);
  writer.Finish();
  EXPECT_EQ(written, encoded);
}

}  // namespace
}  // namespace dolmen::engine
