// Tests of writes of a process that has stalled until its lease expired and another process took over.

#include "remote/subscription_store.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/remote/subscriber_fixture.h"

namespace dolmen::remote {
namespace {

class SubscriptionStoreTest : public SubscriberTest {
 protected:
  static LeaseItem LeaseOf(const std::string& owner, std::int64_t epoch) {
    return {.owner = owner, .epoch = epoch, .beat = 1, .start = owner, .table = "t"};
  }

  const Service service_{NewClient(), clock_, pause()};
  Tables tables_{service_};
  const SubscriptionStore store_{
      service_, Value(SubscriptionStore::OpenTable(tables_, kState, true)), "app", "reader"};
  const LeaseItem stalled_ = LeaseOf("stalled", 1);
  const LeaseItem successor_ = LeaseOf("successor", 2);
  const ShardName shard_{"arn/1", "shard"};
};

TEST_F(SubscriptionStoreTest, AStalledProcessDoesNotDeleteTheLeaseOfItsSuccessor) {
  ASSERT_THAT(store_.WriteLease(stalled_, {}), IsOk());
  ASSERT_THAT(store_.WriteLease(successor_, stalled_), IsOk());
  EXPECT_THAT(store_.DeleteLease(stalled_), StatusIs(StatusCode::kConditionalCheckFailed, _));
  EXPECT_EQ(Value(store_.ReadLease()), successor_);
  EXPECT_THAT(store_.DeleteLease(successor_), IsOk());
  EXPECT_EQ(Value(store_.ReadLease()), std::nullopt);
}

TEST_F(SubscriptionStoreTest, AStalledProcessDoesNotDeleteThePositionsOfItsSuccessor) {
  const ShardPosition position{ShardPosition::Kind::kAfter, "7"};
  ASSERT_THAT(store_.WritePosition(successor_, shard_, position), IsOk());
  EXPECT_THAT(store_.DeleteOtherStarts(stalled_), StatusIs(StatusCode::kConditionalCheckFailed, _));
  EXPECT_EQ(Value(store_.ReadPositions("successor")).at(shard_), position);
}

TEST_F(SubscriptionStoreTest, ASuccessorDeletesThePositionsOfOtherStarts) {
  ASSERT_THAT(store_.WritePosition(stalled_, shard_, {}), IsOk());
  ASSERT_THAT(store_.WritePosition(successor_, shard_, {}), IsOk());
  EXPECT_THAT(store_.DeleteOtherStarts(successor_), IsOk());
  EXPECT_THAT(Value(store_.ReadPositions("stalled")), IsEmpty());
  EXPECT_EQ(Value(store_.ReadPositions("successor")).size(), 1u);
}

}  // namespace
}  // namespace dolmen::remote
