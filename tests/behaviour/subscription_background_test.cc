// Tests of subscriptions that deliver records in a thread of their own.

#include <atomic>
#include <latch>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/behaviour/subscription_fixture.h"

namespace dolmen::behaviour {
namespace {

class SubscriptionBackgroundTest : public SubscriptionFixture {};

TEST_F(SubscriptionBackgroundTest, DeliversEarlierAndLaterRecords) {
  PutAll({"a", "b"});
  const Subscription subscription = Subscribe(InBackground());
  EXPECT_THAT(given_.WaitFor(2), ElementsAre("a", "b"));
  for (int i = 0; i < 20; ++i) {
    Put(std::to_string(i));
    EXPECT_THAT(given_.WaitFor(1), ElementsAre(std::to_string(i)));
  }
}

TEST_F(SubscriptionBackgroundTest, DeliverDoesNotCountTheRecordsOfTheThread) {
  PutAll({"a", "b"});
  Subscription subscription = Subscribe(InBackground());
  EXPECT_THAT(given_.WaitFor(2), ElementsAre("a", "b"));
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(0u));
}

TEST_F(SubscriptionBackgroundTest, DeliversRecordsInTheirOrder) {
  const Subscription subscription = Subscribe(InBackground());
  std::vector<std::string> keys;
  for (int i = 0; i < 1'500; ++i) keys.push_back(std::to_string(i));
  PutAll(keys);
  EXPECT_EQ(given_.WaitFor(keys.size()), keys);
}

TEST_F(SubscriptionBackgroundTest, DeliversARecordAgainIfTheHandlerFails) {
  std::atomic<int> calls = 0;
  const Subscription subscription =
      Subscribe(InBackground(), [&](const StreamRecord& record) -> Status {
        switch (calls++) {
          case 0:
            return Status::Storage("at first");
          case 1:
            throw std::runtime_error("then");
          case 2:
            throw 7;
          default:
            given_.Add(record);
            return {};
        }
      });
  PutAll({"a", "b", "c"});
  EXPECT_THAT(given_.WaitFor(3), ElementsAre("a", "b", "c"));
  EXPECT_EQ(calls, 6);
}

// After the handler rejects a record, status() returns the handler's error. After the handler
// accepts the record, status() returns ok.
TEST_F(SubscriptionBackgroundTest, StatusReturnsTheHandlersErrorUntilItSucceeds) {
  std::latch failed_once(1);
  std::latch seen_failing(1);
  std::latch got_on(1);
  std::latch seen_getting_on(1);
  int calls = 0;
  const Subscription subscription = Subscribe(InBackground(), [&](const StreamRecord& record) {
    if (++calls == 1) return Status::Storage("not yet");
    if (calls == 2) {
      failed_once.count_down();
      seen_failing.wait();
    } else {
      got_on.count_down();
      seen_getting_on.wait();
    }
    given_.Add(record);
    return Status();
  });
  PutAll({"a", "b"});
  failed_once.wait();
  EXPECT_THAT(subscription.status(), StatusIs(StatusCode::kStorage, "not yet"));
  EXPECT_LT(subscription.sequence_number(), Records()[0].sequence_number);
  seen_failing.count_down();
  got_on.wait();
  EXPECT_THAT(subscription.status(), IsOk());
  EXPECT_EQ(subscription.sequence_number(), Records()[0].sequence_number);
  seen_getting_on.count_down();
  EXPECT_THAT(given_.WaitFor(2), ElementsAre("a", "b"));
}

TEST_F(SubscriptionBackgroundTest, OtherSubscriptionsDeliverWhileOneFails) {
  const Subscription failing = Subscribe(
      InBackground("failing"), [](const StreamRecord&) { return Status::Storage("always"); });
  const Subscription throwing =
      Subscribe(InBackground("throwing"), [](const StreamRecord&) -> Status { throw "something"; });
  const Subscription working = Subscribe(InBackground("working"));
  PutAll({"a", "b", "c"});
  EXPECT_THAT(given_.WaitFor(3), ElementsAre("a", "b", "c"));
}

// For each record, the handler writes a new item to the same table. This write creates the next
// record. The handler stops writing at the fifth record.
TEST_F(SubscriptionBackgroundTest, AHandlerMayWriteToItsTable) {
  const Subscription subscription = Subscribe(InBackground(), [&](const StreamRecord& record) {
    const std::string key = SortKeyOf(record);
    given_.Add(record);
    return key.size() == 5 ? Status() : table().PutItem({.item = Key(key + "+")}).status();
  });
  Put("a");
  EXPECT_THAT(given_.WaitFor(5), ElementsAre("a", "a+", "a++", "a+++", "a++++"));
}

// The destructor of a Subscription waits until the handler has returned and the position is stored.
// The next subscription continues at that position.
TEST_F(SubscriptionBackgroundTest, DestructionWaitsForTheHandlerAndStoresThePosition) {
  constexpr std::size_t kRecords = 300;
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < kRecords; ++i) keys.push_back(std::to_string(i));
  PutAll(keys);
  std::vector<std::string> given;
  while (given.size() < kRecords) {
    std::latch begun(1);
    std::atomic<bool> working = false;
    std::optional<Subscription> subscription =
        Subscribe(InBackground(), [&, first = true](const StreamRecord& record) mutable {
          working = true;
          given.push_back(SortKeyOf(record));  // no lock: one thread at a time
          if (std::exchange(first, false)) begun.count_down();
          working = false;
          return Status();
        });
    begun.wait();
    subscription.reset();
    ASSERT_FALSE(working);
  }
  EXPECT_EQ(given, keys);
}

TEST_F(SubscriptionBackgroundTest, DestructionInterruptsTheWaitForTheNextAttempt) {
  SubscribeInput input = InBackground();
  input.retry_after = hours(24);
  std::latch failed(1);
  {
    const Subscription subscription = Subscribe(input, [&](const StreamRecord&) {
      failed.count_down();
      return Status::Storage("always");
    });
    Put("a");
    failed.wait();
  }
  EXPECT_THAT(Deliver(ByHand()), ElementsAre("a"));
}

// After the handler fails, the background thread waits for retry_after. The thread measures this
// time with the machine's steady clock, so a change of the database's clock has no effect. In this
// test the database's clock goes back. In the other tests of this file that clock does not move.
TEST_F(SubscriptionBackgroundTest, AClockThatGoesBackDelaysNoDelivery) {
  std::atomic<bool> failed = false;
  const Subscription subscription = Subscribe(InBackground(), [&](const StreamRecord& record) {
    if (!failed.exchange(true)) {
      clock().Advance(-hours(48));
      return Status::Storage("once");
    }
    given_.Add(record);
    return Status();
  });
  PutAll({"a", "b"});
  EXPECT_THAT(given_.WaitFor(2), ElementsAre("a", "b"));
}

// Deliver and the background thread run at the same time and deliver each record only once.
TEST_F(SubscriptionBackgroundTest, DeliverWaitsForTheThread) {
  Subscription subscription = Subscribe(InBackground());
  std::vector<std::string> keys;
  for (int i = 0; i < 200; ++i) {
    keys.push_back(std::to_string(i));
    Put(keys.back());
    EXPECT_THAT(subscription.Deliver(), IsOk());
    EXPECT_EQ(subscription.sequence_number(), Records().back().sequence_number);
  }
  EXPECT_EQ(given_.Take(), keys);
}

TEST_F(SubscriptionBackgroundTest, SeekGoesBackWhileTheThreadRuns) {
  Subscription subscription = Subscribe(InBackground());
  PutAll({"a", "b"});
  EXPECT_THAT(given_.WaitFor(2), ElementsAre("a", "b"));
  ASSERT_THAT(subscription.Seek({}), IsOk());
  EXPECT_THAT(given_.WaitFor(2), ElementsAre("a", "b"));
}

TEST_F(SubscriptionBackgroundTest, DeliversNothingOfANewTableWithTheSameName) {
  {
    const Subscription subscription = Subscribe(InBackground());
    Put("a");
    EXPECT_THAT(given_.WaitFor(1), ElementsAre("a"));
    ASSERT_THAT(database().DeleteTable("things"), IsOk());
    CreateThings();
    Put("b");
  }
  EXPECT_THAT(given_.Take(), IsEmpty());
}

}  // namespace
}  // namespace dolmen::behaviour
