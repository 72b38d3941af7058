// Tests of Database::Backup and Database::Restore: the contents of a backup, the files that it
// copies, and the directories that each of them refuses.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include <cctype>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/backup/backed_up_database.h"
#include "tests/support/files.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::backup {
namespace {

namespace fs = std::filesystem;
using test::FilesBelow;
using test::IsOk;
using test::StatusIs;
using test::Value;
using testing::HasSubstr;

class BackupTest : public testing::Test {
 protected:
  // Small buffers make several table files and logs.
  static OpenOptions Options() {
    return {.durability = Durability::kBuffered, .write_buffer_bytes = 64 << 10};
  }

  // Creates a database with `items` items.
  Database Make(int items = 2'000) const {
    Database db = Value(Database::Open(path_, Options()));
    PutItems(CreateApp(db), 0, items);
    return db;
  }
  CopyOutput Backup(const Database& db) const { return Value(db.Backup(backup_)); }
  Status RestoreTo(const std::string& name) const {
    return Database::Restore(backup_, directory_ / name).status();
  }

  test::TempDirectory directory_;
  const fs::path path_ = directory_ / "app.dolmen";
  const fs::path backup_ = directory_ / "backup";
};

TEST_F(BackupTest, ARestoredBackupHasTheItemsIndexesAndStreamOfTheDatabase) {
  const Database db = Make();
  const State state = ReadState(db);
  ASSERT_EQ(state.items.size(), 2'000u);
  ASSERT_EQ(state.records.size(), 2'000u);
  const CopyOutput output = Backup(db);
  EXPECT_TRUE(output.complete);
  EXPECT_GT(output.bytes, 2'000u * 100);
  EXPECT_GE(output.bytes_copied, output.bytes);
  EXPECT_EQ(ReadBackup(backup_), state);
  EXPECT_EQ(ReadState(db), state);
}

TEST_F(BackupTest, ABackupKeepsOnlyTheNewestState) {
  const Database db = Make(10);
  std::size_t files = 0;
  for (int i = 10; i < 500; i += 100) {
    Backup(db);
    PutItems(Value(db.OpenTable("app")), i, i + 100);
    Backup(db);
    EXPECT_EQ(ReadBackup(backup_), ReadState(db)) << i;
    std::size_t lists = 0;
    for (const auto& entry : fs::directory_iterator(backup_ / "meta")) lists += entry.exists();
    EXPECT_EQ(lists, 1u);
    files = FilesBelow(backup_).size();
  }
  EXPECT_LT(files, 40u);
}

TEST_F(BackupTest, TheBackupOfAnUnchangedDatabaseCopiesNoTableFile) {
  PutItems(CreateApp(Value(Database::Open(path_))), 0, 2'000);
  // Opening the database moves the rows of the log to a table file.
  const Database db = Value(Database::Open(path_));
  const CopyOutput first = Backup(db);
  const CopyOutput second = Backup(db);
  EXPECT_LT(second.bytes_copied, first.bytes / 10);
  EXPECT_EQ(second.bytes, first.bytes);
}

TEST_F(BackupTest, ARestoredDatabaseContinuesTheBackupOfItsOrigin) {
  Backup(Make());
  ASSERT_THAT(RestoreTo("restored"), IsOk());
  const Database restored = Value(Database::Open(directory_ / "restored", Options()));
  // A compaction of the restored files may end before a backup, which then copies everything.
  bool copies_all = true;
  for (int round = 0; round < 4; ++round) {
    PutItems(Value(restored.OpenTable("app")), 5'000 + round, 5'001 + round);
    const CopyOutput output = Backup(restored);
    copies_all = copies_all && output.bytes_copied == output.bytes;
  }
  EXPECT_FALSE(copies_all);
  EXPECT_EQ(ReadBackup(backup_), ReadState(restored));
}

TEST_F(BackupTest, ADatabaseInMemoryIsRestoredOnDisk) {
  const Database db = Value(Database::InMemory());
  PutItems(CreateApp(db), 0, 100);
  Backup(db);
  EXPECT_EQ(ReadBackup(backup_), ReadState(db));
  PutItems(Value(db.OpenTable("app")), 100, 200);
  Backup(db);
  EXPECT_EQ(ReadBackup(backup_), ReadState(db));
}

TEST_F(BackupTest, OnlyTheOwnerMayAccessTheFiles) {
  Backup(Make());
  ASSERT_THAT(RestoreTo("restored"), IsOk());
  for (const fs::path& root : {backup_, directory_ / "restored"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      const fs::perms expected = entry.is_directory()
                                     ? fs::perms::owner_all
                                     : fs::perms::owner_read | fs::perms::owner_write;
      EXPECT_EQ(entry.status().permissions(), expected) << entry.path();
    }
    EXPECT_EQ(fs::status(root).permissions(), fs::perms::owner_all) << root;
  }
}

TEST_F(BackupTest, ProgressGrowsToTheEndAndMayEndTheBackup) {
  const Database db = Make();
  std::vector<CopyProgress> seen;
  const auto see = [&](const CopyProgress& progress) {
    seen.push_back(progress);
    return true;
  };
  ASSERT_THAT(db.Backup(backup_, {.progress = see}), IsOk());
  ASSERT_GT(seen.size(), 3u);
  for (std::size_t i = 1; i < seen.size(); ++i) {
    EXPECT_GE(seen[i].bytes_copied, seen[i - 1].bytes_copied);
    EXPECT_GE(seen[i].fraction, seen[i - 1].fraction);
  }
  EXPECT_EQ(seen.back().fraction, 1);
  const State state = ReadState(db);
  PutItems(Value(db.OpenTable("app")), 3'000, 4'000);
  const auto end = [](const CopyProgress&) { return false; };
  EXPECT_FALSE(Value(db.Backup(backup_, {.progress = end})).complete);
  EXPECT_EQ(ReadBackup(backup_), state);
  EXPECT_FALSE(Value(Database::Restore(backup_, directory_ / "ended", {.progress = end})).complete);
  EXPECT_FALSE(fs::exists(directory_ / "ended"));
}

TEST_F(BackupTest, OnlyOneCallAtATimeUsesTheDirectory) {
  const Database db = Make(100);
  Backup(db);
  std::vector<StatusCode> codes;
  const auto use = [&](const CopyProgress&) {
    codes.push_back(db.Backup(backup_).status().code());
    codes.push_back(RestoreTo("other").code());
    return true;
  };
  ASSERT_THAT(db.Backup(backup_, {.progress = use}), IsOk());
  ASSERT_THAT(Database::Restore(backup_, directory_ / "restored", {.progress = use}), IsOk());
  EXPECT_THAT(codes, testing::Each(StatusCode::kResourceInUse));
  EXPECT_THAT(db.Backup(directory_ / "another"), IsOk());
}

TEST_F(BackupTest, BackupRefusesADirectoryThatIsNoBackupOfTheDatabase) {
  const Database db = Make(10);
  const Database other = Value(Database::Open(directory_ / "other.dolmen"));
  ASSERT_THAT(other.Backup(directory_ / "other"), IsOk());
  fs::create_directory(directory_ / "full");
  std::ofstream(directory_ / "full" / "file") << "text";
  std::ofstream(directory_ / "file") << "text";
  for (const auto& [name, message] :
       std::vector<std::pair<std::string, std::string>>{{"full", "not an empty directory"},
                                                        {"file", "not an empty directory"},
                                                        {"other.dolmen", "not an empty directory"},
                                                        {"other", "of another database"},
                                                        {"app.dolmen", "in the database's"},
                                                        {"app.dolmen/below", "in the database's"},
                                                        {"app.dolmen/../app.dolmen", "in the"}}) {
    const auto before = FilesBelow(directory_.path());
    EXPECT_THAT(db.Backup(directory_ / name).status(),
                StatusIs(StatusCode::kValidation, HasSubstr(message)))
        << name;
    EXPECT_TRUE(FilesBelow(directory_.path()) == before) << name;
  }
  EXPECT_THAT(db.Backup("").status(), StatusIs(StatusCode::kValidation, HasSubstr("empty")));
}

TEST_F(BackupTest, RestoreRefusesADirectoryThatIsNotEmptyAndADirectoryWithoutBackup) {
  Backup(Make(10));
  EXPECT_THAT(RestoreTo("app.dolmen"),
              StatusIs(StatusCode::kValidation, HasSubstr("not an empty")));
  EXPECT_THAT(RestoreTo("backup"), StatusIs(StatusCode::kValidation, HasSubstr("not an empty")));
  EXPECT_THAT(Database::Restore(path_, directory_ / "restored").status(),
              StatusIs(StatusCode::kValidation, HasSubstr("no backup in")));
  EXPECT_THAT(Database::Restore(directory_ / "absent", directory_ / "restored").status(),
              StatusIs(StatusCode::kValidation, HasSubstr("no backup in")));
  EXPECT_FALSE(fs::exists(directory_ / "restored"));
  EXPECT_THAT(Database::Open(backup_).status(),
              StatusIs(StatusCode::kValidation, HasSubstr("holds a backup")));
  fs::create_directory(directory_ / "empty");
  EXPECT_THAT(RestoreTo("empty"), IsOk());
}

TEST_F(BackupTest, BackupNeedsADatabaseThatIsOpenForWriting) {
  Make(10);
  const Database db = Value(Database::Open(path_, {.read_only = true}));
  EXPECT_THAT(db.Backup(backup_).status(),
              StatusIs(StatusCode::kValidation, HasSubstr("read_only = false")));
  EXPECT_FALSE(fs::exists(backup_));
}

// RocksDB keeps the lists of files in a directory of this name.
TEST_F(BackupTest, ABackupMayLieBelowADirectoryNamedMeta) {
  const Database db = Make();
  const fs::path backup = directory_ / "meta" / "backup";
  fs::create_directory(backup.parent_path());
  ASSERT_THAT(db.Backup(backup), IsOk());
  ASSERT_THAT(Database::Restore(backup, directory_ / "restored"), IsOk());
  const Database restored = Value(Database::Open(directory_ / "restored"));
  EXPECT_EQ(Value(restored.Verify()).finding_count, 0u);
  EXPECT_EQ(ReadState(restored), ReadState(db));
}

// A process whose C++ locale grouped digits wrote such a backup with an earlier release.
TEST_F(BackupTest, ABackupWithGroupedNumbersIsRestored) {
  const Database db = Make();
  Backup(db);
  std::string list = test::FilesBelow(backup_)[backup_ / "meta" / "1"];
  for (std::size_t end = list.find('\n'); end != list.npos; end = list.find('\n', end + 1)) {
    // Groups the number that ends a line. The text of the logs has digits, too, but stays as it is.
    for (std::size_t at = end, digits = 0; at > 0 && std::isdigit(list[at - 1]) != 0; --at) {
      if (digits++ % 3 == 0 && digits > 1) list.insert(at, "\'"), ++end;
    }
  }
  std::ofstream(backup_ / "meta" / "1", std::ios::binary) << list;
  std::ofstream(backup_ / "DOLMEN.backup.current", std::ios::binary)
      << "dolmen backup, format 1: backup 1 has a list of files with the hash "
      << std::to_string(XXH3_64bits(list.data(), list.size())) << "\n";
  ASSERT_NE(list.find('\''), list.npos);

  EXPECT_THAT(RestoreTo("restored"), IsOk());
  EXPECT_THAT(db.Backup(backup_), IsOk());  // keeps the files of the first one
  EXPECT_THAT(RestoreTo("restored_again"), IsOk());
}

}  // namespace
}  // namespace dolmen::backup
