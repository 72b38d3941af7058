// Tests of `dolmen backup` and `dolmen restore`: their output, and the errors that say what to do.

#include <gmock/gmock.h>

#include <filesystem>
#include <string>

#include "tests/command/command_fixture.h"
#include "tests/support/files.h"

namespace dolmen::test {
namespace {

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

}  // namespace
}  // namespace dolmen::test
