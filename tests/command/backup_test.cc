// Tests of `dolmen backup` and `dolmen restore`: their output, and the errors that say what to do.

#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/command/command_fixture.h"
#include "tests/support/files.h"

namespace dolmen::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class BackupCommandTest : public CommandTest {
 protected:
  CommandOutput Backup() const { return RunDolmen({"backup", path_, backup_}); }
  CommandOutput Restore() const { return RunDolmen({"restore", backup_, restored_}); }

  const std::string backup_ = File("backup");
  const std::string restored_ = File("restored.dolmen");
};

TEST_F(BackupCommandTest, RestoresTheItems) {
  MakeDatabase();
  Put({RandomItem(&random_, 1), RandomItem(&random_, 2)});
  const CommandOutput backup = Backup();
  EXPECT_EQ(backup.exit_code, 0);
  EXPECT_THAT(backup.err, StartsWith("Backed up to " + backup_ + ": "));
  EXPECT_EQ(backup.out, "");
  const CommandOutput restore = Restore();
  EXPECT_EQ(restore.exit_code, 0);
  EXPECT_THAT(restore.err, StartsWith("Restored to " + restored_ + ": "));
  EXPECT_EQ(ItemsOf(restored_, "app"), Items());
  EXPECT_EQ(Restore().exit_code, 1);
}

TEST_F(BackupCommandTest, TheErrorForAnOpenDatabaseNamesTheServersOption) {
  MakeDatabase();
  const Database open = Open();
  const CommandOutput output = Backup();
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_THAT(output.err, HasSubstr("--backup-to " + backup_));
  EXPECT_FALSE(std::filesystem::exists(backup_));
}

TEST_F(BackupCommandTest, AnAbsentDatabaseIsNotCreated) {
  EXPECT_THAT(Backup().err, HasSubstr("there is no database in"));
  EXPECT_THAT(Restore().err, HasSubstr("there is no backup in"));
  EXPECT_FALSE(std::filesystem::exists(path_));
  EXPECT_FALSE(std::filesystem::exists(restored_));
}

TEST_F(BackupCommandTest, ADamagedBackupIsNotRestored) {
  MakeDatabase();
  ASSERT_EQ(Backup().exit_code, 0);
  FlipBit(backup_ + "/meta/1", 0.99);
  EXPECT_THAT(Restore().err, HasSubstr("is damaged"));
  EXPECT_FALSE(std::filesystem::exists(restored_));
}

// --- backups of tables ---

TEST_F(BackupCommandTest, RestoresABackupOfATable) {
  MakeDatabase();
  Put({RandomItem(&random_, 1), RandomItem(&random_, 2)});
  const auto before = Items();
  const CommandOutput backup = RunDolmen({"backup", path_, "--table", "app", "--name", "first"});
  ASSERT_EQ(backup.exit_code, 0) << backup.err;
  const std::string id = backup.out.substr(0, backup.out.find('\n'));
  Put({RandomItem(&random_, 3)});
  EXPECT_THAT(RunDolmen({"backup", path_, "--list"}).out,
              AllOf(HasSubstr(id + "  app    first  "), StartsWith("id ")));
  const CommandOutput restore = RunDolmen({"restore", path_, "--backup", id, "--as", "app-old"});
  EXPECT_EQ(restore.exit_code, 0);
  EXPECT_EQ(restore.err, "Restored to the table app-old: 2 items.\n");
  EXPECT_EQ(ItemsOf(path_, "app-old"), before);
}

TEST_F(BackupCommandTest, RestoresATableToAPointInTime) {
  MakeDatabase();
  Put({RandomItem(&random_, 1)});
  const auto before = Items();
  std::string time;
  {
    const Database database = Open();
    ASSERT_TRUE(database.UpdateContinuousBackups({.table_name = "app"}).ok());
    time = ToIso8601(database.clock()->Now());
  }
  const auto restore = [&](const std::string& at) {
    return RunDolmen({"restore", path_, "--table", "app", "--at", at, "--as", "app-old"});
  };
  EXPECT_EQ(restore(time).err, "Restored to the table app-old: 1 item.\n");
  EXPECT_EQ(ItemsOf(path_, "app-old"), before);
  EXPECT_THAT(restore("2001-01-01T00:00:00Z").err, HasSubstr("outside the recovery period"));
  EXPECT_THAT(restore("yesterday").err, HasSubstr("yesterday"));
}

TEST_F(BackupCommandTest, OptionsThatContradictEachOtherAreRejected) {
  MakeDatabase();
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"backup", path_},
        {"backup", path_, backup_, "--table", "app"},
        {"restore", path_},
        {"restore", path_, "--table", "app"},
        {"restore", path_, "--as", "app-old"},
        {"restore", path_, restored_, "--table", "app", "--as", "app-old"}}) {
    EXPECT_EQ(RunDolmen(words).exit_code, 2);
  }
}

}  // namespace
}  // namespace dolmen::test
