// Tests of a process that is killed while it writes and sweeps expiring items. Afterwards every
// removed item has a record in the stream, and no record reports the removal of an item that is
// still stored. The indexes match the table. If the kill interrupts the enabling of time to live, a
// later open completes it.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/durability/acknowledgements.h"
#include "tests/support/child_process.h"
#include "tests/support/contents.h"
#include "tests/support/items.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/stream_records.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

constexpr std::size_t kTurnsMax = 150;
constexpr std::uint64_t kExpiringItems = 41;
constexpr const char* kAll = "by_colour";
constexpr const char* kKeysOnly = "keys_by_colour";

// Returns the clock's time at a turn, in seconds. Ten turns take one second. Parent and child
// compute the same time.
std::int64_t SecondOf(std::uint64_t turn) {
  return 1'776'254'400 + static_cast<std::int64_t>(turn / 10);
}
void SetClock(ManualClock* clock, std::uint64_t turn) {
  clock->Set(Timestamp(seconds(SecondOf(turn))));
}

OpenOptions Options(SharedClock clock) {
  OpenOptions options;
  options.durability = Durability::kBuffered;
  options.clock = std::move(clock);
  options.expiry_lag = std::nullopt;
  options.write_buffer_bytes = 64 << 10;  // so that some rounds are killed while a file is written
  return options;
}

CreateTableInput TableInput() {
  CreateTableInput input;
  input.name = "things";
  input.global_secondary_indexes = {
      {.name = kAll, .partition_key = {{"colour"}}},
      {.name = kKeysOnly, .partition_key = {{"colour"}}, .projection = ProjectionType::kKeysOnly}};
  input.stream_specification = {{.view_type = StreamViewType::kNewAndOldImages}};
  return input;
}

// Returns a put of an item that expires after 0 to 4 seconds. The item may expire before or after
// it is written again.
PutItemInput PutOf(std::uint64_t turn) {
  const std::uint64_t i = turn * 7 % kExpiringItems;
  return {.item = {{"PK", "p" + std::to_string(i % 3)},
                   {"SK", std::to_string(i)},
                   {"colour", "colour" + std::to_string(turn % 3)},
                   {"turn", turn},
                   {"expires", SecondOf(turn) + static_cast<std::int64_t>(turn % 5)},
                   {"filler", std::string(turn % 300, 'x')}},
          // Half of the writes set the option hide_expired. Such a write that replaces an expired
          // item first removes this item, with a record in the stream, as the sweep does.
          .options = {.hide_expired = turn % 2 == 0}};
}

// In each turn, writes an item, sweeps expired items and acknowledges the turn. Begins with the
// given turn. The parent kills the process at a random time.
int WriteAndSweep(const ChildArguments& arguments) {
  std::uint64_t turn = std::stoull(arguments[1]);
  const auto clock = std::make_shared<ManualClock>();
  SetClock(clock.get(), turn);
  TellParent("opening");
  const auto db = Database::Open(arguments[0], Options(clock));
  if (!db.ok()) return 1;
  const auto table = db->OpenTable("things");
  if (!table.ok()) return 2;
  for (;; ++turn) {
    SetClock(clock.get(), turn);
    if (!table->PutItem(PutOf(turn)).ok()) return 3;
    if (!table->ExpireNow(turn % 4).ok()) return 4;
    if (!TellParent(std::to_string(turn))) return 5;
  }
}

const UpdateTimeToLiveInput kEnable{.table_name = "things",
                                    .specification = {.attribute_name = "expires"}};
const UpdateTimeToLiveInput kDisable{
    .table_name = "things", .specification = {.enabled = false, .attribute_name = "expires"}};

// There are so many items that enabling time to live takes a while. Every third item never expires.
constexpr std::uint64_t kManyItems = 1'500;
Item OneOfMany(std::uint64_t i, std::uint64_t turn) {
  Item item{{"PK", "many"}, {"SK", std::to_string(i)}, {"colour", "red"}, {"turn", turn}};
  if ((i + turn) % 3 != 0) item.emplace("expires", SecondOf(0) + static_cast<std::int64_t>(i));
  return item;
}

