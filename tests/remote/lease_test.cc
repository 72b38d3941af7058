// Tests of subscriptions of several processes with the same name.

#include "remote/lease.h"

#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <utility>

#include "tests/remote/subscriber_fixture.h"

namespace dolmen::remote {
namespace {

class LeaseTest : public SubscriberTest {
 protected:
  void Wait(seconds time) { steady_ = steady_.load() + time; }
};

TEST_F(LeaseTest, OneProcessDeliversAndTheNextOneFollowsWhenItEnds) {
  std::optional<Subscription> first = Subscribe(ByHand());
  Subscription second = SubscribeElsewhere(ByHand());
  Put("a");
  EXPECT_THAT(second.Deliver(), StatusIs(kInUse, HasSubstr("another process")));
  EXPECT_THAT(second.status(), StatusIs(kInUse, _));
  EXPECT_THAT(first->Deliver(), IsOkAndHolds(1u));
  first.reset();
  Put("b");
  EXPECT_THAT(second.Deliver(), IsOkAndHolds(1u));
  EXPECT_THAT(given_.Take(), ElementsAre("a", "b"));
}

TEST_F(LeaseTest, ANameHasOneSubscriptionInAProcess) {
  const Subscription subscription = Subscribe(ByHand());
  EXPECT_THAT(table_.Subscribe(ByHand(), given_.Handler()), StatusIs(kInUse, _));
}

TEST_F(LeaseTest, TheLeaseOfAProcessThatDiedIsTakenAfter30Seconds) {
  { EXPECT_THAT(Subscribe(ByHand()).Deliver(), IsOkAndHolds(0u)); }
  StealLease();
  Put("a");
  Subscription subscription = Subscribe(ByHand());
  EXPECT_THAT(subscription.Deliver(), StatusIs(kInUse, _));
  Wait(seconds(29));
  EXPECT_THAT(subscription.Deliver(), StatusIs(kInUse, _));
  StealLease();  // a renewal
  Wait(seconds(2));
  EXPECT_THAT(subscription.Deliver(), StatusIs(kInUse, _));
  Wait(seconds(30));
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
}

TEST_F(LeaseTest, AProcessWithoutItsLeaseDeliversNothing) {
  Subscription subscription = Subscribe(ByHand());
  Put("a");
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
  StealLease();
  Put("b");
  Wait(seconds(10));
  EXPECT_THAT(subscription.Deliver(), StatusIs(kInUse, _));
  Wait(seconds(30));
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
  EXPECT_THAT(given_.Take(), ElementsAre("a", "b"));
}

TEST_F(LeaseTest, TheStatusTellsThatTheLeaseHasExpired) {
  Subscription subscription = Subscribe(ByHand());
  EXPECT_THAT(subscription.status(), IsOk());
  Wait(seconds(30));
  EXPECT_THAT(subscription.status(), StatusIs(kInUse, _));
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(0u));
  EXPECT_THAT(subscription.status(), IsOk());
}

TEST_F(LeaseTest, SeekTakesTheLeaseOfASubscriptionThatHasEnded) {
  std::optional<Subscription> first = Subscribe(ByHand());
  Subscription second = SubscribeElsewhere(ByHand());
  EXPECT_THAT(second.status(), StatusIs(kInUse, _));
  EXPECT_THAT(second.Seek({}), StatusIs(kInUse, _));
  first.reset();
  EXPECT_THAT(second.Seek({}), IsOk());
  EXPECT_THAT(second.status(), IsOk());
}

TEST_F(LeaseTest, TheHandlerGetsNoRecordAfterTheLeaseHasExpired) {
  Subscription subscription = Value(table_.Subscribe(ByHand(), [&](const StreamRecord& record) {
    given_.Add(record);
    StealLease();
    Wait(seconds(30));
    return Status();
  }));
  Put("a");
  Put("b");
  EXPECT_THAT(subscription.Deliver(), StatusIs(kInUse, _));
  EXPECT_THAT(given_.Take(), ElementsAre("a"));
}

TEST_F(LeaseTest, ASubscriptionInTheBackgroundTakesOver) {
  std::optional<Subscription> first = Subscribe(InBackground());
  const Subscription second = SubscribeElsewhere(InBackground());
  Put("a");
  EXPECT_THAT(given_.WaitFor(1), ElementsAre("a"));
  first.reset();
  Put("b");
  EXPECT_THAT(given_.WaitFor(1), ElementsAre("b"));
}

TEST_F(LeaseTest, UnsubscribeDeletesAllItems) {
  Put("a");
  EXPECT_THAT(table_.Unsubscribe("reader"), StatusIs(StatusCode::kResourceNotFound, _));
  {
    Subscription subscription = Subscribe(ByHand());
    EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
    EXPECT_THAT(table_.Unsubscribe("reader"), StatusIs(kInUse, _));
  }
  EXPECT_THAT(table_.Unsubscribe("reader"), IsOk());
  EXPECT_EQ(Value(Value(local_.OpenTable(kState)).Scan({})).size(), 0u);
  EXPECT_THAT(table_.Unsubscribe("reader"), StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_THAT(Subscribe(ByHand()).Deliver(), IsOkAndHolds(1u));
}

TEST_F(LeaseTest, UnsubscribeWaitsForTheLeaseOfAProcessThatDied) {
  { const Subscription subscription = Subscribe(ByHand()); }
  StealLease();
  EXPECT_THAT(table_.Unsubscribe("reader"), IsOk());
  EXPECT_GT(pauses_, 0);
}

TEST_F(LeaseTest, AnUnsubscribeThatFailedLeavesNoPosition) {
  Put("a");
  { EXPECT_THAT(Subscribe(ByHand()).Deliver(), IsOkAndHolds(1u)); }
  Simulate({.rules = {{.table = kState,
                       .operation = SimulatedOperation::kDeleteItem,
                       .fault = SimulatedFault::kInternalServerError,
                       .moment = FaultMoment::kAfter}}});
  EXPECT_THAT(table_.Unsubscribe("reader"), StatusIs(StatusCode::kInternalServerError, _));
  Simulate({});
  { EXPECT_THAT(Subscribe(ByHand({ShardIteratorType::kLatest})).Deliver(), IsOkAndHolds(0u)); }
}

TEST_F(LeaseTest, AnUnsubscribeThatFailedCanBeRepeated) {
  { const Subscription subscription = Subscribe(ByHand()); }
  Simulate({.rules = {{.table = kState,
                       .operation = SimulatedOperation::kDeleteItem,
                       .fault = SimulatedFault::kInternalServerError}}});
  EXPECT_THAT(table_.Unsubscribe("reader"), StatusIs(StatusCode::kInternalServerError, _));
  Simulate({});
  EXPECT_THAT(table_.Unsubscribe("reader"), IsOk());
  EXPECT_EQ(Value(Value(local_.OpenTable(kState)).Scan({})).size(), 0u);
}

TEST_F(LeaseTest, AProcessStartsAnewAfterAnotherOneHasUnsubscribed) {
  std::optional<Subscription> stalled = Subscribe(ByHand());
  Put("a");
  EXPECT_THAT(stalled->Deliver(), IsOkAndHolds(1u));
  EXPECT_THAT(Value(Connect().OpenTable("app")).Unsubscribe("reader"), IsOk());
  Put("b");
  EXPECT_THAT(stalled->Deliver(), IsOkAndHolds(2u));
  EXPECT_THAT(given_.Take(), ElementsAre("a", "a", "b"));
  stalled.reset();
  EXPECT_THAT(Subscribe(ByHand()).Deliver(), IsOkAndHolds(0u));
}

// A write whose response is lost has taken effect or not. The records are delivered nevertheless, in
// order; those around a lost write may come again.
TEST_F(LeaseTest, LostResponsesOfTheStateLoseNoRecord) {
  Subscription subscription = Subscribe(ByHand());
  for (int seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    Simulate({.seed = static_cast<std::uint64_t>(seed),
              .rules = {{.table = kState,
                         .fault = SimulatedFault::kInternalServerError,
                         .moment = seed % 2 == 0 ? FaultMoment::kAfter : FaultMoment::kBefore,
                         .chance = 0.3}}});
    Put(std::to_string(100 + seed));
    Wait(seconds(10));
    subscription.Deliver().status().IgnoreError();
  }
  Simulate({});
  EXPECT_THAT(subscription.Deliver(), IsOk());
  const std::vector<std::string> given = given_.Take();
  std::vector<std::string> expected;
  for (int seed = 0; seed < 40; ++seed) expected.push_back(std::to_string(100 + seed));
  EXPECT_EQ(given, expected);
}

}  // namespace
}  // namespace dolmen::remote
