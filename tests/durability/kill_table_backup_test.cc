// Tests of a process that is killed while it creates backups of a table, deletes them, and restores
// tables. Each backup that exists afterwards is whole, each restored table is whole or absent, and
// nothing is left of the others.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/durability/acknowledgements.h"
#include "tests/durability/workload.h"
#include "tests/support/child_process.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {
namespace {

namespace fs = std::filesystem;

// Returns the clock of the database. The number of the last write is the time in milliseconds, so
// that each write has a time of its own.
std::shared_ptr<ManualClock> ClockAt(std::uint64_t number) {
  return std::make_shared<ManualClock>(Timestamp(std::chrono::milliseconds(number)));
}

// Creates a backup that is named after the write `number`, and deletes the oldest backup. Restores the
// backup to one table, and the time of an earlier write to another. Tells the parent each step, so
// that some children are killed during each step. Returns 0, or the exit code of a failure.
int BackUpAndRestore(const Database& db, std::uint64_t number) {
  const std::string name = std::to_string(number);
  const auto backup = db.CreateBackup({.table_name = "workload", .backup_name = "w." + name});
  if (!backup.ok() || !TellParent(name)) return 4;
  const RestoreTarget from_backup{.table_name = "backup." + name};
  const auto copied = db.RestoreTableFromBackup({.backup_id = backup->id, .target = from_backup});
  if (!copied.ok() || !TellParent(name)) return 5;
  const std::uint64_t earlier = number - 3;
  const RestoreTarget to_time{.table_name = "time." + std::to_string(earlier) + "." + name};
  const auto restored =
      db.RestoreTableToPointInTime({.source_table_name = "workload",
                                    .restore_time = Timestamp(std::chrono::milliseconds(earlier)),
                                    .target = to_time});
  // The recovery period of the first process may begin later.
  if (!restored.ok() && restored.status().code() != StatusCode::kInvalidRestoreTime) return 6;
  const auto backups = db.ListBackups();
  if (!backups.ok() || !TellParent(name)) return 7;
  return backups->size() > 1 && !db.DeleteBackup(backups->front().id).ok() ? 8 : 0;
}

// Writes from a given number on, and backs up and restores after each fourth write. Acknowledges
// each write before the backup.
int WriteAndRestore(const ChildArguments& arguments) {
  const Workload workload(std::stoull(arguments[2]));
  std::uint64_t number = std::stoull(arguments[3]);
  OpenOptions options = OptionsOf(std::stoull(arguments[1]));
  const auto clock = ClockAt(number);
  options.clock = clock;
  auto db = Database::Open(arguments[0], options);
  if (!db.ok()) return 1;
  Result<Table> table = db->OpenTable("workload");
  if (!table.ok()) table = db->CreateTable(Workload::TableInput());
  if (!table.ok() || !db->UpdateContinuousBackups({.table_name = "workload"}).ok()) return 2;
  for (;; ++number) {
    clock->Set(Timestamp(std::chrono::milliseconds(number)));
    if (!workload.Do(number, *db, *table).ok() || !TellParent(std::to_string(number))) return 3;
    if (number % 4 != 0) continue;
    if (const int failed = BackUpAndRestore(*db, number); failed != 0) return failed;
  }
}

const ChildRole kWriteAndRestore("write_and_restore", WriteAndRestore);

class KillTableBackupTest : public SeededTest {
 protected:
  static std::uint64_t NumberIn(const std::string& name) {
    return std::stoull(name.substr(name.find('.') + 1));
  }

  static Result<Contents> ReadTable(const Database& db, const std::string& name) {
    return db.OpenTable(name).and_then([](const Table& table) { return ReadAll(table); });
  }

  // Checks the restored tables, and deletes them.
  void CheckTables(const Database& db) {
    const auto tables = db.ListTables();
    ASSERT_THAT(tables, IsOk());
    for (const std::string& name : tables->table_names) {
      if (name == "workload") continue;
      ++restored_;
      EXPECT_THAT(ReadTable(db, name), IsOkAndHolds(workload_.After(NumberIn(name)))) << name;
      ASSERT_THAT(db.DeleteTable(name), IsOk());
    }
  }

  // Checks the backups, and deletes them. The directory must hold no other files.
  void CheckBackups(const Database& db) {
    const auto backups = db.ListBackups();
    ASSERT_THAT(backups, IsOk());
    std::size_t directories = 0;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(directory_ / "db" / "backups", error)) {
      directories += entry.is_directory() ? 1 : 0;
    }
    EXPECT_EQ(directories, backups->size());
    for (const TableBackup& backup : *backups) {
      ++backups_;
      ASSERT_THAT(
          db.RestoreTableFromBackup({.backup_id = backup.id, .target = {.table_name = "checked"}}),
          IsOk());
      EXPECT_THAT(ReadTable(db, "checked"), IsOkAndHolds(workload_.After(NumberIn(backup.name))));
      ASSERT_THAT(db.DeleteTable("checked"), IsOk());
      ASSERT_THAT(db.DeleteBackup(backup.id), IsOk());
    }
  }

  const TempDirectory directory_;
  const Workload workload_{TestSeed()};
  int restored_ = 0;
  int backups_ = 0;
};

TEST_F(KillTableBackupTest, BackupsAndRestoredTablesAreWholeOrAbsent) {
  std::uint64_t done = 0;
  const std::size_t rounds = TestSteps(20);
  for (std::size_t round = 0; round < rounds && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    ChildProcess child(kWriteAndRestore,
                       {(directory_ / "db").string(), std::to_string(random_.Next()),
                        std::to_string(TestSeed()), std::to_string(done + 1)});
    const std::uint64_t acknowledged = KillAfter(1 + random_.Below(16), &child).value_or(done);
    const auto db = Database::Open(directory_ / "db", {.clock = ClockAt(acknowledged)});
    ASSERT_THAT(db, IsOk());
    // The process may have done one more write before it was killed.
    done = acknowledged;
    const Result<Contents> found = ReadTable(*db, "workload");
    ASSERT_THAT(found, IsOk());
    if (*found != workload_.After(done)) {
      ASSERT_TRUE(*found == workload_.After(++done)) << "after write " << acknowledged;
    }
    CheckTables(*db);
    CheckBackups(*db);
    const auto report = db->Verify();
    ASSERT_THAT(report, IsOk());
    EXPECT_EQ(report->finding_count, 0u);
  }
  std::cout << backups_ << " backups and " << restored_ << " restored tables were whole\n";
}

}  // namespace
}  // namespace dolmen::test
