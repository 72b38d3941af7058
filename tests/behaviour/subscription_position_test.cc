// Tests of a subscription's position: its start, its storage, and Seek.

#include <string>
#include <vector>

#include "tests/behaviour/subscription_fixture.h"

namespace dolmen::behaviour {
namespace {

class SubscriptionPositionTest : public SubscriptionFixture {
 protected:
  // Writes "a", "b" and "c", an hour apart. Leaves the clock at the time of the last record.
  void PutHourly() {
    Put("a");
    clock().Advance(hours(1));
    Put("b");
    clock().Advance(hours(1));
    Put("c");
  }
};

TEST_F(SubscriptionPositionTest, ANewNameBeginsWhereItsStartSays) {
  PutAll({"a", "b", "c"});
  const std::string second = Records()[1].sequence_number;
  EXPECT_THAT(Deliver(ByHand({kTrimHorizon}, "oldest")), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Deliver(ByHand({kAtNumber, second}, "at")), ElementsAre("b", "c"));
  EXPECT_THAT(Deliver(ByHand({kAfterNumber, second}, "after")), ElementsAre("c"));
  Subscription latest = Subscribe(ByHand({kLatest}, "latest"));
  Put("d");
  EXPECT_THAT(latest.Deliver(), IsOkAndHolds(1u));
  EXPECT_THAT(given_.Take(), ElementsAre("d"));
}

TEST_F(SubscriptionPositionTest, AStartHasASequenceNumberIfItsTypeNeedsOne) {
  Put("a");
  const std::string number = Records()[0].sequence_number;
  for (const StreamPosition& start :
       {StreamPosition{kTrimHorizon, number}, StreamPosition{kLatest, number},
        StreamPosition{kAtNumber}, StreamPosition{kAfterNumber}, StreamPosition{kAtNumber, "one"},
        StreamPosition{kAfterNumber, number + "0"}}) {
    EXPECT_THAT(table().Subscribe(ByHand(start), given_.Handler()), IsRefused());
  }
  EXPECT_THAT(table().Subscribe(ByHand({kAtNumber, number}), given_.Handler()), IsOk());
}

TEST_F(SubscriptionPositionTest, AKnownNameResumesAtItsPositionAndIgnoresTheStart) {
  PutAll({"a", "b"});
  const std::string first = Records()[0].sequence_number;
  EXPECT_THAT(Deliver(ByHand()), ElementsAre("a", "b"));
  Put("c");
  EXPECT_THAT(Deliver(ByHand({kLatest})), ElementsAre("c"));
  Put("d");
  EXPECT_THAT(Deliver(ByHand({kAtNumber, first})), ElementsAre("d"));
}

TEST_F(SubscriptionPositionTest, ANewSubscriptionReturnsItsStoredPosition) {
  PutAll({"a", "b"});
  EXPECT_THAT(Deliver(ByHand()), ElementsAre("a", "b"));
  EXPECT_EQ(Subscribe(ByHand()).sequence_number(), Records()[1].sequence_number);
}

// Dolmen stores a subscription's position after the handler accepts a record. So a subscription
// continues at the first record that the handler has not accepted, even after a reopen.
TEST_F(SubscriptionPositionTest, ThePositionSurvivesReopening) {
  UseDisk();
  CreateThings();
  PutAll({"a", "b", "c"});
  {
    Subscription subscription = Subscribe(ByHand(), [&](const StreamRecord& record) {
      given_.Add(record);
      return SortKeyOf(record) == "b" ? Status::Storage("not b") : Status();
    });
    EXPECT_THAT(subscription.Deliver(), StatusIs(StatusCode::kStorage, "not b"));
  }
  Reopen();
  EXPECT_THAT(Deliver(ByHand()), ElementsAre("b", "c"));
  Reopen();
  Put("d");
  EXPECT_THAT(Deliver(ByHand()), ElementsAre("d"));
}

TEST_F(SubscriptionPositionTest, ThePositionSurvivesDisablingAndEnablingTheStream) {
  UseDisk();
  CreateThings();
  PutAll({"a", "b"});
  EXPECT_THAT(Deliver(ByHand()), ElementsAre("a", "b"));
  Put("c");
  Disable();
  Reopen();
  Enable(StreamViewType::kKeysOnly);
  Put("d");
  Reopen();
  EXPECT_THAT(Deliver(ByHand()), ElementsAre("c", "d"));
}

// The subscription has read the old stream to its end. So it misses no record, however long ago the
// old stream was disabled.
TEST_F(SubscriptionPositionTest, ThePositionOutlivesItsStream) {
  Put("a");
  Subscription subscription = Subscribe(ByHand());
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
  Disable();
  clock().Advance(hours(24 * 7));
  Enable();
  Put("b");
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
  EXPECT_THAT(given_.Take(), ElementsAre("a", "b"));
}

TEST_F(SubscriptionPositionTest, SeekMovesBackAndForward) {
  PutAll({"a", "b", "c"});
  const std::vector<std::string> numbers = NumbersOf(Records());
  Subscription subscription = Subscribe(ByHand());
  const auto deliver_from = [&](const StreamPosition& position) {
    EXPECT_THAT(subscription.Seek(position), IsOk());
    EXPECT_THAT(subscription.Deliver(), IsOk());
    return given_.Take();
  };
  EXPECT_THAT(deliver_from({kAfterNumber, numbers[1]}), ElementsAre("c"));
  EXPECT_THAT(deliver_from({kTrimHorizon}), ElementsAre("a", "b", "c"));
  EXPECT_THAT(deliver_from({kAtNumber, numbers[1]}), ElementsAre("b", "c"));
  EXPECT_THAT(deliver_from({kLatest}), IsEmpty());
  EXPECT_THAT(subscription.Seek({kTrimHorizon}), IsOk());
  EXPECT_THAT(subscription.Seek({kLatest}), IsOk());
  Put("d");
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
  EXPECT_THAT(given_.Take(), ElementsAre("d"));
}

// Seek can set the position to a record of a disabled stream.
TEST_F(SubscriptionPositionTest, SeekReachesTheOldestRetainedRecord) {
  PutAll({"a", "b"});
  const std::string second = Records()[1].sequence_number;
  Disable();
  Enable();
  Put("c");
  Subscription subscription = Subscribe(ByHand({kLatest}));
  ASSERT_THAT(subscription.Seek({kTrimHorizon}), IsOk());
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(3u));
  ASSERT_THAT(subscription.Seek({kAtNumber, second}), IsOk());
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(2u));
  EXPECT_THAT(given_.Take(), ElementsAre("a", "b", "c", "b", "c"));
}

