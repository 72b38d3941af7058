// Tests of Decide(), which computes the effect of a write from the action and the old item alone.

#include "engine/write/decide.h"

#include <memory>
#include <optional>
#include <string>

#include "tests/engine/engine_tables.h"
#include "tests/support/items.h"

namespace dolmen::engine {
namespace {

using test::StoreItem;

class DecideTest : public EngineTableTest {
 protected:
  using Kind = WriteEffect::Kind;

  // Returns the item after the write, or nothing if the write leaves no item. Fails the test if the
  // effect of the write has a kind other than the expected kind.
  template <typename Input>
  std::optional<Item> After(const Input& input, const std::optional<ItemView>& old, Kind expected) {
    WriteAction action;
    EXPECT_THAT(Prepare(schema(), input, &action), IsOk());
    WriteEffect effect;
    EXPECT_THAT(Decide(action, old, &effect), IsOk());
    EXPECT_EQ(effect.kind, expected);
    WriteEffect again;
    EXPECT_THAT(Decide(action, old, &again), IsOk());
    EXPECT_EQ(again.updated, effect.updated) << "a decision can be repeated";
    return effect.item ? std::optional(*effect.item->Copy()) : std::nullopt;
  }

  template <typename Input>
  Status Failure(const Input& input, const std::optional<ItemView>& old) {
    WriteAction action;
    EXPECT_THAT(Prepare(schema(), input, &action), IsOk());
    WriteEffect effect;
    return Decide(action, old, &effect);
  }

  static Item Counter(int n) { return {{"PK", "p"}, {"SK", "s"}, {"n", n}}; }

  const StoredItem stored_ = StoreItem(Counter(1));
  const std::optional<ItemView> old_ = stored_.view();
};

TEST_F(DecideTest, APutReplacesTheOldItem) {
  const PutItemInput put{.item = Counter(2)};
  EXPECT_EQ(After(put, std::nullopt, Kind::kPut), Counter(2));
  EXPECT_EQ(After(put, old_, Kind::kPut), Counter(2));
}

TEST_F(DecideTest, ADeletionOfAnAbsentItemHasNoEffect) {
  const DeleteItemInput deletion{.key = Key("s")};
  EXPECT_EQ(After(deletion, old_, Kind::kDelete), std::nullopt);
  EXPECT_EQ(After(deletion, std::nullopt, Kind::kNothing), std::nullopt);
}

TEST_F(DecideTest, AConditionCheckLeavesTheItem) {
  EXPECT_EQ(After(ConditionCheckInput{.key = Key("s"), .condition = "attribute_exists(n)"}, old_,
                  Kind::kNothing),
            Counter(1));
  EXPECT_EQ(After(ConditionCheckInput{.key = Key("s"), .condition = "attribute_not_exists(PK)"},
                  std::nullopt, Kind::kNothing),
            std::nullopt);
}

TEST_F(DecideTest, AnUpdateChangesTheOldItemOrItsKey) {
  const UpdateItemInput update{.key = Key("s"), .update = "ADD n :one", .values = {{":one", 1}}};
  EXPECT_EQ(After(update, old_, Kind::kPut), Counter(2));
  EXPECT_EQ(After(update, std::nullopt, Kind::kPut), Counter(1));
}

TEST_F(DecideTest, AnUpdateWithoutAnExpressionPutsTheOldItemOrItsKey) {
  const UpdateItemInput update{.key = Key("s")};
  EXPECT_EQ(After(update, old_, Kind::kPut), Counter(1));
  EXPECT_EQ(After(update, std::nullopt, Kind::kPut), Key("s"));
}

TEST_F(DecideTest, AnUpdateThatOnlyRemovesHasNoEffectOnAnAbsentItem) {
  const UpdateItemInput remove{.key = Key("s"), .update = "REMOVE n, m.x"};
  EXPECT_EQ(After(remove, std::nullopt, Kind::kNothing), std::nullopt);
  const UpdateItemInput set{.key = Key("s"), .update = "SET a = PK REMOVE n"};
  EXPECT_TRUE(After(set, std::nullopt, Kind::kPut));
}

// If the item is absent, the condition sees no attributes, not even those of the key.
TEST_F(DecideTest, TheConditionIsCheckedBeforeTheUpdate) {
  const UpdateItemInput update{
      .key = Key("s"), .update = "SET m = other_n", .condition = "attribute_exists(PK)"};
  EXPECT_EQ(Failure(update, std::nullopt).code(), StatusCode::kConditionalCheckFailed);
  EXPECT_EQ(Failure(update, old_).code(), StatusCode::kValidation);
}

TEST_F(DecideTest, AFalseConditionReturnsTheItemOnlyIfTheActionAsksForIt) {
  PutItemInput put{.item = Counter(2), .condition = "n > :one", .values = {{":one", 1}}};
  EXPECT_EQ(Failure(put, old_).item(), nullptr);
  put.return_item_on_condition_failure = true;
  const Status failed = Failure(put, old_);
  ASSERT_NE(failed.item(), nullptr);
  EXPECT_EQ(*failed.item()->Copy(), Counter(1));
  EXPECT_EQ(Failure(put, std::nullopt).item(), nullptr) << "the item is absent";
}

}  // namespace
}  // namespace dolmen::engine
