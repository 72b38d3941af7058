// Tests of TransactWriteItems. The rule numbers are those of tests/behaviour/README.md.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html

#include <string>
#include <vector>

#include "tests/behaviour/fixture.h"

namespace dolmen::behaviour {
namespace {

class TransactWriteItemsTest : public TableTest {
 protected:
  static Item Key(const std::string& sort) { return {{"PK", partition_}, {"SK", sort}}; }
  static Status Transact(const std::vector<TransactWriteItem>& actions) {
    return database().TransactWriteItems({.actions = actions}).status();
  }
  static TransactWriteItem PutAction(const std::string& sort,
                                     const ConditionExpression& condition = {}) {
    return {table(), PutItemInput{.item = Key(sort), .condition = condition}};
  }

  void SetUp() override { partition_ = UniqueKey(); }

  inline static std::string partition_;
};

TEST_F(TransactWriteItemsTest, WritesAllItsActions) {
  Put(Key("deleted"));
  Put(Key("checked"));
  EXPECT_THAT(
      Transact(
          {PutAction("put"),
           {table(),
            UpdateItemInput{.key = Key("updated"), .update = "SET n = :n", .values = {{":n", 1}}}},
           {table(), DeleteItemInput{.key = Key("deleted")}},
           {table(),
            ConditionCheckInput{.key = Key("checked"), .condition = "attribute_exists(PK)"}}}),
      IsOk());
  EXPECT_THAT(SortKeys({.key_condition = Partition(partition_)}),
              ElementsAre("checked", "put", "updated"));
}

// The error has one reason for each action, in the order of the actions. If the action requested
// the old item, its reason contains the old item.
TEST_F(TransactWriteItemsTest, AFailedActionCancelsAllActionsAndGivesReasons) {
  Item existing = Key("existing");
  existing["s"] = "text";
  Put(existing);
  const Status canceled =
      Transact({PutAction("new"),
                {table(), PutItemInput{.item = Key("existing"),
                                       .condition = "attribute_not_exists(PK)",
                                       .return_item_on_condition_failure = true}},
                {table(), UpdateItemInput{.key = Key("other"),
                                          .update = "SET n = nothere + :n",
                                          .values = {{":n", 1}}}}});
  EXPECT_EQ(canceled.code(), StatusCode::kTransactionCanceled);
  EXPECT_EQ(canceled.message(),
            "Transaction cancelled, please refer cancellation reasons for specific reasons [None, "
            "ConditionalCheckFailed, ValidationError]");
  ASSERT_EQ(canceled.reasons().size(), 3u);
  EXPECT_THAT(canceled.reasons()[0], IsOk());
  ASSERT_NE(canceled.reasons()[1].item(), nullptr);
  EXPECT_THAT(canceled.reasons()[1].item()->Copy(), IsOkAndHolds(existing));
  EXPECT_THAT(canceled.reasons()[2],
              StatusIs(kValidation, HasSubstr("an attribute that does not exist in the item")));
  EXPECT_THAT(SortKeys({.key_condition = Partition(partition_)}), ElementsAre("existing"));
}

// Conditions and updates see the state before the transaction, so the order of the actions does not
// matter.
TEST_F(TransactWriteItemsTest, ConditionsSeeTheStateBeforeTheTransaction) {
  EXPECT_EQ(Transact({PutAction("a"),
                      {table(),
                       ConditionCheckInput{.key = Key("b"), .condition = "attribute_exists(PK)"}},
                      {table(), DeleteItemInput{.key = Key("c")}}})
                .code(),
            StatusCode::kTransactionCanceled);
  EXPECT_THAT(Transact({PutAction("a"),
                        {table(), ConditionCheckInput{.key = Key("b"),
                                                      .condition = "attribute_not_exists(PK)"}}}),
              IsOk());
}

TEST_F(TransactWriteItemsTest, RejectsTwoActionsOnOneItem) {
  EXPECT_THAT(
      Transact({PutAction("a"), PutAction("b"), {table(), DeleteItemInput{Key("a")}}}),
      StatusIs(kValidation, "Transaction request cannot include multiple operations on one item"));
}

TEST_F(TransactWriteItemsTest, AcceptsOneToAHundredActions) {
  std::vector<TransactWriteItem> actions;
  EXPECT_THAT(Transact(actions), StatusIs(kValidation, HasSubstr("greater than or equal to 1")));
  for (int i = 0; i < 100; ++i) actions.push_back(PutAction(std::to_string(i)));
  EXPECT_THAT(Transact(actions), IsOk());
  actions.push_back(PutAction("100"));
  EXPECT_THAT(Transact(actions), StatusIs(kValidation, HasSubstr("less than or equal to 100")));
}

// No condition is evaluated in this case, so the other reasons are None.
TEST_F(TransactWriteItemsTest, AKeyThatDoesNotMatchTheSchemaCancelsTheTransaction) {
  const std::string invalid = "One or more parameter values were invalid: ";
  const TransactWriteItem failing = PutAction("a", "attribute_exists(PK)");
  const auto check = [&](const TransactWriteItem& wrong, const std::string& message) {
    const Status canceled = Transact({failing, wrong, PutAction("b")});
    EXPECT_EQ(canceled.code(), StatusCode::kTransactionCanceled);
    ASSERT_EQ(canceled.reasons().size(), 3u);
    EXPECT_THAT(canceled.reasons()[0], IsOk());
    EXPECT_THAT(canceled.reasons()[1], StatusIs(kValidation, message));
    EXPECT_THAT(canceled.reasons()[2], IsOk());
  };
  for (const Item& key :
       {Item{}, Item{{"PK", "p"}}, Item{{"PK", "p"}, {"SK", 1}},
        Item{{"PK", Binary{"p"}}, {"SK", "s"}}, Item{{"PK", "p"}, {"SK", "s"}, {"x", 1}}}) {
    check({table(), DeleteItemInput{.key = key}}, kKeyMismatch);
    check({table(), UpdateItemInput{.key = key, .update = "REMOVE a"}}, kKeyMismatch);
    check({table(), ConditionCheckInput{.key = key, .condition = "attribute_exists(PK)"}},
          kKeyMismatch);
  }
  check({table(), PutItemInput{.item = {{"PK", "p"}, {"x", 1}}}},
        invalid + "Missing the key SK in the item");
  check({table(), PutItemInput{.item = {{"PK", "p"}, {"SK", 1}}}},
        invalid + "Type mismatch for key SK expected: S actual: N");
  EXPECT_THAT(SortKeys({.key_condition = Partition(partition_)}), IsEmpty());
}

// An error of the whole request comes before a key that does not match the schema, even if the action
// with that key comes first.
TEST_F(TransactWriteItemsTest, AnInvalidRequestIsRejectedWithoutReasons) {
  const TransactWriteItem mismatch = {table(), DeleteItemInput{.key = {{"PK", "p"}}}};
  const auto check = [&](const std::vector<TransactWriteItem>& actions, const std::string& part) {
    std::vector<TransactWriteItem> all = {mismatch, mismatch};
    all.insert(all.end(), actions.begin(), actions.end());
    for (const Status& invalid : {Transact(actions), Transact(all)}) {
      EXPECT_THAT(invalid, StatusIs(kValidation, HasSubstr(part)));
      EXPECT_THAT(invalid.reasons(), IsEmpty());
    }
  };
  check({{table(), ConditionCheckInput{.key = Key("a")}}}, "The expression can not be empty");
  check({{table(), DeleteItemInput{.key = Key("a"), .condition = "a ="}}}, "Syntax error");
  check({{table(), DeleteItemInput{.key = Key("")}}}, "cannot contain an empty string value");
  check({PutAction("")}, "cannot contain an empty string value");
  check({PutAction("a"), {table(), DeleteItemInput{.key = Key("a")}}},
        "cannot include multiple operations on one item");
}

// If an update is invalid for the stored item, the transaction is canceled. The cancellation reason
// has the message that UpdateItem returns for this update.
TEST_F(TransactWriteItemsTest, AnUpdateThatItsItemDoesNotAllowCancelsTheTransaction) {
  Item item = Key("a");
  item["n"] = 1;
  item["s"] = "text";
  item["body"] = std::string(400'000, 'x');
  item["parts"] = List{std::string(9'000, 'x')};
  Put(item);
  for (const UpdateItemInput& update : std::vector<UpdateItemInput>{
           {.update = "SET n = s + :n", .values = {{":n", 1}}},
           {.update = "ADD s :n", .values = {{":n", 1}}},
           {.update = "SET n.x = :n", .values = {{":n", 1}}},
           {.update = "SET n = n - nothere"},
           {.update = "SET GSI1PK = n"},
           {.update = "SET more = list_append(parts, parts)"},
       }) {
    SCOPED_TRACE(*update.update.text());
    UpdateItemInput action = update;
    action.key = Key("a");
    const Status alone = table().UpdateItem(action).status();
    ASSERT_EQ(alone.code(), kValidation);
    const Status canceled = Transact({PutAction("new"), {table(), action}});
    EXPECT_EQ(canceled.code(), StatusCode::kTransactionCanceled);
    ASSERT_EQ(canceled.reasons().size(), 2u);
    EXPECT_THAT(canceled.reasons()[0], IsOk());
    EXPECT_THAT(canceled.reasons()[1], StatusIs(kValidation, alone.message()));
  }
  EXPECT_EQ(Get(Key("a")), item);
  EXPECT_THAT(SortKeys({.key_condition = Partition(partition_)}), ElementsAre("a"));
}

TEST_F(TransactWriteItemsTest, RejectsADeletedTable) {
  const auto deleted = database().CreateTable({.name = "deleted"});
  ASSERT_THAT(deleted, IsOk());
  ASSERT_THAT(database().DeleteTable("deleted"), IsOk());
  EXPECT_THAT(Transact({PutAction("a"), {*deleted, PutItemInput{.item = Key("a")}}}),
              StatusIs(StatusCode::kResourceNotFound, "Requested resource not found"));
  EXPECT_THAT(SortKeys({.key_condition = Partition(partition_)}), IsEmpty());
}

// A transaction returns no attributes. An update in a transaction needs an UpdateExpression.
TEST_F(TransactWriteItemsTest, RejectsReturnValuesAndUpdatesWithoutAnExpression) {
  EXPECT_THAT(
      Transact({{table(), PutItemInput{.item = Key("a"), .return_values = ReturnValues::kAllOld}}}),
      StatusIs(kValidation, HasSubstr("ReturnValues")));
  EXPECT_THAT(Transact({{table(), UpdateItemInput{.key = Key("a")}}}),
              StatusIs(kValidation, HasSubstr("UpdateExpression")));
}

// The limit counts the items and values of the request, not the stored items.
TEST_F(TransactWriteItemsTest, RejectsMoreThanFourMegabytesInTheRequest) {
  const auto put = [](int i, std::size_t bytes) {
    Item item = Key(std::to_string(i));
    item["body"] = std::string(bytes, 'x');
    return TransactWriteItem{table(), PutItemInput{.item = item}};
  };
  std::vector<TransactWriteItem> actions;
  for (int i = 0; i < 10; ++i) actions.push_back(put(i, 400'000));
  EXPECT_THAT(Transact(actions), IsOk());
  actions.push_back(put(10, 400'000));
  const auto is_too_large = StatusIs(kValidation, HasSubstr("size cannot exceed 4MB"));
  EXPECT_THAT(Transact(actions), is_too_large);
  actions.back() = {table(), UpdateItemInput{.key = Key("10"),
                                             .update = "SET body = :v",
                                             .condition = "attribute_exists(absent)",
                                             .values = {{":v", std::string(400'000, 'x')}}}};
  EXPECT_THAT(Transact(actions), is_too_large);
  // Small actions may change or delete large items.
  std::vector<TransactWriteItem> small;
  for (int i = 0; i < 10; ++i) {
    small.push_back(
        {table(), UpdateItemInput{.key = Key(std::to_string(i)), .update = "SET a = SK"}});
  }
  for (int i = 10; i < 15; ++i) {
    ASSERT_THAT(Transact({put(i, 400'000)}), IsOk());
    small.push_back({table(), DeleteItemInput{.key = Key(std::to_string(i))}});
  }
  EXPECT_THAT(Transact(small), IsOk());
}

TEST_F(TransactWriteItemsTest, WritesSeveralTablesOfOneDatabase) {
  const auto second = database().CreateTable({.name = "second"});
  ASSERT_THAT(second, IsOk());
  EXPECT_THAT(Transact({PutAction("a"), {*second, PutItemInput{.item = Key("a")}}}), IsOk());
  EXPECT_TRUE(second->GetItem({.key = Key("a")})->item);

  auto elsewhere = Database::InMemory();
  ASSERT_THAT(elsewhere, IsOk());
  const auto stranger = elsewhere->CreateTable({.name = "stranger"});
  ASSERT_THAT(stranger, IsOk());
  EXPECT_THAT(Transact({{*stranger, PutItemInput{.item = Key("a")}}}),
              StatusIs(kValidation, HasSubstr("stranger")));
}

}  // namespace
}  // namespace dolmen::behaviour
