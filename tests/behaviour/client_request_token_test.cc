// Tests of ClientRequestToken. A transaction that is repeated with its token within ten minutes
// succeeds and changes nothing.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html#DDB-TransactWriteItems-request-ClientRequestToken

#include <chrono>
#include <latch>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/behaviour/fixture.h"
#include "tests/support/items.h"
#include "tests/support/temp_directory.h"

namespace dolmen::behaviour {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;

constexpr auto kOtherUse = StatusCode::kIdempotentParameterMismatch;

// A fixture that creates a database for each test, because a test moves the clock of its database.
class ClientRequestTokenTest : public testing::Test {
 protected:
  void SetUp() override {
    auto database = Database::InMemory({.clock = clock_});
    ASSERT_THAT(database, IsOk());
    database_ = *std::move(database);
    auto table = database_->CreateTable({.name = "app"});
    ASSERT_THAT(table, IsOk());
    table_ = *std::move(table);
  }

  Database& database() { return *database_; }
  const Table& table() const { return *table_; }

  static Item Key(const std::string& sort = "counter") { return {{"PK", "p"}, {"SK", sort}}; }

  // Returns an action that adds `n` to the counter, which shows how often the action was committed.
  TransactWriteItem Add(int n) const {
    return {table(), UpdateItemInput{.key = Key(), .update = "ADD n :n", .values = {{":n", n}}}};
  }
  Status Transact(const std::string& token, const std::vector<TransactWriteItem>& actions) {
    return database()
        .TransactWriteItems({.actions = actions, .client_request_token = token})
        .status();
  }
  Status Increment(const std::string& token) { return Transact(token, {Add(1)}); }

  std::optional<std::int64_t> Counter() const { return CounterOf(table()); }
  static std::optional<std::int64_t> CounterOf(const Table& table) {
    const auto got = table.GetItem({.key = Key()});
    EXPECT_THAT(got, IsOk());
    if (!got.ok() || !got->item) return std::nullopt;
    return (*got->item)["n"].AsInt64();
  }

  const std::shared_ptr<ManualClock> clock_ =
      std::make_shared<ManualClock>(*ParseIso8601("2026-04-15T12:00:00Z"));