TEST_F(SubscriptionPositionTest, SeekStoresThePosition) {
  UseDisk();
  CreateThings();
  PutAll({"a", "b"});
  {
    Subscription subscription = Subscribe(ByHand());
    EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(2u));
    EXPECT_THAT(subscription.Seek({kAfterNumber, Records()[0].sequence_number}), IsOk());
  }
  Reopen();
  EXPECT_THAT(Deliver(ByHand()), ElementsAre("b"));
}

TEST_F(SubscriptionPositionTest, SeekRejectsAnInvalidPositionAndKeepsTheOldOne) {
  PutAll({"a", "b"});
  const std::string number = Records()[0].sequence_number;
  Subscription subscription = Subscribe(ByHand({kAfterNumber, number}));
  for (const StreamPosition& wrong :
       {StreamPosition{kTrimHorizon, number}, StreamPosition{kLatest, number},
        StreamPosition{kAtNumber}, StreamPosition{kAfterNumber}, StreamPosition{kAtNumber, "one"},
        StreamPosition{kAfterNumber, number + "0"}}) {
    EXPECT_THAT(subscription.Seek(wrong), IsRefused());
  }
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
  EXPECT_THAT(given_.Take(), ElementsAre("b"));
}

// If the handler always rejects a record, every Deliver hands over this record again. Seek can set
// the position after the record.
TEST_F(SubscriptionPositionTest, SeekPassesARecordThatAlwaysFails) {
  Subscription subscription = Subscribe(ByHand(), [&](const StreamRecord& record) {
    given_.Add(record);
    return SortKeyOf(record) == "poison" ? Status::Storage("never") : Status();
  });
  PutAll({"poison", "b"});
  EXPECT_THAT(subscription.Deliver(), StatusIs(StatusCode::kStorage, "never"));
  ASSERT_THAT(subscription.Seek({kAfterNumber, Records()[0].sequence_number}), IsOk());
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
  EXPECT_THAT(given_.Take(), ElementsAre("poison", "b"));
  EXPECT_THAT(subscription.status(), IsOk());
}

// Deliver fails if records were trimmed before the handler got them. The message names the last trimmed
// record, after which Seek can continue.
TEST_F(SubscriptionPositionTest, DeliverFailsIfRecordsAfterThePositionAreTrimmed) {
  Put("first");
  Subscription subscription = Subscribe(ByHand());
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
  PutHourly();
  const std::vector<std::string> numbers = NumbersOf(Records());
  clock().Advance(hours(23) + milliseconds(1));  // only "c" is left
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(subscription.Deliver(),
                StatusIs(kTrimmed, HasSubstr("greater than " + numbers[2])));
  }
  EXPECT_THAT(subscription.Seek({kAtNumber, numbers[2]}), IsTrimmed());
  EXPECT_THAT(subscription.Seek({kAfterNumber, numbers[1]}), IsTrimmed());
  EXPECT_THAT(given_.Take(), ElementsAre("first"));
  ASSERT_THAT(subscription.Seek({kTrimHorizon}), IsOk());
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
  EXPECT_THAT(given_.Take(), ElementsAre("c"));
}

