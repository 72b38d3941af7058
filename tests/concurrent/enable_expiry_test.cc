// Tests that enable and disable time to live on many items, while threads write and sweep.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>

#include "tests/concurrent/expiry_fixture.h"
#include "tests/concurrent/threads.h"
#include "tests/support/contents.h"
#include "tests/support/status_matchers.h"

namespace dolmen::test {
namespace {

using std::chrono::seconds;

class EnableExpiryTest : public ExpiryFixture {
 protected:
  // Returns an item that has expired, expires later or never expires, at random.
  static Item Some(std::size_t i, std::int64_t turn, std::int64_t now, Random* random) {
    Item item = KeyOf(0, i);
    item.emplace("turn", turn);
    item.emplace("colour", "red");
    const auto lives = random->Below(3);
    if (lives < 2) item.emplace("expires", now + (lives == 0 ? -1 : 60));
    return item;
  }

  // Writes `items` items, and then enables time to live while threads write more. To enable time to
  // live, the database must scan the items that exist already.
  void EnableUnderLoad(const Database& db, const Table& table, std::size_t items,
                       std::uint64_t seed) {
    const std::uint64_t writes_before = items / 6;
    const std::int64_t now = Now();
    for (std::size_t i = 0; i < items; ++i) {
      ASSERT_THAT(table.PutItem({.item = Some(i, -1, now, &random_)}), IsOk());
    }
    std::atomic<bool> stop = false;
    std::atomic<std::uint64_t> written = 0;
    RunTogether(8, [&](std::size_t thread) {
      Random random(seed + thread);
      if (thread == 0) {
        while (written < writes_before && !HasFailure()) std::this_thread::yield();
        EXPECT_THAT(db.UpdateTimeToLive(kEnable), IsOk());
        EXPECT_THAT(table.WaitForIndexes(), IsOk());
        stop = true;
      } else if (thread == 1) {
        while (!stop) ASSERT_THAT(table.ExpireNow(5), IsOk());
      } else {
        for (std::int64_t turn = 0; !stop; ++turn, ++written) {
          const Item item = Some(random.Below(items), turn, now, &random);
          ASSERT_THAT(table.PutItem({.item = item}), IsOk());
        }
      }
    });
    EXPECT_GE(written, writes_before);
  }

  // In each round, enables time to live while threads write, checks which items expire, and
  // disables time to live. Exactly the items with the attribute "expires" must expire.
  void EnableAndDisable(std::size_t items, std::uint64_t rounds) {
    const auto db = Database::InMemory(Options());
    ASSERT_THAT(db, IsOk());
    const auto table = db->CreateTable(TableInput());
    ASSERT_THAT(table, IsOk());
    for (std::uint64_t round = 0; round < rounds && !HasFailure(); ++round) {
      SCOPED_TRACE("round " + std::to_string(round));
      EnableUnderLoad(*db, *table, items, TestSeed() + 10 * round);
      Contents rows = ReadContents(*table);
      clock_->Advance(seconds(120));
      const std::size_t expired =
          std::erase_if(rows, [](const auto& row) { return row.second.contains("expires"); });
      EXPECT_THAT(table->ExpireNow(), IsOkAndHolds(expired));
      EXPECT_EQ(ReadContents(*table), rows);
      ExpectIndexesMatch(*table);
      ASSERT_THAT(db->UpdateTimeToLive(kDisable), IsOk());
    }
  }
};

TEST_F(EnableExpiryTest, EnablingFindsItemsWrittenDuringTheScan) { EnableAndDisable(3'000, 6); }

// To enable time to live, Dolmen scans the items of the table. Here the table has only a few items.
// The scan therefore ends before every writer has seen that time to live is being enabled. The
// items that such writers put must expire, too.
TEST_F(EnableExpiryTest, EnablingFindsItemsWrittenAtItsStart) { EnableAndDisable(12, 60); }

// After time to live is disabled, a sweep that was already running must not delete any more items.
TEST_F(EnableExpiryTest, DisablingStopsRunningSweeps) {
  constexpr std::size_t kFew = 200;
  constexpr int kTimes = 60;
  const auto db = Database::InMemory(Options());
  ASSERT_THAT(db, IsOk());
  const auto table = db->CreateTable(TableInput());
  ASSERT_THAT(table, IsOk());
  for (int round = 0; round < kTimes && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    for (std::size_t i = 0; i < kFew; ++i) {
      Item item = KeyOf(0, i);
      item.emplace("expires", Now() - 1);
      ASSERT_THAT(table->PutItem({.item = item}), IsOk());
    }
    ASSERT_THAT(db->UpdateTimeToLive(kEnable), IsOk());
    ASSERT_THAT(table->WaitForIndexes(), IsOk());
    std::atomic<bool> stop = false;
    std::atomic<std::uint64_t> swept = 0;
    Contents left;
    RunTogether(8, [&](std::size_t thread) {
      if (thread > 0) {
        while (!stop) {
          const auto count = table->ExpireNow(8);
          ASSERT_THAT(count, IsOk());
          swept += *count;
        }
        return;
      }
      while (swept == 0) std::this_thread::yield();
      EXPECT_THAT(db->UpdateTimeToLive(kDisable), IsOk());
      left = ReadContents(*table);
      stop = true;
    });
    EXPECT_EQ(ReadContents(*table), left);
    EXPECT_EQ(swept + left.size(), kFew);
  }
}

}  // namespace
}  // namespace dolmen::test
