#include "engine/write/lock_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <latch>
#include <optional>
#include <thread>
#include <vector>

namespace dolmen::engine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Holder = LockTable::Holder;
using RowHash = LockTable::RowHash;

// The hashes of three rows with different mutexes.
constexpr RowHash kRow = 0x1234'5678'0000'0001;
constexpr RowHash kOther = kRow + 1;
constexpr RowHash kThird = kRow + 2;
// The hash of another row. Its lock has the same mutex as the lock of kRow.
constexpr RowHash kNeighbour = kRow + (RowHash{1} << 40);

class LockTableTest : public testing::Test {
 protected:
  // Calls Lock in another thread, releases the rows at once, and returns the result of Lock. The
  // test's own thread must not lock a row twice.
  std::vector<bool> LockInAnotherThread(const std::vector<RowHash>& rows, Holder holder,
                                        OnConflict on_conflict) {
    return std::async(std::launch::async,
                      [&] {
                        LockTable::Guard guard(locks_);
                        return guard.Lock(rows, holder, on_conflict);
                      })
        .get();
  }

  // Expects that another thread can lock `rows`, but not before `guard` is destroyed.
  void ExpectWaits(std::optional<LockTable::Guard>* guard, const std::vector<RowHash>& rows,
                   Holder holder, OnConflict on_conflict) {
    std::latch begun(1);
    std::atomic<bool> released = false;
    auto waiter = std::async(std::launch::async, [&] {
      LockTable::Guard waiting(locks_);
      begun.count_down();
      const bool locked = waiting.Lock(rows, holder, on_conflict).empty();
      return locked && released.load();
    });
    begun.wait();
    released = true;
    guard->reset();
    EXPECT_TRUE(waiter.get());
  }

  LockTable locks_;
};

TEST_F(LockTableTest, AGuardHoldsItsRowsUntilItIsDestroyed) {
  EXPECT_FALSE(locks_.IsBeingWritten(kRow));
  for (const Holder holder : {Holder::kSingleWrite, Holder::kTransaction}) {
    for (const OnConflict on_conflict : {OnConflict::kWait, OnConflict::kFail}) {
      {
        LockTable::Guard guard(locks_);
        const std::vector<RowHash> rows = {kThird, kRow};
        EXPECT_THAT(guard.Lock(rows, holder, on_conflict), IsEmpty());
        EXPECT_TRUE(locks_.IsBeingWritten(kRow));
        EXPECT_TRUE(locks_.IsBeingWritten(kThird));
        EXPECT_FALSE(locks_.IsBeingWritten(kOther));
        EXPECT_FALSE(locks_.IsBeingWritten(kNeighbour));  // only its mutex is held
      }
      EXPECT_FALSE(locks_.IsBeingWritten(kRow));
      EXPECT_FALSE(locks_.IsBeingWritten(kThird));
    }
  }
}

// Several rows of a request may share one mutex. The request then locks this mutex only once.
TEST_F(LockTableTest, LocksARowThatIsGivenTwice) {
  const std::vector<RowHash> rows = {kRow, kOther, kRow, kNeighbour};
  for (const OnConflict on_conflict : {OnConflict::kWait, OnConflict::kFail}) {
    LockTable::Guard guard(locks_);
    EXPECT_THAT(guard.Lock(rows, Holder::kTransaction, on_conflict), IsEmpty());
  }
  EXPECT_FALSE(locks_.IsBeingWritten(kRow));
}

TEST_F(LockTableTest, AConflictReportsTheRowsThatATransactionHolds) {
  LockTable::Guard guard(locks_);
  const std::vector<RowHash> held = {kRow, kThird};
  ASSERT_THAT(guard.Lock(held, Holder::kTransaction, OnConflict::kWait), IsEmpty());
  for (const Holder holder : {Holder::kSingleWrite, Holder::kTransaction}) {
    EXPECT_THAT(LockInAnotherThread({kRow}, holder, OnConflict::kFail), ElementsAre(true));
    EXPECT_THAT(LockInAnotherThread({kThird, kOther, kRow}, holder, OnConflict::kFail),
                ElementsAre(true, false, true));
    EXPECT_THAT(LockInAnotherThread({kOther}, holder, OnConflict::kFail), IsEmpty());
    EXPECT_TRUE(locks_.IsBeingWritten(kRow));  // the first guard still holds it
  }
}

