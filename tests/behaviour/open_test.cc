// Tests of Database::Open: the directories that it accepts and rejects, and its exclusive lock.

#include <dolmen/dolmen.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/child_process.h"
#include "tests/support/files.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen {
namespace {

namespace fs = std::filesystem;
using test::IsOk;
using test::StatusIs;
using testing::_;
using testing::HasSubstr;

void WriteFile(const fs::path& path, const std::string& content) { std::ofstream(path) << content; }

// Creates a database with one table and one item.
void MakeDatabase(const fs::path& directory) {
  auto database = Database::Open(directory);
  ASSERT_THAT(database, IsOk());
  auto table = database->CreateTable({.name = "app"});
  ASSERT_THAT(table, IsOk());
  ASSERT_THAT(table->PutItem({.item = {{"PK", "p"}, {"SK", "s"}}}), IsOk());
}

TEST(OpenTest, ReadsWhatAnEarlierOpenWrote) {
  const test::TempDirectory directory;
  MakeDatabase(directory / "db");
  auto database = Database::Open(directory / "db", {.create_if_missing = false});
  ASSERT_THAT(database, IsOk());
  const auto table = database->OpenTable("app");
  ASSERT_THAT(table, IsOk());
  EXPECT_TRUE(table->GetItem({.key = {{"PK", "p"}, {"SK", "s"}}})->item);
}

TEST(OpenTest, LeavesNoFileBehindIfNothingIsWritten) {
  const test::TempDirectory directory;
  MakeDatabase(directory / "db");
  const auto open_and_close = [&](int times) {
    for (int i = 0; i < times; ++i) EXPECT_THAT(Database::Open(directory / "db"), IsOk());
    return test::FilesBelow(directory / "db").size();
  };
  const std::size_t few = open_and_close(5);
  EXPECT_EQ(open_and_close(10), few);
}

TEST(OpenTest, CreatesParentDirectories) {
  const test::TempDirectory directory;
  EXPECT_THAT(Database::Open(directory.path() / "a" / "b" / "db"), IsOk());
}

TEST(OpenTest, CreatesNoDatabaseIfCreateIfMissingIsFalse) {
  const test::TempDirectory directory;
  EXPECT_THAT(Database::Open(directory / "db", {.create_if_missing = false}),
              StatusIs(StatusCode::kValidation, HasSubstr("there is no database in")));
  EXPECT_FALSE(fs::exists(directory / "db"));
}

TEST(OpenTest, RejectsADirectoryOfOtherFilesAndChangesNoFile) {
  const test::TempDirectory directory;
  WriteFile(directory / "letter.txt", "Dear Sir");
  const auto before = test::FilesBelow(directory.path());
  EXPECT_THAT(Database::Open(directory.path()),
              StatusIs(StatusCode::kValidation, HasSubstr("holds no Dolmen database")));
  EXPECT_EQ(test::FilesBelow(directory.path()), before);
}

TEST(OpenTest, RejectsAFile) {
  const test::TempDirectory directory;
  WriteFile(directory / "file", "text");
  EXPECT_THAT(Database::Open(directory / "file"),
              StatusIs(StatusCode::kValidation, HasSubstr("is a file")));
}

TEST(OpenTest, RejectsAnEmptyPath) {
  EXPECT_THAT(Database::Open(""),
              StatusIs(StatusCode::kValidation, HasSubstr("its path is empty")));
}

TEST(OpenTest, RejectsANewerFormatAndChangesNoFile) {
  const test::TempDirectory directory;
  MakeDatabase(directory / "db");
  WriteFile(directory.path() / "db" / "DOLMEN", "dolmen database, format 3\n");
  const auto before = test::FilesBelow(directory.path());
  EXPECT_THAT(Database::Open(directory / "db"),
              StatusIs(StatusCode::kUnsupportedFormat, HasSubstr("newer release of Dolmen")));
  EXPECT_EQ(test::FilesBelow(directory.path()), before);
}

TEST(OpenTest, RejectsADamagedMark) {
  const test::TempDirectory directory;
  MakeDatabase(directory / "db");
  for (const char* mark : {"", "dolmen database, format 0\n", "dolmen database, format 2",
                           "dolmen database, format x\n", "something else\n"}) {
    WriteFile(directory.path() / "db" / "DOLMEN", mark);
    EXPECT_THAT(Database::Open(directory / "db"),
                StatusIs(StatusCode::kCorruption, HasSubstr("DOLMEN")));
  }
}

// An interrupted creation of a database leaves the mark (the file DOLMEN) but no RocksDB files. The
// next open creates the RocksDB files.
TEST(OpenTest, FinishesAnInterruptedCreation) {
  const test::TempDirectory directory;
  WriteFile(directory / "DOLMEN", "dolmen database, format 1\n");
  EXPECT_THAT(Database::Open(directory.path()), IsOk());
}

TEST(OpenTest, RejectsADatabaseThatThisProcessHasOpen) {
  const test::TempDirectory directory;
  MakeDatabase(directory / "db");
  const auto first = Database::Open(directory / "db");
  ASSERT_THAT(first, IsOk());
  EXPECT_THAT(Database::Open(directory / "db"),
              StatusIs(StatusCode::kResourceInUse, HasSubstr("open already")));
  EXPECT_THAT(first->OpenTable("app"), IsOk());
}

int HoldOpen(const test::ChildArguments& arguments) {
  const auto database = Database::Open(arguments.at(0));
  test::TellParent(database.ok() ? "open" : database.status().ToString());
  test::WaitForParent();
  return 0;
}
const test::ChildRole kHoldOpen("hold_open", HoldOpen);

TEST(OpenTest, RejectsADatabaseThatAnotherProcessHasOpen) {
  const test::TempDirectory directory;
  MakeDatabase(directory / "db");
  {
    test::ChildProcess other(kHoldOpen, {(directory / "db").string()});
    ASSERT_EQ(other.ReadLine(), "open");
    const auto before = test::FilesBelow(directory.path());
    EXPECT_THAT(Database::Open(directory / "db"),
                StatusIs(StatusCode::kResourceInUse, HasSubstr("open already")));
    EXPECT_EQ(test::FilesBelow(directory.path()), before);
  }
  EXPECT_THAT(Database::Open(directory / "db"), IsOk());
}

TEST(InMemoryFromTest, CopiesTheContentsAndChangesNoFile) {
  const test::TempDirectory directory;
  MakeDatabase(directory / "db");
  const auto before = test::FilesBelow(directory.path());
  {
    const auto copy = Database::InMemoryFrom(directory / "db");
    ASSERT_THAT(copy, IsOk());
    EXPECT_TRUE(copy->OpenTable("app")->GetItem({.key = {{"PK", "p"}, {"SK", "s"}}})->item);
    EXPECT_THAT(copy->DeleteTable("app"), IsOk());
  }
  EXPECT_EQ(test::FilesBelow(directory.path()), before);
}

TEST(InMemoryFromTest, ProgramsCopyADatabaseAtTheSameTime) {
  const test::TempDirectory directory;
  MakeDatabase(directory / "db");
  const std::string marker = directory / "db" / "DOLMEN";
  const int file = ::open(marker.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::flock(file, LOCK_SH), 0);  // as InMemoryFrom of another program
  EXPECT_THAT(Database::InMemoryFrom(directory / "db"), IsOk());
  EXPECT_THAT(Database::Open(directory / "db"), StatusIs(StatusCode::kResourceInUse, _));
  ::close(file);
}

TEST(InMemoryFromTest, RejectsAnOpenDatabaseAndAnAbsentOne) {
  const test::TempDirectory directory;
  const auto open = Database::Open(directory / "db");
  EXPECT_THAT(Database::InMemoryFrom(directory / "db"), StatusIs(StatusCode::kResourceInUse, _));
  EXPECT_THAT(Database::InMemoryFrom(directory / "none"),
              StatusIs(StatusCode::kValidation, HasSubstr("there is no database in")));
  EXPECT_FALSE(fs::exists(directory / "none"));
}

TEST(InMemoryFromTest, RejectsADamagedLog) {
  const test::TempDirectory directory;
  MakeDatabase(directory / "db");
  fs::remove(test::LargestFile(directory / "db", ".log"));
  EXPECT_THAT(Database::InMemoryFrom(directory / "db"), StatusIs(StatusCode::kCorruption, _));
}

TEST(OpenTest, OnlyTheOwnerMayAccessTheFiles) {
  const test::TempDirectory directory;
  MakeDatabase(directory / "db");
  EXPECT_THAT(Database::Open(directory / "db"), IsOk());
  EXPECT_EQ(std::filesystem::status(directory / "db").permissions(),
            std::filesystem::perms::owner_all);
  for (const auto& file : std::filesystem::directory_iterator(directory / "db")) {
    EXPECT_EQ(file.status().permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write)
        << file.path();
  }
}

// A database is closed when its last handle is destroyed. A table is a handle, too.
TEST(OpenTest, ATableKeepsItsDatabaseOpen) {
  const test::TempDirectory directory;
  MakeDatabase(directory / "db");
  auto database = Database::Open(directory / "db");
  ASSERT_THAT(database, IsOk());
  {
    const auto table = database->OpenTable("app");
    ASSERT_THAT(table, IsOk());
    database = Status::Validation("dropped");
    EXPECT_TRUE(table->GetItem({.key = {{"PK", "p"}, {"SK", "s"}}})->item);
    EXPECT_THAT(Database::Open(directory / "db"), StatusIs(StatusCode::kResourceInUse, testing::_));
  }
  EXPECT_THAT(Database::Open(directory / "db"), IsOk());
}

}  // namespace
}  // namespace dolmen
