// Tests of CreateBackup, ListBackups, DeleteBackup and RestoreTableFromBackup.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Backup.Tutorial.html

#include <filesystem>
#include <fstream>

#include "tests/behaviour/recovery_fixture.h"
#include "tests/support/files.h"

namespace dolmen::behaviour {
namespace {

using testing::SizeIs;

class TableBackupTest : public RecoveryTest {
 protected:
  std::vector<std::string> BackupNames() const {
    std::vector<std::string> names;
    for (const TableBackup& backup : test::Value(database_.ListBackups())) {
      names.push_back(backup.name);
    }
    return names;
  }
};

INSTANTIATE_TEST_SUITE_P(Places, TableBackupTest, testing::Bool(), [](const auto& on_disk) {
  return std::string(on_disk.param ? "OnDisk" : "InMemory");
});

TEST_P(TableBackupTest, RestoredTableHasTheItemsOfTheMomentOfTheBackup) {
  Put("a", 1);
  Put("b", 2);
  const TableBackup backup = Backup();
  Put("a", 9);
  Put("c", 3);
  Delete("b");
  const auto restored = Restore(backup);
  ASSERT_THAT(restored, IsOk());
  EXPECT_EQ(restored->items, 2u);
  EXPECT_THAT(Read("restored"), ElementsAre("a=1", "b=2"));
  EXPECT_THAT(Read("restored", "GSI1"), ElementsAre("a=1", "b=2"));
  EXPECT_THAT(Read("app"), ElementsAre("a=9", "c=3"));
}

TEST_P(TableBackupTest, RestoredTableCanBeChangedAndReadThroughItsLocalIndex) {
  Put("a", 2);
  ASSERT_THAT(Restore(Backup()), IsOk());
  const Table restored = test::Value(database_.OpenTable("restored"));
  ASSERT_THAT(restored.PutItem({.item = ItemOf("b", 1)}), IsOk());
  std::vector<std::string> by_date;
  const auto page = restored.Query({.index = "byDate", .key_condition = Partition("p")});
  ASSERT_THAT(page, IsOk());
  for (const ItemView item : *page) by_date.emplace_back(*item["SK"].AsString());
  EXPECT_THAT(by_date, ElementsAre("b", "a"));
}

TEST_P(TableBackupTest, RestoredTableHasTheAnnotationsOfItsSource) {
  const Map annotations{{"colour", "red"}};
  ASSERT_THAT(database_.UpdateTable({.name = "app", .annotations = annotations}), IsOk());
  ASSERT_THAT(Restore(Backup()), IsOk());
  EXPECT_EQ(test::Value(database_.DescribeTable("restored")).annotations, annotations);
}

TEST_P(TableBackupTest, RestoredTableHasNoTimeToLiveStreamProtectionOrRecovery) {
  ASSERT_THAT(database_.UpdateTimeToLive(
                  {.table_name = "app", .specification = {.attribute_name = "expires"}}),
              IsOk());
  ASSERT_THAT(table_->WaitForIndexes(), IsOk());
  ASSERT_THAT(
      database_.UpdateTable(
          {.name = "app",
           .stream_specification = StreamSpecification{.view_type = StreamViewType::kKeysOnly}}),
      IsOk());
  ASSERT_THAT(database_.UpdateTable({.name = "app", .deletion_protection = true}), IsOk());
  Enable();
  const TableBackup backup = Backup();
  EXPECT_EQ(test::Value(database_.DescribeBackup(backup.id)).time_to_live_attribute, "expires");
  ASSERT_THAT(Restore(backup), IsOk());
  const TableDescription restored = test::Value(database_.DescribeTable("restored"));
  EXPECT_FALSE(restored.stream_specification);
  EXPECT_EQ(restored.latest_stream_arn, "");
  EXPECT_FALSE(restored.deletion_protection);
  EXPECT_EQ(test::Value(database_.DescribeTimeToLive("restored")).status,
            TimeToLiveStatus::kDisabled);
  EXPECT_FALSE(test::Value(database_.DescribeContinuousBackups("restored")).enabled);
}

TEST_P(TableBackupTest, BackupDescribesTheTableAtItsTime) {
  Put("a", 1);
  const TableBackup backup = Backup("first");
  Put("b", 2);
  const TableBackup found = test::Value(database_.DescribeBackup(backup.id));
  EXPECT_EQ(found.name, "first");
  EXPECT_EQ(found.created_at, clock_->Now());
  EXPECT_FALSE(found.by_service);
  EXPECT_EQ(found.table.name, "app");
  EXPECT_EQ(found.table.content.item_count, 1u);
  EXPECT_THAT(found.table.global_secondary_indexes, SizeIs(1));
}

TEST_P(TableBackupTest, BackupOutlivesItsTable) {
  Put("a", 1);
  const TableBackup backup = Backup();
  ASSERT_THAT(database_.DeleteTable("app"), IsOk());
  table_ = CreateApp();
  ASSERT_THAT(Restore(backup), IsOk());
  EXPECT_THAT(Read("restored"), ElementsAre("a=1"));
  EXPECT_THAT(Read("app"), IsEmpty());
}

TEST_P(TableBackupTest, BackupsAreListedInTheOrderOfTheirCreation) {
  for (const char* name : {"zzz", "aaa", "mmm"}) {
    Backup(name);
    clock_->Advance(std::chrono::milliseconds(1));
  }
  EXPECT_THAT(BackupNames(), ElementsAre("zzz", "aaa", "mmm"));
}

TEST_P(TableBackupTest, BackupsMayHaveOneName) {
  EXPECT_NE(Backup("same").id, Backup("same").id);
  EXPECT_THAT(BackupNames(), ElementsAre("same", "same"));
}

TEST_P(TableBackupTest, NamesAreChecked) {
  for (const char* name : {"ab", "a b c", ""}) {
    EXPECT_THAT(database_.CreateBackup({.table_name = "app", .backup_name = name}),
                StatusIs(kValidation,
                         HasSubstr(*name == 'a' && name[1] == ' ' ? "pattern" : "BackupName")));
  }
  EXPECT_THAT(database_.CreateBackup({.table_name = "missing", .backup_name = "backup"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("missing")));
}

TEST_P(TableBackupTest, DeletedBackupIsNotFound) {
  const TableBackup backup = Backup();
  EXPECT_EQ(test::Value(database_.DeleteBackup(backup.id)).id, backup.id);
  const auto is_missing = StatusIs(StatusCode::kResourceNotFound, "Backup not found: " + backup.id);
  EXPECT_THAT(database_.DescribeBackup(backup.id), is_missing);
  EXPECT_THAT(database_.DeleteBackup(backup.id), is_missing);
  EXPECT_THAT(Restore(backup), is_missing);
  EXPECT_THAT(BackupNames(), IsEmpty());
}

TEST_P(TableBackupTest, TargetMustNotExist) {
  EXPECT_THAT(Restore(Backup(), {.table_name = "app"}),
              StatusIs(StatusCode::kTableAlreadyExists, "Table already exists: app"));
}

TEST_P(TableBackupTest, IndexesOfTheTargetCanBeChosen) {
  Put("a", 1);
  const TableBackup backup = Backup();
  GlobalSecondaryIndex renamed = GlobalSecondaryIndex::Overloaded("GSI1");
  renamed.name = "other";
  ASSERT_THAT(Restore(backup, {.global_secondary_indexes = std::vector{renamed},
                               .local_secondary_indexes = std::vector<LocalSecondaryIndex>()}),
              IsOk());
  const TableDescription table = test::Value(database_.DescribeTable("restored"));
  EXPECT_THAT(table.local_secondary_indexes, IsEmpty());
  EXPECT_THAT(Read("restored", "other"), ElementsAre("a=1"));
}

TEST_P(TableBackupTest, AnIndexThatTheSourceLacksIsRejected) {
  EXPECT_THAT(
      Restore(Backup(),
              {.global_secondary_indexes = std::vector{GlobalSecondaryIndex::Overloaded("GSI2")}}),
      StatusIs(kValidation,
               "Index GSI2 does not match a secondary index that existed in the source table and "
               "cannot be created during the restore operation"));
  EXPECT_THAT(database_.OpenTable("restored"), StatusIs(StatusCode::kResourceNotFound, testing::_));
}

TEST_P(TableBackupTest, ProgressHandlerEndsTheRestore) {
  for (int i = 0; i < 40; ++i) {
    Item item = ItemOf("i" + std::to_string(i), 1);
    item.emplace("filler", std::string(100'000, 'x'));
    ASSERT_THAT(table_->PutItem({.item = item}), IsOk());
  }
  const TableBackup backup = Backup();
  double fraction = 0;
  const auto ended = Restore(backup, {.progress = [&](const CopyProgress& progress) {
                               EXPECT_GE(progress.fraction, fraction);
                               fraction = progress.fraction;
                               return fraction == 0;
                             }});
  ASSERT_THAT(ended, IsOk());
  EXPECT_FALSE(ended->complete);
  EXPECT_GT(fraction, 0);
  EXPECT_THAT(database_.OpenTable("restored"), StatusIs(StatusCode::kResourceNotFound, testing::_));
  ASSERT_THAT(Restore(backup), IsOk());
  EXPECT_THAT(Read("restored", "GSI1"), SizeIs(testing::Gt(8u)));
}

// A restore first reads all items, and then writes them.
TEST_P(TableBackupTest, ProgressIsReportedWhileItemsAreWritten) {
  for (int i = 0; i < 40; ++i) {
    ASSERT_THAT(table_->PutItem({.item = {{"PK", "p"},
                                          {"SK", std::to_string(i)},
                                          {"filler", std::string(100'000, 'x')}}}),
                IsOk());
  }
  int calls_while_writing = 0;
  const auto count = [&](const CopyProgress& progress) {
    if (progress.fraction > 0.5) ++calls_while_writing;
    return true;
  };
  ASSERT_THAT(Restore(Backup(), {.progress = count}), IsOk());
  EXPECT_GE(calls_while_writing, 3) << "of 4 MB";
}

TEST_P(TableBackupTest, ATableIsCreatingUntilItsRestoreEnds) {
  Put("a", 1);
  const TableBackup backup = Backup();
  int calls = 0;
  const auto during = [&](const CopyProgress&) {
    ++calls;
    EXPECT_EQ(test::Value(database_.DescribeTable("restored")).status, TableStatus::kCreating);
    EXPECT_THAT(test::Value(database_.ListTables()).table_names, ElementsAre("app", "restored"));
    EXPECT_THAT(database_.DeleteTable("restored"),
                StatusIs(StatusCode::kResourceInUse, HasSubstr("being created: restored")));
    EXPECT_THAT(database_.OpenTable("restored"),
                StatusIs(StatusCode::kResourceNotFound, testing::_));
    return true;
  };
  ASSERT_THAT(Restore(backup, {.progress = during}), IsOk());
  EXPECT_GT(calls, 1);
  EXPECT_EQ(test::Value(database_.DescribeTable("restored")).status, TableStatus::kActive);
  EXPECT_THAT(test::Value(database_.ListTables()).table_names, ElementsAre("app", "restored"));
}

// A restore takes the name of its table at once, and keeps its backup.
TEST_P(TableBackupTest, RestoreKeepsItsNameAndItsBackup) {
  Put("a", 1);
  const TableBackup backup = Backup();
  const auto during = [&](const CopyProgress&) {
    EXPECT_THAT(database_.CreateTable({.name = "restored"}),
                StatusIs(StatusCode::kResourceInUse, "Table is being used: restored"));
    EXPECT_THAT(database_.DeleteBackup(backup.id), StatusIs(StatusCode::kBackupInUse, testing::_));
    EXPECT_THAT(Restore(backup, {.table_name = "second"}),
                StatusIs(StatusCode::kBackupInUse, testing::_));
    return true;
  };
  ASSERT_THAT(Restore(backup, {.progress = during}), IsOk());
  EXPECT_THAT(Restore(backup, {.table_name = "second"}), IsOk());
}

TEST_P(TableBackupTest, ForkHasNoBackups) {
  const TableBackup backup = Backup();
  const Database fork = test::Value(database_.Fork());
  EXPECT_THAT(fork.ListBackups(), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(BackupNames(), SizeIs(1));
}

TEST_P(TableBackupTest, VerifyFindsNoDamageInADatabaseWithBackups) {
  Enable();
  Put("a", 1);
  const TableBackup backup = Backup();
  Put("a", 2);
  ASSERT_THAT(Restore(backup), IsOk());
  const VerifyOutput report = test::Value(database_.Verify());
  EXPECT_EQ(report.finding_count, 0u);
  EXPECT_EQ(report.stream_records, 2u);
}

class MemoryBackupTest : public TableBackupTest {};
INSTANTIATE_TEST_SUITE_P(Places, MemoryBackupTest, testing::Values(false));

TEST_P(MemoryBackupTest, ResetDropsTheBackups) {
  Backup();
  ASSERT_THAT(database_.Reset(), IsOk());
  EXPECT_THAT(BackupNames(), IsEmpty());
}

class DiskBackupTest : public TableBackupTest {
 protected:
  std::filesystem::path PathOf(const TableBackup& backup) const {
    return directory_ / "db" / "backups" / backup.id;
  }
};
INSTANTIATE_TEST_SUITE_P(Places, DiskBackupTest, testing::Values(true));

TEST_P(DiskBackupTest, BackupsSurviveAReopening) {
  Put("a", 1);
  const TableBackup backup = Backup("kept");
  Put("a", 2);
  Reopen();
  EXPECT_THAT(BackupNames(), ElementsAre("kept"));
  EXPECT_EQ(test::Value(database_.DescribeBackup(backup.id)).table.content.item_count, 1u);
  ASSERT_THAT(Restore(backup), IsOk());
  EXPECT_THAT(Read("restored"), ElementsAre("a=1"));
}

TEST_P(DiskBackupTest, DeletedBackupLeavesNoFiles) {
  const TableBackup backup = Backup();
  ASSERT_TRUE(std::filesystem::exists(PathOf(backup)));
  ASSERT_THAT(database_.DeleteBackup(backup.id), IsOk());
  EXPECT_FALSE(std::filesystem::exists(PathOf(backup)));
}

TEST_P(DiskBackupTest, UnfinishedBackupIsDeletedWhenTheDatabaseIsOpened) {
  const std::filesystem::path unfinished = PathOf(Backup()).string() + ".tmp";
  std::filesystem::rename(unfinished.parent_path() / unfinished.stem(), unfinished);
  Reopen();
  EXPECT_THAT(BackupNames(), IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(unfinished));
}

// The database can be used without the backup.
TEST_P(DiskBackupTest, BackupThatCannotBeReadIsKeptAsDamaged) {
  const TableBackup backup = Backup();
  std::filesystem::remove(PathOf(backup) / "DOLMEN.table");
  std::filesystem::create_symlink("DOLMEN.table", PathOf(backup) / "DOLMEN.table");
  Reopen();
  EXPECT_THAT(test::Value(database_.DescribeBackup(backup.id)).damage,
              testing::HasSubstr("reading " + (PathOf(backup) / "DOLMEN.table").string()));
  EXPECT_TRUE(std::filesystem::exists(PathOf(backup)));
}

TEST_P(DiskBackupTest, BackupWithoutFilesCanBeDeleted) {
  const TableBackup backup = Backup();
  std::filesystem::remove_all(PathOf(backup));
  EXPECT_THAT(database_.DeleteBackup(backup.id), IsOk());
  EXPECT_THAT(BackupNames(), IsEmpty());
}

TEST_P(DiskBackupTest, OtherDirectoriesAreKept) {
  const auto other = PathOf(Backup()).parent_path() / "other";
  std::filesystem::create_directory(other);
  Reopen();
  EXPECT_TRUE(std::filesystem::exists(other));
}

// Dolmen deletes no file of a damaged backup by itself, and tells everybody who asks.
TEST_P(DiskBackupTest, BackupWithADamagedOrMissingDescriptionIsListedAsDamaged) {
  const std::vector<TableBackup> backups = {Backup("flipped"), Backup("missing")};
  const std::string file = PathOf(backups[0]) / "DOLMEN.table";
  test::FlipBit(file, 0.5);
  std::filesystem::remove(PathOf(backups[1]) / "DOLMEN.table");
  Reopen();
  EXPECT_THAT(BackupNames(), ElementsAre("unknown", "unknown"));
  const TableBackup damaged = test::Value(database_.DescribeBackup(backups[0].id));
  EXPECT_EQ(damaged.damage, file + " is damaged: the backup can't be restored; delete it");
  EXPECT_THAT(test::Value(database_.DescribeBackup(backups[1].id)).damage,
              testing::HasSubstr("DOLMEN.table is missing"));
  EXPECT_EQ(damaged.created_at, backups[0].created_at);
  EXPECT_THAT(Restore(backups[0]), StatusIs(StatusCode::kCorruption, damaged.damage));
  const VerifyOutput verified = test::Value(database_.Verify());
  EXPECT_EQ(verified.finding_count, 2u);
  EXPECT_EQ(verified.findings[0].message, damaged.damage);

  for (const TableBackup& backup : backups) {
    EXPECT_TRUE(std::filesystem::exists(PathOf(backup)));
    EXPECT_THAT(database_.DeleteBackup(backup.id), IsOk());
    EXPECT_FALSE(std::filesystem::exists(PathOf(backup)));
  }
}

TEST_P(DiskBackupTest, BackupOfTheDatabaseHasNoBackupsOfTables) {
  Backup();
  ASSERT_THAT(database_.Backup(directory_ / "whole"), IsOk());
  ASSERT_THAT(Database::Restore(directory_ / "whole", directory_ / "copy"), IsOk());
  const Database copy = test::Value(Database::Open(directory_ / "copy"));
  EXPECT_THAT(copy.ListBackups(), IsOkAndHolds(IsEmpty()));
}

}  // namespace
}  // namespace dolmen::behaviour
