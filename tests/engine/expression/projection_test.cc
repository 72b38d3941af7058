// Tests of projections as a part of the engine. The tables in
// tests/behaviour/projection_rules_test.cc test the results and the errors of projections.

#include "engine/expression/projection.h"

#include <gmock/gmock.h>

#include <set>
#include <string>
#include <vector>

#include "engine/expression/syntax/parser.h"
#include "tests/support/items.h"
#include "tests/support/random.h"

namespace dolmen::engine {
namespace {

using test::IsOk;
using test::IsOkAndHolds;
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

// Returns a name of up to nine bytes, or a long one. Most names share their first bytes with others,
// and some are the start of another name.
std::string RandomName(test::Random* random) {
  if (random->Below(20) == 0) return std::string(126 + random->Below(5), 'a');
  std::string name = random->Pick(std::vector<std::string>{"a", "b", "Z", "\u00e9"});
  for (std::size_t left = random->Below(4) * random->Below(4); left > 0; --left) {
    name.push_back("ab"[random->Below(2)]);
  }
  return name;
}

AttributeValue RandomValue(test::Random* random) {
  constexpr std::size_t kLengths[] = {0, 1, 5, 127, 128, 300, 16383, 16384};
  switch (random->Below(6)) {
    case 0:
      return nullptr;
    case 1:
      return static_cast<int>(random->Below(100'000));
    case 2:
      return StringSet{"x", "y"};
    case 3:
      return Map{{"a", List{1, "b"}}, {"", ""}};
    default:
      return std::string(kLengths[random->Below(std::size(kLengths))], 'v');
  }
}

class RandomProjectionTest : public test::SeededTest {};

TEST_F(RandomProjectionTest, SelectsTheAttributesThatItNames) {
  test::Random& random = random_;
  for (std::size_t round = 0; round < test::TestSteps(3000); ++round) {
    Item item;
    for (std::size_t left = random.Below(12); left > 0; --left) {
      item[RandomName(&random)] = RandomValue(&random);
    }
    std::set<std::string> names;
    for (const auto& [name, value] : item) {
      if (random.Below(2) == 0) names.insert(name);
    }
    if (random.Below(2) == 0) names.insert(RandomName(&random));  // mostly absent
    std::vector<DocumentPath> paths;
    Item selected;
    for (const std::string& name : names) {
      paths.emplace(paths.begin() + static_cast<std::ptrdiff_t>(random.Below(paths.size() + 1)),
                    name);
      const auto found = item.find(name);
      if (found != item.end()) selected[name] = found->second;
    }
    const StoredItem stored = StoreItem(item);
    std::string out;
    ASSERT_THAT(Projection(paths).Apply(stored.view(), &out), IsOk());
    std::string expected;
    ASSERT_THAT(EncodeItem(selected, &expected), IsOk());
    ASSERT_EQ(out, expected);
    for (const std::string& name : names) {
      const auto found = item.find(name);
      ASSERT_EQ(stored[name].exists(), found != item.end());
      if (found == item.end()) continue;
      ASSERT_THAT(stored[name].Copy(), IsOkAndHolds(found->second));
    }
  }
}

class DamagedProjectionTest : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Paths, DamagedProjectionTest,
                         testing::Values("a, l[2].k, l[3][1], m.x.y, z", "a, c, m", "b, l, z"));

TEST_P(DamagedProjectionTest, DamageIsReportedAndLeavesTheOutputUnchanged) {
  const Result<ProjectionSyntax> syntax = ParseProjection(GetParam());
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
