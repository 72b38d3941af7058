// Tests of tokens of transactions on a service. A repeated update of an entity has other actions on the
// service, so the client must tell a repetition from a different transaction.

#include "remote/transact_write.h"

#include <gmock/gmock.h>

#include <array>
#include <chrono>
#include <string>
#include <thread>

#include "dolmen/testing/simulate.h"
#include "dolmen/update_builder.h"
#include "tests/remote/parcel.h"

namespace dolmen::remote {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using test::IsOk;
using test::StatusIs;
using test::Value;
using testing::_;

class TokenTest : public UpdateTest {
 protected:
  // Updates the visitor with the token "t". The item gets the time at which it is created, so a
  // repetition at a later time has other actions.
  Status SetState(const EntityTable& table, const std::string& state) {
    clock_->Advance(seconds(1));
    return table.Transact()
        .Update(Visitor{.id = "v"}, Changes<Visitor>().Set<&Visitor::state>(state).OrCreate())
        .WithToken("t")
        .Commit();
  }
  Status SetState(const std::string& state) { return SetState(remote_, state); }

  // Updates an item without the entity layer, with the token "t".
  Status SetText(const std::string& text) {
    clock_->Advance(seconds(1));
    const UpdateItemInput update{.key = {{"PK", "TEXT"}, {"SK", "1"}},
                                 .update = Update().Set("text", text)};
    return remote_.database()
        .TransactWriteItems({.actions = {{remote_.table(), update}}, .client_request_token = "t"})
        .status();
  }

  std::string State() const {
    const auto found = Value(embedded_view_.Find(Visitor{.id = "v"}));
    return found ? found->state : "none";
  }

  // Makes all attempts of the next transaction fail with kInternalServerError.
  void LoseNextTransaction(FaultMoment moment) {
    EXPECT_THAT(Value(Simulation::Of(service_.local()))
                    .Restart({.rules = {{.operation = SimulatedOperation::kTransactWriteItems,
                                         .fault = SimulatedFault::kInternalServerError,
                                         .moment = moment,
                                         .calls_max = 4}}}),
                IsOk());
  }

