// Opening a database after something went wrong, or by another of its names.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/behaviour/fixture.h"
#include "tests/support/child_process.h"
#include "tests/support/files.h"
#include "tests/support/temp_directory.h"

namespace dolmen::behaviour {
namespace {

namespace fs = std::filesystem;

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void WriteFile(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// In another process: opens the database, says how that went, and keeps it open.
int HoldOpen(const test::ChildArguments& arguments) {
  const auto db = Database::Open(arguments[0]);
  test::TellParent(db.ok() ? "open" : StatusCodeName(db.status().code()));
  test::WaitForParent();
  return 0;
}

const test::ChildRole kHoldOpen("hold_open", HoldOpen);

class OpenAccidentsTest : public testing::Test {
 protected:
  // A database with one item.
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

// Two stores on the same files would destroy each other, whatever name each was opened by.
TEST_F(OpenAccidentsTest, IsInUseByAnyName) {
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

// The process that had it open was killed: nothing is left to be cleaned up by hand.
TEST_F(OpenAccidentsTest, IsFreeAfterTheOtherProcessWasKilled) {
  Make();
  test::ChildProcess other(kHoldOpen, {path_.string()});
  ASSERT_EQ(other.ReadLine(), "open");
  other.Kill();
  ExpectItem();
}

// Without the file that names the others, the storage library would take the directory for a new
// database, and remove the old one's files.
TEST_F(OpenAccidentsTest, DoesNotStartAnewWhereDataIs) {
  Make();
  fs::remove(path_ / "CURRENT");
  const auto before = test::FilesBelow(path_);
  for (int again = 0; again < 2; ++again) {
    EXPECT_THAT(Database::Open(path_).status(),
                StatusIs(StatusCode::kCorruption, HasSubstr("CURRENT")));
    EXPECT_EQ(test::FilesBelow(path_), before);
  }
}

TEST_F(OpenAccidentsTest, LeavesUnmarkedDataAlone) {
  Make();
  fs::remove(path_ / "DOLMEN");
  const auto before = test::FilesBelow(path_);
  EXPECT_THAT(Database::Open(path_).status(),
              StatusIs(kValidation, HasSubstr("not a database of Dolmen's")));
  EXPECT_EQ(test::FilesBelow(path_), before);
}

// The process that was making the database was killed while it wrote the mark: there is no data
// yet, and the next one makes it.
TEST_F(OpenAccidentsTest, FinishesAMarkThatWasBegun) {
  fs::create_directory(path_);
  WriteFile(path_ / "DOLMEN.new", "dolmen data");
  EXPECT_THAT(Database::Open(path_), IsOk());
  EXPECT_FALSE(fs::exists(path_ / "DOLMEN.new"));
}

// Whoever has it open may be an older release, which could not open it again.
TEST(OlderFormatTest, IsNotMarkedAnewWhileItIsInUse) {
  const test::TempDirectory directory;
  const std::filesystem::path path = directory / "db";
  { EXPECT_THAT(Database::Open(path), IsOk()); }
  test::ChildProcess child(kHoldOpen, {path.string()});
  EXPECT_EQ(child.ReadLine(), "open");
  WriteFile(path / "DOLMEN", "dolmen database, format 1\n");
  EXPECT_THAT(Database::Open(path), StatusIs(StatusCode::kResourceInUse, testing::_));
  EXPECT_EQ(ReadFile(path / "DOLMEN"), "dolmen database, format 1\n");
  EXPECT_EQ(child.Finish(), 0);
}

// What was written can be read as long as the files are open; sooner or later writes say that there
// is no place for them, and nothing ends the process.
TEST(DeletedDirectoryTest, EndsInErrorsOnly) {
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
