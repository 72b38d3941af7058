// A rig that backs up a database while four writers change it, and compares each restored backup
// with the history of the writes. DOLMEN_STEPS selects the number of backups.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/backup/backed_up_database.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/stream_records.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::backup {
namespace {

namespace fs = std::filesystem;
using test::IsOk;
using test::Value;

constexpr std::size_t kWriters = 4;
constexpr std::size_t kBackups = 8;
constexpr std::int64_t kWritesBetweenBackups = 100;

// The number of the last write of each writer.
using Counts = std::array<std::int64_t, kWriters>;

Item KeyOf(const std::string& sort_key) { return {{"PK", "counters"}, {"SK", sort_key}}; }

// Adds one to the writer's two counters and to the counter of all writes, in one transaction. The
// counters' index entries move with each write, and the table's stream has a record of each.
Status Write(const Database& db, const Table& table, std::size_t writer, std::int64_t number) {
  Transaction transaction(db, table);
  for (const char* twin : {"a", "b"}) {
    transaction.Put({.item = {{"PK", "counters"},
                              {"SK", twin + std::to_string(writer)},
                              {"GSI1PK", "by count"},
                              {"GSI1SK", std::to_string(number % 10) + twin},
                              {"n", number},
                              {"filler", std::string(200, 'x')}}});
  }
  transaction.Update({.key = KeyOf("all"), .update = "ADD n :one", .values = {{":one", 1}}});
  return transaction.Commit().status();
}

std::int64_t CountIn(const Table& table, const std::string& sort_key) {
  const auto read = Value(table.GetItem({.key = KeyOf(sort_key)}));
  return read.item ? (*read.item)["n"].AsInt64().value_or(-1) : 0;
}

// Returns the description of each contradiction in a database with writes of the rig. The database
// must have the state of one moment at which each writer had done at least `least` and at most
// `most` writes.
std::vector<std::string> Contradictions(const Database& db, const Counts& least,
                                        const Counts& most) {
  std::vector<std::string> found;
  const auto expect = [&](bool is_true, const std::string& what) {
    if (!is_true) found.push_back(what);
  };
  const Table table = Value(db.OpenTable("app"));
  std::int64_t sum = 0;
  Counts counts{};
  for (std::size_t w = 0; w < kWriters; ++w) {
    const std::string name = std::to_string(w);
    counts[w] = CountIn(table, "a" + name);
    sum += counts[w];
    expect(counts[w] == CountIn(table, "b" + name), "half a transaction of writer " + name);
    expect(counts[w] >= least[w], "a lost write of writer " + name);
    expect(counts[w] <= most[w], "a later write of writer " + name);
  }
  expect(sum == CountIn(table, "all"), "the writes are no prefix of all writes");
  // The stream has the order of all writes. Its last records must be those of the stored counters.
  Counts in_stream{};
  std::int64_t all_in_stream = 0;
  for (const StreamRecord& record : Value(test::ReadStream(db, "app"))) {
    const std::string sort_key(*record.keys["SK"].AsString());
    const std::int64_t n = record.new_image ? (*record.new_image)["n"].AsInt64().value_or(-1) : -1;
    std::int64_t& last = sort_key == "all" ? all_in_stream : in_stream[sort_key[1] - '0'];
    expect(sort_key[0] == 'b' || n == last + 1, "a gap in the stream before " + sort_key);
    last = n;
  }
  expect(in_stream == counts && all_in_stream == sum, "the stream differs from the items");
  expect(Value(db.Verify()).finding_count == 0, "Verify finds damage");
  return found;
}

class BackupRigTest : public test::SeededTest {
 protected:
  // Begins four writers, which write until Stop().
  void Start() {
    table_ = CreateApp(db_);
    for (std::size_t w = 0; w < kWriters; ++w) {
      writers_.emplace_back([this, w] {
        for (std::int64_t n = 1; !stopped_; ++n) {
          paused_.wait(true);
          begun_[w] = n;
          ASSERT_THAT(Write(db_, *table_, w, n), IsOk());
          acknowledged_[w] = n;
        }
      });
    }
  }
  void Stop() {
    stopped_ = true;
    Pause(false);
    for (std::thread& writer : writers_) writer.join();
    writers_.clear();
  }
  // Makes the writers wait, or continue.
  void Pause(bool paused) {
    paused_ = paused;
    paused_.notify_all();
  }
  // Waits until the writers have done some more writes.
  void WaitForWrites() const {
    const std::int64_t until = acknowledged_[0] + kWritesBetweenBackups;
    while (acknowledged_[0] < until) std::this_thread::yield();
  }
  static Counts Read(const std::array<std::atomic<std::int64_t>, kWriters>& numbers) {
    Counts counts{};
    for (std::size_t w = 0; w < kWriters; ++w) counts[w] = numbers[w];
    return counts;
  }
  ~BackupRigTest() override { Stop(); }

