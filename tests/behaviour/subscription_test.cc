// Tests of subscriptions without a thread: the records that Deliver hands to the handler, and
// failing handlers.

#include <stdexcept>
#include <string>
#include <vector>

#include "tests/behaviour/subscription_fixture.h"

namespace dolmen::behaviour {
namespace {

class SubscriptionTest : public SubscriptionFixture {};

TEST_F(SubscriptionTest, DeliversRecordsInTheirOrder) {
  Put("before");
  Subscription subscription = Subscribe(ByHand());
  EXPECT_THAT(given_.Take(), IsEmpty());
  PutAll({"c", "a", "b"});
  Delete("a");
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(5u));
  EXPECT_THAT(given_.Take(), ElementsAre("before", "c", "a", "b", "a"));
}

TEST_F(SubscriptionTest, DeliversEachRecordOnce) {
  Subscription subscription = Subscribe(ByHand());
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(0u));
  PutAll({"a", "b"});
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(2u));
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(0u));
  Put("c");
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
  EXPECT_THAT(given_.Take(), ElementsAre("a", "b", "c"));
}

// The handler receives the same records that a reader of the stream receives.
TEST_F(SubscriptionTest, DeliversWholeRecords) {
  std::vector<StreamRecord> given;
  Subscription subscription = Subscribe(ByHand(), [&](const StreamRecord& record) {
    given.push_back(record);
    return Status();
  });
  Put("a", {{"n", 1}});
  clock().Advance(milliseconds(5));
  Put("a", {{"n", 2}});
  Delete("a");
  ASSERT_THAT(subscription.Deliver(), IsOkAndHolds(3u));
  const std::vector<StreamRecord> read = Records();
  ASSERT_EQ(read.size(), given.size());
  EXPECT_EQ(ChangesOf(given), ChangesOf(read));
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(given[i].event_id, read[i].event_id);
    EXPECT_EQ(given[i].sequence_number, read[i].sequence_number);
    EXPECT_EQ(given[i].approximate_creation_date_time, read[i].approximate_creation_date_time);
    EXPECT_EQ(given[i].stream_view_type, read[i].stream_view_type);
    EXPECT_EQ(given[i].size_bytes, read[i].size_bytes);
    EXPECT_EQ(given[i].by_service, read[i].by_service);
  }
}