// Enables time to live, and writes items while the existing items are scanned.
int Enable(const ChildArguments& arguments) {
  const auto clock = std::make_shared<ManualClock>();
  SetClock(clock.get(), 0);
  const auto db = Database::Open(arguments[0], Options(clock));
  if (!db.ok()) return 1;
  const auto table = db->OpenTable("things");
  if (!table.ok()) return 2;
  if (!db->UpdateTimeToLive(kEnable).ok()) return 3;
  for (std::uint64_t turn = 1;; ++turn) {
    if (!table->PutItem({.item = OneOfMany(turn * 7 % kManyItems, turn)}).ok()) return 4;
    if (!TellParent(std::to_string(turn))) return 5;
  }
}

const ChildRole kWriteAndSweep("write_and_sweep", WriteAndSweep);
const ChildRole kEnableAndWrite("enable_and_write", Enable);

class KillExpiryTest : public SeededTest {
 protected:
  // The state that the test computes from the stream. The test applies all records in order,
  // beginning with the first one.
  struct Replayed {
    Contents rows = {};
    std::uint64_t turn = 0;  // the last turn that wrote an item
    std::uint64_t removed = 0;
    std::string sequence_number = {};
  };

  void SetUp() override {
    const auto db = Open();
    ASSERT_THAT(db, IsOk());
    CreateTableInput input = TableInput();
    input.stream_specification->retention = hours(24 * 365);
    ASSERT_THAT(db->CreateTable(input), IsOk());
    ASSERT_THAT(db->UpdateTimeToLive(
                    {.table_name = "things", .specification = {.attribute_name = "expires"}}),
                IsOk());
    ASSERT_THAT(db->OpenTable("things")->WaitForIndexes(), IsOk());
  }

  Result<Database> Open() const {
    SetClock(clock_.get(), replayed_.turn);
    return Database::Open(directory_ / "db", Options(clock_));
  }

  // Runs the child and returns the last turn that it acknowledged. Kills it after a random number
  // of turns, or while it opens the database.
  std::uint64_t RunAndKill() {
    const std::size_t count = random_.OneIn(5) ? 0 : 1 + random_.Below(kTurnsMax);
    ChildProcess child(kWriteAndSweep,
                       {(directory_ / "db").string(), std::to_string(replayed_.turn + 1)});
    EXPECT_EQ(child.ReadLine(), "opening");
    return KillAfter(count, &child).value_or(replayed_.turn);
  }

  // Applies one stream record to replayed_, the table's expected state. Checks that the record's
  // old image is the item's previous state. Checks that each turn wrote its item once, in order,
  // and that only the service removes items, after they expire.
  void Replay(const StreamRecord& record) {
    ASSERT_LT(replayed_.sequence_number, record.sequence_number);
    replayed_.sequence_number = record.sequence_number;
    const std::pair key(std::string(*record.keys["PK"].AsString()),
                        std::string(*record.keys["SK"].AsString()));
    const auto before = replayed_.rows.find(key);
    ASSERT_EQ(record.old_image.has_value(), before != replayed_.rows.end());
    if (record.old_image) {
      ASSERT_EQ(*record.old_image->Copy(), before->second);
      replayed_.rows.erase(before);
    }
    ASSERT_EQ(record.by_service, record.event_name == EventName::kRemove);
    ASSERT_EQ(record.by_service, !record.new_image.has_value());
    if (record.by_service) {
      ++replayed_.removed;
      const auto made = record.approximate_creation_date_time.time_since_epoch();
      ASSERT_LT((*record.old_image)["expires"].AsInt64(),
                std::chrono::floor<seconds>(made).count());
      return;
    }
    ++replayed_.turn;
    const Item item = *record.new_image->Copy();
    ASSERT_EQ(item, PutOf(replayed_.turn).item);
    replayed_.rows.emplace(key, item);
  }

  void ExpectStreamLeadsToTheTable(const Database& db, const Table& table) {
    const auto records = ReadStream(db, "things", replayed_.sequence_number);
    ASSERT_THAT(records, IsOk());
    for (const StreamRecord& record : *records) {
      SCOPED_TRACE(record.sequence_number + " of " + record.keys.ToString());
      Replay(record);
      if (HasFatalFailure()) return;
    }
    EXPECT_EQ(ReadContents(table), replayed_.rows);
  }

