// Tests of the encoder: the values that it accepts, and the sizes that DynamoDB defines for values.

#include "engine/value/codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
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

// Returns the size of a value in bytes as DynamoDB defines it, without the attribute name.
std::uint32_t Size(const AttributeValue& value) {
  std::string payload;
  EXPECT_THAT(EncodeValue(value, &payload), IsOk());
  return SizeOf(AttributeView(value.type(), payload));
}

// Returns a number that is nested in `containers` lists and maps.
AttributeValue Nested(int containers) {
  AttributeValue value = 1;
  for (int i = 0; i < containers; ++i) {
    value = i % 2 == 0 ? AttributeValue(List{value}) : AttributeValue(Map{{"m", value}});
  }
  return value;
}

TEST(CodecTest, SizeOfReturnsDynamoDBsSizes) {
  const std::vector<std::pair<AttributeValue, std::uint32_t>> cases = {
      {"", 0},
      {"héllo", 6},
      {Binary{"abc"}, 3},
      {true, 1},
      {nullptr, 1},
      {0, 1},
      {1, 2},
      {10, 2},
      {12, 2},
      {123, 3},
      {-5, 3},
      {*Number::Parse("1.5"), 3},
      {*Number::Parse(std::string(38, '9')), 20},
      {StringSet{"a", "bc"}, 3},
      {NumberSet{1, 12}, 4},
      {List{}, 3},
      {List{"a", 1}, 3 + 2 + 3},
      {Map{}, 3},
      {Map{{"k", "v"}}, 3 + 3},
  };
  for (const auto& [value, size] : cases) {
    std::string payload;
    ASSERT_THAT(EncodeValue(value, &payload), IsOk());
    EXPECT_EQ(Size(value), size) << AttributeView(value.type(), payload).ToString();
  }
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

TEST(CodecTest, EncodeItemRejectsEmptySetsButAcceptsOtherEmptyValues) {
  EXPECT_THAT(Encode({{"a", StringSet{}}}),
              StatusIs(StatusCode::kValidation, HasSubstr("An string set  may not be empty")));
  EXPECT_THAT(Encode({{"a", NumberSet{}}}),
              StatusIs(StatusCode::kValidation, HasSubstr("An number set  may not be empty")));
  EXPECT_THAT(Encode({{"a", List{BinarySet{}}}}),
              StatusIs(StatusCode::kValidation, HasSubstr("Binary sets should not be empty")));
  EXPECT_THAT(Encode({{"s", ""}, {"b", Binary{}}, {"m", Map{}}, {"l", List{}}}), IsOk());
}

// The limit is 32 levels of nesting. A scalar in a list or map counts as one level below its
// container, so 31 containers around a scalar are valid.
TEST(CodecTest, EncodeItemAcceptsThirtyTwoLevelsOfNesting) {
  EXPECT_THAT(Encode({{"a", Nested(31)}}), IsOk());
  EXPECT_THAT(Encode({{"a", Nested(32)}}),
              StatusIs(StatusCode::kValidation,
                       HasSubstr("Nesting Levels have exceeded supported limits")));
  EXPECT_THAT(Encode({{"a", Nested(300)}}), StatusIs(StatusCode::kValidation, testing::_));
}

// The encoder must stop before the sum of the sizes overflows 32 bits or the memory is exhausted.
TEST(CodecTest, EncodeItemRejectsPayloadsAboveSixteenMegabytes) {
  Item item;
  const std::string large(std::size_t{1} << 24, 'x');
  for (const char* name : {"a", "b", "c"}) item[name] = large;
  EXPECT_THAT(Encode(item),
              StatusIs(StatusCode::kValidation, "Item size has exceeded the maximum allowed size"));
}

TEST(CodecTest, EncodeItemAcceptsNamesOf1To65535Bytes) {
  EXPECT_THAT(Encode({{"", 1}}), StatusIs(StatusCode::kValidation, HasSubstr("name")));
  EXPECT_THAT(Encode({{std::string(65'535, 'n'), 1}}), IsOk());
  EXPECT_THAT(Encode({{std::string(65'536, 'n'), 1}}),
              StatusIs(StatusCode::kValidation, HasSubstr("name")));
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
