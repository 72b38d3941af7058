// Tests that open a database after an accident, and tests that open one database under two path
// names of its directory.

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/behaviour/fixture.h"
#include "tests/support/child_process.h"
#include "tests/support/files.h"
#include "tests/support/temp_directory.h"

namespace dolmen::behaviour {
namespace {

namespace fs = std::filesystem;

void WriteFile(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// Runs in a child process: opens the database, writes the outcome to the parent, and keeps the
// database open until the parent ends the process.
int HoldOpen(const test::ChildArguments& arguments) {
  const auto db = Database::Open(arguments[0]);
  test::TellParent(db.ok() ? "open" : StatusCodeName(db.status().code()));
  test::WaitForParent();
  return 0;
}

const test::ChildRole kHoldOpen("hold_open", HoldOpen);

class OpenAccidentsTest : public testing::Test {
 protected:
  // Creates a database with one item.
  void Make() const {
    auto db = Database::Open(path_);
    ASSERT_THAT(db, IsOk());
    const auto table = db->CreateTable({.name = "app"});
    ASSERT_THAT(table, IsOk());
    ASSERT_THAT(table->PutItem({.item = item_}), IsOk());
  }

  void ExpectItem() const {
    const auto db = Database::Open(path_, {.create_if_missing = false});
    ASSERT_THAT(db, IsOk());
    const auto table = db->OpenTable("app");
    ASSERT_THAT(table, IsOk());
    const auto read = table->GetItem({.key = item_});
    ASSERT_THAT(read, IsOk());
    ASSERT_TRUE(read->item.has_value());
    EXPECT_EQ(*read->item->Copy(), item_);
  }

  const Item item_ = {{"PK", "a"}, {"SK", "b"}};
  test::TempDirectory directory_;
  const fs::path path_ = directory_ / "app.dolmen";
};

// Two databases that are open on the same directory would corrupt its files. So Open rejects a
// directory that is already open, even under another path name.
TEST_F(OpenAccidentsTest, OpenRejectsAnOpenDatabaseUnderEveryPathName) {
  const auto db = Database::Open(path_);
  ASSERT_THAT(db, IsOk());
  fs::create_directory_symlink(path_, directory_ / "link");
  for (const fs::path& name :
       {path_, directory_ / "link", path_ / ".", path_ / ".." / path_.filename(),
        fs::relative(path_), fs::path(path_.string() + "/"), fs::path("/" + path_.string())}) {
    EXPECT_THAT(Database::Open(name).status(),
                StatusIs(StatusCode::kResourceInUse, HasSubstr("open already")))
        << name;
  }
}

TEST_F(OpenAccidentsTest, OpenRejectsAnOpenDatabaseWhoseLockFileWasDeleted) {
  Make();
  test::ChildProcess other(kHoldOpen, {path_.string()});
  ASSERT_EQ(other.ReadLine(), "open");
  fs::remove(path_ / "LOCK");
  for (const bool read_only : {false, true}) {
    EXPECT_THAT(Database::Open(path_, {.read_only = read_only}).status(),
                StatusIs(StatusCode::kResourceInUse, HasSubstr("open already")));
  }
}

// After a process is killed, the database can be opened without a manual repair.
TEST_F(OpenAccidentsTest, OpenSucceedsAfterTheProcessThatHadItOpenWasKilled) {
  Make();
  test::ChildProcess other(kHoldOpen, {path_.string()});
  ASSERT_EQ(other.ReadLine(), "open");
  other.Kill();
  ExpectItem();
}

// RocksDB finds its other files through CURRENT. Without CURRENT it would create a new database in
// the directory and remove the old database's files.
TEST_F(OpenAccidentsTest, OpenRejectsADatabaseWithoutCurrentAndChangesNoFile) {
  Make();
  fs::remove(path_ / "CURRENT");
  const auto before = test::FilesBelow(path_);
  for (int again = 0; again < 2; ++again) {
    EXPECT_THAT(Database::Open(path_).status(),
                StatusIs(StatusCode::kCorruption, HasSubstr("CURRENT")));
    EXPECT_EQ(test::FilesBelow(path_), before);
  }
}

// The file DOLMEN marks a directory as a database of Dolmen. Open rejects a directory without this
// file, because the directory may belong to another program.
TEST_F(OpenAccidentsTest, OpenRejectsADatabaseWithoutItsMarkAndChangesNoFile) {
  Make();
  fs::remove(path_ / "DOLMEN");
  const auto before = test::FilesBelow(path_);
  EXPECT_THAT(Database::Open(path_).status(),
              StatusIs(kValidation, HasSubstr("holds no Dolmen database")));
  EXPECT_EQ(test::FilesBelow(path_), before);
}

// A process was killed while it wrote the mark (the file DOLMEN) of a new database. No data exists
// yet, so the next open creates the database.
TEST_F(OpenAccidentsTest, OpenReplacesAHalfWrittenMark) {
  fs::create_directory(path_);
  WriteFile(path_ / "DOLMEN.new", "dolmen data");
  EXPECT_THAT(Database::Open(path_), IsOk());
  EXPECT_FALSE(fs::exists(path_ / "DOLMEN.new"));
}

// Open files stay readable after the directory is deleted. A later write needs a new file and fails
// with kStorage. The process does not crash.
TEST(DeletedDirectoryTest, WritesFailAndReadsSucceedAfterTheDirectoryIsDeleted) {
  for (const Durability durability : {Durability::kSync, Durability::kBuffered}) {
    const test::TempDirectory directory;
    const std::filesystem::path path = directory / "db";
    {
      const auto db =
          Database::Open(path, {.durability = durability, .write_buffer_bytes = 64 << 10});
      ASSERT_THAT(db, IsOk());
      const auto table = db->CreateTable(
          {.name = "app", .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")}});
      ASSERT_THAT(table, IsOk());
      ASSERT_THAT(table->PutItem({.item = {{"PK", "p"}, {"SK", "first"}}}), IsOk());
      std::filesystem::remove_all(path);
      Status written;
      for (int i = 0; i < 5'000 && written.ok(); ++i) {
        written = table
                      ->PutItem({.item = {{"PK", "p"},
                                          {"SK", std::to_string(i)},
                                          {"GSI1PK", "g"},
                                          {"GSI1SK", std::to_string(i)},
                                          {"filler", std::string(500, 'x')}}})
                      .status();
      }
      EXPECT_EQ(written.code(), StatusCode::kStorage) << written.ToString();
      EXPECT_THAT(table->GetItem({.key = {{"PK", "p"}, {"SK", "first"}}}), IsOk());
      const auto description = db->UpdateTable(
          {.name = "app", .create_index = GlobalSecondaryIndex::Overloaded("GSI2")});
      EXPECT_THAT(description, StatusIs(StatusCode::kStorage, testing::_));
      EXPECT_THAT(db->DeleteTable("app"), StatusIs(StatusCode::kStorage, testing::_));
      EXPECT_THAT(table->GetItem({.key = {{"PK", "p"}, {"SK", "first"}}}), IsOk());
    }
    const auto again = Database::Open(path);
    ASSERT_THAT(again, IsOk());
    EXPECT_THAT(again->ListTables()->table_names, testing::IsEmpty());
  }
}

}  // namespace
}  // namespace dolmen::behaviour
