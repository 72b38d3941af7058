// Tests of expiring items. Some threads renew, replace and delete items. Others sweep or read,
// while the clock advances.
//
// Each item has one writer, which knows what it wrote last. The clock only moves forward, and the
// test reads the clock before and after each read of an item:
// - If the item expires after the second clock reading, the read must find the item.
// - If the item expired before the first clock reading, a read that hides expired items must not
//   find the item, and any other read may find it.
// - If the item expires between the two clock readings, the read may find it or not.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/concurrent/expiry_fixture.h"
#include "tests/concurrent/threads.h"
#include "tests/support/contents.h"
#include "tests/support/status_matchers.h"
#include "tests/support/stream_records.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {
namespace {

using std::chrono::seconds;

constexpr std::size_t kRenewers = 4;
constexpr std::size_t kSweepers = 2;
constexpr std::size_t kExpiryReaders = 2;
constexpr std::size_t kItemsOfEach = 12;  // items of each writer
constexpr std::size_t kRenewals = 2'500;  // turns of each writer
constexpr std::size_t kTurnsPerSecond = 32;

struct Counts {
  std::atomic<std::uint64_t> renewed = 0;  // found unexpired, as written
  std::atomic<std::uint64_t> gone = 0;     // expired and not found
  std::atomic<std::uint64_t> deleted = 0;  // deleted by a writer
  std::atomic<std::uint64_t> swept = 0;    // deleted by ExpireNow
  std::atomic<std::uint64_t> read = 0;     // returned to a reader
};

class ExpiryTest : public ExpiryFixture {
 protected:
  struct Shared {
    Database db;
    Table table;
    bool hides = false;  // the table hides expired items
    std::atomic<std::size_t> writing = kRenewers;
    Counts counts = {};
  };

  // The state of an item as its writer knows it.
  struct Known {
    std::int64_t turn = -1;  // the turn that wrote it last; -1: the item does not exist
    std::int64_t expires = 0;
  };

  // Checks that a read returns the item exactly as the item's writer wrote it last. The read may
  // find no item if the item has expired, and must find none if the read hides expired items.
  void Check(Shared* shared, const Item& key, const Known& known, std::optional<bool> hide) {
    const bool hides = hide.value_or(shared->hides);
    const std::int64_t before = Now();
    const auto got = shared->table.GetItem({.key = key, .options = {.hide_expired = hide}});
    const std::int64_t after = Now();
    ASSERT_THAT(got, IsOk());
    if (!got->item) {
      if (known.turn < 0) return;
      ASSERT_LT(known.expires, after) << "missing: turn " << known.turn;
      ++shared->counts.gone;
      return;
    }
    ASSERT_GE(known.turn, 0) << "was deleted: " << got->item->ToString();
    ASSERT_EQ((*got->item)["turn"].AsInt64(), known.turn);
    ASSERT_EQ((*got->item)["expires"].AsInt64(), known.expires);
    if (hides) {
      ASSERT_GE(known.expires, before) << "not hidden";
    }
    if (known.expires >= after) ++shared->counts.renewed;
  }

  // Puts or updates the item so that it expires soon.
  void Renew(Shared* shared, const Item& key, std::int64_t turn, Random* random, Known* known) {
    const std::int64_t expires = Now() + random->Between(0, 2);
    const std::string colour = "colour" + std::to_string(random->Below(3));
    Status done;
    if (random->OneIn(3)) {
      Item item = key;
      item.emplace("expires", expires);
      item.emplace("turn", turn);
      item.emplace("colour", colour);
      done = shared->table.PutItem({.item = item}).status();
    } else {
      done = shared->table
                 .UpdateItem({.key = key,
                              .update = Update()
                                            .Set("expires", expires)
                                            .Set("turn", turn)
                                            .Set("colour", colour)
                                            .Add("updates", 1)})
                 .status();
    }
    ASSERT_THAT(done, IsOk());
    *known = {.turn = turn, .expires = expires};
  }

  void Delete(Shared* shared, const Item& key, Known* known) {
    const auto deleted = shared->table.DeleteItem(
        {.key = key, .return_values = ReturnValues::kAllOld, .options = {.hide_expired = false}});
    ASSERT_THAT(deleted, IsOk());
    if (deleted->attributes) ++shared->counts.deleted;
    *known = {};
  }

  static void SweepOnce(Shared* shared, std::size_t items_max) {
    const auto swept = shared->table.ExpireNow(items_max);
    ASSERT_THAT(swept, IsOk());
    ASSERT_LE(*swept, items_max);
    shared->counts.swept += *swept;
  }
  static void Sweep(Shared* shared, Random random) {
    while (shared->writing > 0 && !HasFailure()) SweepOnce(shared, 1 + random.Below(20));
  }

  void Write(Shared* shared, std::size_t writer, Random random) {
    std::vector<Known> known(kItemsOfEach);
    const std::size_t turns = TestSteps(kRenewals);
    for (std::size_t turn = 0; turn < turns && !HasFailure(); ++turn) {
      const std::size_t i = random.Below(kItemsOfEach);
      const Item key = KeyOf(writer, i);
      Check(shared, key, known[i], false);
      if (random.OneIn(8)) {
        Delete(shared, key, &known[i]);
      } else {
        Renew(shared, key, static_cast<std::int64_t>(turn), &random, &known[i]);
      }
      Check(shared, key, known[i], random.OneIn(2) ? std::optional(true) : std::nullopt);
      // The writers themselves advance the clock and sweep, so that items expire in every run.
      if (random.OneIn(kTurnsPerSecond)) clock_->Advance(seconds(1));
      if (random.OneIn(kTurnsPerSecond)) SweepOnce(shared, 3);
    }
    --shared->writing;
  }

