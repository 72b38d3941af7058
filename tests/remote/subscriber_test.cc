// Tests of subscriptions to remote tables: positions in the service, shards, and lost records.

#include "remote/subscriber.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/remote/subscriber_fixture.h"

namespace dolmen::remote {
namespace {

constexpr auto kTrimmed = StatusCode::kTrimmedDataAccess;
constexpr auto kLatest = ShardIteratorType::kLatest;

TEST_F(SubscriberTest, AnotherProcessResumesAtTheStoredPosition) {
  Put("a");
  {
    Subscription subscription = Subscribe(ByHand());
    EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
  }
  Put("b");
  Subscription subscription = SubscribeElsewhere(ByHand());
  EXPECT_NE(subscription.sequence_number(), "");
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(0u));
  EXPECT_THAT(given_.Take(), ElementsAre("a", "b"));
}

TEST_F(SubscriberTest, TheStateTableIsCreatedOnceAndCanBeDeleted) {
  { const Subscription subscription = Subscribe(ByHand()); }
  EXPECT_THAT(remote_.DescribeTable(kState), IsOk());
  EXPECT_THAT(remote_.DeleteTable(kState), IsOk());
  Put("a");
  EXPECT_THAT(Subscribe(ByHand()).Deliver(), IsOkAndHolds(1u));
}

TEST_F(SubscriberTest, AStateTableWithOtherKeysIsRejected) {
  Value(remote_.CreateTable({.name = kState, .partition_key = {"id"}, .sort_key = std::nullopt}));
  EXPECT_THAT(table_.Subscribe(ByHand(), given_.Handler()),
              StatusIs(StatusCode::kValidation, HasSubstr("subscriptions_table")));
}

TEST_F(SubscriberTest, TheStateTableCannotBeSubscribedTo) {
  const Table state = Value(remote_.CreateTable(
      {.name = kState,
       .stream_specification = StreamSpecification{.view_type = StreamViewType::kKeysOnly}}));
  EXPECT_THAT(state.Subscribe(ByHand(), given_.Handler()),
              StatusIs(StatusCode::kValidation, HasSubstr("its own writes")));
}

TEST_F(SubscriberTest, ATableWithoutAStreamIsRejectedWithWords) {
  const Table plain = Value(remote_.CreateTable({.name = "plain"}));
  EXPECT_THAT(plain.Subscribe(ByHand(), given_.Handler()),
              StatusIs(StatusCode::kValidation, HasSubstr("enable it with")));
}

TEST_F(SubscriberTest, ABackgroundSubscriptionDeliversUntilItEnds) {
  std::optional<Subscription> subscription = Subscribe(InBackground());
  for (int i = 0; i < 20; ++i) {
    Put(std::to_string(i));
    EXPECT_THAT(given_.WaitFor(1), ElementsAre(std::to_string(i)));
  }
  EXPECT_THAT(subscription->Deliver(), IsOkAndHolds(0u)) << "the thread has passed all records";
  EXPECT_THAT(subscription->Seek({}), IsOk());
  EXPECT_EQ(given_.WaitFor(20).size(), 20u);
  subscription.reset();
  Put("after");
  EXPECT_THAT(given_.Take(), IsEmpty());
  const Subscription next = Subscribe(InBackground());
  EXPECT_THAT(given_.WaitFor(1), ElementsAre("after"));
}

TEST_F(SubscriberTest, RecordsThatAHandlerWritesAreDeliveredByTheNextDeliver) {
  Subscription subscription = Value(table_.Subscribe(ByHand(), [&](const StreamRecord& record) {
    given_.Add(record);
    if (SortKeyOf(record).size() < 3) Put(SortKeyOf(record) + "+");
    return Status();
  }));
  Put("a");
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
  EXPECT_THAT(given_.Take(), ElementsAre("a", "a+"));
}

TEST_F(SubscriberTest, ANewSubscriptionThatStartsAtTheLatestRecordMissesNone) {
  Put("before");
  clock_->Advance(hours(1));
  { const Subscription subscription = Subscribe(ByHand({kLatest})); }
  clock_->Advance(hours(1));  // the stored iterator expires
  Put("a");
  Subscription subscription = Subscribe(ByHand({kLatest}));
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
  EXPECT_THAT(given_.Take(), ElementsAre("a"));
}

TEST_F(SubscriberTest, AnExpiredIteratorIsReplaced) {
  Subscription subscription = Subscribe(ByHand());
  for (const std::string key : {"a", "b", "c"}) {
    Put(key);
    EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
    clock_->Advance(minutes(20));
  }
  EXPECT_THAT(given_.Take(), ElementsAre("a", "b", "c"));
}

TEST_F(SubscriberTest, TrimmedRecordsAreReportedUntilSeek) {
  Put("a");
  Subscription subscription = Subscribe(ByHand());
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
  Put("lost");
  clock_->Advance(hours(25));
  Put("b");
  for (int i = 0; i < 2; ++i) EXPECT_THAT(subscription.Deliver(), StatusIs(kTrimmed, _));
  EXPECT_THAT(subscription.status(), StatusIs(kTrimmed, _));
  ASSERT_THAT(subscription.Seek({}), IsOk());
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
  EXPECT_THAT(given_.Take(), ElementsAre("a", "b"));
}

TEST_F(SubscriberTest, TrimmedRecordsAreReportedAfterARestart) {
  Put("a");
  { EXPECT_THAT(Subscribe(ByHand()).Deliver(), IsOkAndHolds(1u)); }
  Put("lost");
  clock_->Advance(hours(25));
  Subscription subscription = SubscribeElsewhere(ByHand());
  EXPECT_THAT(subscription.Deliver(), StatusIs(kTrimmed, _));
}

TEST_F(SubscriberTest, TrimmedRecordsAfterTheLatestRecordAreReported) {
  { const Subscription subscription = Subscribe(ByHand({kLatest})); }
  Put("lost");
  clock_->Advance(hours(25));
  Put("b");
  Subscription subscription = SubscribeElsewhere(ByHand({kLatest}));
  for (int i = 0; i < 2; ++i) EXPECT_THAT(subscription.Deliver(), StatusIs(kTrimmed, _));
  ASSERT_THAT(subscription.Seek({}), IsOk());
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
  EXPECT_THAT(given_.Take(), ElementsAre("b"));
}

TEST_F(SubscriberTest, TrimmedRecordsAreReportedIfNoRecordWasReadSinceAnIteratorExpired) {
  { const Subscription subscription = Subscribe(ByHand({kLatest})); }
  {
    Subscription subscription = Subscribe(ByHand({kLatest}));
    for (int hour = 0; hour < 30; ++hour) {
      clock_->Advance(hours(1));
      EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(0u)) << hour;
    }
  }
  Put("lost");
  clock_->Advance(hours(25));
  Put("b");
  Subscription subscription = Subscribe(ByHand({kLatest}));
  EXPECT_THAT(subscription.Deliver(), StatusIs(kTrimmed, _));
}

