// A fixture for tests of backups and of points in time: a database with a clock that the tests move,
// and a table "app" with the indexes GSI1 and "byDate".

#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/behaviour/fixture.h"
#include "tests/support/items.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::behaviour {

class RecoveryTest : public testing::TestWithParam<bool> {
 protected:
  RecoveryTest() : database_(Open()), table_(CreateApp()) {}

  static bool is_on_disk() { return GetParam(); }

  Database Open() const {
    const OpenOptions options{.durability = Durability::kBuffered, .clock = clock_};
    return test::Value(is_on_disk() ? Database::Open(directory_ / "db", options)
                                    : Database::InMemory(options));
  }
  // Closes the database and opens it again.
  void Reopen() {
    table_.reset();
    database_ = test::Value(Database::InMemory());
    database_ = Open();
    table_ = test::Value(database_.OpenTable("app"));
  }

  Table CreateApp() const {
    return test::Value(database_.CreateTable(
        {.name = "app",
         .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")},
         .local_secondary_indexes = {
             {.name = "byDate", .sort_key = {"date"}, .projection = ProjectionType::kKeysOnly}}}));
  }

  static Item ItemOf(const std::string& id, int n) {
    return {{"PK", "p"},       {"SK", id},     {"n", n},
            {"GSI1PK", "all"}, {"GSI1SK", id}, {"date", "2026-01-0" + std::to_string(n % 10)}};
  }
  void Put(const std::string& id, int n) const {
    EXPECT_THAT(table_->PutItem({.item = ItemOf(id, n)}), IsOk());
  }
  void Delete(const std::string& id) const {
    EXPECT_THAT(table_->DeleteItem({.key = {{"PK", "p"}, {"SK", id}}}), IsOk());
  }

  // Returns the sort key and the number n of each item, as "a=1", in the order of the sort keys. The
  // index GSI1 must have the same items.
  std::vector<std::string> Read(const std::string& table, const std::string& index = "") const {
    const Table read = test::Value(database_.OpenTable(table));
    std::vector<std::string> items;
    const QueryInput input{.index = index,
                           .key_condition = index.empty() ? Partition("p") : Partition("all")};
    const auto page = read.Query(input);
    EXPECT_THAT(page, IsOk());
    for (const ItemView item : *page) {
      items.push_back(std::string(item["SK"].AsString().value_or("")) + "=" + item["n"].ToString());
    }
    return items;
  }

  TableBackup Backup(const std::string& name = "backup") const {
    return test::Value(database_.CreateBackup({.table_name = "app", .backup_name = name}));
  }
  Result<RestoreTableOutput> Restore(const TableBackup& backup, RestoreTarget target = {}) const {
    if (target.table_name.empty()) target.table_name = "restored";
    return database_.RestoreTableFromBackup({.backup_id = backup.id, .target = std::move(target)});
  }
  Result<RestoreTableOutput> RestoreTo(Timestamp time,
                                       const std::string& table = "restored") const {
    return database_.RestoreTableToPointInTime(
        {.source_table_name = "app", .restore_time = time, .target = {.table_name = table}});
  }
  PointInTimeRecovery Enable() const {
    return test::Value(database_.UpdateContinuousBackups({.table_name = "app"}));
  }

  // Moves the clock. Returns the new time.
  Timestamp After(std::chrono::milliseconds by) const {
    clock_->Advance(by);
    return clock_->Now();
  }

  const test::TempDirectory directory_;
  const std::shared_ptr<ManualClock> clock_ =
      std::make_shared<ManualClock>(*ParseIso8601("2026-10-01T12:00:00Z"));
  Database database_;
  std::optional<Table> table_;  // nothing while the database is closed
};

}  // namespace dolmen::behaviour
