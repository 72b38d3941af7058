// A rig that writes a table while its clock advances, and keeps the number of the last write of each
// time. It restores the table to random times and compares each restored table with the expected
// contents. It reads the changes of random periods, too. DOLMEN_STEPS selects the number of restores.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "dolmen/dolmen.h"
#include "tests/durability/workload.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::milliseconds;

class PointInTimeRigTest : public SeededTest {
 protected:
  PointInTimeRigTest() : clock_(std::make_shared<ManualClock>(Timestamp(days(20'000)))) {
    db_ = Value(Database::Open(directory_ / "db", Options()));
    Value(db_->CreateTable(Workload::TableInput()));
    history_[clock_->Now()] = 0;
  }

  OpenOptions Options() {
    return {.durability = Durability::kBuffered,
            .clock = clock_,
            .write_buffer_bytes = std::size_t{64 << 10} << random_.Below(4)};
  }

  void Write() {
    if (random_.OneIn(2)) clock_->Advance(milliseconds(random_.Below(3000)));
    if (random_.OneIn(200)) clock_->Advance(hours(random_.Below(20)));
    const Table table = Value(db_->OpenTable("workload"));
    ASSERT_THAT(workload_.Do(++written_, *db_, table), IsOk());
    history_[clock_->Now()] = written_;
  }

  // Makes one of the changes that must not matter to a restore.
  void Disturb() {
    switch (random_.Below(4)) {
      case 0:
        db_.reset();
        db_ = Value(Database::Open(directory_of_db_, Options()));
        return;
      case 1: {
        const bool enables = !Value(db_->DescribeTable("workload")).stream_specification;
        StreamSpecification stream{.enabled = enables};
        if (enables) stream.view_type = StreamViewType::kNewAndOldImages;
        ASSERT_THAT(db_->UpdateTable({.name = "workload", .stream_specification = stream}), IsOk());
        return;
      }
      case 2:
        ASSERT_THAT(db_->UpdateContinuousBackups(
                        {.table_name = "workload",
                         .period_days = static_cast<std::uint32_t>(1 + random_.Below(3))}),
                    IsOk());
        return;
      default: {  // continues with a fork
        const std::string fork = directory_ / ("fork" + std::to_string(++forks_));
        Database forked = Value(db_->Fork({.directory = fork, .clock = clock_}));
        db_ = std::move(forked);
        directory_of_db_ = fork;
      }
    }
  }

  // Restores the table to a random time of its period, and compares it.
  void RestoreAndCompare() {
    const Timestamp earliest =
        Value(db_->DescribeContinuousBackups("workload")).earliest_restore_time;
    const auto width = static_cast<std::size_t>((clock_->Now() - earliest).count());
    // Half of the times are times of writes.
    Timestamp time = earliest + milliseconds(random_.Below(width + 1));
    const auto at_write = history_.lower_bound(time);
    if (random_.OneIn(2) && at_write != history_.end()) time = at_write->first;
    ASSERT_THAT(db_->RestoreTableToPointInTime({.source_table_name = "workload",
                                                .restore_time = time,
                                                .target = {.table_name = "restored"}}),
                IsOk());
    const std::uint64_t number = std::prev(history_.upper_bound(time))->second;
    const auto restored = ReadAll(Value(db_->OpenTable("restored")));
    ASSERT_THAT(restored, IsOk());
    ASSERT_TRUE(*restored == workload_.After(number))
        << "time " << ToIso8601(time) << ", after write " << number << " of " << written_;
    ASSERT_THAT(db_->DeleteTable("restored"), IsOk());
  }

  // Returns the contents of the table before the first write at the time or later.
  Contents Before(Timestamp time) const {
    return workload_.After(std::prev(history_.lower_bound(time))->second);
  }

  // Changes the contents from the old image to the new image.
  static void Apply(const ItemChange& change, Contents* contents) {
    const Item image = Value((change.new_image ? change.new_image : change.old_image)->Copy());
    const std::pair key(*image.at("PK").get_if<std::string>(),
                        *image.at("SK").get_if<std::string>());
    const auto old = contents->find(key);
    ASSERT_EQ(change.old_image.has_value(), old != contents->end()) << key.second;
    if (change.old_image) {
      EXPECT_TRUE(Value(change.old_image->Copy()) == old->second) << key.second;
      contents->erase(old);
    }
    if (change.new_image) contents->emplace(key, image);
  }

  // Reads the changes of a random period, and compares them with the contents at its ends.
  void ReadChangesAndCompare() {
    const Timestamp earliest =
        std::max(Value(db_->DescribeContinuousBackups("workload")).earliest_restore_time,
                 history_.begin()->first + milliseconds(1));
    const auto width = static_cast<std::size_t>((clock_->Now() - earliest).count());
    if (width == 0) return;
    Timestamp from = earliest + milliseconds(random_.Below(width));
    const auto at_write = history_.lower_bound(from);
    if (random_.OneIn(2) && at_write != history_.end()) from = at_write->first;
    if (from == clock_->Now()) return;
    const Timestamp to =
        from + milliseconds(1) +
        milliseconds(random_.Below(static_cast<std::size_t>((clock_->Now() - from).count())));
    Contents contents = Before(from);
    const auto apply = [&](const ItemChange& change) {
      EXPECT_TRUE(from <= change.time && change.time < to);
      Apply(change, &contents);
      return Status();
    };
    ASSERT_THAT(
        db_->ReadChanges({.table_name = "workload", .from = from, .to = to, .on_change = apply}),
        IsOk());
    ASSERT_TRUE(contents == Before(to)) << ToIso8601(from) << " to " << ToIso8601(to);
  }

  const TempDirectory directory_;
  const std::shared_ptr<ManualClock> clock_;
  const Workload workload_{TestSeed()};
  std::optional<Database> db_;
  std::string directory_of_db_ = directory_ / "db";
  std::uint64_t written_ = 0;  // also the number of the last write
  int forks_ = 0;
  std::map<Timestamp, std::uint64_t> history_;  // the last write of each time
};

TEST_F(PointInTimeRigTest, EachTimeCanBeRestoredAndEachPeriodCanBeRead) {
  for (int i = 0; i < 50; ++i) Write();
  ASSERT_THAT(db_->UpdateContinuousBackups({.table_name = "workload", .period_days = 2}), IsOk());
  const std::size_t restores = TestSteps(60);
  for (std::size_t i = 0; i < restores && !HasFatalFailure(); ++i) {
    for (std::size_t writes = random_.Below(10); writes > 0; --writes) Write();
    if (random_.OneIn(8)) Disturb();
    RestoreAndCompare();
    ReadChangesAndCompare();
  }
  std::cout << restores << " restores after " << written_ << " writes\n";
}

}  // namespace
}  // namespace dolmen::test