  test::TempDirectory directory_;
  const fs::path backup_ = directory_ / "backup";
  Database db_ = Value(Database::Open(
      directory_ / "db", {.durability = Durability::kBuffered, .write_buffer_bytes = 256 << 10}));
  std::optional<Table> table_;
  std::array<std::atomic<std::int64_t>, kWriters> begun_{};
  std::array<std::atomic<std::int64_t>, kWriters> acknowledged_{};
  std::atomic<bool> stopped_ = false;
  std::atomic<bool> paused_ = false;
  std::vector<std::thread> writers_;
};

TEST_F(BackupRigTest, EachBackupHasTheStateOfOneMomentBetweenItsBeginAndItsEnd) {
  Start();
  std::uint64_t copied = 0;
  std::chrono::nanoseconds longest{};
  const std::size_t backups = test::TestSteps(kBackups);
  for (std::size_t i = 0; i < backups && !HasFailure(); ++i) {
    WaitForWrites();
    const Counts least = Read(acknowledged_);
    const auto begin = std::chrono::steady_clock::now();
    const auto output = db_.Backup(backup_);
    longest = std::max<std::chrono::nanoseconds>(longest, std::chrono::steady_clock::now() - begin);
    const Counts most = Read(begun_);
    ASSERT_THAT(output, IsOk());
    copied += output->bytes_copied;
    Pause(true);  // while the backup is compared, so that the history stays short
    const fs::path restored = directory_ / std::to_string(i);
    ASSERT_THAT(Database::Restore(backup_, restored), IsOk());
    {
      const Database db = Value(Database::Open(restored, {.create_if_missing = false}));
      EXPECT_THAT(Contradictions(db, least, most), testing::IsEmpty()) << "backup " << i;
    }
    fs::remove_all(restored);
    Pause(false);
  }
  Stop();
  RecordProperty("backups", static_cast<int>(backups));
  std::cout << backups << " backups, " << acknowledged_[0] << " writes of each writer, "
            << copied / 1'000'000 << " MB copied, longest backup " << longest.count() / 1'000'000
            << " ms\n";
}

// Planted faults, each of which the comparison must find.
TEST_F(BackupRigTest, FindsEachPlantedFault) {
  table_ = CreateApp(db_);
  for (std::int64_t n = 1; n <= 3; ++n) {
    for (std::size_t w = 0; w < kWriters; ++w) ASSERT_THAT(Write(db_, *table_, w, n), IsOk());
  }
  const Counts three = {3, 3, 3, 3};
  EXPECT_THAT(Contradictions(db_, three, three), testing::IsEmpty());
  EXPECT_THAT(Contradictions(db_, {3, 4, 3, 3}, {4, 4, 4, 4}),
              testing::ElementsAre("a lost write of writer 1"));
  EXPECT_THAT(Contradictions(db_, {1, 1, 1, 1}, {3, 3, 2, 3}),
              testing::ElementsAre("a later write of writer 2"));
  ASSERT_THAT(
      table_->UpdateItem({.key = KeyOf("a0"), .update = "SET n = :two", .values = {{":two", 2}}}),
      IsOk());
  EXPECT_THAT(Contradictions(db_, {1, 1, 1, 1}, three),
              testing::ElementsAre(
                  "half a transaction of writer 0", "the writes are no prefix of all writes",
                  "a gap in the stream before a0", "the stream differs from the items"));
}

}  // namespace
}  // namespace dolmen::backup
