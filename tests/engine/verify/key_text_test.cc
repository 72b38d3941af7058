#include "engine/verify/key_text.h"

#include <gmock/gmock.h>

#include <string_view>

#include "engine/key/key_codec.h"
#include "tests/engine/keyspaces.h"
#include "tests/support/items.h"

namespace dolmen::engine {
namespace {

using namespace std::string_view_literals;

const KeySchema kBoth({"PK"}, KeyAttribute{"SK", AttributeType::kN});

TEST(KeyTextTest, ShowsTheAttributesOfARowKey) {
  const Number seven(7);
  EXPECT_EQ(KeyText(kBoth, RowKey(kTable, {"a", seven.encoded()}).bytes()), R"({PK: "a", SK: 7})");
  const KeySchema alone({"id", AttributeType::kB}, std::nullopt);
  EXPECT_EQ(KeyText(alone, RowKey(kTable, {"\x00\xFF\x00\x01"sv}).bytes()), R"({id: x"00ff0001"})");
}

TEST(KeyTextTest, ShowsTheBytesOfAMalformedRowKey) {
  EXPECT_EQ(KeyText(kBoth, "\x00\x00\x00\x10zz"sv), "x\"000000107a7a\"");
  EXPECT_EQ(KeyText(kBoth, "\x00\x00"sv), "x\"0000\"");
}

TEST(KeyTextTest, ShowsAStringOfDamagedBytesInUtf8) {
  const Number seven(7);
  EXPECT_EQ(KeyText(kBoth, RowKey(kTable, {"a\xC3", seven.encoded()}).bytes()),
            R"({PK: "a\xc3", SK: 7})");
}

TEST(KeyTextTest, ShowsTheKeyAttributesOfAnItem) {
  const StoredItem item = test::StoreItem({{"PK", "a"}, {"x", 1}});
  EXPECT_EQ(KeyText(kBoth, item.view()), R"({PK: "a", SK: absent})");
}

}  // namespace
}  // namespace dolmen::engine
