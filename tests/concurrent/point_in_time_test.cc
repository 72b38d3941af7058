// Tests of point-in-time recovery while other threads write. A restore to the first time that can be
// restored has exactly the writes until then. The changes of consecutive periods miss no write.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

constexpr int kRounds = 100;

// A thread that counts up the attribute n of one item. The clock advances before each write.
class CountingThread {
 public:
  CountingThread(const Table& table, std::shared_ptr<ManualClock> clock)
      : table_(table), clock_(std::move(clock)), thread_([this] { Run(); }) {}
  ~CountingThread() { Stop(); }

  // Returns the time before each write; the write i sets n to i.
  const std::vector<Timestamp>& Stop() {
    stopped_ = true;
    if (thread_.joinable()) thread_.join();
    return begins_;
  }
  std::size_t written() const { return written_; }

 private:
  void Run() {
    while (!stopped_) {
      clock_->Advance(std::chrono::milliseconds(1));
      begins_.push_back(clock_->Now());
      const auto n = static_cast<std::int64_t>(begins_.size() - 1);
      EXPECT_THAT(table_.PutItem({.item = {{"PK", "a"}, {"SK", "a"}, {"n", n}}}), IsOk());
      ++written_;
    }
  }

  const Table table_;
  const std::shared_ptr<ManualClock> clock_;
  std::vector<Timestamp> begins_;
  std::atomic<bool> stopped_ = false;
  std::atomic<std::size_t> written_ = 0;
  std::thread thread_;
};

TEST(PointInTimeRaceTest, TheFirstTimeHasNoLaterWrite) {
  for (int round = 0; round < kRounds; ++round) {
    const auto clock = std::make_shared<ManualClock>();
    const Database db = Value(Database::InMemory({.clock = clock}));
    const Table table = Value(db.CreateTable({.name = "app"}));
    CountingThread counter(table, clock);
    while (counter.written() < 3) std::this_thread::yield();
    const Timestamp time =
        Value(db.UpdateContinuousBackups({.table_name = "app"})).earliest_restore_time;
    const std::size_t enabled = counter.written();
    while (counter.written() < enabled + 3) std::this_thread::yield();
    const std::vector<Timestamp>& begins = counter.Stop();
    ASSERT_THAT(
        db.RestoreTableToPointInTime(
            {.source_table_name = "app", .restore_time = time, .target = {.table_name = "past"}}),
        IsOk());
    const auto got =
        Value(Value(db.OpenTable("past")).GetItem({.key = {{"PK", "a"}, {"SK", "a"}}}));
    const ItemView item = got.item->view();
    const auto n = static_cast<std::size_t>(*item["n"].AsInt64());
    EXPECT_LE(begins[n], time) << "a write that began after the restored time";
    EXPECT_TRUE(n + 1 == begins.size() || begins[n + 1] >= time) << "a write is missing";
  }
}

TEST(PointInTimeRaceTest, ConsecutivePeriodsHaveEachWrite) {
  const auto clock = std::make_shared<ManualClock>();
  const Database db = Value(Database::InMemory({.clock = clock}));
  const Table table = Value(db.CreateTable({.name = "app"}));
  ASSERT_THAT(db.UpdateContinuousBackups({.table_name = "app"}), IsOk());
  Timestamp from = clock->Now();
  std::optional<std::int64_t> n;  // of the item at the time `from`
  const auto read_to = [&](Timestamp to) {
    const auto apply = [&](const ItemChange& change) {
      EXPECT_EQ(change.old_image ? (*change.old_image)["n"].AsInt64() : std::nullopt, n);
      n = (*change.new_image)["n"].AsInt64();
      return Status();
    };
    EXPECT_THAT(db.ReadChanges({.table_name = "app", .from = from, .to = to, .on_change = apply}),
                IsOk());
    from = to;
  };
  CountingThread counter(table, clock);
  for (int round = 0; round < kRounds; ++round) {
    while (clock->Now() <= from) std::this_thread::yield();
    read_to(clock->Now());
  }
  const auto written = static_cast<std::int64_t>(counter.Stop().size());
  clock->Advance(std::chrono::milliseconds(1));
  read_to(clock->Now());
  EXPECT_EQ(n, written - 1);
}

TEST(PointInTimeRaceTest, TheBackupOfADeletedTableHasEveryAcknowledgedWrite) {
  for (int round = 0; round < kRounds; ++round) {
    const Database db = Value(Database::InMemory());
    const Table table = Value(db.CreateTable({.name = "app"}));
    ASSERT_THAT(db.UpdateContinuousBackups({.table_name = "app"}), IsOk());
    std::atomic<int> acknowledged = 0;
    std::thread writer([&] {
      for (int n = 1; table.PutItem({.item = {{"PK", "a"}, {"SK", "a"}, {"n", n}}}).ok(); ++n) {
        acknowledged = n;
      }
    });
    while (acknowledged < 3) std::this_thread::yield();
    EXPECT_THAT(db.DeleteTable("app"), IsOk());
    writer.join();
    const auto backups = Value(db.ListBackups());
    ASSERT_EQ(backups.size(), 1u);
    ASSERT_THAT(db.RestoreTableFromBackup(
                    {.backup_id = backups[0].id, .target = {.table_name = "restored"}}),
                IsOk());
    const auto got =
        Value(Value(db.OpenTable("restored")).GetItem({.key = {{"PK", "a"}, {"SK", "a"}}}));
    ASSERT_EQ(got.item->view()["n"].AsInt64(), acknowledged) << "in round " << round;
  }
}

}  // namespace
}  // namespace dolmen::test
