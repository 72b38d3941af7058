// Tests of Verify during concurrent work. Verify must not report unfinished work as damage.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include "dolmen/dolmen.h"
#include "tests/concurrent/threads.h"
#include "tests/support/items.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {
namespace {

constexpr std::size_t kVerifiedWriters = 3;
constexpr std::size_t kVerifiedItems = 1'000;
// The largest number of writes of each writer. The writers must not write without end, because each
// Verify takes longer with every stream record that a write adds.
constexpr std::int64_t kVerifiedTurns = 2'000;
// The test ends only after at least kLooks calls of Verify, kChanges changes of the table,
// kTablesDropped deletions of tables and kItemsExpired deletions of expired items.
constexpr std::size_t kLooks = 10;
constexpr std::size_t kChanges = 4;
constexpr std::size_t kTablesDropped = 5;
constexpr std::size_t kItemsExpired = 50;

// The expiry time of the items that have expired, in seconds since 1970. It is in the recent past,
// because time to live never deletes an item whose expiry time is more than five years ago.
const std::int64_t kPast =
    Clock::System()->Now().time_since_epoch() / std::chrono::seconds(1) - 100;

const GlobalSecondaryIndex kLate{.name = "late",
                                 .partition_key = {{"turn", AttributeType::kN}},
                                 .projection = ProjectionType::kKeysOnly};

class VerifyTest : public SeededTest {
 protected:
  static CreateTableInput Input(const std::string& name) {
    CreateTableInput input{.name = name};
    input.global_secondary_indexes = {{.name = "by_colour", .partition_key = {{"colour"}}}};
    input.local_secondary_indexes = {{.name = "by_turn", .sort_key = {"turn", AttributeType::kN}}};
    input.stream_specification = StreamSpecification{.view_type = StreamViewType::kNewAndOldImages};
    return input;
  }

  // Returns a random item. Half of the items have expired.
  Item RandomThing(Random* random, std::int64_t turn) const {
    Item item = KeyOf(random);
    if (!random->OneIn(4)) item.emplace("colour", "colour" + std::to_string(random->Below(4)));
    if (!random->OneIn(4)) item.emplace("turn", turn);
    item.emplace("expires", random->OneIn(2) ? kPast : std::int64_t{1} << 40);
    return item;
  }
  static Item KeyOf(Random* random) {
    const std::size_t i = random->Below(kVerifiedItems);
    return {{"PK", "p" + std::to_string(i % 11)}, {"SK", std::to_string(i)}};
  }

  void Write(const Table& table, Random random) const {
    for (std::int64_t turn = 0; turn < kVerifiedTurns && !stop_; ++turn) {
      const Status done = random.OneIn(4)
                              ? table.DeleteItem({.key = KeyOf(&random)}).status()
                              : table.PutItem({.item = RandomThing(&random, turn)}).status();
      ASSERT_THAT(done, IsOk());
    }
  }

  // Creates an index and deletes it, before or after its backfill ends. Enables and disables time
  // to live.
  void ChangeTable(const Database& db, const Table& table) {
    for (bool on = true; !stop_; on = !on, ++changes_) {
      ASSERT_THAT(db.UpdateTable({.name = "things", .create_index = kLate}), IsOk());
      ASSERT_THAT(
          db.UpdateTimeToLive({.table_name = "things",
                               .specification = {.enabled = on, .attribute_name = "expires"}}),
          IsOk());
      if (on) {
        ASSERT_THAT(table.WaitForIndexes(), IsOk());
      }
      ASSERT_THAT(db.UpdateTable({.name = "things", .delete_index = "late"}), IsOk());
    }
  }

  void Sweep(const Table& table) {
    while (!stop_) {
      const auto expired = table.ExpireNow(16);
      ASSERT_THAT(expired, IsOk());
      expired_ += *expired;
    }
  }

  void MakeAndDropTables(const Database& db, Random random) {
    for (; !stop_; ++dropped_) {
      const auto table = db.CreateTable(Input("passing"));
      ASSERT_THAT(table, IsOk());
      for (int i = 0; i < 50; ++i) {
        ASSERT_THAT(table->PutItem({.item = RandomThing(&random, i)}), IsOk());
      }
      ASSERT_THAT(db.DeleteTable("passing"), IsOk());
    }
  }

  static void Look(const Database& db) {
    const auto output = db.Verify();
    ASSERT_THAT(output, IsOk());
    EXPECT_EQ(output->finding_count, 0u);
    for (const VerifyFinding& finding : output->findings) {
      ADD_FAILURE() << finding.table << "." << finding.index << ": " << finding.message;
    }
    for (const UnfinishedIndex& index : output->unfinished_indexes) {
      EXPECT_TRUE(index.index == "late" || index.index.empty()) << index.index;
    }
  }

  void LookUnderLoad(const Result<Database>& db) {
    ASSERT_THAT(db, IsOk());
    const auto table = db->CreateTable(Input("things"));
    ASSERT_THAT(table, IsOk());
    Random random(TestSeed());
    for (std::size_t i = 0; i < kVerifiedItems; ++i) {
      ASSERT_THAT(table->PutItem({.item = RandomThing(&random, 0)}), IsOk());
    }
    RunTogether(kVerifiedWriters + 4, [&](std::size_t thread) {
      const Random own(TestSeed() + 1 + thread);
      if (thread < kVerifiedWriters) return Write(*table, own);
      if (thread == kVerifiedWriters) return ChangeTable(*db, *table);
      if (thread == kVerifiedWriters + 1) return Sweep(*table);
      if (thread == kVerifiedWriters + 2) return MakeAndDropTables(*db, own);
      for (std::size_t i = 0; (i < TestSteps(kLooks) || !IsEnough()) && !HasFailure(); ++i) {
        Look(*db);
      }
      stop_ = true;
    });
    Look(*db);
    EXPECT_GT(db->Verify()->stream_records, 0u);
  }

  bool IsEnough() const {
    return changes_ >= kChanges && dropped_ >= kTablesDropped && expired_ >= kItemsExpired;
  }

  std::atomic<bool> stop_ = false;
  std::atomic<std::uint64_t> changes_ = 0;
  std::atomic<std::uint64_t> dropped_ = 0;
  std::atomic<std::uint64_t> expired_ = 0;
  TempDirectory directory_;
};

TEST_F(VerifyTest, FindsNothingUnderLoadInMemory) { LookUnderLoad(Database::InMemory()); }

TEST_F(VerifyTest, FindsNothingUnderLoadOnDisk) {
  LookUnderLoad(Database::Open(
      directory_ / "db", {.durability = Durability::kBuffered, .write_buffer_bytes = 256 << 10}));
}

}  // namespace
}  // namespace dolmen::test