TEST_F(SubscriptionTest, DeliversMoreRecordsThanFitOnAPage) {
  constexpr std::size_t kRecords = 2'500;
  for (std::size_t i = 0; i < kRecords; ++i) Put(std::to_string(i));
  for (int i = 0; i < 5; ++i) Put("large", {{"filler", std::string(390'000, 'x')}, {"n", i}});
  Subscription subscription = Subscribe(ByHand());
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(kRecords + 5));
  const std::vector<std::string> given = given_.Take();
  ASSERT_EQ(given.size(), kRecords + 5);
  for (std::size_t i = 0; i < kRecords; ++i) ASSERT_EQ(given[i], std::to_string(i));
}

TEST_F(SubscriptionTest, SequenceNumberReturnsTheLastDeliveredRecord) {
  Subscription subscription = Subscribe(ByHand());
  const std::string start = subscription.sequence_number();
  PutAll({"a", "b"});
  EXPECT_EQ(subscription.sequence_number(), start);
  EXPECT_LT(start, Records().front().sequence_number);
  ASSERT_THAT(subscription.Deliver(), IsOk());
  EXPECT_EQ(subscription.sequence_number(), Records().back().sequence_number);
  EXPECT_THAT(subscription.status(), IsOk());
}

// If the handler rejects a record, Deliver returns the handler's error. Deliver hands over the next
// record only after the handler has accepted the rejected record.
TEST_F(SubscriptionTest, DeliversARecordAgainIfTheHandlerFails) {
  int failures = 2;
  Subscription subscription = Subscribe(ByHand(), [&](const StreamRecord& record) {
    given_.Add(record);
    if (SortKeyOf(record) == "b" && failures-- > 0) return Status::ResourceInUse("not now");
    return Status();
  });
  PutAll({"a", "b", "c"});
  const std::vector<std::string> numbers = NumbersOf(Records());
  EXPECT_THAT(subscription.Deliver(), StatusIs(StatusCode::kResourceInUse, "not now"));
  EXPECT_THAT(given_.Take(), ElementsAre("a", "b"));
  EXPECT_EQ(subscription.sequence_number(), numbers[0]);
  EXPECT_THAT(subscription.Deliver(), StatusIs(StatusCode::kResourceInUse, "not now"));
  EXPECT_THAT(given_.Take(), ElementsAre("b"));
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(2u));
  EXPECT_THAT(given_.Take(), ElementsAre("b", "c"));
  EXPECT_EQ(subscription.sequence_number(), numbers[2]);
}

TEST_F(SubscriptionTest, AnExceptionOfTheHandlerFailsTheDelivery) {
  int throws = 0;
  Subscription subscription = Subscribe(ByHand(), [&](const StreamRecord& record) {
    given_.Add(record);
    ++throws;
    if (throws == 1) throw std::runtime_error("what it threw");
    if (throws == 2) throw 7;
    return Status();
  });
  PutAll({"a", "b"});
  EXPECT_THAT(subscription.Deliver(), StatusIs(kValidation, HasSubstr("what it threw")));
  EXPECT_THAT(subscription.Deliver(), StatusIs(kValidation, testing::Not(IsEmpty())));
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(2u));
  EXPECT_THAT(given_.Take(), ElementsAre("a", "a", "a", "b"));
}

TEST_F(SubscriptionTest, OtherSubscriptionsDeliverWhileOneFails) {
  Subscription failing =
      Subscribe(ByHand(), [](const StreamRecord&) { return Status::Storage("always"); });
  Subscription other = Subscribe(ByHand({}, "other"));
  PutAll({"a", "b"});
  EXPECT_THAT(failing.Deliver(), StatusIs(StatusCode::kStorage, "always"));
  EXPECT_THAT(other.Deliver(), IsOkAndHolds(2u));
  EXPECT_THAT(failing.Deliver(), StatusIs(StatusCode::kStorage, "always"));
  EXPECT_THAT(given_.Take(), ElementsAre("a", "b"));
}

TEST_F(SubscriptionTest, EachNameHasItsOwnPosition) {
  Subscription first = Subscribe(ByHand({}, "first"));
  Subscription second = Subscribe(ByHand({}, "second"));
  Put("a");
  EXPECT_THAT(first.Deliver(), IsOkAndHolds(1u));
  Put("b");
  EXPECT_THAT(second.Deliver(), IsOkAndHolds(2u));
  EXPECT_THAT(first.Deliver(), IsOkAndHolds(1u));
}

TEST_F(SubscriptionTest, ANameHasOneSubscriptionAtATime) {
  {
    const Subscription subscription = Subscribe(ByHand());
    EXPECT_THAT(table().Subscribe(ByHand(), given_.Handler()),
                StatusIs(StatusCode::kResourceInUse, testing::_));
  }
  EXPECT_THAT(table().Subscribe(ByHand(), given_.Handler()), IsOk());
}

TEST_F(SubscriptionTest, TwoTablesMayUseTheSameName) {
  const auto other = Create("others", Showing(StreamViewType::kKeysOnly));
  ASSERT_THAT(other, IsOk());
  ASSERT_THAT(other->PutItem({.item = Key("other")}), IsOk());
  Subscription subscription = Subscribe(ByHand());
  auto others = other->Subscribe(ByHand(), given_.Handler());
  ASSERT_THAT(others, IsOk());
  Put("a");
  EXPECT_THAT(others->Deliver(), IsOkAndHolds(1u));
  EXPECT_THAT(given_.Take(), ElementsAre("other"));
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
  EXPECT_THAT(given_.Take(), ElementsAre("a"));
}

TEST_F(SubscriptionTest, ANameHas1To255Bytes) {
  for (const std::size_t bytes : {0u, 256u}) {
    EXPECT_THAT(table().Subscribe(ByHand({}, std::string(bytes, 'x')), given_.Handler()),
                StatusIs(kValidation, testing::_))
        << bytes;
  }
  for (const std::string& name : {std::string(255, 'x'), std::string("\0/é", 4)}) {
    EXPECT_THAT(table().Subscribe(ByHand({}, name), given_.Handler()), IsOk());
  }
}

TEST_F(SubscriptionTest, SubscribeRejectsATableWithoutAStream) {
  const auto plain = Create("plain", std::nullopt);
  ASSERT_THAT(plain, IsOk());
  EXPECT_THAT(plain->Subscribe(ByHand(), given_.Handler()), StatusIs(kValidation, testing::_));
}

// The retained records of a disabled stream can be read.
TEST_F(SubscriptionTest, ASubscriptionMayBeginInADisabledStream) {
  PutAll({"a", "b"});
  Disable();
  EXPECT_THAT(Deliver(ByHand()), ElementsAre("a", "b"));
}

TEST_F(SubscriptionTest, SubscribeRejectsAnEmptyHandler) {
  EXPECT_THAT(table().Subscribe(ByHand(), nullptr), StatusIs(kValidation, testing::_));
}

// A handler may write to its table, and the write creates a stream record. Deliver hands over only
// the records that existed when Deliver began. The next Deliver hands over the record of the
// handler's write.
TEST_F(SubscriptionTest, AHandlerMayWriteToItsTable) {
  Subscription subscription = Subscribe(ByHand(), [&](const StreamRecord& record) {
    given_.Add(record);
    return table().PutItem({.item = Key(SortKeyOf(record) + "+")}).status();
  });
  PutAll({"a", "b"});
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(2u));
  EXPECT_THAT(given_.Take(), ElementsAre("a", "b"));
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(2u));
  EXPECT_THAT(given_.Take(), ElementsAre("a+", "b+"));
}

