// Tests of items that are read in place: lookup, iteration, and damaged bytes, which must not cause
// undefined behaviour.

#include "dolmen/item_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "engine/value/bytes.h"
#include "engine/value/codec.h"
#include "tests/support/status_matchers.h"

namespace dolmen {
namespace {

using test::IsOk;
using test::IsOkAndHolds;
using test::StatusIs;
using testing::ElementsAre;
using testing::Pair;

StoredItem Stored(const Item& item) {
  std::string bytes;
  EXPECT_THAT(engine::EncodeItem(item, &bytes), IsOk());
  Result<StoredItem> stored = StoredItem::FromBytes(std::move(bytes));
  EXPECT_THAT(stored, IsOk());
  return stored.ok() ? *std::move(stored) : StoredItem();
}

// Returns an item with an attribute of every type.
Item OfEveryType() {
  return {{"s", "text"},
          {"empty", ""},
          {"n", -12},
          {"b", Binary{std::string("\0\xff", 2)}},
          {"yes", true},
          {"no", false},
          {"null", nullptr},
          {"map", Map{{"inner", Map{{"deep", 1}}}, {"x", "y"}}},
          {"list", List{1, "two", List{3}}},
          {"strings", StringSet{"b", "a"}},
          {"numbers", NumberSet{10, -1}},
          {"binaries", BinarySet{Binary{"z"}}},
          {"long", std::string(40'000, 'l')}};
}

TEST(ItemViewTest, FindsAttributesOfEveryType) {
  const StoredItem item = Stored(OfEveryType());
  EXPECT_EQ(item["s"].AsString(), "text");
  EXPECT_EQ(item["empty"].AsString(), "");
  EXPECT_EQ(item["n"].AsInt64(), -12);
  EXPECT_EQ(item["b"].AsBinary(), std::string_view("\0\xff", 2));
  EXPECT_EQ(item["yes"].AsBool(), true);
  EXPECT_EQ(item["no"].AsBool(), false);
  EXPECT_TRUE(item["null"].IsNull());
  EXPECT_EQ(item["map"]["inner"]["deep"].AsInt64(), 1);
  EXPECT_EQ(item["list"][2][0].AsInt64(), 3);
  EXPECT_EQ(item["strings"].AsSet().size(), 2u);
  EXPECT_TRUE(item["numbers"].AsSet().Contains(item["numbers"].AsSet().begin().operator*()));
  EXPECT_EQ(item["long"].AsString()->size(), 40'000u);
}

TEST(ItemViewTest, LookupsInAnAbsentValueAreAbsent) {
  const StoredItem item = Stored(OfEveryType());
  EXPECT_FALSE(item["nope"]);
  EXPECT_FALSE(item["nope"]["further"][3]);
  EXPECT_FALSE(item["s"]["not a map"]);
  EXPECT_FALSE(item["list"][3]);
  EXPECT_EQ(item["s"].AsInt64(), std::nullopt);
  EXPECT_EQ(item["n"].AsString(), std::nullopt);
  EXPECT_TRUE(item["s"].AsMap().empty());
  EXPECT_FALSE(ItemView()["anything"]);
}

TEST(ItemViewTest, IteratesInByteOrderOfNames) {
  const StoredItem item = Stored({{"b", 2}, {"a", 1}, {"c", List{"x", "y"}}});
  std::vector<std::string> names;
  for (const auto [name, value] : item.view()) names.emplace_back(name);
  EXPECT_THAT(names, ElementsAre("a", "b", "c"));
  std::vector<std::string> elements;
  for (const AttributeView element : item["c"].AsList()) {
    elements.emplace_back(*element.AsString());
  }
  EXPECT_THAT(elements, ElementsAre("x", "y"));
}

TEST(ItemViewTest, CopyReturnsTheStoredItem) {
  const Item item = OfEveryType();
  EXPECT_THAT(Stored(item).Copy(), IsOkAndHolds(item));
}

TEST(ItemViewTest, ToStringFormatsEveryType) {
  EXPECT_EQ(Stored({{"PK", "USER#1"},
                    {"age", 42},
                    {"tags", StringSet{"a", "b"}},
                    {"more", Map{{"flag", true}, {"none", nullptr}}},
                    {"list", List{1, Binary{"\x0f"}}}})
                .ToString(),
            R"({PK: "USER#1", age: 42, list: [1, x"0f"], more: {flag: true, none: null}, )"
            R"(tags: <<"a", "b">>})");
  EXPECT_EQ(AttributeView().ToString(), "absent");
}

TEST(ItemViewTest, EqualValuesHaveEqualBytes) {
  const StoredItem a = Stored({{"v", List{NumberSet{1, 2}, Map{{"a", 1}, {"b", 2}}}}});
  const StoredItem b = Stored({{"v", List{NumberSet{2, 1}, Map{{"b", 2}, {"a", 1}}}}});
  EXPECT_EQ(a["v"], b["v"]);
  EXPECT_EQ(a.view().bytes(), b.view().bytes());
  EXPECT_FALSE(a["v"] == a["v"][0]);
}

TEST(ItemViewTest, ParseRejectsBytesThatAreNotAnItem) {
  EXPECT_THAT(ItemView::Parse(""), StatusIs(StatusCode::kCorruption, testing::_));
  EXPECT_THAT(ItemView::Parse("\x01\x02"), StatusIs(StatusCode::kCorruption, testing::_));
  EXPECT_THAT(ItemView::Parse("\x02 from the future"),
              StatusIs(StatusCode::kUnsupportedFormat, testing::HasSubstr("format 2")));
}

// Reads the value with every function of the view. The sanitizers report undefined behaviour.
void ReadAll(const AttributeView& value) {
  if (!value) return;
  (void)value.ToString();
  (void)value.AsNumber();
  (void)value["inner"]["deep"];
  (void)value[1];
  for (const auto [name, element] : value.AsMap()) ReadAll(element);
  for (const AttributeView element : value.AsList()) ReadAll(element);
  for (const AttributeView member : value.AsSet()) ReadAll(member);
}

void ReadAll(std::string_view bytes) {
  const Result<ItemView> item = ItemView::Parse(bytes);
  if (!item.ok()) return;
  for (const auto [name, value] : *item) ReadAll(value);
  (void)(*item)["map"];
  (void)item->ToString();
  if (item->Check().ok()) {
    EXPECT_THAT(item->Copy(), IsOk());
  } else {
    EXPECT_THAT(item->Copy(), StatusIs(StatusCode::kCorruption, testing::_));
  }
}

// Damaged bytes may seem to nest lists without end. The reader must not overflow the stack.
TEST(ItemViewTest, EndlessNestingIsCorruption) {
  const auto in_list = [](std::string_view payload, std::string* out) {
    *out = std::string("\x01\x07", 2);  // one element, a list
    engine::AppendBlock(payload, out);
  };
  std::string payload("\x00", 1);
  for (int level = 0; level < 20'000; ++level) {
    std::string outer;
    in_list(payload, &outer);
    payload = std::move(outer);
  }
  const AttributeView value(AttributeType::kL, payload);
  EXPECT_THAT(value.Check(), StatusIs(StatusCode::kCorruption, testing::_));
  EXPECT_THAT(value.Copy(), StatusIs(StatusCode::kCorruption, testing::_));
  EXPECT_THAT(value.ToString(), testing::HasSubstr("damaged"));
  EXPECT_GT(engine::SizeOf(value), 0u);
}

// Query uses the stored size to decide where a page ends, so Check verifies the stored size.
TEST(ItemViewTest, CheckRejectsAWrongSize) {
  const StoredItem item = Stored({{"a", 1}});
  std::string bytes(item.view().bytes());
  bytes[1] = static_cast<char>(bytes[1] + 1);
  EXPECT_THAT(ItemView::Parse(bytes)->Check(), StatusIs(StatusCode::kCorruption, testing::_));
}

TEST(ItemViewTest, CheckRejectsEveryTruncatedItem) {
  Item small = OfEveryType();
  small.erase("long");
  const StoredItem item = Stored(small);
  const std::string_view bytes = item.view().bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    // Copies the bytes, so that the sanitizers report a read past the end of the copy.
    const std::string cut(bytes.substr(0, size));
    ReadAll(cut);
    const Result<ItemView> view = ItemView::Parse(cut);
    if (view.ok()) {
      EXPECT_FALSE(view->Check().ok()) << size;
    }
  }
}

TEST(ItemViewTest, RandomlyChangedItemsAreReadSafely) {
  Item small = OfEveryType();
  small.erase("long");
  const StoredItem item = Stored(small);
  const std::uint64_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes(item.view().bytes());
    for (std::size_t changes = 1 + random() % 3; changes > 0; --changes) {
      bytes[1 + random() % (bytes.size() - 1)] = static_cast<char>(random());
    }
    ReadAll(bytes);
  }
}

}  // namespace
}  // namespace dolmen