// Lock fails because kThird is locked. If Lock had already locked kRow and kOther, it must release
// them at once, before its guard is destroyed.
TEST_F(LockTableTest, AConflictLocksNothing) {
  LockTable::Guard guard(locks_);
  const std::vector<RowHash> held = {kThird};
  ASSERT_THAT(guard.Lock(held, Holder::kTransaction, OnConflict::kWait), IsEmpty());
  std::latch refused(1);
  std::latch looked(1);
  auto other = std::async(std::launch::async, [&] {
    LockTable::Guard second(locks_);
    const std::vector<RowHash> rows = {kRow, kOther, kThird};
    const auto conflicts = second.Lock(rows, Holder::kTransaction, OnConflict::kFail);
    refused.count_down();
    looked.wait();
    return conflicts;
  });
  refused.wait();
  EXPECT_FALSE(locks_.IsBeingWritten(kRow));
  EXPECT_FALSE(locks_.IsBeingWritten(kOther));
  EXPECT_THAT(LockInAnotherThread({kRow, kOther}, Holder::kSingleWrite, OnConflict::kFail),
              IsEmpty());
  looked.count_down();
  EXPECT_THAT(other.get(), ElementsAre(false, false, true));
}

TEST_F(LockTableTest, ASingleWriteIsWaitedFor) {
  for (const Holder holder : {Holder::kSingleWrite, Holder::kTransaction}) {
    for (const OnConflict on_conflict : {OnConflict::kWait, OnConflict::kFail}) {
      std::optional<LockTable::Guard> guard(std::in_place, locks_);
      const std::vector<RowHash> rows = {kRow};
      ASSERT_THAT(guard->Lock(rows, Holder::kSingleWrite, OnConflict::kWait), IsEmpty());
      ExpectWaits(&guard, {kOther, kRow}, holder, on_conflict);
    }
  }
}

TEST_F(LockTableTest, ATransactionIsWaitedForUnlessAConflictIsAFailure) {
  for (const Holder holder : {Holder::kSingleWrite, Holder::kTransaction}) {
    std::optional<LockTable::Guard> guard(std::in_place, locks_);
    const std::vector<RowHash> rows = {kRow};
    ASSERT_THAT(guard->Lock(rows, Holder::kTransaction, OnConflict::kFail), IsEmpty());
    ExpectWaits(&guard, {kOther, kRow}, holder, OnConflict::kWait);
  }
}

// Two different rows may share a mutex. If a transaction has locked one of them, a request on the
// other row waits and does not fail with a conflict, even with kFail.
TEST_F(LockTableTest, ARowWithTheSameMutexIsWaitedFor) {
  for (const Holder holder : {Holder::kSingleWrite, Holder::kTransaction}) {
    std::optional<LockTable::Guard> guard(std::in_place, locks_);
    const std::vector<RowHash> rows = {kNeighbour};
    ASSERT_THAT(guard->Lock(rows, Holder::kTransaction, OnConflict::kWait), IsEmpty());
    ExpectWaits(&guard, {kRow}, holder, OnConflict::kFail);
  }
}

TEST_F(LockTableTest, WaitForAllReturnsWhenTheGuardsAreDestroyed) {
  locks_.WaitForAll();
  std::optional<LockTable::Guard> guard(std::in_place, locks_);
  const std::vector<RowHash> rows = {kRow, kOther};
  ASSERT_THAT(guard->Lock(rows, Holder::kSingleWrite, OnConflict::kWait), IsEmpty());
  std::latch begun(1);
  std::atomic<bool> released = false;
  auto waiter = std::async(std::launch::async, [&] {
    begun.count_down();
    locks_.WaitForAll();
    return released.load();
  });
  begun.wait();
  released = true;
  guard.reset();
  EXPECT_TRUE(waiter.get());
}

// Writers that name the rows in different orders take turns and do not deadlock.
TEST_F(LockTableTest, WritersOfTheSameRowsTakeTurns) {
  constexpr int kRounds = 2'000;
  const std::vector<std::vector<RowHash>> orders = {
      {kRow, kOther, kThird}, {kThird, kOther, kRow}, {kOther, kNeighbour}, {kThird, kRow}};
  int count = 0;  // guarded by the mutex of kRow, which all writers lock
  {
    std::vector<std::jthread> writers;
    for (const std::vector<RowHash>& rows : orders) {
      writers.emplace_back([&] {
        for (int i = 0; i < kRounds; ++i) {
          LockTable::Guard guard(locks_);
          if (guard.Lock(rows, Holder::kTransaction, OnConflict::kWait).empty()) ++count;
        }
      });
    }
  }
  EXPECT_EQ(count, 4 * kRounds);
}

}  // namespace
}  // namespace dolmen::engine
