// Tests of Transaction, the builder of TransactWriteItems. The first test is the example of
// dolmen/transaction.h.

#include <string>
#include <variant>

#include "tests/behaviour/several_tables.h"

namespace dolmen::behaviour {
namespace {

class TransactionTest : public SeveralTablesTest {
 protected:
  static Transaction Begin() { return Transaction(database(), table()); }
};

// The transaction stores a message, which must be new, and updates the message's conversation and
// author.
TEST_F(TransactionTest, CommitWritesAllActionsOrNone) {
  const std::string at = "2026-04-15T12:00:00Z";
  const Item message = With({{"body", "hello"}}, "MSG#1");
  const Item conversation = Key("META");
  const Item participant = Key("PARTICIPANT#u_01");
  Put(With({{"title", "Team"}}, "META"));
  const Transaction send =
      Begin()
          .Put({.item = message, .condition = AttributeNotExists("PK")})
          .Update({.key = conversation, .update = dolmen::Update().Set("lastMessageAt", at)})
          .Update({.key = participant, .update = dolmen::Update().Set("lastReadAt", at)});
  EXPECT_THAT(send.Commit(), IsOk());
  EXPECT_EQ(Get(Key("MSG#1")), message);
  EXPECT_EQ(Get(conversation), With({{"title", "Team"}, {"lastMessageAt", at}}, "META"));
  EXPECT_EQ(Get(participant), With({{"lastReadAt", at}}, "PARTICIPANT#u_01"));

  // The condition of the Put requires that the message does not exist. The first Commit stored the
  // message, so the second Commit fails and writes nothing.
  const Status again = send.Commit().status();
  EXPECT_EQ(again.code(), StatusCode::kTransactionCanceled);
  ASSERT_EQ(again.reasons().size(), 3u);
  EXPECT_THAT(again.reasons()[0], FailsCondition());
  EXPECT_THAT(again.reasons()[1], IsOk());
}

TEST_F(TransactionTest, ATransactionChecksAndDeletes) {
  Put(Key("owner"));
  Put(Key("thing"));
  const Transaction transaction =
      Begin()
          .Check({.key = Key("owner"), .condition = AttributeExists("PK")})
          .Delete({.key = Key("thing"), .condition = AttributeExists("PK")});
  EXPECT_THAT(transaction.Commit(), IsOk());
  EXPECT_THAT(SortKeys({.key_condition = Partition(pk())}), ElementsAre("owner"));
  EXPECT_EQ(transaction.Commit().status().code(), StatusCode::kTransactionCanceled);
}

TEST_F(TransactionTest, ActionsAreOnTheTableThatInNamedLast) {
  const int id = UniqueNumber();
  EXPECT_THAT(Begin()
                  .Put({.item = Key("a")})
                  .In(numbers())
                  .Put({.item = {{"id", id}}})
                  .Put({.item = {{"id", id + 1}}})
                  .In(table())
                  .Put({.item = Key("b")})
                  .Commit(),
              IsOk());
  EXPECT_THAT(SortKeys({.key_condition = Partition(pk())}), ElementsAre("a", "b"));
  EXPECT_EQ(GetNumber(id), (Item{{"id", id}}));
  EXPECT_EQ(GetNumber(id + 1), (Item{{"id", id + 1}}));
}

// A Transaction keeps its actions after Commit. A second Commit does the same writes again.
TEST_F(TransactionTest, EachCommitWritesAgain) {
  const Transaction add = Begin().Update({.key = Key(), .update = dolmen::Update().Add("n", 1)});
  EXPECT_THAT(add.Commit(), IsOk());
  EXPECT_THAT(add.Commit(), IsOk());
  EXPECT_EQ(Attributes(), (Map{{"n", 2}}));
  Transaction copy = add;
  EXPECT_THAT(copy.Update({.key = Key("b"), .update = dolmen::Update().Add("n", 1)}).Commit(),
              IsOk());
  EXPECT_EQ(Attributes(), (Map{{"n", 3}}));
  EXPECT_EQ(add.input().actions.size(), 1u);  // the copy has actions of its own
}

TEST_F(TransactionTest, ATransactionWithATokenWritesOnce) {
  const Transaction add = Begin()
                              .Update({.key = Key(), .update = dolmen::Update().Add("n", 1)})
                              .WithToken("once " + pk());
  EXPECT_THAT(add.Commit(), IsOk());
  EXPECT_THAT(add.Commit(), IsOk());
  EXPECT_EQ(Attributes(), (Map{{"n", 1}}));
}

TEST_F(TransactionTest, CommitReturnsTheCapacityIfRequested) {
  Transaction put = Begin().Put({.item = Key()});
  EXPECT_THAT(put.Commit()->consumed_capacity, IsEmpty());
  put.WithOptions({.return_consumed_capacity = ReturnConsumedCapacity::kTotal});
  EXPECT_THAT(put.Commit()->consumed_capacity,
              ElementsAre(ConsumedCapacity{.table_name = "app", .total = {.write_units = 2}}));
}

// Transaction::input() returns the actions in the order in which the program added them.
TEST_F(TransactionTest, InputIsTheTransactWriteItemsInputOfTheCalls) {
  const Transaction transaction =
      Begin()
          .Put({.item = Key("put")})
          .Update({.key = Key("update"), .update = "REMOVE x"})
          .In(numbers())
          .Delete({.key = {{"id", 1}}})
          .Check({.key = {{"id", 2}}, .condition = "a = b"})
          .WithToken("token")
          .WithOptions({.return_consumed_capacity = ReturnConsumedCapacity::kIndexes});
  const TransactWriteItemsInput& input = transaction.input();
  ASSERT_EQ(input.actions.size(), 4u);
  const auto* put = std::get_if<PutItemInput>(&input.actions[0].action);
  const auto* update = std::get_if<UpdateItemInput>(&input.actions[1].action);
  const auto* erase = std::get_if<DeleteItemInput>(&input.actions[2].action);
  const auto* check = std::get_if<ConditionCheckInput>(&input.actions[3].action);
  ASSERT_TRUE(put != nullptr && update != nullptr && erase != nullptr && check != nullptr);
  EXPECT_EQ(put->item, Key("put"));
  EXPECT_EQ(update->key, Key("update"));
  EXPECT_EQ(*update->update.text(), "REMOVE x");
  EXPECT_EQ(erase->key, (Item{{"id", 1}}));
  EXPECT_EQ(check->key, (Item{{"id", 2}}));
  EXPECT_EQ(*check->condition.text(), "a = b");
  EXPECT_EQ(input.actions[1].table.name(), "app");
  EXPECT_EQ(input.actions[2].table.name(), "numbers");
  EXPECT_EQ(input.actions[3].table.name(), "numbers");
  EXPECT_EQ(input.client_request_token, "token");
  EXPECT_EQ(input.options.return_consumed_capacity, ReturnConsumedCapacity::kIndexes);
}

TEST_F(TransactionTest, CommitRejectsWhatTransactWriteItemsRejectsWithTheSameMessage) {
  for (const Transaction& transaction :
       {Begin(), Begin().Put({.item = Key()}).Delete({.key = Key()}),
        Begin().Update({.key = Key()}), Begin().Put({.item = Key()}).In(Stranger()).Put({}),
        Begin().Put({.item = Key()}).WithToken(std::string(37, 't'))}) {
    const Status refused = transaction.Commit().status();
    EXPECT_EQ(refused.code(), kValidation);
    EXPECT_EQ(refused.message(),
              database().TransactWriteItems(transaction.input()).status().message());
  }
  EXPECT_THAT(SortKeys({.key_condition = Partition(pk())}), IsEmpty());
}

}  // namespace
}  // namespace dolmen::behaviour