TEST_F(SubscriptionTest, AHandlerMayReadItsStreamAndUseAnotherSubscription) {
  Subscription subscription = Subscribe(ByHand(), [&](const StreamRecord& record) {
    EXPECT_EQ(Records().back().sequence_number, record.sequence_number);
    EXPECT_THAT(Deliver(ByHand({}, "other")), ElementsAre(SortKeyOf(record)));
    return Status();
  });
  Put("a");
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
}

TEST_F(SubscriptionTest, DeliversRecordsWrittenAfterTheClockWentBack) {
  Subscription subscription = Subscribe(ByHand());
  Put("a");
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
  clock().Advance(-hours(48));
  PutAll({"b", "c"});
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(2u));
  EXPECT_THAT(given_.Take(), ElementsAre("a", "b", "c"));
}

TEST_F(SubscriptionTest, DeliversADisabledStreamToItsEndAndThenTheNextOne) {
  Subscription subscription = Subscribe(ByHand());
  PutAll({"a", "b"});
  Disable();
  Put("unrecorded");
  Enable(StreamViewType::kKeysOnly);
  Put("c");
  Disable();
  Enable();
  PutAll({"d", "e"});
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(5u));
  EXPECT_THAT(given_.Take(), ElementsAre("a", "b", "c", "d", "e"));
}

TEST_F(SubscriptionTest, DeliversNothingUntilADisabledStreamIsEnabledAgain) {
  Subscription subscription = Subscribe(ByHand());
  Put("a");
  Disable();
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(0u));
  Enable();
  Put("b");
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
  EXPECT_THAT(given_.Take(), ElementsAre("a", "b"));
}

TEST_F(SubscriptionTest, DeliverFailsIfItsTableIsDeleted) {
  Subscription subscription = Subscribe(ByHand());
  Put("a");
  ASSERT_THAT(database().DeleteTable("things"), IsOk());
  EXPECT_THAT(subscription.Deliver(), StatusIs(kNotFound, testing::_));
  clock().Advance(hours(1));
  CreateThings();
  Put("b");
  EXPECT_THAT(subscription.Deliver(), StatusIs(kNotFound, testing::_));
  EXPECT_THAT(given_.Take(), IsEmpty());
}

TEST_F(SubscriptionTest, ALaterTableMayHaveASubscriptionOfTheSameName) {
  const Subscription subscription = Subscribe(ByHand());
  ASSERT_THAT(database().DeleteTable("things"), IsOk());
  CreateThings();
  Put("b");
  EXPECT_THAT(Deliver(ByHand()), ElementsAre("b"));
}

TEST_F(SubscriptionTest, AHandleOfADeletedTableCannotSubscribeToALaterTable) {
  const Table deleted = table();
  ASSERT_THAT(database().DeleteTable("things"), IsOk());
  CreateThings();
  EXPECT_THAT(deleted.Subscribe(ByHand(), given_.Handler()), StatusIs(kNotFound, testing::_));
}

TEST_F(SubscriptionTest, ASubscriptionCanBeMoved) {
  Subscription first = Subscribe(ByHand());
  Put("a");
  Subscription moved = std::move(first);
  EXPECT_THAT(moved.Deliver(), IsOkAndHolds(1u));
  Subscription other = Subscribe(ByHand({}, "other"));
  other = std::move(moved);  // ends the subscription "other"
  Put("b");
  EXPECT_THAT(other.Deliver(), IsOkAndHolds(1u));
  EXPECT_THAT(given_.Take(), ElementsAre("a", "b"));
  EXPECT_THAT(table().Subscribe(ByHand({}, "other"), given_.Handler()), IsOk());
}

TEST(SubscriptionOnDiskTest, ASubscriptionKeepsItsDatabaseOpen) {
  const test::TempDirectory directory;
  const auto open = [&] { return Database::Open(directory / "db", {.expiry_lag = std::nullopt}); };
  const auto subscribe = [&]() -> Result<Subscription> {
    const auto db = open();
    EXPECT_THAT(db, IsOk());
    CreateTableInput input;
    input.name = "things";
    input.stream_specification = Showing(StreamViewType::kKeysOnly);
    const auto table = db->CreateTable(input);
    EXPECT_THAT(table, IsOk());
    EXPECT_THAT(table->PutItem({.item = {{"PK", "p"}, {"SK", "s"}}}), IsOk());
    SubscribeInput by_hand;
    by_hand.name = "reader";
    by_hand.in_background = false;
    return table->Subscribe(by_hand, [](const StreamRecord&) { return Status(); });
  };
  {
    auto subscription = subscribe();
    ASSERT_THAT(subscription, IsOk());
    EXPECT_THAT(open(), StatusIs(StatusCode::kResourceInUse, testing::_));
    EXPECT_THAT(subscription->Deliver(), IsOkAndHolds(1u));
  }
  EXPECT_THAT(open(), IsOk());
}

}  // namespace
}  // namespace dolmen::behaviour