  // Checks that no item on a page had expired before the request.
  void Read(Shared* shared, Random random) {
    QueryOutput page;
    while (shared->writing > 0 && !HasFailure()) {
      const std::int64_t before = Now();
      const std::string index = random.Pick<std::string>({"", kAll, kKeysOnly});
      const std::string partition =
          (index.empty() ? "p" : "colour") + std::to_string(random.Below(3));
      const Status read =
          random.OneIn(3)
              ? shared->table.Scan({.index = index, .options = {.hide_expired = true}}, &page)
              : shared->table.Query({.index = index,
                                     .key_condition = Partition(partition),
                                     .options = {.hide_expired = true}},
                                    &page);
      ASSERT_THAT(read, IsOk());
      if (index == kKeysOnly) continue;  // its entries lack the expiry time
      for (const ItemView item : page) {
        ASSERT_GE(item["expires"].AsInt64(), before) << item.ToString();
        ++shared->counts.read;
      }
    }
  }

  // Checks that replaying the stream gives the table's contents. The old image of each record is
  // the previous state of its item. The service removes only expired items.
  static void ExpectStreamLeadsTo(const Contents& rows, const std::vector<StreamRecord>& records) {
    Contents replayed;
    for (const StreamRecord& record : records) {
      const std::pair key(std::string(*record.keys["PK"].AsString()),
                          std::string(*record.keys["SK"].AsString()));
      SCOPED_TRACE(key.second + " at " + record.sequence_number);
      const auto before = replayed.find(key);
      ASSERT_EQ(record.old_image.has_value(), before != replayed.end());
      if (record.old_image) {
        ASSERT_EQ(*record.old_image->Copy(), before->second);
      }
      ASSERT_EQ(record.new_image.has_value(), record.event_name != EventName::kRemove);
      if (record.by_service) {
        ASSERT_EQ(record.event_name, EventName::kRemove);
        const auto made = record.approximate_creation_date_time.time_since_epoch();
        ASSERT_LT((*record.old_image)["expires"].AsInt64(),
                  std::chrono::floor<seconds>(made).count());
      }
      if (before != replayed.end()) replayed.erase(before);
      if (record.new_image) replayed.emplace(key, *record.new_image->Copy());
    }
    EXPECT_EQ(replayed, rows);
  }

  void ExpectOneRecordForEachRemoval(const Shared& shared) {
    const auto records = ReadStream(shared.db, "things");
    ASSERT_THAT(records, IsOk());
    ExpectStreamLeadsTo(ReadContents(shared.table), *records);
    std::uint64_t by_service = 0;
    std::uint64_t by_writers = 0;
    for (const StreamRecord& record : *records) {
      if (record.event_name != EventName::kRemove) continue;
      ++(record.by_service ? by_service : by_writers);
    }
    EXPECT_EQ(by_writers, shared.counts.deleted);
    // If the table hides expired items, a write that replaces an expired item first removes the
    // expired item. The stream attributes this removal to the service. So the stream shows more
    // removals by the service than the sweeps report.
    if (shared.hides) {
      EXPECT_GT(by_service, shared.counts.swept);
    } else {
      EXPECT_EQ(by_service, shared.counts.swept);
    }
    std::cout << by_service << " items removed by the service, " << shared.counts.swept
              << " of them by sweeps; " << shared.counts.renewed << " reads of renewed items, "
              << shared.counts.gone << " reads of expired items; " << shared.counts.read
              << " items returned to readers\n";
  }

  void Race(Result<Database> db, bool hides) {
    ASSERT_THAT(db, IsOk());
    const auto table = db->CreateTable(TableInput());
    ASSERT_THAT(table, IsOk());
    UpdateTimeToLiveInput enable = kEnable;
    enable.specification.hide_expired = hides;
    ASSERT_THAT(db->UpdateTimeToLive(enable), IsOk());
    ASSERT_THAT(table->WaitForIndexes(), IsOk());
    Shared shared{.db = *db, .table = *table, .hides = hides};
    RunTogether(kRenewers + kSweepers + kExpiryReaders, [&](std::size_t thread) {
      const Random random(TestSeed() + thread);
      if (thread < kRenewers) return Write(&shared, thread, random);
      if (thread < kRenewers + kSweepers) return Sweep(&shared, random);
      Read(&shared, random);
    });
    ASSERT_FALSE(HasFailure());
    ExpectIndexesMatch(*table);
    ExpectOneRecordForEachRemoval(shared);
    EXPECT_GT(shared.counts.renewed, 0u);
    EXPECT_GT(shared.counts.gone, 0u);
    EXPECT_GT(shared.counts.swept, 0u);
    ExpectNothingIsLeft(*table);
  }

  // Checks that a final sweep removes every item.
  void ExpectNothingIsLeft(const Table& table) {
    clock_->Advance(seconds(10));
    EXPECT_THAT(table.ExpireNow(), IsOk());
    EXPECT_TRUE(ReadContents(table).empty());
    ExpectIndexesMatch(table);
    EXPECT_THAT(table.ExpireNow(), IsOkAndHolds(0u));
  }

  TempDirectory directory_;
};

TEST_F(ExpiryTest, RenewedItemsSurviveSweepsInMemory) {
  Race(Database::InMemory(Options()), false);
}

TEST_F(ExpiryTest, RenewedItemsSurviveSweepsOnDisk) {
  Race(Database::Open(directory_ / "db", Options()), false);
}

TEST_F(ExpiryTest, WritesReplaceHiddenItemsInMemory) { Race(Database::InMemory(Options()), true); }

TEST_F(ExpiryTest, WritesReplaceHiddenItemsOnDisk) {
  Race(Database::Open(directory_ / "db", Options()), true);
}

}  // namespace
}  // namespace dolmen::test
