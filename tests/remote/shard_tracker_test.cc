#include "remote/shard_tracker.h"

#include <gmock/gmock.h>

#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::remote {
namespace {

using test::IsOkAndHolds;
using test::StatusIs;
using test::Value;
using testing::_;
using testing::ElementsAre;
using testing::IsEmpty;

using Kind = ShardPosition::Kind;

constexpr auto kLost = StatusCode::kTrimmedDataAccess;

// The shards of a stream that splits: "a" has ended with the record 10, and its children are open.
StreamDescription SplitStream(const std::string& arn = "arn/1") {
  return {.stream_arn = arn,
          .shards = {{"a", "", "1", "10"}, {"b", "a", "11", ""}, {"c", "a", "12", ""}}};
}

StreamDescription With(std::vector<Shard> shards, StreamStatus status = StreamStatus::kEnabled) {
  return {.stream_arn = "arn/1", .stream_status = status, .shards = std::move(shards)};
}

ShardName Name(const std::string& id) { return {"arn/1", id}; }

std::vector<std::string> Ids(const std::vector<ShardName>& names) {
  std::vector<std::string> ids;
  for (const ShardName& name : names) ids.push_back(name.shard_id);
  return ids;
}

ShardTracker Begin(const std::vector<StreamDescription>& streams,
                   const StreamPosition& start = {}) {
  return Value(ShardTracker::Begin(streams, start));
}

// Fetches the last page of a shard.
void FetchEnd(const ShardName& name, ShardTracker* tracker) {
  tracker->AddFetched({.shard = name, .records = {}, .next_iterator = ""});
}

// The time since which a shard is read tells whether the service may have trimmed records.
TEST(ShardTrackerTest, APageOfSkippedRecordsDoesNotSayThatNoRecordIsLeft) {
  ShardTracker tracker = Begin({SplitStream()});
  const ShardName name = Name("a");
  const Timestamp before = Timestamp(std::chrono::seconds(1));
  tracker.SetPosition(name, {Kind::kOldest, {}, before, before});
  ShardPage page = {
      .shard = name, .next_iterator = "next", .fetched_at = Timestamp(std::chrono::seconds(2))};
  tracker.AddDelivered(page);
  EXPECT_EQ(tracker.position(name).read_at, before);
  page.was_empty = true;
  tracker.AddDelivered(page);
  EXPECT_EQ(tracker.position(name).read_at, Timestamp(std::chrono::seconds(2)));
}

TEST(ShardTrackerTest, NumbersOfAnyLengthAreCompared) {
  EXPECT_TRUE(IsLessNumber("9", "10"));
  EXPECT_TRUE(IsLessNumber("009", "10"));
  EXPECT_TRUE(IsLessNumber("", "1"));
  EXPECT_FALSE(IsLessNumber("10", "10"));
  EXPECT_FALSE(IsLessNumber("10", "0010"));
  EXPECT_FALSE(IsLessNumber("10000000000000000000000000000000000000", "9"));
}

TEST(ShardTrackerTest, AShardIsReadableAfterItsParent) {
  ShardTracker tracker = Begin({SplitStream()});
  EXPECT_THAT(Ids(tracker.Readable()), ElementsAre("a"));
  tracker.AddFetched({.shard = Name("a"), .records = {}, .next_iterator = "next"});
  EXPECT_THAT(Ids(tracker.Readable()), ElementsAre("a"));
  EXPECT_EQ(tracker.iterator(Name("a")), "next");
  FetchEnd(Name("a"), &tracker);
  EXPECT_TRUE(tracker.has_new_end());
  EXPECT_THAT(tracker.Update({SplitStream()}), IsOkAndHolds(IsEmpty()));
  EXPECT_FALSE(tracker.has_new_end());
  EXPECT_THAT(Ids(tracker.Readable()), ElementsAre("b", "c"));
}

TEST(ShardTrackerTest, AStreamIsReadableAfterAllEarlierOnes) {
  StreamDescription later = SplitStream("arn/2");
  for (Shard& shard : later.shards) shard.shard_id += "2";
  later.shards[1].parent_shard_id = later.shards[2].parent_shard_id = "a2";
  const std::vector<StreamDescription> streams = {SplitStream(), later};
  ShardTracker tracker = Begin(streams);
  FetchEnd(Name("a"), &tracker);
  FetchEnd(Name("b"), &tracker);
  EXPECT_THAT(Ids(tracker.Readable()), ElementsAre("c"));
  FetchEnd(Name("c"), &tracker);
  EXPECT_THAT(Ids(tracker.Readable()), ElementsAre("a2"));
}

TEST(ShardTrackerTest, RewindForgetsPagesThatWereNotDelivered) {
  ShardTracker tracker = Begin({SplitStream()});
  tracker.AddDelivered(Name("a"), "7");
  FetchEnd(Name("a"), &tracker);
  tracker.AddFetched({.shard = Name("b"), .records = {}, .next_iterator = "next"});
  tracker.Rewind();
  EXPECT_THAT(Ids(tracker.Readable()), ElementsAre("a"));
  EXPECT_EQ(tracker.position(Name("a")), (ShardPosition{Kind::kAfter, "7"}));
  EXPECT_EQ(tracker.iterator(Name("b")), "");
}

TEST(ShardTrackerTest, AShardEndsWhenItsLastPageIsDelivered) {
  ShardTracker tracker = Begin({SplitStream()});
  FetchEnd(Name("a"), &tracker);
  tracker.AddDelivered({.shard = Name("a")});
  tracker.Rewind();
  EXPECT_THAT(Ids(tracker.Readable()), ElementsAre("b", "c"));
  EXPECT_EQ(tracker.position(Name("a")).kind, Kind::kEnd);
}

TEST(ShardTrackerTest, ANewShardIsReadFromItsFirstRecord) {
  ShardTracker tracker = Begin({With({{"a", "", "1", ""}})}, {ShardIteratorType::kLatest});
  EXPECT_EQ(tracker.position(Name("a")).kind, Kind::kIterator);
  EXPECT_THAT(tracker.Update({SplitStream()}), IsOkAndHolds(IsEmpty()));
  EXPECT_EQ(tracker.position(Name("b")), (ShardPosition{Kind::kAt, "11"}));
}

TEST(ShardTrackerTest, LatestSkipsShardsThatHaveEnded) {
  const ShardTracker tracker = Begin({SplitStream()}, {ShardIteratorType::kLatest});
  EXPECT_EQ(tracker.position(Name("a")).kind, Kind::kEnd);
  EXPECT_THAT(Ids(tracker.Readable()), ElementsAre("b", "c"));
}

TEST(ShardTrackerTest, ANumberIsAPositionInEachShard) {
  const auto position = [](ShardIteratorType type, const char* number, const char* shard) {
    return Begin({SplitStream()}, {type, number}).position(Name(shard));
  };
  constexpr auto kAt = ShardIteratorType::kAtSequenceNumber;
  constexpr auto kAfter = ShardIteratorType::kAfterSequenceNumber;
  EXPECT_EQ(position(kAt, "10", "a"), (ShardPosition{Kind::kAt, "10"}));
  EXPECT_EQ(position(kAfter, "10", "a"), (ShardPosition{Kind::kEnd}));
  EXPECT_EQ(position(kAfter, "9", "a"), (ShardPosition{Kind::kAfter, "9"}));
  EXPECT_EQ(position(kAfter, "9", "b"), (ShardPosition{Kind::kAt, "11"}));
  EXPECT_EQ(position(kAt, "11", "b"), (ShardPosition{Kind::kAt, "11"}));
  EXPECT_EQ(position(kAt, "11", "c"), (ShardPosition{Kind::kAt, "12"}));
  EXPECT_EQ(position(kAfter, "100", "c"), (ShardPosition{Kind::kAfter, "100"}));
}

TEST(ShardTrackerTest, AStartThatIsNoPositionIsRejected) {
  using Type = ShardIteratorType;
  for (const StreamPosition& start :
       {StreamPosition{Type::kTrimHorizon, "1"}, StreamPosition{Type::kLatest, "1"},
        StreamPosition{Type::kAtSequenceNumber}, StreamPosition{Type::kAfterSequenceNumber, "x"}}) {
    EXPECT_THAT(ShardTracker::Begin({SplitStream()}, start), StatusIs(StatusCode::kValidation, _));
  }
  EXPECT_THAT(ShardTracker::Begin({SplitStream()}, {Type::kAtSequenceNumber, "0"}),
              StatusIs(kLost, _));
}

TEST(ShardTrackerTest, StoredPositionsContinueAfterTheNextListOfShards) {
  ShardTracker tracker(std::map<ShardName, ShardPosition>{{Name("a"), {Kind::kEnd}},
                                                          {Name("b"), {Kind::kAfter, "11"}}});
  EXPECT_THAT(tracker.Update({SplitStream()}), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(Ids(tracker.Readable()), ElementsAre("b", "c"));
  EXPECT_EQ(tracker.position(Name("b")), (ShardPosition{Kind::kAfter, "11"}));
}

TEST(ShardTrackerTest, ADeliveredShardIsForgottenWhenItIsNoLongerListed) {
  ShardTracker tracker(std::map<ShardName, ShardPosition>{{Name("a"), {Kind::kEnd}}});
  EXPECT_THAT(tracker.Update({With({{"b", "a", "11", ""}})}), IsOkAndHolds(ElementsAre(Name("a"))));
  EXPECT_THAT(tracker.Update({With({{"b", "a", "11", ""}})}), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(Ids(tracker.Readable()), ElementsAre("b"));
}

TEST(ShardTrackerTest, AMissingParentThatWasNotDeliveredMeansLostRecords) {
  ShardTracker tracker(std::map<ShardName, ShardPosition>{{Name("a"), {Kind::kEnd}}});
  EXPECT_THAT(tracker.Update({With({{"d", "b", "20", ""}})}), StatusIs(kLost, _));
}

TEST(ShardTrackerTest, AwaitsTheChildrenOfAnEndedShardAndTheNextStream) {
  const Shard ended{"a", "", "1", "10"};
  ShardTracker tracker = Begin({With({ended})});
  EXPECT_FALSE(tracker.AwaitsShards());
  FetchEnd(Name("a"), &tracker);
  EXPECT_TRUE(tracker.AwaitsShards());
  EXPECT_THAT(tracker.Update({SplitStream()}), IsOkAndHolds(IsEmpty()));
  EXPECT_FALSE(tracker.AwaitsShards());
  EXPECT_THAT(tracker.Update({With({ended}, StreamStatus::kDisabled)}), IsOkAndHolds(IsEmpty()));
  EXPECT_TRUE(tracker.AwaitsShards());
}

TEST(ShardTrackerTest, AMovedIteratorNeedsNotBeStoredAtOnce) {
  ShardTracker tracker = Begin({With({{"a", "", "1", ""}})}, {ShardIteratorType::kLatest});
  tracker.SetPosition(Name("a"), {Kind::kIterator, "first"});
  EXPECT_THAT(tracker.Unstored(false), ElementsAre(Name("a")));
  tracker.SetStored(Name("a"));
  tracker.AddDelivered({.shard = Name("a"), .records = {}, .next_iterator = "second"});
  EXPECT_EQ(tracker.position(Name("a")).text, "second");
  EXPECT_THAT(tracker.Unstored(false), IsEmpty());
  EXPECT_THAT(tracker.Unstored(true), ElementsAre(Name("a")));
  tracker.AddDelivered(Name("a"), "5");
  EXPECT_THAT(tracker.Unstored(false), ElementsAre(Name("a")));
}

}  // namespace
}  // namespace dolmen::remote
