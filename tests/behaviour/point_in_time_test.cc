// Tests of point-in-time recovery: UpdateContinuousBackups and RestoreTableToPointInTime.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Point-in-time-recovery.html

#include "tests/behaviour/recovery_fixture.h"

namespace dolmen::behaviour {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::seconds;

class PointInTimeTest : public RecoveryTest {
 protected:
  PointInTimeRecovery Describe() const {
    return test::Value(database_.DescribeContinuousBackups("app"));
  }
  auto IsOutside() const { return StatusIs(StatusCode::kInvalidRestoreTime, testing::_); }
  std::vector<std::string> ReadAt(Timestamp time) const {
    EXPECT_THAT(RestoreTo(time, "past"), IsOk());
    std::vector<std::string> items = Read("past");
    EXPECT_EQ(Read("past", "GSI1"), items);
    EXPECT_THAT(database_.DeleteTable("past"), IsOk());
    return items;
  }
};

INSTANTIATE_TEST_SUITE_P(Places, PointInTimeTest, testing::Bool(), [](const auto& on_disk) {
  return std::string(on_disk.param ? "OnDisk" : "InMemory");
});

TEST_P(PointInTimeTest, EachTimeSinceTheEnablingCanBeRestored) {
  Put("a", 1);
  Enable();
  const Timestamp begin = clock_->Now();
  const Timestamp changed = After(seconds(10));
  Put("a", 2);
  Put("b", 1);
  const Timestamp deleted = After(seconds(10));
  Delete("a");
  Delete("b");
  const Timestamp again = After(seconds(10));
  Put("a", 3);
  EXPECT_THAT(ReadAt(begin), ElementsAre("a=1"));
  EXPECT_THAT(ReadAt(changed - seconds(1)), ElementsAre("a=1"));
  EXPECT_THAT(ReadAt(changed), ElementsAre("a=2", "b=1"));
  EXPECT_THAT(ReadAt(deleted - seconds(1)), ElementsAre("a=2", "b=1"));
  EXPECT_THAT(ReadAt(deleted), IsEmpty());
  EXPECT_THAT(ReadAt(again), ElementsAre("a=3"));
}

TEST_P(PointInTimeTest, AnItemHandlerGetsTheItemsInsteadOfATable) {
  Enable();
  Put("a", 1);
  Put("b", 2);
  const Timestamp time = clock_->Now();
  After(std::chrono::milliseconds(1));
  Put("b", 3);
  Put("c", 4);
  Delete("a");
  std::vector<std::string> items;
  const auto read = [&](Status outcome) {
    items.clear();
    const auto add = [&items, outcome](const ItemView& item) {
      items.push_back(std::string(*item["SK"].AsString()) + "=" + item["n"].ToString());
      return outcome;
    };
    return database_.RestoreTableToPointInTime(
        {.source_table_name = "app", .restore_time = time, .target = {.on_item = add}});
  };
  EXPECT_THAT(read({}), IsOk());
  EXPECT_THAT(items, ElementsAre("a=1", "b=2"));
  EXPECT_THAT(read(Status::Storage("full")), StatusIs(StatusCode::kStorage, "full"));
  EXPECT_THAT(items, ElementsAre("a=1"));
  EXPECT_THAT(test::Value(database_.ListTables()).table_names, ElementsAre("app"));
}

TEST_P(PointInTimeTest, TheDefaultTimeIsThePresent) {
  Enable();
  clock_->Advance(seconds(10));
  Put("a", 1);
  ASSERT_THAT(database_.RestoreTableToPointInTime(
                  {.source_table_name = "app", .target = {.table_name = "restored"}}),
              IsOk());
  EXPECT_THAT(Read("restored"), ElementsAre("a=1"));
}

TEST_P(PointInTimeTest, TheTimeMustBeInTheRecoveryPeriod) {
  ASSERT_THAT(database_.UpdateContinuousBackups({.table_name = "app", .period_days = 1}), IsOk());
  const Timestamp begin = clock_->Now();
  EXPECT_THAT(RestoreTo(begin - seconds(1)), IsOutside());
  EXPECT_THAT(RestoreTo(begin + seconds(1)), IsOutside());
  const Timestamp now = After(days(3));
  EXPECT_EQ(Describe().earliest_restore_time, now - days(1));
  EXPECT_THAT(RestoreTo(now - days(1) - seconds(1)), IsOutside());
  EXPECT_THAT(RestoreTo(now - days(1)), IsOk());
}

TEST_P(PointInTimeTest, ChangesAreKeptForThePeriodAndThenTrimmed) {
  ASSERT_THAT(database_.UpdateContinuousBackups({.table_name = "app", .period_days = 2}), IsOk());
  for (int hour = 0; hour < 200; ++hour) {
    Put("a", hour);
    clock_->Advance(hours(1));
  }
  EXPECT_THAT(ReadAt(clock_->Now() - days(2)), ElementsAre("a=152"));
  EXPECT_LT(test::Value(database_.Verify()).stream_records, 150u);
}

TEST_P(PointInTimeTest, RecoveryIsOffByDefaultAndCanBeEnabledAndDisabled) {
  EXPECT_FALSE(Describe().enabled);
  EXPECT_THAT(RestoreTo(clock_->Now()),
              StatusIs(StatusCode::kPointInTimeRecoveryUnavailable,
                       "Point in time recovery is not enabled for table 'app'"));
  const PointInTimeRecovery enabled = Enable();
  EXPECT_TRUE(enabled.enabled);
  EXPECT_EQ(enabled.period_days, 35u);
  EXPECT_EQ(enabled.earliest_restore_time, clock_->Now());
  ASSERT_THAT(database_.UpdateContinuousBackups({.table_name = "app", .enabled = false}), IsOk());
  ASSERT_THAT(database_.UpdateContinuousBackups({.table_name = "app", .enabled = false}), IsOk());
  EXPECT_FALSE(Describe().enabled);
}

TEST_P(PointInTimeTest, EnablingAgainBeginsANewPeriod) {
  Enable();
  Put("a", 1);
  const Timestamp again = After(hours(1));
  ASSERT_THAT(database_.UpdateContinuousBackups({.table_name = "app", .enabled = false}), IsOk());
  Put("b", 1);
  const PointInTimeRecovery enabled = Enable();
  EXPECT_EQ(enabled.earliest_restore_time, again);
  EXPECT_THAT(RestoreTo(again - seconds(1)), IsOutside());
  EXPECT_THAT(ReadAt(again), ElementsAre("a=1", "b=1"));
}

TEST_P(PointInTimeTest, EnablingWhileEnabledKeepsThePeriod) {
  ASSERT_THAT(database_.UpdateContinuousBackups({.table_name = "app", .period_days = 7}), IsOk());
  const Timestamp begin = clock_->Now();
  clock_->Advance(hours(1));
  const PointInTimeRecovery kept = Enable();
  EXPECT_EQ(kept.period_days, 7u);
  EXPECT_EQ(kept.earliest_restore_time, begin);
}

// Records before the shorter period may be trimmed, so a longer period begins at its enabling.
TEST_P(PointInTimeTest, ALongerPeriodDoesNotReachBackBeforeTheShorterOne) {
  ASSERT_THAT(database_.UpdateContinuousBackups({.table_name = "app", .period_days = 1}), IsOk());
  Put("a", 1);
  const Timestamp longer = After(days(5));
  Put("a", 2);
  ASSERT_THAT(database_.UpdateContinuousBackups({.table_name = "app", .period_days = 30}), IsOk());
  EXPECT_EQ(Describe().earliest_restore_time, longer - days(1));
  clock_->Advance(days(10));
  EXPECT_EQ(Describe().earliest_restore_time, longer - days(1));
  EXPECT_THAT(ReadAt(longer - seconds(1)), ElementsAre("a=1"));
}

TEST_P(PointInTimeTest, ThePeriodHas1To35Days) {
  for (const std::uint32_t period : {0u, 36u}) {
    EXPECT_THAT(database_.UpdateContinuousBackups({.table_name = "app", .period_days = period}),
                StatusIs(kValidation, HasSubstr("RecoveryPeriodInDays must be between 1 and 35")));
  }
  EXPECT_THAT(
      database_.UpdateContinuousBackups({.table_name = "app", .enabled = false, .period_days = 5}),
      StatusIs(kValidation, HasSubstr("Cannot specify RecoveryPeriodInDays")));
}

TEST_P(PointInTimeTest, AStreamOfTheTableIsIndependent) {
  Enable();
  const StreamSpecification stream{.view_type = StreamViewType::kNewImage};
  ASSERT_THAT(database_.UpdateTable({.name = "app", .stream_specification = stream}), IsOk());
  const Timestamp first = clock_->Now();
  Put("a", 1);
  clock_->Advance(seconds(1));
  Put("a", 2);
  ASSERT_THAT(database_.UpdateTable(
                  {.name = "app", .stream_specification = StreamSpecification{.enabled = false}}),
              IsOk());
  clock_->Advance(hours(48));
  Put("a", 3);
  EXPECT_THAT(ReadAt(first), ElementsAre("a=1"));
  EXPECT_THAT(ReadAt(first + seconds(1)), ElementsAre("a=2"));
}

TEST_P(PointInTimeTest, ExpiredItemsComeBack) {
  ASSERT_THAT(database_.UpdateTimeToLive(
                  {.table_name = "app", .specification = {.attribute_name = "expires"}}),
              IsOk());
  Enable();
  const Timestamp before = clock_->Now();
  Item item = ItemOf("a", 1);
  item.emplace("expires", before.time_since_epoch().count() / 1000 + 60);
  ASSERT_THAT(table_->PutItem({.item = item}), IsOk());
  clock_->Advance(hours(1));
  ASSERT_THAT(table_->ExpireNow(), IsOk());
  ASSERT_THAT(Read("app"), IsEmpty());
  EXPECT_THAT(ReadAt(before), ElementsAre("a=1"));
}

TEST_P(PointInTimeTest, AForkCanRestoreTheSameTimes) {
  Enable();
  Put("a", 1);
  const Timestamp first = clock_->Now();
  clock_->Advance(seconds(1));
  Put("a", 2);
  database_ = test::Value(database_.Fork());
  table_ = test::Value(database_.OpenTable("app"));
  EXPECT_THAT(ReadAt(first), ElementsAre("a=1"));
}

TEST_P(PointInTimeTest, DeletingTheTableLeavesABackupFor35Days) {
  Enable();
  Put("a", 1);
  ASSERT_THAT(database_.DeleteTable("app"), IsOk());
  const std::vector<TableBackup> backups = test::Value(database_.ListBackups());
  ASSERT_EQ(backups.size(), 1u);
  EXPECT_EQ(backups[0].name, "app$DeletedTableBackup");
  EXPECT_TRUE(backups[0].by_service);
  EXPECT_EQ(backups[0].expires_at, clock_->Now() + days(35));
  EXPECT_THAT(database_.DeleteBackup(backups[0].id), StatusIs(kValidation, testing::_));
  ASSERT_THAT(Restore(backups[0]), IsOk());
  EXPECT_THAT(Read("restored"), ElementsAre("a=1"));
  clock_->Advance(days(35));
  EXPECT_THAT(database_.ListBackups(), IsOkAndHolds(IsEmpty()));
}

TEST_P(PointInTimeTest, ATableThatIsProtectedAgainstDeletionGetsNoBackup) {
  Enable();
  ASSERT_THAT(database_.UpdateTable({.name = "app", .deletion_protection = true}), IsOk());
  EXPECT_THAT(database_.DeleteTable("app"), StatusIs(kValidation, testing::_));
  EXPECT_THAT(database_.ListBackups(), IsOkAndHolds(IsEmpty()));
}

class DiskPointInTimeTest : public PointInTimeTest {};
INSTANTIATE_TEST_SUITE_P(Places, DiskPointInTimeTest, testing::Values(true));

TEST_P(DiskPointInTimeTest, PointsInTimeSurviveAReopening) {
  Enable();
  Put("a", 1);
  const Timestamp first = clock_->Now();
  clock_->Advance(seconds(1));
  Put("a", 2);
  Reopen();
  clock_->Advance(seconds(1));
  Put("a", 3);
  EXPECT_THAT(ReadAt(first), ElementsAre("a=1"));
  EXPECT_THAT(ReadAt(first + seconds(1)), ElementsAre("a=2"));
}

TEST_P(DiskPointInTimeTest, ARepairedDatabaseKeepsThePointsInTime) {
  Enable();
  Put("a", 1);
  const Timestamp first = clock_->Now();
  clock_->Advance(seconds(1));
  Put("a", 2);
  table_.reset();
  database_ = test::Value(Database::InMemory());
  const RepairOutput repaired = test::Value(Repair(directory_ / "db", directory_ / "repaired"));
  EXPECT_THAT(repaired.losses, IsEmpty());
  database_ = test::Value(Database::Open(directory_ / "repaired", {.clock = clock_}));
  EXPECT_THAT(ReadAt(first), ElementsAre("a=1"));
}

}  // namespace
}  // namespace dolmen::behaviour
