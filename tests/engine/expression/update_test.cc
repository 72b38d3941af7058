// Tests of the accessors of a bound update. The tables in tests/behaviour/update_rules_test.cc and
// update_error_rules_test.cc test the results and the errors of updates.

#include "engine/expression/update.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/engine/expression/bound_update.h"
#include "tests/support/items.h"

namespace dolmen::engine {
namespace {

using test::IsOk;
using test::StoreItem;

TEST(UpdateTest, ReturnsItsTargets) {
  const BoundUpdate update("SET a.b = :v, c = d REMOVE e[0]", {{":v", 1}}, {});
  ASSERT_THAT(update.status(), IsOk());
  std::vector<std::string> targets;
  for (const DocumentPath& target : update->targets()) targets.push_back(target.ToString());
  EXPECT_THAT(targets, testing::ElementsAre("[a, b]", "[c]", "[e, [0]]"));
  EXPECT_TRUE(update->Touches("a"));
  EXPECT_TRUE(update->Touches("e"));
  EXPECT_FALSE(update->Touches("b"));
  EXPECT_FALSE(update->Touches("d"));
}

// Returns the parts of the item that UPDATED_OLD or UPDATED_NEW returns.
std::string Touched(const BoundUpdate& update, const Item& item) {
  std::string out;
  const StoredItem stored = StoreItem(item);
  EXPECT_THAT(update->TouchedParts().Apply(stored.view(), &out), IsOk());
  return ItemView::Parse(out)->ToString();
}

TEST(UpdateTest, TouchedPartsSelectsTheChangedParts) {
  const BoundUpdate update("SET a = :v, m.x = :v, l[1] = :v, z = :v REMOVE l[3], q", {{":v", 9}},
                           {});
  ASSERT_THAT(update.status(), IsOk());
  const Item before = {{"pk", "p"},
                       {"a", 1},
                       {"m", Map{{"x", 2}, {"y", 3}}},
                       {"l", List{10, 11, 12, 13}},
                       {"q", "gone"}};
  EXPECT_EQ(Touched(update, before), "{a: 1, l: [11, 13], m: {x: 2}, q: \"gone\"}");
  const Result<Item> after = update.Apply(before);
  ASSERT_THAT(after, IsOk());
  EXPECT_EQ(Touched(update, *after), "{a: 9, l: [9], m: {x: 9}, z: 9}");
  EXPECT_EQ(Touched(update, {{"pk", "p"}}), "{}");
}

}  // namespace
}  // namespace dolmen::engine