  const EntityTable embedded_view_ = Open(service_.local());
};

constexpr auto kOtherUse = StatusCode::kIdempotentParameterMismatch;
constexpr auto kUnknownResult = StatusCode::kInternalServerError;

TEST_F(TokenTest, ARepetitionSucceedsAndAnotherTransactionIsRefused) {
  EXPECT_THAT(SetState("a"), IsOk());
  EXPECT_THAT(SetState("a"), IsOk());
  EXPECT_THAT(SetState("b"), StatusIs(kOtherUse, _));
  EXPECT_THAT(SetState("a"), IsOk());
  EXPECT_EQ(State(), "a");
}

// The update is decided for its item, which has changed when it is repeated.
TEST_F(TokenTest, ARepetitionOfADecidedUpdateSucceeds) {
  const auto add = [&](std::int64_t net) {
    return remote_.Transact()
        .Update(Bill{.id = "b"}, Changes<Bill>().Add<&Bill::net>(net).OrCreate())
        .WithToken("t")
        .Commit();
  };
  EXPECT_THAT(add(1), IsOk());
  EXPECT_THAT(add(1), IsOk());
  EXPECT_THAT(add(2), StatusIs(kOtherUse, _));
  EXPECT_EQ(Value(remote_.Get(Bill{.id = "b"})).gross, 2);
}

// The attribute updatedAt is the time at which the update is added to the transaction.
TEST_F(TokenTest, ATransactionThatIsBuiltAgainIsAnotherOneAsInAnEmbeddedDatabase) {
  for (const EntityTable& table : {embedded_, remote_}) {
    const auto build = [&] {
      auto transaction = table.Transact();
      transaction.Update(parcel_, Changes<Parcel>().Add<&Parcel::pieces>(1).OrCreate());
      transaction.WithToken("t");
      return transaction;
    };
    auto transaction = build();
    EXPECT_THAT(transaction.Commit(), IsOk());
    clock_->Advance(minutes(1));
    EXPECT_THAT(transaction.Commit(), IsOk());
    EXPECT_THAT(build().Commit(), StatusIs(kOtherUse, _));
    EXPECT_EQ(Value(table.Get(parcel_)).pieces, 2);
  }
}

TEST_F(TokenTest, ATokenIsFreeAfterTenMinutes) {
  EXPECT_THAT(SetState("a"), IsOk());
  clock_->Advance(minutes(10));
  EXPECT_THAT(SetState("b"), IsOk());
  EXPECT_EQ(State(), "b");
  EXPECT_THAT(SetState("a"), StatusIs(kOtherUse, _));
}

TEST_F(TokenTest, ACancelledTransactionDoesNotUseUpItsToken) {
  const Visitor other{.id = "w"};
  EXPECT_THAT(remote_.Transact()
                  .Update(other, Changes<Visitor>().Set<&Visitor::state>("b"))
                  .WithToken("t")
                  .Commit(),
              StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_THAT(SetState("a"), IsOk());
  EXPECT_THAT(SetState("a"), IsOk());
  EXPECT_EQ(State(), "a");
}

TEST_F(TokenTest, AnUpdateOfAnEntityIsRefusedAfterOtherActions) {
  EXPECT_THAT(SetText("a"), IsOk());
  EXPECT_THAT(SetState("a"), StatusIs(kOtherUse, _));
  EXPECT_EQ(State(), "none");
}

TEST_F(TokenTest, OtherActionsAreRefusedAfterAnUpdateOfAnEntity) {
  EXPECT_THAT(SetState("a"), IsOk());
  EXPECT_THAT(SetText("a"), StatusIs(kOtherUse, _));
}

// The condition that the item has not expired has the time of the request.
TEST_F(TokenTest, ARepetitionSucceedsOnATableThatHidesExpiredItems) {
  EXPECT_THAT(SetText("a"), IsOk());
  EXPECT_THAT(SetText("a"), IsOk());
  EXPECT_THAT(SetText("b"), StatusIs(kOtherUse, _));
}

TEST_F(TokenTest, ALostTransactionMayHaveUsedUpItsToken) {
  LoseNextTransaction(FaultMoment::kAfter);
  EXPECT_THAT(SetState("a"), StatusIs(kUnknownResult, _));
  EXPECT_THAT(SetState("b"), StatusIs(kOtherUse, _));
  EXPECT_THAT(SetState("a"), IsOk());
  EXPECT_EQ(State(), "a");
}

TEST_F(TokenTest, ALostTransactionThatWasNotExecutedLeavesItsToken) {
  LoseNextTransaction(FaultMoment::kBefore);
  EXPECT_THAT(SetState("a"), StatusIs(kUnknownResult, _));
  EXPECT_THAT(SetState("b"), IsOk());
  EXPECT_THAT(SetState("b"), IsOk());
  EXPECT_THAT(SetState("a"), StatusIs(kOtherUse, _));
  EXPECT_EQ(State(), "b");
}

TEST_F(TokenTest, TwoLostTransactionsAreBothRefused) {
  LoseNextTransaction(FaultMoment::kAfter);
  EXPECT_THAT(SetState("a"), StatusIs(kUnknownResult, _));
  LoseNextTransaction(FaultMoment::kBefore);
  EXPECT_THAT(SetState("b"), StatusIs(kUnknownResult, _));
  EXPECT_THAT(SetState("b"), StatusIs(kOtherUse, _));
  EXPECT_THAT(SetState("a"), StatusIs(kOtherUse, _));
  EXPECT_EQ(State(), "a");
}

TEST_F(TokenTest, OneOfTwoThreadsWithDifferentTransactionsSucceeds) {
  for (int round = 0; round < 50; ++round) {
    const std::string token = "t" + std::to_string(round);
    std::array<Status, 2> results;
    const auto set_state = [&](std::size_t i) {
      results.at(i) =
          remote_.Transact()
              .Update(Visitor{.id = "v"},
                      Changes<Visitor>().Set<&Visitor::state>(std::to_string(i)).OrCreate())
              .WithToken(token)
              .Commit();
    };
    {
      const std::jthread other([&] { set_state(1); });
      set_state(0);
    }
    const std::size_t done = results[0].ok() ? 0 : 1;
    EXPECT_THAT(results.at(done), IsOk());
    EXPECT_THAT(results.at(1 - done), StatusIs(kOtherUse, _));
    EXPECT_EQ(State(), std::to_string(done));
  }
}

// Another process has used the token. Only this process knows what it asked for.
TEST_F(TokenTest, TheTokenOfAnotherProcessCountsAsThatOfTheSameTransaction) {
  const EntityTable other = Open(service_.Connect());
  EXPECT_THAT(SetState(other, "a"), IsOk());
  EXPECT_THAT(SetState("a"), IsOk());
  EXPECT_THAT(SetState("b"), StatusIs(kOtherUse, _));
  EXPECT_EQ(State(), "a");
}

// Another process uses the token while this transaction is decided again after a cancellation.
TEST_F(TokenTest, ATokenThatIsUsedUpBetweenTwoRequestsIsRefused) {
  EXPECT_THAT(embedded_view_.Create(Visitor{.id = "v"}), IsOk());
  service_.Take();
  const auto use_token = [&] {
    const PutItemInput put{.item = {{"PK", "TEXT"}, {"SK", "1"}}};
    EXPECT_THAT(service_.local().TransactWriteItems(
                    {.actions = {{embedded_view_.table(), put}}, .client_request_token = "t"}),
                IsOk());
  };
  const Item key = {{"PK", "VISITOR#v"}, {"SK", "VISITOR"}};
  Value(embedded_view_.table().UpdateItem({.key = key, .update = Update().Remove("entityType")}));
  service_.Before(1, use_token);
  EXPECT_THAT(SetState("a"), StatusIs(kOtherUse, testing::HasSubstr("Read its items.")));
}

}  // namespace
}  // namespace dolmen::remote