  static void ExpectIndexesMatch(const Table& table) {
    const Contents rows = ReadContents(table);
    EXPECT_EQ(ReadContents(table, kAll), rows);
    EXPECT_EQ(ReadContents(table, kKeysOnly), Projected(rows, "colour", {"PK", "SK", "colour"}));
  }

  const std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>();
  TempDirectory directory_;
  Replayed replayed_;
};

TEST_F(KillExpiryTest, EveryRemovalHasItsStreamRecord) {
  for (std::size_t round = 0; round < kRounds && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const std::uint64_t acknowledged = RunAndKill();
    const auto db = Open();
    ASSERT_THAT(db, IsOk());
    const auto table = db->OpenTable("things");
    ASSERT_THAT(table, IsOk());
    ExpectStreamLeadsToTheTable(*db, *table);
    ExpectIndexesMatch(*table);
    EXPECT_GE(replayed_.turn, acknowledged);
    EXPECT_LE(replayed_.turn, acknowledged + 1);  // one turn may lack its acknowledgement
  }
  EXPECT_GT(replayed_.removed, 0u);
  std::cout << replayed_.turn << " writes, " << replayed_.removed << " items expired, in "
            << kRounds << " rounds\n";
}

// After a kill, the sweep still removes every item that has expired.
TEST_F(KillExpiryTest, EveryExpiredItemIsRemovedAfterAKill) {
  for (std::size_t round = 0; round < 5 && !HasFailure(); ++round) {
    RunAndKill();
    const auto db = Open();
    ASSERT_THAT(db, IsOk());
    const auto table = db->OpenTable("things");
    ASSERT_THAT(table, IsOk());
    const std::size_t left = ReadContents(*table).size();
    clock_->Advance(hours(1));
    EXPECT_THAT(table->ExpireNow(), IsOkAndHolds(left));
    EXPECT_THAT(table->ExpireNow(), IsOkAndHolds(0u));
    ExpectStreamLeadsToTheTable(*db, *table);
    ExpectIndexesMatch(*table);
    EXPECT_TRUE(replayed_.rows.empty());
  }
}

TEST_F(KillExpiryTest, EnablingTimeToLiveIsCompletedAfterAKill) {
  constexpr int kEnablingRounds = 20;
  int unfinished = 0;
  for (std::size_t round = 0; round < kEnablingRounds && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    {
      const auto db = Open();
      ASSERT_THAT(db, IsOk());
      ASSERT_THAT(db->UpdateTimeToLive(kDisable), IsOk());
      const auto table = db->OpenTable("things");
      ASSERT_THAT(table, IsOk());
      for (std::uint64_t i = 0; i < kManyItems; ++i) {
        ASSERT_THAT(table->PutItem({.item = OneOfMany(i, 0)}), IsOk());
      }
    }
    {
      ChildProcess child(kEnableAndWrite, {(directory_ / "db").string()});
      ASSERT_TRUE(KillAfter(1 + random_.Below(60), &child));
    }
    const auto db = Open();
    ASSERT_THAT(db, IsOk());
    const auto table = db->OpenTable("things");
    ASSERT_THAT(table, IsOk());
    EXPECT_EQ(db->DescribeTimeToLive("things")->attribute_name, "expires");
    if (db->DescribeTimeToLive("things")->status == TimeToLiveStatus::kEnabling) ++unfinished;
    ASSERT_THAT(table->WaitForIndexes(), IsOk());
    EXPECT_EQ(db->DescribeTimeToLive("things")->status, TimeToLiveStatus::kEnabled);
    Contents rows = ReadContents(*table);
    EXPECT_EQ(rows.size(), kManyItems);
    const std::size_t expiring =
        std::erase_if(rows, [](const auto& row) { return row.second.contains("expires"); });
    clock_->Advance(hours(1));
    EXPECT_THAT(table->ExpireNow(), IsOkAndHolds(expiring));
    EXPECT_EQ(ReadContents(*table), rows);
    ExpectIndexesMatch(*table);
  }
  std::cout << unfinished << " of " << kEnablingRounds
            << " times enabling resumed after reopening\n";
}

}  // namespace
}  // namespace dolmen::test
