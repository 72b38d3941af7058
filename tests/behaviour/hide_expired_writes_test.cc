// Tests of writes with hide_expired, set on the table or in the request. The request's setting
// takes precedence. Conditions, updates and returned values treat hidden items as absent. DynamoDB
// does not have hide_expired.

#include <string>
#include <vector>

#include "tests/behaviour/hide_expired.h"
#include "tests/behaviour/one_item.h"

namespace dolmen::behaviour {
namespace {

class HideExpiredWritesTest : public HideExpiredTest {
 protected:
  // Checks a write of "old" whose condition requires that no item exists. Returns true if the
  // outcome is right: the condition holds if "old" is hidden, and fails if "old" is visible.
  static bool HoldsIfHidden(const Status& written) {
    EXPECT_THAT(written.code(),
                testing::AnyOf(StatusCode::kOk, StatusCode::kConditionalCheckFailed));
    return written.ok() == hides();
  }
  // Checks a write of "old" whose condition requires that an item exists. Returns true if the
  // outcome is right: the condition holds if "old" is visible, and fails if "old" is hidden.
  static bool HoldsUnlessHidden(const Status& written) { return !HoldsIfHidden(written); }

  // Return inputs of requests that write the item "old". The inputs have the hide_expired setting
  // of this test.
  PutItemInput PutOld(const Item& item) const {
    return {.item = item, .options = {.hide_expired = request()}};
  }
  UpdateItemInput UpdateOld(const UpdateExpression& update, const Values& values = {}) const {
    return {.key = Key("old"),
            .update = update,
            .values = values,
            .options = {.hide_expired = request()}};
  }
  DeleteItemInput DeleteOld() const {
    return {.key = Key("old"), .options = {.hide_expired = request()}};
  }

  Status Transact(TransactWriteItem action) const {
    return database().TransactWriteItems({.actions = {std::move(action)}}).status();
  }

  static Item Returned(const Result<WriteItemOutput>& output) {
    EXPECT_THAT(output, IsOk());
    return output.ok() && output->attributes ? *output->attributes->Copy() : Item{};
  }

