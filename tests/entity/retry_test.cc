// Tests of EntityTable::Retry: which conflicts it repeats, how long it waits and when it gives up.

#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "tests/entity/fixture.h"

namespace dolmen::hotel {
namespace {

using std::chrono::milliseconds;
using testing::Each;
using testing::Le;
using testing::SizeIs;

class RetryTest : public EntityTest {
 protected:
  RetryTest() : booking_(Value(table().Create(NewBooking("b1")))) {}

  RetryOptions Options(int attempts_max = 10) {
    return {.attempts_max = attempts_max,
            .sleep = [this](milliseconds pause) { pauses_.push_back(pause); }};
  }

  // Writes the booking as another program would, so that its version increases.
  void WriteMeanwhile() const {
    Value(table().Update(booking_, Changes<Booking>().Set<&Booking::guest_id>("g3")));
  }

  // Adds an update of the booking that depends on the version.
  static void AddUpdate(const Booking& read, EntityTransaction* transaction) {
    transaction->Update(read,
                        Changes<Booking>().Set<&Booking::guest_id>("g2").IfVersion(read.version));
  }

  Booking booking_;
  std::vector<milliseconds> pauses_;
};

TEST_F(RetryTest, CommitsOnceWithoutAConflict) {
  int attempts = 0;
  EXPECT_THAT(table().Retry(
                  [&](EntityTransaction& transaction) -> Status {
                    ++attempts;
                    AddUpdate(booking_, &transaction);
                    return {};
                  },
                  Options()),
              IsOk());
  EXPECT_EQ(attempts, 1);
  EXPECT_THAT(pauses_, IsEmpty());
  EXPECT_EQ(Value(table().Get(booking_)).guest_id, "g2");
}

TEST_F(RetryTest, RepeatsTheFunctionAfterAConflict) {
  int attempts = 0;
  EXPECT_THAT(table().Retry(
                  [&](EntityTransaction& transaction) -> Status {
                    const Booking read = Value(table().Get(booking_));
                    if (++attempts <= 3) WriteMeanwhile();
                    AddUpdate(read, &transaction);
                    return {};
                  },
                  Options()),
              IsOk());
  EXPECT_EQ(attempts, 4);
  EXPECT_THAT(pauses_, SizeIs(3));
  EXPECT_EQ(Value(table().Get(booking_)).guest_id, "g2");
}

TEST_F(RetryTest, RepeatsTheFunctionUnlessTheConditionOfRetryUnlessHolds) {
  int attempts = 0;
  EXPECT_THAT(table().Retry(
                  [&](EntityTransaction& transaction) -> Status {
                    const std::string seen = ++attempts == 1 ? "g0" : booking_.guest_id;
                    transaction.Update(booking_,
                                       Changes<Booking>().Set<&Booking::guest_id>("g2").RetryUnless(
                                           AttrOf<&Booking::guest_id>() == seen));
                    return {};
                  },
                  Options()),
              IsOk());
  EXPECT_EQ(attempts, 2);
  EXPECT_EQ(Value(table().Get(booking_)).guest_id, "g2");
}

// The first condition that is false decides the error.
TEST_F(RetryTest, AFalseConditionOfIfIsNotRepeated) {
  const auto update = [&](const std::string& seen, const std::string& wanted) {
    return table()
        .Update(booking_)
        .Set<&Booking::guest_id>("g2")
        .RetryUnless(AttrOf<&Booking::guest_id>() == seen)
        .If(AttrOf<&Booking::guest_id>() == wanted, "the booking is another guest's")
        .Commit();
  };
  EXPECT_THAT(update(booking_.guest_id, "g9"),
              StatusIs(StatusCode::kConditionalCheckFailed, "the booking is another guest's"));
  EXPECT_THAT(update("g9", booking_.guest_id), StatusIs(kConflict, testing::_));
}

TEST_F(RetryTest, GivesUpAfterTheGreatestNumberOfAttempts) {
  EXPECT_THAT(table().Retry(
                  [&](EntityTransaction& transaction) -> Status {
                    const Booking read = Value(table().Get(booking_));
                    WriteMeanwhile();
                    AddUpdate(read, &transaction);
                    return {};
                  },
                  Options(20)),
              StatusIs(kConflict, AllOf(HasSubstr("gave up after 20 attempts: "),
                                        HasSubstr("has been changed: it has version"))));
  ASSERT_THAT(pauses_, SizeIs(19));
  EXPECT_THAT(pauses_[0], Le(milliseconds(2)));
  EXPECT_THAT(pauses_[1], Le(milliseconds(4)));
  EXPECT_THAT(pauses_, Each(Le(milliseconds(200))));
}

// The function captures a booking that was read before, so no attempt can succeed.
TEST_F(RetryTest, AVersionThatStaysOutdatedIsReported) {
  WriteMeanwhile();
  EXPECT_THAT(table().Retry(
                  [&](EntityTransaction& transaction) -> Status {
                    AddUpdate(booking_, &transaction);
                    return {};
                  },
                  Options()),
              StatusIs(kConflict, AllOf(HasSubstr("must read the entity itself"),
                                        HasSubstr("it has version 2, not 1"))));
}

// Reads of a service may miss the newest writes.
TEST_F(RetryTest, AReadThatLagsBehindDoesNotEndIt) {
  WriteMeanwhile();
  int attempts = 0;
  EXPECT_THAT(table().Retry(
                  [&](EntityTransaction& transaction) -> Status {
                    AddUpdate(++attempts < 4 ? booking_ : Value(table().Get(booking_)),
                              &transaction);
                    return {};
                  },
                  Options()),
              IsOk());
}

TEST_F(RetryTest, OtherErrorsAreReturnedAtOnce) {
  EXPECT_THAT(
      table().Retry([](EntityTransaction&) { return Status::Validation("full"); }, Options()),
      StatusIs(kValidation, "full"));
  EXPECT_THAT(table().Retry(
                  [&](EntityTransaction& transaction) -> Status {
                    transaction.Create(booking_);
                    return {};
                  },
                  Options()),
              StatusIs(kInUse, HasSubstr("b1")));
  EXPECT_THAT(pauses_, IsEmpty());
}

TEST_F(RetryTest, AConflictThatTheFunctionReturnsIsRepeated) {
  int attempts = 0;
  EXPECT_THAT(table().Retry(
                  [&](EntityTransaction&) {
                    return ++attempts < 3 ? Status::TransactionConflict() : Status();
                  },
                  Options()),
              IsOk());
  EXPECT_EQ(attempts, 3);
}

}  // namespace
}  // namespace dolmen::hotel
