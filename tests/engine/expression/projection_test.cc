// Tests of projections as a part of the engine. The tables in
// tests/behaviour/projection_rules_test.cc test the results and the errors of projections.

#include "engine/expression/projection.h"

#include <gmock/gmock.h>

#include <string>

#include "engine/expression/syntax/projection_parser.h"
#include "tests/support/items.h"

namespace dolmen::engine {
namespace {

using test::IsOk;
using test::StoreItem;

const Item kItem = {
    {"a", 1},
    {"b", "text"},
    {"c", nullptr},
    {"l", List{"l0", "l1", Map{{"k", "v"}, {"z", 2}}, List{"l30", "l31"}}},
    {"m", Map{{"x", Map{{"y", 1}, {"z", 2}}}, {"l", List{1, 2, 3}}, {"s", StringSet{"p"}}}},
};

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

TEST(ProjectionTest, DamageIsReportedAndLeavesTheOutputUnchanged) {
  const Result<ProjectionSyntax> syntax = ParseProjection("a, l[2].k, l[3][1], m.x.y, z");
  const Names names;
  const Values values;
  auto placeholders = Placeholders::Make(names, values, {{ExpressionKind::kProjection, true}});
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