 private:
  std::optional<Database> database_;
  std::optional<Table> table_;
};

TEST_F(ClientRequestTokenTest, CommitsATransactionOnce) {
  EXPECT_THAT(Increment("a"), IsOk());
  EXPECT_THAT(Increment("a"), IsOk());
  EXPECT_EQ(Counter(), 1);
  EXPECT_THAT(Increment("b"), IsOk());  // a second token, so a second transaction
  EXPECT_EQ(Counter(), 2);
  EXPECT_THAT(Increment("a"), IsOk());
  EXPECT_EQ(Counter(), 2);
  EXPECT_THAT(Increment(""), IsOk());  // no token
  EXPECT_THAT(Increment(""), IsOk());
  EXPECT_EQ(Counter(), 4);
}

// A repeated transaction succeeds even if its condition no longer holds. It writes nothing.
TEST_F(ClientRequestTokenTest, SkipsTheConditionsOfARepeatedTransaction) {
  const std::vector<TransactWriteItem> put_new = {
      {table(), PutItemInput{.item = Key("new"), .condition = "attribute_not_exists(PK)"}}};
  EXPECT_THAT(Transact("a", put_new), IsOk());
  EXPECT_THAT(Transact("a", put_new), IsOk());
  ASSERT_THAT(table().DeleteItem({.key = Key("new")}), IsOk());
  EXPECT_THAT(Transact("a", put_new), IsOk());
  EXPECT_FALSE(table().GetItem({.key = Key("new")})->item);
}

TEST_F(ClientRequestTokenTest, ExpiresTenMinutesAfterTheCommit) {
  EXPECT_THAT(Increment("a"), IsOk());
  clock_->Advance(minutes(10) - milliseconds(1));
  EXPECT_THAT(Increment("a"), IsOk());
  EXPECT_EQ(Counter(), 1);
  clock_->Advance(milliseconds(1));
  EXPECT_THAT(Increment("a"), IsOk());
  EXPECT_EQ(Counter(), 2);
  clock_->Advance(minutes(9));  // a repetition does not restart the ten minutes
  EXPECT_THAT(Increment("a"), IsOk());
  EXPECT_EQ(Counter(), 2);
  clock_->Advance(minutes(1));
  EXPECT_THAT(Transact("a", {Add(10)}), IsOk());  // a different transaction may use the token now
  EXPECT_EQ(Counter(), 12);
}

// A token was used while the clock was a year ahead. After the clock is set back, Dolmen treats the
// token as expired at once.
TEST_F(ClientRequestTokenTest, ExpiresWhenAClockThatWasAheadIsSetBack) {
  clock_->Advance(std::chrono::hours(24 * 365));
  EXPECT_THAT(Increment("a"), IsOk());
  clock_->Advance(-std::chrono::hours(24 * 365));
  EXPECT_THAT(Transact("a", {Add(10)}), IsOk());
  EXPECT_EQ(Counter(), 11);
}

TEST_F(ClientRequestTokenTest, WorksIfTheClockIsBefore1970) {
  clock_->Set(Timestamp(-milliseconds(1)));
  EXPECT_THAT(Increment("a"), IsOk());
  EXPECT_THAT(Increment("a"), IsOk());
  EXPECT_EQ(Counter(), 1);
}

TEST_F(ClientRequestTokenTest, SurvivesReopeningTheDatabase) {
  const test::TempDirectory directory;
  const auto increment = [&](const std::string& token) -> std::optional<std::int64_t> {
    const auto database = Database::Open(directory.path(), {.clock = clock_});
    EXPECT_THAT(database, IsOk());
    const auto table = database->OpenTable("app");
    EXPECT_THAT(table, IsOk());
    EXPECT_THAT(Transaction(*database, *table)
                    .Update({.key = Key(), .update = "ADD n :n", .values = {{":n", 1}}})
                    .WithToken(token)
                    .Commit(),
                IsOk());
    return CounterOf(*table);
  };
  ASSERT_THAT(Database::Open(directory.path())->CreateTable({.name = "app"}), IsOk());
  EXPECT_EQ(increment("a"), 1);
  EXPECT_EQ(increment("a"), 1);
  EXPECT_EQ(increment("b"), 2);
  clock_->Advance(minutes(9));
  EXPECT_EQ(increment("a"), 2);
  clock_->Advance(minutes(1));
  EXPECT_EQ(increment("a"), 3);
}

// A token belongs to one request. Dolmen rejects a second request with the same token if any part
// of an action differs.
TEST_F(ClientRequestTokenTest, RejectsADifferentRequestWithTheSameToken) {
  const Table other = *database().CreateTable({.name = "other"});
  const UpdateItemInput update{.key = Key(),
                               .update = "SET #a = :a",
                               .condition = "attribute_not_exists(x)",
                               .names = {{"#a", "a"}},
                               .values = {{":a", 1}}};
  const auto changed = [&](auto change) {
    UpdateItemInput input = update;
    change(&input);
    return TransactWriteItem{table(), input};
  };
  const TransactWriteItem done{table(), update};
  ASSERT_THAT(Transact("a", {done}), IsOk());
  const std::vector<std::vector<TransactWriteItem>> others = {
      {changed([](auto* input) { input->key = Key("b"); })},
      {changed([](auto* input) { input->update = "SET #a = if_not_exists(#a, :a)"; })},
      {changed([](auto* input) { input->condition = {}; })},
      {changed([](auto* input) { input->condition = "attribute_not_exists(y)"; })},
      {changed([](auto* input) {
        input->names = {{"#a", "b"}};
      })},
      {changed([](auto* input) {
        input->values = {{":a", 2}};
      })},
      {changed([](auto* input) {
        input->values = {{":a", "1"}};
      })},
      {changed([](auto* input) { input->return_item_on_condition_failure = true; })},
      {{other, update}},
      {{table(), PutItemInput{.item = {{"PK", "p"}, {"SK", "counter"}, {"a", 1}}}}},
      {{table(), DeleteItemInput{.key = Key()}}},
      {{table(), ConditionCheckInput{.key = Key(), .condition = "attribute_not_exists(x)"}}},
      {done, {table(), PutItemInput{.item = Key("c")}}},
  };
  for (std::size_t i = 0; i < others.size(); ++i) {
    EXPECT_EQ(Transact("a", others[i]).code(), kOtherUse) << i;
  }
  EXPECT_THAT(Transact("a", {done}), IsOk());
  EXPECT_EQ(*table().GetItem({.key = Key()})->item->Copy(),
            (Item{{"PK", "p"}, {"SK", "counter"}, {"a", 1}}));
  EXPECT_EQ(table().Scan({})->count(), 1u);
  EXPECT_EQ(other.Scan({})->count(), 0u);
}

TEST_F(ClientRequestTokenTest, RejectsAnActionWithAnotherHideExpired) {
  const auto transact = [&](std::optional<bool> hide_expired) {
    const DeleteItemInput input{.key = Key(), .options = {.hide_expired = hide_expired}};
    return Transact("a", {{table(), input}});
  };
  ASSERT_THAT(transact({}), IsOk());
  EXPECT_EQ(transact(true).code(), kOtherUse);
  EXPECT_EQ(transact(false).code(), kOtherUse);
}

TEST_F(ClientRequestTokenTest, RejectsTheSameActionsWithAnotherHideExpired) {
  const auto transact = [&](std::optional<bool> hide_expired) {
    return database()
        .TransactWriteItems({.actions = {Add(1)},
                             .client_request_token = "a",
                             .options = {.hide_expired = hide_expired}})
        .status();
  };
  ASSERT_THAT(transact(true), IsOk());
  EXPECT_EQ(transact(false).code(), kOtherUse);
  EXPECT_EQ(transact({}).code(), kOtherUse);
  EXPECT_THAT(transact(true), IsOk());
}

TEST_F(ClientRequestTokenTest, RejectsTheSameActionsInAnotherOrder) {
  const TransactWriteItem put_a{table(), PutItemInput{.item = Key("a")}};
  const TransactWriteItem put_b{table(), PutItemInput{.item = Key("b")}};
  ASSERT_THAT(Transact("t", {put_a, put_b}), IsOk());
  EXPECT_EQ(Transact("t", {put_b, put_a}).code(), kOtherUse);  // unverified
  EXPECT_EQ(Transact("t", {put_a}).code(), kOtherUse);
}

// A repeated request is compared with the first request of its token. The comparison ignores the
// notation of numbers and the order of sets. It treats a prepared expression as equal to the
// expression's text.
TEST_F(ClientRequestTokenTest, AcceptsTheSameRequestInAnotherForm) {
  const auto put = [&](const AttributeValue& number, const StringSet& set) {
    Item item = Key("put");
    item["number"] = number;
    item["set"] = set;
    return TransactWriteItem{table(), PutItemInput{.item = item}};
  };
  EXPECT_THAT(Transact("put", {put(1, {"a", "b"})}), IsOk());
  EXPECT_THAT(Transact("put", {put(test::N("1.0"), {"b", "a"})}), IsOk());
  EXPECT_EQ(Transact("put", {put("1", {"a", "b"})}).code(), kOtherUse);

  const auto update = [&](const UpdateExpression& expression,
                          const ConditionExpression& condition) {
    return Transact("update", {{table(), UpdateItemInput{.key = Key(),
                                                         .update = expression,
                                                         .condition = condition,
                                                         .values = {{":n", 1}}}}});
  };
  const std::string text = "ADD n :n";
  const std::string condition = "attribute_not_exists(x) OR size(x) > :n";
  EXPECT_THAT(update(text, condition), IsOk());
  EXPECT_THAT(update(*UpdateExpression::Prepare(text), *ConditionExpression::Prepare(condition)),
              IsOk());
  EXPECT_EQ(Counter(), 1);
}

// An expression that is built in C++ contains its values. Two requests are different if their built
// expressions differ only in a value.
TEST_F(ClientRequestTokenTest, ComparesBuiltExpressionsWithTheirValues) {
  const auto update = [&](int n, int limit) {
    return Transact("a", {{table(), UpdateItemInput{.key = Key(),
                                                    .update = Update().Add("n", n),
                                                    .condition = !(Attr("n") >= limit)}}});
  };
  EXPECT_THAT(update(1, 10), IsOk());
  EXPECT_THAT(update(1, 10), IsOk());
  EXPECT_EQ(Counter(), 1);
  EXPECT_EQ(update(2, 10).code(), kOtherUse);
  EXPECT_EQ(update(1, 11).code(), kOtherUse);
  EXPECT_EQ(Counter(), 1);
}

// ReturnConsumedCapacity may differ between repetitions. This is unverified for DynamoDB.
TEST_F(ClientRequestTokenTest, AcceptsARepetitionThatAsksForOtherCapacityDetails) {
  const auto increment = [&](ReturnConsumedCapacity which) {
    return database().TransactWriteItems({.actions = {Add(1)},
                                          .client_request_token = "a",
                                          .options = {.return_consumed_capacity = which}});
  };
  EXPECT_THAT(increment(ReturnConsumedCapacity::kNone), IsOk());
  EXPECT_THAT(increment(ReturnConsumedCapacity::kTotal), IsOk());
  EXPECT_THAT(increment(ReturnConsumedCapacity::kIndexes), IsOk());
  EXPECT_EQ(Counter(), 1);
}

TEST_F(ClientRequestTokenTest, IsRejectedIfLongerThan36Characters) {
  const std::string longest(36, 't');
  EXPECT_THAT(Increment(longest + "t"),
              StatusIs(kValidation,
                       "1 validation error detected: Value '" + longest +
                           "t' at 'clientRequestToken' failed to satisfy constraint: Member must "
                           "have length less than or equal to 36"));
  EXPECT_EQ(Counter(), std::nullopt);
  EXPECT_THAT(Increment(longest), IsOk());
  EXPECT_THAT(Increment(longest), IsOk());
  EXPECT_THAT(Increment(longest.substr(1)), IsOk());  // a different token, of 35 characters
  EXPECT_EQ(Counter(), 2);
}

// The length of a token counts UTF-16 units, as size() does. This is unverified for DynamoDB.
TEST_F(ClientRequestTokenTest, IsMeasuredInUtf16Units) {
  const auto repeat = [](int count, std::string_view character) {
    std::string token;
    for (int i = 0; i < count; ++i) token += character;
    return token;
  };
  EXPECT_THAT(Increment(repeat(36, "é")), IsOk());
  EXPECT_THAT(Increment(repeat(36, "é") + "e"), StatusIs(kValidation, HasSubstr("length")));
  EXPECT_THAT(Increment(repeat(18, "\U0001F600")), IsOk());
  EXPECT_THAT(Increment(repeat(18, "\U0001F600") + "e"),
              StatusIs(kValidation, HasSubstr("length")));
  EXPECT_THAT(Increment(repeat(10, "\x80")), StatusIs(kValidation, HasSubstr("not valid UTF-8")));
  EXPECT_EQ(Counter(), 2);
}

// If a transaction is canceled or rejected, a later transaction may use its token. This is
// unverified for DynamoDB.
TEST_F(ClientRequestTokenTest, StaysUnusedAfterAFailedTransaction) {
  const std::vector<TransactWriteItem> actions = {
      Add(1),
      {table(), ConditionCheckInput{.key = Key("gate"), .condition = "attribute_exists(PK)"}}};
  EXPECT_EQ(Transact("a", actions).code(), StatusCode::kTransactionCanceled);
  EXPECT_EQ(Transact("a", {{table(), DeleteItemInput{.key = Key("")}}}).code(), kValidation);
  ASSERT_THAT(table().PutItem({.item = Key("gate")}), IsOk());
  EXPECT_THAT(Transact("a", actions), IsOk());
  EXPECT_THAT(Transact("a", actions), IsOk());
  EXPECT_EQ(Counter(), 1);
}

// An invalid request with a used token gets a validation error, not a token mismatch.
TEST_F(ClientRequestTokenTest, IsComparedAfterTheRequestIsValidated) {
  EXPECT_THAT(Increment("a"), IsOk());
  EXPECT_EQ(Transact("a", {{table(), DeleteItemInput{.key = Key("")}}}).code(), kValidation);
  EXPECT_EQ(Transact("a", {}).code(), kValidation);
}

// Two threads send the same transaction with the same token. One call commits the transaction. The
// other call either fails, because the first call still runs, or succeeds without a write, because
// the first call has committed. The counter rises by one in both cases.
TEST_F(ClientRequestTokenTest, CommitsOnceIfTwoThreadsUseItAtTheSameTime) {
  constexpr int kRounds = 50;
  for (int round = 1; round <= kRounds; ++round) {
    const std::string token = "round " + std::to_string(round);
    std::latch start(2);
    Status outcomes[2];
    {
      std::vector<std::jthread> threads;
      for (Status& outcome : outcomes) {
        threads.emplace_back([&] {
          start.arrive_and_wait();
          outcome = Increment(token);
        });
      }
    }
    EXPECT_TRUE(outcomes[0].ok() || outcomes[1].ok());
    for (const Status& outcome : outcomes) {
      EXPECT_THAT(outcome.code(),
                  testing::AnyOf(StatusCode::kOk, StatusCode::kTransactionInProgress));
    }
    EXPECT_THAT(Increment(token), IsOk());
    EXPECT_EQ(Counter(), round);
  }
}

// A repetition consumes read units for the written items and no write units.
TEST_F(ClientRequestTokenTest, ConsumesReadUnitsOnARepetition) {
  const auto put = [&] {
    Item item = Key("big");
    item["body"] = std::string(5000, 'x');
    return database().TransactWriteItems(
        {.actions = {{table(), PutItemInput{.item = item}}, Add(1)},
         .client_request_token = "a",
         .options = {.return_consumed_capacity = ReturnConsumedCapacity::kTotal}});
  };
  EXPECT_THAT(
      put()->consumed_capacity,
      ElementsAre(ConsumedCapacity{.table_name = "app", .total = {.write_units = 2 * (5 + 1)}}));
  EXPECT_THAT(
      put()->consumed_capacity,
      ElementsAre(ConsumedCapacity{.table_name = "app", .total = {.read_units = 2 * (2 + 1)}}));
}

}  // namespace
}  // namespace dolmen::behaviour