  // Expects that the stored item "old" is now `item`. If "old" was visible, the stream must have
  // one record of a change. If "old" was hidden, the stream must have a record of a removal by the
  // service and a record of an insertion.
  void ExpectReplacedBy(const Item& item) const {
    EXPECT_EQ(Stored("old"), item);
    const std::vector<StreamRecord> records = Records();
    if (!hides()) {
      EXPECT_THAT(HistorySince(), ElementsAre("MODIFY old"));
      return;
    }
    ASSERT_THAT(HistorySince(), ElementsAre("REMOVE old by service", "INSERT old"));
    EXPECT_THAT(records[2].old_image->Copy(), IsOkAndHolds(old_item()));
    EXPECT_FALSE(records[2].new_image);
    EXPECT_FALSE(records[3].old_image);
    EXPECT_THAT(records[3].new_image->Copy(), IsOkAndHolds(item));
    EXPECT_LT(records[2].sequence_number, records[3].sequence_number);
  }
};

TEST_P(HideExpiredWritesTest, ConditionsOfPutItemTreatAHiddenItemAsAbsent) {
  PutItemInput input = PutOld(Session("old", In(seconds(60))));
  input.condition = "attribute_exists(PK)";
  EXPECT_TRUE(HoldsUnlessHidden(table().PutItem(input).status()));
  Put(old_item());
  input.condition = "attribute_not_exists(PK)";
  EXPECT_TRUE(HoldsIfHidden(table().PutItem(input).status()));
}

TEST_P(HideExpiredWritesTest, ConditionsOfUpdateItemTreatAHiddenItemAsAbsent) {
  UpdateItemInput input = UpdateOld("SET n = :n", {{":n", 7}});
  input.condition = "n = :five";
  input.values.emplace(":five", 5);
  EXPECT_TRUE(HoldsUnlessHidden(table().UpdateItem(input).status()));
  Put(old_item());
  input = UpdateOld("SET n = :n", {{":n", 7}});
  input.condition = "attribute_not_exists(n)";
  EXPECT_TRUE(HoldsIfHidden(table().UpdateItem(input).status()));
}

TEST_P(HideExpiredWritesTest, ConditionsOfDeleteItemTreatAHiddenItemAsAbsent) {
  DeleteItemInput input = DeleteOld();
  input.condition = "attribute_not_exists(PK)";
  EXPECT_TRUE(HoldsIfHidden(table().DeleteItem(input).status()));
  EXPECT_TRUE(IsStored("old"));
  input.condition = "attribute_exists(PK)";
  EXPECT_TRUE(HoldsUnlessHidden(table().DeleteItem(input).status()));
  EXPECT_EQ(IsStored("old"), hides());
}

TEST_P(HideExpiredWritesTest, ConditionsOfTransactionsTreatAHiddenItemAsAbsent) {
  const auto holds = [&](auto action, const std::string& condition) {
    action.condition = condition;
    action.options.hide_expired = request();
    const Status done = Transact({table(), action});
    EXPECT_THAT(done.code(), testing::AnyOf(StatusCode::kOk, StatusCode::kTransactionCanceled));
    if (!done.ok()) {
      EXPECT_EQ(CancellationCode(done.reasons().at(0)), "ConditionalCheckFailed");
    }
    EXPECT_THAT(table().PutItem({.item = old_item(), .options = {.hide_expired = false}}), IsOk());
    return done.ok();
  };
  const std::string absent = "attribute_not_exists(PK)";
  const std::string there = "attribute_exists(PK)";
  for (const auto& [condition, expected] : {std::pair(absent, hides()), {there, !hides()}}) {
    SCOPED_TRACE(condition);
    EXPECT_EQ(holds(ConditionCheckInput{.key = Key("old")}, condition), expected);
    EXPECT_EQ(holds(PutItemInput{.item = Key("old")}, condition), expected);
    EXPECT_EQ(holds(UpdateItemInput{.key = Key("old"), .update = "REMOVE n"}, condition), expected);
    EXPECT_EQ(holds(DeleteItemInput{.key = Key("old")}, condition), expected);
  }
}

TEST_P(HideExpiredWritesTest, WritesSeeItemsThatHaveNotExpired) {
  EXPECT_EQ(table()
                .PutItem({.item = Key("new"),
                          .condition = "attribute_not_exists(PK)",
                          .options = {.hide_expired = request()}})
                .status()
                .code(),
            StatusCode::kConditionalCheckFailed);
  EXPECT_THAT(table().UpdateItem({.key = Key("new"),
                                  .update = "ADD n :n",
                                  .condition = "n = :n",
                                  .values = {{":n", 5}},
                                  .options = {.hide_expired = request()}}),
              IsOk());
  EXPECT_EQ(Stored("new").at("n"), 10);
  EXPECT_THAT(Returned(table().DeleteItem({.key = Key("new"),
                                           .return_values = ReturnValues::kAllOld,
                                           .options = {.hide_expired = request()}})),
              testing::Contains(testing::Key("rank")));
}

TEST_P(HideExpiredWritesTest, AFailedConditionDoesNotReturnAHiddenItem) {
  PutItemInput input = PutOld(Key("old"));
  input.condition = "n = :n";
  input.values = {{":n", 6}};
  input.return_item_on_condition_failure = true;
  const Status alone = table().PutItem(input).status();
  EXPECT_EQ(alone.code(), StatusCode::kConditionalCheckFailed);
  EXPECT_EQ(alone.item() == nullptr, hides());
  const Status canceled = Transact({table(), input});
  ASSERT_EQ(canceled.reasons().size(), 1u);
  EXPECT_EQ(canceled.reasons()[0].item() == nullptr, hides());
  EXPECT_EQ(Stored("old"), old_item());
  EXPECT_THAT(HistorySince(), IsEmpty());
}

TEST_P(HideExpiredWritesTest, UpdateItemStartsWithoutTheAttributesOfAHiddenItem) {
  ASSERT_THAT(
      table().UpdateItem(UpdateOld("ADD n :one SET born = if_not_exists(n, :one)", {{":one", 1}})),
      IsOk());
  Item expected = hides() ? Key("old") : old_item();
  expected.insert_or_assign("n", hides() ? 1 : 6);
  expected.insert_or_assign("born", hides() ? 1 : 5);
  ExpectReplacedBy(expected);
}

TEST_P(HideExpiredWritesTest, AnEmptyUpdateReplacesAHiddenItemByItsKey) {
  ASSERT_THAT(table().UpdateItem(UpdateOld({})), IsOk());
  if (hides()) {
    ExpectReplacedBy(Key("old"));
  } else {
    EXPECT_EQ(Stored("old"), old_item());
    EXPECT_THAT(HistorySince(), IsEmpty());
  }
}

TEST_P(HideExpiredWritesTest, UpdateItemRejectsAReferenceToAnAttributeOfAHiddenItem) {
  const Status updated = table().UpdateItem(UpdateOld("SET n = n + :n", {{":n", 1}})).status();
  if (hides()) {
    EXPECT_EQ(updated.code(), kValidation);
    EXPECT_EQ(Stored("old"), old_item());
    EXPECT_THAT(HistorySince(), IsEmpty());
  } else {
    EXPECT_THAT(updated, IsOk());
    EXPECT_EQ(Stored("old").at("n"), 6);
  }
}

TEST_P(HideExpiredWritesTest, UpdateItemDoesNotReturnAttributesOfAHiddenItem) {
  const auto update = [&](ReturnValues return_values) {
    EXPECT_THAT(table().PutItem({.item = old_item(), .options = {.hide_expired = false}}), IsOk());
    UpdateItemInput input = UpdateOld("SET n = :n", {{":n", 7}});
    input.return_values = return_values;
    return Returned(table().UpdateItem(input));
  };
  Item changed = hides() ? Key("old") : old_item();
  changed.insert_or_assign("n", 7);
  EXPECT_EQ(update(ReturnValues::kNone), Item());
  EXPECT_EQ(update(ReturnValues::kAllOld), hides() ? Item() : old_item());
  EXPECT_EQ(update(ReturnValues::kUpdatedOld), hides() ? Item() : (Item{{"n", 5}}));
  EXPECT_EQ(update(ReturnValues::kAllNew), changed);
  EXPECT_EQ(update(ReturnValues::kUpdatedNew), (Item{{"n", 7}}));
}

TEST_P(HideExpiredWritesTest, PutItemDoesNotReturnAHiddenItem) {
  PutItemInput input = PutOld(Key("old"));
  input.return_values = ReturnValues::kAllOld;
  EXPECT_EQ(Returned(table().PutItem(input)), hides() ? Item() : old_item());
}

TEST_P(HideExpiredWritesTest, PutItemReplacesAHiddenItemAndItsIndexEntries) {
  Item item = Key("old");
  item.emplace("user", "bob");
  item.emplace("expires", In(seconds(60)));
  ASSERT_THAT(table().PutItem(PutOld(item)), IsOk());
  ExpectReplacedBy(item);
  for (const std::string& index : kEverywhere) {
    if (index.empty()) continue;
    EXPECT_THAT(SortKeys(Everything(index)), ElementsAre("new")) << index;
    EXPECT_EQ(table().Scan({.index = index, .options = {.hide_expired = false}})->count(),
              index.starts_with("ByUser") ? 2u : 1u)
        << index;
  }
  EXPECT_EQ(ExpireNow(), 0u);  // no expiry entry of the old item exists
  EXPECT_EQ(Stored("old"), item);
}

TEST_P(HideExpiredWritesTest, TransactionsReplaceAHiddenItem) {
  const Item item = Session("old", In(seconds(60)));
  ASSERT_THAT(Transact({table(), PutOld(item)}), IsOk());
  ExpectReplacedBy(item);
  EXPECT_EQ(StoredKeys().size(), 2u);
  EXPECT_EQ(ExpireNow(), 0u);
}

TEST_P(HideExpiredWritesTest, UpdatesInTransactionsStartWithoutTheAttributesOfAHiddenItem) {
  ASSERT_THAT(Transact({table(), UpdateOld("ADD n :n", {{":n", 1}})}), IsOk());
  Item expected = hides() ? Key("old") : old_item();
  expected.insert_or_assign("n", hides() ? 1 : 6);
  ExpectReplacedBy(expected);
}

// DeleteItem treats a hidden item as absent, so the item stays stored. ExpireNow deletes the item
// later.
TEST_P(HideExpiredWritesTest, DeleteItemLeavesAHiddenItemStored) {
  DeleteItemInput input = DeleteOld();
  input.return_values = ReturnValues::kAllOld;
  EXPECT_EQ(Returned(table().DeleteItem(input)), hides() ? Item() : old_item());
  EXPECT_EQ(IsStored("old"), hides());
  if (hides()) {
    EXPECT_THAT(HistorySince(), IsEmpty());
    EXPECT_THAT(StoredKeys(), ElementsAre("new", "old"));
    EXPECT_EQ(ExpireNow(), 1u);
    EXPECT_THAT(HistorySince(), ElementsAre("REMOVE old by service"));
  } else {
    EXPECT_EQ(ExpireNow(), 0u);
    EXPECT_THAT(HistorySince(), ElementsAre("REMOVE old"));
  }
  EXPECT_THAT(StoredKeys(), ElementsAre("new"));
}

TEST_P(HideExpiredWritesTest, DeletesInTransactionsLeaveAHiddenItemStored) {
  ASSERT_THAT(Transact({table(), DeleteOld()}), IsOk());
  EXPECT_EQ(IsStored("old"), hides());
  EXPECT_EQ(ExpireNow(), hides() ? 1u : 0u);
  EXPECT_THAT(HistorySince(), ElementsAre(hides() ? "REMOVE old by service" : "REMOVE old"));
}

TEST_P(HideExpiredWritesTest, EachActionOfATransactionMayHideOrShowExpiredItems) {
  Put(Session("other", In(seconds(-1))));
  const Status done =
      database()
          .TransactWriteItems(
              {.actions = {{table(), ConditionCheckInput{.key = Key("old"),
                                                         .condition = "attribute_exists(PK)",
                                                         .options = {.hide_expired = false}}},
                           {table(), PutItemInput{.item = Session("other", In(seconds(9))),
                                                  .condition = "attribute_not_exists(PK)",
                                                  .options = {.hide_expired = true}}}}})
          .status();
  EXPECT_THAT(done, IsOk());
  EXPECT_THAT(HistorySince(),
              ElementsAre("INSERT other", "REMOVE other by service", "INSERT other"));
}

// The setting of the whole transaction applies to the actions that have none.
TEST_P(HideExpiredWritesTest, AnActionOverridesTheSettingOfItsTransaction) {
  const auto commit = [&](std::optional<bool> of_action, bool expects_item) {
    return database()
        .TransactWriteItems(
            {.actions = {{table(),
                          ConditionCheckInput{.key = Key("old"),
                                              .condition = expects_item
                                                               ? "attribute_exists(PK)"
                                                               : "attribute_not_exists(PK)",
                                              .options = {.hide_expired = of_action}}}},
             .options = {.hide_expired = request()}})
        .status();
  };
  EXPECT_THAT(commit({}, !hides()), IsOk());
  EXPECT_EQ(commit({}, hides()).code(), StatusCode::kTransactionCanceled);
  for (const bool hide : {false, true}) {
    EXPECT_THAT(commit(hide, !hide), IsOk());
    EXPECT_EQ(commit(hide, hide).code(), StatusCode::kTransactionCanceled);
  }
}

TEST_P(HideExpiredWritesTest, PutsInBatchesReplaceAHiddenItem) {
  const Item item = Session("old", In(seconds(60)));
  ASSERT_THAT(database().BatchWriteItem({.requests = {{table(), {PutRequest{item}}}},
                                         .options = {.hide_expired = request()}}),
              IsOk());
  ExpectReplacedBy(item);
}

TEST_P(HideExpiredWritesTest, DeletesInBatchesLeaveAHiddenItemStored) {
  ASSERT_THAT(database().BatchWriteItem({.requests = {{table(), {DeleteRequest{Key("old")}}}},
                                         .options = {.hide_expired = request()}}),
              IsOk());
  EXPECT_EQ(IsStored("old"), hides());
  EXPECT_EQ(ExpireNow(), hides() ? 1u : 0u);
  EXPECT_THAT(HistorySince(), ElementsAre(hides() ? "REMOVE old by service" : "REMOVE old"));
}

INSTANTIATE_TEST_SUITE_P(Hiding, HideExpiredWritesTest, EachHiding(), NameOf);

class HideExpiredClockTest : public ExpiringTableTest {};

// While the clock is ahead, an item counts as expired and is hidden. A caller's DeleteItem of the
// item then has no effect. After the clock is set back, the item is visible and unchanged.
TEST_F(HideExpiredClockTest, AHiddenItemIsVisibleAgainAfterTheClockIsSetBack) {
  Enable(true);
  PutSession("a", In(seconds(10)));
  clock().Advance(seconds(20));
  EXPECT_FALSE(table().GetItem({.key = Key("a")})->item);
  ASSERT_THAT(table().DeleteItem({.key = Key("a")}), IsOk());
  clock().Advance(-seconds(20));
  EXPECT_TRUE(table().GetItem({.key = Key("a")})->item);
  EXPECT_EQ(
      table().PutItem({.item = Key("a"), .condition = "attribute_not_exists(PK)"}).status().code(),
      StatusCode::kConditionalCheckFailed);
  EXPECT_THAT(StoredKeys(), ElementsAre("a"));
  EXPECT_THAT(History(), ElementsAre("INSERT a"));
}

}  // namespace
}  // namespace dolmen::behaviour