TEST_F(SubscriberTest, TrimmedRecordsBeforeTheFirstDeliveryAreReported) {
  Put("before");
  clock_->Advance(hours(25));
  Subscription subscription = Subscribe(ByHand());
  Put("lost");
  clock_->Advance(hours(25));
  Put("b");
  EXPECT_THAT(subscription.Deliver(), StatusIs(kTrimmed, _));
  ASSERT_THAT(subscription.Seek({}), IsOk());
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
  EXPECT_THAT(given_.Take(), ElementsAre("b"));
}

// A subscription without a record has no sequence number, so it compares times with the retention.
TEST_F(SubscriberTest, RecordsAreLostAfterTheRetentionOfTheStream) {
  const auto deliver_after = [&](minutes away, minutes retention) {
    const std::string name = "kept-" + std::to_string(retention.count());
    const Table table = Value(
        remote_.CreateTable({.name = name,
                             .stream_specification = StreamSpecification{
                                 .view_type = StreamViewType::kKeysOnly, .retention = retention}}));
    { const Subscription before = Value(table.Subscribe(ByHand(), given_.Handler())); }
    Value(table.PutItem({.item = {{"PK", "p"}, {"SK", name}}}));
    clock_->Advance(away);
    return Value(table.Subscribe(ByHand(), given_.Handler())).Deliver();
  };
  EXPECT_THAT(deliver_after(hours(48), hours(72)), IsOkAndHolds(1u));
  EXPECT_THAT(deliver_after(hours(2), hours(1)), StatusIs(kTrimmed, _));
  EXPECT_THAT(deliver_after(minutes(4), minutes(10)), IsOkAndHolds(1u));
}

TEST_F(SubscriberTest, RecordsBeforeTheStartAreSkippedOnAllPagesAfterTheIteratorHasExpired) {
  for (int i = 0; i < 1500; ++i) Put(std::to_string(i));  // two pages
  clock_->Advance(hours(1));
  { const Subscription subscription = Subscribe(ByHand({kLatest})); }
  clock_->Advance(hours(1));
  Put("a");
  Subscription subscription = Subscribe(ByHand({kLatest}));
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
  EXPECT_THAT(given_.Take(), ElementsAre("a"));
}

TEST_F(SubscriberTest, AStreamFollowsTheOneBefore) {
  Subscription subscription = Subscribe(ByHand());
  Put("a");
  SetStream(false);
  Put("unrecorded");
  SetStream(true);
  Put("b");
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(2u));
  SetStream(false);
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(0u));
  SetStream(true);
  Put("c");
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
  EXPECT_THAT(given_.Take(), ElementsAre("a", "b", "c"));
}

TEST_F(SubscriberTest, ADeletedTableEndsTheDelivery) {
  Subscription subscription = Subscribe(ByHand());
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(0u));
  EXPECT_THAT(remote_.DeleteTable("app"), IsOk());
  EXPECT_THAT(subscription.Deliver(), StatusIs(StatusCode::kResourceNotFound, _));
}