TEST_F(SubscriptionPositionTest, SeekAcceptsTheSequenceNumberInTheMessage) {
  PutHourly();
  const std::vector<std::string> numbers = NumbersOf(Records());
  Subscription subscription = Subscribe(ByHand({kAtNumber, numbers[0]}));
  clock().Advance(hours(22) + milliseconds(1));  // "b" and "c" are left
  EXPECT_THAT(subscription.Deliver(), StatusIs(kTrimmed, HasSubstr(numbers[0])));
  ASSERT_THAT(subscription.Seek({kAfterNumber, numbers[0]}), IsOk());
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(2u));
}

// Subscribe rejects a trimmed start position. If the stored position of an existing subscription is
// trimmed, Subscribe succeeds and Deliver fails.
TEST_F(SubscriptionPositionTest, SubscribeRejectsATrimmedStart) {
  PutHourly();
  const std::string first = Records()[0].sequence_number;
  ASSERT_THAT(Deliver(ByHand({kAtNumber, first}, "old")), ElementsAre("a", "b", "c"));
  PutAll({"d", "e"});
  clock().Advance(hours(25));
  Put("f");
  EXPECT_THAT(table().Subscribe(ByHand({kAtNumber, first}), given_.Handler()), IsTrimmed());
  Subscription old = Subscribe(ByHand({}, "old"));
  EXPECT_THAT(old.Deliver(), IsTrimmed());
}

TEST_F(SubscriptionPositionTest, DeliverFailsAfterReopeningIfRecordsAreTrimmed) {
  UseDisk();
  CreateThings();
  Put("a");
  EXPECT_THAT(Deliver(ByHand()), ElementsAre("a"));
  Put("b");
  const std::string lost = Records()[1].sequence_number;
  clock().Advance(hours(25));
  Reopen();
  Put("c");
  Subscription subscription = Subscribe(ByHand());
  EXPECT_THAT(subscription.Deliver(), StatusIs(kTrimmed, HasSubstr(lost)));
}

// Records were trimmed before the subscription delivered them. Every call of Deliver fails until
// Seek moves the subscription to another position. Deliver fails even if no later record exists,
// and even if the stream of the trimmed records has been deleted.
TEST_F(SubscriptionPositionTest, DeliverReportsTrimmedRecordsUntilSeek) {
  Subscription subscription = Subscribe(ByHand());
  PutAll({"a", "b"});
  const std::string lost = Records()[1].sequence_number;
  clock().Advance(hours(25));
  EXPECT_THAT(subscription.Deliver(), StatusIs(kTrimmed, HasSubstr(lost)));
  Disable();
  clock().Advance(hours(25));
  Enable();
  EXPECT_THAT(subscription.Deliver(), StatusIs(kTrimmed, HasSubstr(lost)));
  Put("c");
  EXPECT_THAT(subscription.Deliver(), StatusIs(kTrimmed, HasSubstr(lost)));
  ASSERT_THAT(subscription.Seek({kTrimHorizon}), IsOk());
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
}

// The clock is set back by two days after the record is written. Then the stream is disabled, and
// 30 hours pass. The stream has been disabled for longer than the retention of 24 hours. But the
// record's time is still in the future, so the record is retained and delivered.
TEST_F(SubscriptionPositionTest, AClockThatGoesBackLosesNoRecord) {
  UseDisk();
  CreateThings();
  EXPECT_THAT(Deliver(ByHand()), IsEmpty());
  Put("a");
  clock().Advance(-hours(48));
  Disable();
  Enable();
  clock().Advance(hours(30));
  Reopen();
  EXPECT_THAT(Deliver(ByHand()), ElementsAre("a"));
}

// The subscription delivers all records before they are trimmed, so it has missed no record, and
// Deliver succeeds.
TEST_F(SubscriptionPositionTest, DeliverSucceedsIfEveryTrimmedRecordWasDelivered) {
  Subscription subscription = Subscribe(ByHand());
  PutHourly();
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(3u));
  clock().Advance(hours(24 * 30));
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(0u));
  Put("d");
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
  EXPECT_THAT(given_.Take(), ElementsAre("a", "b", "c", "d"));
}

TEST_F(SubscriptionPositionTest, UnsubscribeForgetsTheName) {
  PutAll({"a", "b"});
  EXPECT_THAT(table().Unsubscribe("reader"), StatusIs(kNotFound, testing::_));
  EXPECT_THAT(Deliver(ByHand()), ElementsAre("a", "b"));
  EXPECT_THAT(Deliver(ByHand({}, "other")), ElementsAre("a", "b"));
  {
    const Subscription subscription = Subscribe(ByHand());
    EXPECT_THAT(table().Unsubscribe("reader"), StatusIs(StatusCode::kResourceInUse, testing::_));
  }
  EXPECT_THAT(table().Unsubscribe("reader"), IsOk());
  EXPECT_THAT(table().Unsubscribe("reader"), StatusIs(kNotFound, testing::_));
  EXPECT_THAT(Deliver(ByHand()), ElementsAre("a", "b"));
  EXPECT_THAT(Deliver(ByHand({}, "other")), IsEmpty());
}

}  // namespace
}  // namespace dolmen::behaviour
