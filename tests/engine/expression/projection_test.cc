#include "engine/expression/projection.h"

#include <gmock/gmock.h>

#include <string>

#include "engine/expression/syntax/projection_parser.h"
#include "tests/support/items.h"

namespace dolmen::engine {
namespace {

using test::IsOk;
using test::IsOkAndHolds;
using test::StatusIs;
using test::StoreItem;

const Values kNoValues;

// Parses and binds a projection as a request does, and applies the projection to the item.
Result<Item> Project(const std::string& text, const Item& item, const Names& names = {}) {
  const Result<ProjectionSyntax> syntax = ParseProjection(text);
  if (!syntax.ok()) return syntax.status();
  auto placeholders = Placeholders::Make(names, kNoValues, {{ExpressionKind::kProjection, true}});
  if (!placeholders.ok()) return placeholders.status();
  const Result<Projection> projection = BindProjection(*syntax, *placeholders);
  if (!projection.ok()) return projection.status();
  if (Status used = placeholders->CheckAllUsed(); !used.ok()) return used;
  std::string bytes;
  const StoredItem stored = StoreItem(item);
  if (Status s = projection->Apply(stored.view(), &bytes); !s.ok()) return s;
  const Result<StoredItem> projected = StoredItem::FromBytes(bytes);
  if (!projected.ok()) return projected.status();
  Result<Item> copy = projected->Copy();
  if (copy.ok()) {
    std::string expected_bytes;  // equal items have equal bytes
    EXPECT_THAT(EncodeItem(*copy, &expected_bytes), IsOk());
    EXPECT_EQ(bytes, expected_bytes) << text;
  }
  return copy;
}

const Item kItem = {
    {"a", 1},
    {"b", "text"},
    {"c", nullptr},
    {"l", List{"l0", "l1", Map{{"k", "v"}, {"z", 2}}, List{"l30", "l31"}}},
    {"m", Map{{"x", Map{{"y", 1}, {"z", 2}}}, {"l", List{1, 2, 3}}, {"s", StringSet{"p"}}}},
};

TEST(ProjectionTest, KeepsTheNamedAttributes) {
  const struct {
    const char* text;
    Item expected;
  } cases[] = {
      {"a", {{"a", 1}}},
      {"c, a", {{"a", 1}, {"c", nullptr}}},
      {"b, a, c", {{"a", 1}, {"b", "text"}, {"c", nullptr}}},
      {"m, l", {{"l", kItem.at("l")}, {"m", kItem.at("m")}}},
      {"a, b, c, l, m", kItem},
  };
  for (const auto& c : cases) {
    EXPECT_THAT(Project(c.text, kItem), IsOkAndHolds(c.expected)) << c.text;
  }
}

TEST(ProjectionTest, IgnoresPathsThatLeadToNoValue) {
  EXPECT_THAT(Project("a, zz, A, a0, Z", kItem), IsOkAndHolds(Item{{"a", 1}}));
  EXPECT_THAT(Project("zz", kItem), IsOkAndHolds(Item{}));
  EXPECT_THAT(Project("a", {}), IsOkAndHolds(Item{}));
  for (const char* text : {"a.b", "a[0]", "b[0]", "l.k", "l[9]", "l[0].k", "l[2].q", "m[0]", "m.q",
                           "m.x.q, m.l[7], l[3][2]", "m.s[0]", "c.d"}) {
    EXPECT_THAT(Project(text, kItem), IsOkAndHolds(Item{})) << text;
  }
}

TEST(ProjectionTest, KeepsTheStructureAboveNestedParts) {
  const struct {
    const char* text;
    Item expected;
  } cases[] = {
      {"m.x", {{"m", Map{{"x", Map{{"y", 1}, {"z", 2}}}}}}},
      {"m.x.y", {{"m", Map{{"x", Map{{"y", 1}}}}}}},
      {"m.x.y, m.s, a", {{"a", 1}, {"m", Map{{"s", StringSet{"p"}}, {"x", Map{{"y", 1}}}}}}},
      {"m.x.z, m.x.y", {{"m", Map{{"x", Map{{"y", 1}, {"z", 2}}}}}}},
      {"m.x.q, m.s", {{"m", Map{{"s", StringSet{"p"}}}}}},
      {"m.l[1], m.x.y", {{"m", Map{{"l", List{2}}, {"x", Map{{"y", 1}}}}}}},
      {"m.q, b", {{"b", "text"}}},
  };
  for (const auto& c : cases) {
    EXPECT_THAT(Project(c.text, kItem), IsOkAndHolds(c.expected)) << c.text;
  }
}

TEST(ProjectionTest, ListsCloseTheirGapsInTheOrderOfTheIndexes) {
  const struct {
    const char* text;
    Item expected;
  } cases[] = {
      {"l[0]", {{"l", List{"l0"}}}},
      {"l[1]", {{"l", List{"l1"}}}},
      {"l[1], l[0]", {{"l", List{"l0", "l1"}}}},
      {"l[2].k", {{"l", List{Map{{"k", "v"}}}}}},
      {"l[3][1], l[0]", {{"l", List{"l0", List{"l31"}}}}},
      {"l[3][1], l[3][0], l[2].z", {{"l", List{Map{{"z", 2}}, List{"l30", "l31"}}}}},
      {"l[99], l[1]", {{"l", List{"l1"}}}},
      {"m.l[2], m.l[0]", {{"m", Map{{"l", List{1, 3}}}}}},
  };
  for (const auto& c : cases) {
    EXPECT_THAT(Project(c.text, kItem), IsOkAndHolds(c.expected)) << c.text;
  }
}

TEST(ProjectionTest, SortsIndexesAsNumbers) {
  List list;
  for (int i = 0; i < 12; ++i) list.push_back(i);
  EXPECT_THAT(Project("l[10], l[9], l[2]", {{"l", list}}),
              IsOkAndHolds(Item{{"l", List{2, 9, 10}}}));
}

TEST(ProjectionTest, ProjectsManyAttributes) {
  Item item;
  Item expected;
  std::string text;
  for (int i = 0; i < 200; ++i) {
    const std::string name = "a" + std::to_string(i * 7919 % 1000);
    item[name] = i;
    if (i % 3 != 0) continue;
    expected[name] = i;
    text += (text.empty() ? "" : ",") + name;
  }
  EXPECT_THAT(Project(text, item), IsOkAndHolds(expected));
}

TEST(ProjectionTest, ANamePlaceholderStandsForOneStep) {
  const Item item = {{"a.b", 1}, {"a", Map{{"b", 2}, {"c[0]", 3}}}};
  EXPECT_THAT(Project("#n", item, {{"#n", "a.b"}}), IsOkAndHolds(Item{{"a.b", 1}}));
  EXPECT_THAT(Project("a.#n, #m", item, {{"#n", "c[0]"}, {"#m", "a.b"}}),
              IsOkAndHolds(Item{{"a.b", 1}, {"a", Map{{"c[0]", 3}}}}));
}

TEST(ProjectionTest, AppendsToTheOutput) {
  const Projection projection({DocumentPath("a")});
  std::string out = "before";
  const StoredItem item = StoreItem(kItem);
  ASSERT_THAT(projection.Apply(item.view(), &out), IsOk());
  EXPECT_EQ(out.substr(0, 6), "before");
  EXPECT_EQ(ItemView::Parse(std::string_view(out).substr(6))->ToString(), "{a: 1}");
}

TEST(ProjectionTest, TheResultIsEmptyIfThereAreNoPathsOrAttributes) {
  std::string out;
  const StoredItem item = StoreItem(kItem);
  ASSERT_THAT(Projection({}).Apply(item.view(), &out), IsOk());
  EXPECT_EQ(ItemView::Parse(out)->ToString(), "{}");
  out.clear();
  ASSERT_THAT(Projection({DocumentPath("a")}).Apply(ItemView(), &out), IsOk());
  EXPECT_EQ(ItemView::Parse(out)->ToString(), "{}");
}

TEST(ProjectionTest, RejectsPathsThatClash) {
  const std::string prefix = "Invalid ProjectionExpression: Two document paths ";
  const std::string rest = " with each other; must remove or rewrite one of these paths; ";
  EXPECT_THAT(Project("a, b, a", {}),
              StatusIs(StatusCode::kValidation,
                       prefix + "overlap" + rest + "path one: [a], path two: [a]"));
  EXPECT_THAT(Project("a.b[1], b, a.b", {}),
              StatusIs(StatusCode::kValidation,
                       prefix + "overlap" + rest + "path one: [a, b, [1]], path two: [a, b]"));
  EXPECT_THAT(Project("a, #n.b", {}, {{"#n", "a"}}),
              StatusIs(StatusCode::kValidation,
                       prefix + "overlap" + rest + "path one: [a], path two: [a, b]"));
  EXPECT_THAT(Project("a.b, a[0]", {}),
              StatusIs(StatusCode::kValidation,
                       prefix + "conflict" + rest + "path one: [a, b], path two: [a, [0]]"));
}

TEST(ProjectionTest, RejectsUndefinedAndUnusedNames) {
  EXPECT_THAT(Project("a, #n, #n", {}, {{"#m", "x"}}),
              StatusIs(StatusCode::kValidation,
                       "Invalid ProjectionExpression: An expression attribute name used in the "
                       "document path is not defined; attribute name: #n"));
  EXPECT_THAT(Project("a", {}, {{"#m", "x"}}),
              StatusIs(StatusCode::kValidation,
                       "Value provided in ExpressionAttributeNames unused in expressions: keys: "
                       "{#m}"));
}

TEST(ProjectionTest, DamageIsReportedAndLeavesTheOutputUnchanged) {
  const Result<ProjectionSyntax> syntax = ParseProjection("a, l[2].k, l[3][1], m.x.y, z");
  const Names names;
  auto placeholders = Placeholders::Make(names, kNoValues, {{ExpressionKind::kProjection, true}});
  const Result<Projection> projection = BindProjection(*syntax, *placeholders);
  std::string bytes;
  ASSERT_THAT(EncodeItem(kItem, &bytes), IsOk());
  int damaged = 0;
  for (std::size_t i = 5; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string copy = bytes;
      copy[i] = static_cast<char>(copy[i] ^ (1 << bit));
      const Result<ItemView> item = ItemView::Parse(copy);
      if (!item.ok()) continue;
      std::string out = "before";
      const Status status = projection->Apply(*item, &out);
      if (status.ok()) continue;
      ++damaged;
      EXPECT_EQ(status.code(), StatusCode::kCorruption);
      EXPECT_EQ(out, "before");
    }
  }
  EXPECT_GT(damaged, 0);
}

}  // namespace
}  // namespace dolmen::engine