TEST_F(SubscriberTest, AThreadContinuesAfterTheServerHasRestarted) {
  const Subscription subscription = Subscribe(InBackground());
  Put("a");
  EXPECT_THAT(given_.WaitFor(1), ElementsAre("a"));
  const std::uint16_t port = StopServer();
  while (subscription.status().ok()) std::this_thread::yield();
  Put("b");
  StartServer(port);
  EXPECT_THAT(given_.WaitFor(1), ElementsAre("b"));
}

TEST_F(SubscriberTest, AServerThatRestartsLosesAndReordersNoRecord) {
  Subscription subscription = Subscribe(ByHand());
  Put("a");
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
  const std::uint16_t port = StopServer();
  Put("b");
  EXPECT_THAT(subscription.Deliver(), StatusIs(StatusCode::kServiceUnavailable, _));
  StartServer(port);
  Put("c");
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(2u));
  EXPECT_THAT(given_.Take(), ElementsAre("a", "b", "c"));
}

// Each item is changed several times. The sort keys that a handler gets for one item are its versions.
class SplitStreamTest : public SubscriberTest {
 protected:
  static constexpr auto kLifetime = hours(4);
  static constexpr char kItems[] = "ABCDEFGHIJ";

  SplitStreamTest() { Simulate({.stream_shards = 4, .shard_lifetime = kLifetime}); }

  // Writes the next version of each item. The next records are in the children of the shards.
  void ChangeAll() {
    ++version_;
    for (const char* item = kItems; *item != 0; ++item) {
      Put(std::string(1, *item), std::to_string(version_));
    }
    clock_->Advance(kLifetime);
  }

  RecordHandler Keep() {
    return [this](const StreamRecord& record) {
      const ItemView keys = record.keys.view();
      const std::string item(*keys["PK"].AsString());
      const bool fails = failing_.contains(item) && failed_.insert(record.event_id).second;
      if (fails) return Status::Storage("not now");
      versions_[item].push_back(std::stoi(SortKeyOf(record)));
      return Status();
    };
  }
  Subscription Follow(const Database& database) {
    return Value(Value(database.OpenTable("app")).Subscribe(ByHand(), Keep()));
  }

  // Checks that each version of each item was delivered, in order and once.
  void ExpectAll() const {
    std::vector<int> all;
    for (int i = 1; i <= version_; ++i) all.push_back(i);
    EXPECT_EQ(versions_.size(), sizeof(kItems) - 1);
    for (const auto& [item, versions] : versions_) EXPECT_EQ(versions, all) << item;
  }

  int version_ = 0;
  std::set<std::string> failing_;  // the items whose records the handler rejects once
  std::set<std::string> failed_;   // the IDs of the rejected records
  std::map<std::string, std::vector<int>> versions_;
};

TEST_F(SplitStreamTest, EachShardIsDeliveredAfterItsParent) {
  for (int i = 0; i < 5; ++i) ChangeAll();
  Subscription subscription = Follow(remote_);
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(50u));
  ExpectAll();
}

TEST_F(SplitStreamTest, ShardsThatSplitWhileTheyAreReadAreFollowed) {
  Subscription subscription = Follow(remote_);
  for (int i = 0; i < 5; ++i) {
    ChangeAll();
    EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(10u));
  }
  ExpectAll();
}

TEST_F(SplitStreamTest, AThreadFollowsShardsThatSplit) {
  const Subscription subscription = Subscribe(InBackground());
  for (int i = 1; i <= 5; ++i) {
    ChangeAll();
    EXPECT_THAT(given_.WaitFor(10),
                testing::AllOf(testing::SizeIs(10), testing::Each(std::to_string(i))));
  }
}

TEST_F(SplitStreamTest, EachProcessContinuesInAllShards) {
  for (int i = 0; i < 5; ++i) {
    ChangeAll();
    EXPECT_THAT(Follow(Connect()).Deliver(), IsOkAndHolds(10u));
  }
  ExpectAll();
}

TEST_F(SplitStreamTest, AFailingHandlerGetsTheRecordAgainBeforeThoseThatFollowIt) {
  for (int i = 0; i < 3; ++i) ChangeAll();
  failing_ = {"C", "H"};
  Subscription subscription = Follow(remote_);
  while (!subscription.Deliver().ok()) {
  }
  EXPECT_EQ(failed_.size(), 6u);
  ExpectAll();
}

TEST_F(SplitStreamTest, DeliveredShardsLeaveTheStateAfterTheRetention) {
  Subscription subscription = Follow(remote_);
  for (int i = 0; i < 14; ++i) {
    ChangeAll();
    EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(10u));
  }
  ExpectAll();
  const auto positions =
      Value(Value(local_.OpenTable(kState))
                .Query({.key_condition = Partition("app/reader", BeginsWith("shard/"))}));
  // The stream has had 1 + 2 + 12 * 4 shards. Those of the last 24 hours and 4 hours are retained.
  EXPECT_LE(positions.size(), 8u * 4u);
}

}  // namespace
}  // namespace dolmen::remote
