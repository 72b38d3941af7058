// Tests of writing several entities in one transaction, and of the reason that each rejected write
// gets.

#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "tests/entity/fixture.h"

namespace dolmen::hotel {
namespace {

using std::chrono::minutes;
using testing::_;

class EntityTransactionTest : public EntityTest {
 protected:
  EntityTransactionTest()
      : hotel_(Value(table().Create(Hotel{.id = "h1", .name = "Rheinblick"}))),
        booking_(Value(table().Create(NewBooking("b1")))) {
    log_.Take();
  }

  static Room RoomOf(int number) { return {.hotel_id = "h1", .number = number}; }

  Hotel hotel_;
  Booking booking_;
};

TEST_F(EntityTransactionTest, SendsAllWritesInOneRequest) {
  Value(table().Create(RoomOf(3)));
  log_.Take();
  auto transaction = table().Transact();
  transaction.Create(RoomOf(1))
      .Put(RoomOf(2))
      .Update(booking_, Changes<Booking>().Set<&Booking::guest_id>("g2").IfVersion(1))
      .Remove(RoomOf(3))
      .Require(hotel_);
  EXPECT_EQ(transaction.size(), 5U);
  EXPECT_THAT(transaction.Commit(), IsOk());
  // The label of the booking depends on its item.
  EXPECT_THAT(Operations(), ElementsAre("GetItem", "TransactWriteItems"));
  EXPECT_THAT(transaction.refusals(), IsEmpty());

  EXPECT_THAT(table().Get(RoomOf(1)), IsOkAndHolds(RoomOf(1)));
  EXPECT_THAT(table().Get(RoomOf(2)), IsOkAndHolds(RoomOf(2)));
  EXPECT_EQ(Value(table().Get(booking_)).guest_id, "g2");
  EXPECT_EQ(Value(table().Get(booking_)).version, 2);
  EXPECT_THAT(table().Find(RoomOf(3)), IsOkAndHolds(std::nullopt));
  EXPECT_THAT(table().Get(hotel_), IsOkAndHolds(hotel_));
}

TEST_F(EntityTransactionTest, FillsAttributesAsTheTableDoes) {
  ASSERT_THAT(table().Transact().Create(NewBooking("b2")).Commit(), IsOk());
  const Booking made = Value(table().Get(NewBooking("b2")));
  EXPECT_EQ(made.created_at, clock_->Now());
  EXPECT_EQ(made.label, "g1 at h1");
  EXPECT_EQ(made.version, 1);
}

TEST_F(EntityTransactionTest, AnEmptyTransactionSucceedsWithoutARequest) {
  EXPECT_THAT(table().Transact().Commit(), IsOk());
  EXPECT_THAT(Operations(), IsEmpty());
}

// Commit returns the error of the first rejected write. This is the error that the table returns
// for the same write outside a transaction. refusals() has one status for each write.
TEST_F(EntityTransactionTest, RefusalsNameTheReasonOfEachWrite) {
  auto transaction = table().Transact();
  transaction.Create(RoomOf(1))
      .Create(hotel_)
      .Remove(RoomOf(2))
      .Update(booking_, Changes<Booking>().Set<&Booking::guest_id>("g2").IfVersion(7))
      .Require(NewBooking("b9"))
      .Put(RoomOf(3));
  EXPECT_THAT(transaction.Commit(),
              StatusIs(kInUse, "there is a hotel with hotelId \"h1\" already"));
  EXPECT_THAT(
      transaction.refusals(),
      ElementsAre(IsOk(), StatusIs(kInUse, "there is a hotel with hotelId \"h1\" already"),
                  StatusIs(kNotFound, "there is no room with hotelId \"h1\", number \"0002\""),
                  StatusIs(kConflict, Says("booking", "b1", "has version 1, not 7")),
                  StatusIs(kNotFound, Says("booking", "b9")), IsOk()));
  EXPECT_THAT(table().Find(RoomOf(1)), IsOkAndHolds(std::nullopt));
  EXPECT_THAT(table().Find(RoomOf(3)), IsOkAndHolds(std::nullopt));
  EXPECT_THAT(table().Get(booking_), IsOkAndHolds(booking_));
}

TEST_F(EntityTransactionTest, DistinguishesTheCallersConditionFromItsOwn) {
  const auto is_g9 = AttrOf<&Booking::guest_id>() == "g9";
  auto update = table().Transact();
  update.Create(RoomOf(1)).Update(
      booking_, Changes<Booking>().Set<&Booking::guest_id>("g2").IfVersion(1).If(is_g9));
  EXPECT_THAT(update.Commit(), StatusIs(kConditionFailed, _));
  EXPECT_THAT(update.refusals(), ElementsAre(IsOk(), StatusIs(kConditionFailed, _)));
  EXPECT_THAT(table().Transact().Remove(booking_, is_g9).Commit(), StatusIs(kConditionFailed, _));
  EXPECT_THAT(table().Transact().Require(booking_, is_g9).Commit(), StatusIs(kConditionFailed, _));
  EXPECT_THAT(table().Transact().Require(booking_, !is_g9).Commit(), IsOk());
}

TEST_F(EntityTransactionTest, RejectsAnItemOfAnotherEntity) {
  const Item other = {{"PK", "HOTEL#h1"}, {"SK", "ROOM#0001"}, {"entityType", "suite"}};
  Store(other);
  EXPECT_THAT(table().Transact().Create(RoomOf(2)).Put(RoomOf(1)).Commit(),
              StatusIs(kCorruption, Says("room", "0001", "suite")));
  EXPECT_EQ(Stored(Key("HOTEL#h1", "ROOM#0001")), other);
  EXPECT_THAT(table().Find(RoomOf(2)), IsOkAndHolds(std::nullopt));
}

TEST_F(EntityTransactionTest, AnInvalidWriteIsTheErrorOfTheTransaction) {
  auto transaction = table().Transact();
  transaction.Create(RoomOf(1))
      .Update(booking_, Changes<Booking>().Set<&Booking::label>("mine"))
      .Create(RoomOf(12345));
  EXPECT_THAT(transaction.Commit(), StatusIs(kValidation, "booking: attribute label is read-only"));
  EXPECT_THAT(transaction.refusals(), IsEmpty());
  EXPECT_THAT(Operations(), IsEmpty());
  EXPECT_THAT(table().Find(RoomOf(1)), IsOkAndHolds(std::nullopt));
}

TEST_F(EntityTransactionTest, RejectsTwoWritesOfOneEntity) {
  auto transaction = table().Transact();
  transaction.Put(RoomOf(1)).Remove(RoomOf(1));
  EXPECT_THAT(transaction.Commit(), StatusIs(kValidation, _));
  EXPECT_THAT(transaction.refusals(), IsEmpty());
}

TEST_F(EntityTransactionTest, MayBeCommittedAgain) {
  auto transaction = table().Transact();
  transaction.Create(RoomOf(1)).Require(RoomOf(2));
  EXPECT_THAT(transaction.Commit(), StatusIs(kNotFound, Says("room", "0002")));
  Value(table().Create(RoomOf(2)));
  EXPECT_THAT(transaction.Commit(), IsOk());
  EXPECT_THAT(transaction.refusals(), IsEmpty());
  EXPECT_THAT(table().Get(RoomOf(1)), IsOkAndHolds(RoomOf(1)));
}

// Within ten minutes, a repeated transaction with the same token does nothing and succeeds.
TEST_F(EntityTransactionTest, RepeatingATokenWritesOnce) {
  const auto count = [&](std::int64_t by) {
    return table()
        .Transact()
        .Update(Visits{.page = "a"}, Changes<Visits>().Add<&Visits::count>(by).OrCreate())
        .WithToken("t1")
        .Commit();
  };
  EXPECT_THAT(count(1), IsOk());
  EXPECT_THAT(count(1), IsOk());
  EXPECT_EQ(Value(table().Get(Visits{.page = "a"})).count, 1);
  EXPECT_THAT(count(2), StatusIs(StatusCode::kIdempotentParameterMismatch, _));
  clock_->Advance(minutes(11));
  EXPECT_THAT(count(2), IsOk());
  EXPECT_EQ(Value(table().Get(Visits{.page = "a"})).count, 3);
}

}  // namespace
}  // namespace dolmen::hotel
