// Tests of Database::Fork and Database::Reset: the state and the independence of a fork.

#include <dolmen/dolmen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tests/backup/backed_up_database.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::backup {
namespace {

using test::IsOk;
using test::StatusIs;
using test::Value;
using testing::HasSubstr;

// The places of an original and of its fork.
struct Places {
  bool original_on_disk;
  bool fork_on_disk;
};

class ForkTest : public testing::TestWithParam<Places> {
 protected:
  // Opens the original, with the table "app" and the items 0 to 99.
  ForkTest()
      : original_(GetParam().original_on_disk ? Value(Database::Open(directory_ / "original"))
                                              : Value(Database::InMemory())),
        table_(CreateApp(original_)) {
    PutItems(table_, 0, 100);
  }

  // Forks the database, each time into a directory of its own.
  Database Fork(const Database& db, ForkOptions options = {}) {
    if (GetParam().fork_on_disk) options.directory = directory_ / std::to_string(forks_++);
    return Value(db.Fork(options));
  }

  const test::TempDirectory directory_;
  Database original_;
  Table table_;
  int forks_ = 0;
};

INSTANTIATE_TEST_SUITE_P(Places, ForkTest,
                         testing::Values(Places{false, false}, Places{true, true},
                                         Places{true, false}, Places{false, true}),
                         [](const testing::TestParamInfo<Places>& place) {
                           return std::string(place.param.original_on_disk ? "FromDisk"
                                                                           : "FromMemory") +
                                  (place.param.fork_on_disk ? "ToDisk" : "ToMemory");
                         });

TEST_P(ForkTest, HasTheContentsOfItsOriginal) {
  EXPECT_EQ(ReadState(Fork(original_)), ReadState(original_));
}

TEST_P(ForkTest, IsIndependentOfItsOriginal) {
  const State before = ReadState(original_);
  const Database fork = Fork(original_);
  PutItems(table_, 100, 200);
  EXPECT_EQ(ReadState(fork), before);
  const State changed = ReadState(original_);
  const Table forked = Value(fork.OpenTable("app"));
  PutItems(forked, 50, 60);
  EXPECT_THAT(fork.DeleteTable("app"), IsOk());
  EXPECT_EQ(ReadState(original_), changed);
}

TEST_P(ForkTest, LivesLongerThanItsOriginal) {
  const State before = ReadState(original_);
  const Database fork = Fork(original_);
  original_ = Value(Database::InMemory());
  table_ = CreateApp(original_);
  EXPECT_EQ(ReadState(fork), before);
}

TEST_P(ForkTest, CanBeForkedItself) {
  Database fork = Fork(original_);
  PutItems(Value(fork.OpenTable("app")), 100, 120);
  const State state = ReadState(fork);
  const Database second = Fork(fork);
  PutItems(Value(fork.OpenTable("app")), 120, 130);
  EXPECT_EQ(ReadState(second), state);
}

// Each fork sees the writes since the former fork, although a database in memory keeps the files of
// its last fork.
TEST_P(ForkTest, SeesEachWriteBeforeIt) {
  for (int number = 100; number < 105; ++number) {
    PutItems(table_, number, number + 1);
    EXPECT_EQ(ReadState(Fork(original_)), ReadState(original_)) << number;
    EXPECT_EQ(ReadState(Fork(original_)), ReadState(original_)) << number;
  }
}

TEST_P(ForkTest, CopiesAManualClock) {
  const auto clock = std::make_shared<ManualClock>(Timestamp(std::chrono::hours(5)));
  const Database original = Value(Database::InMemory({.clock = clock}));
  const Database fork = Fork(original);
  clock->Advance(std::chrono::hours(1));
  EXPECT_EQ(fork.clock()->Now(), Timestamp(std::chrono::hours(5)));
  const auto other = std::make_shared<ManualClock>();
  EXPECT_EQ(Fork(original, {.clock = other}).clock()->Now(), Timestamp());
}

TEST_P(ForkTest, SharesTheClockOfTheSystem) {
  EXPECT_EQ(Fork(original_).clock().get(), Clock::System().get());
}

TEST_P(ForkTest, ContinuesTheStream) {
  const std::vector<std::string> before = ReadState(original_).records;
  const Database fork = Fork(original_);
  PutItems(Value(fork.OpenTable("app")), 100, 101);
  std::vector<std::string> records = ReadState(fork).records;
  ASSERT_EQ(records.size(), before.size() + 1);
  EXPECT_GT(records.back(), before.back());
  records.pop_back();
  EXPECT_EQ(records, before);
}

class ForkToDiskTest : public testing::Test {
 protected:
  const test::TempDirectory directory_;
  const Database original_ = Value(Database::Open(directory_ / "original"));
};

TEST_F(ForkToDiskTest, RejectsADirectoryThatIsNotEmpty) {
  std::filesystem::create_directories(directory_.path() / "full" / "child");
  EXPECT_THAT(original_.Fork({.directory = directory_ / "full"}),
              StatusIs(StatusCode::kValidation, HasSubstr("is not an empty directory")));
}

TEST_F(ForkToDiskTest, RejectsADirectoryInTheDatabase) {
  EXPECT_THAT(original_.Fork({.directory = directory_ / "original/fork"}),
              StatusIs(StatusCode::kValidation, HasSubstr("is in the database's directory")));
}

TEST_F(ForkToDiskTest, OpensAgain) {
  const Table table = CreateApp(original_);
  PutItems(table, 0, 10);
  ASSERT_THAT(original_.Fork({.directory = directory_ / "fork"}), IsOk());
  EXPECT_EQ(ReadState(Value(Database::Open(directory_ / "fork"))), ReadState(original_));
}

TEST_F(ForkToDiskTest, IsADatabaseOfItsOwnForBackups) {
  PutItems(CreateApp(original_), 0, 10);
  const Database fork = Value(original_.Fork({.directory = directory_ / "fork"}));
  ASSERT_THAT(original_.Backup(directory_ / "backup"), IsOk());
  EXPECT_THAT(fork.Backup(directory_ / "backup"), StatusIs(StatusCode::kValidation, testing::_));
}

TEST_F(ForkToDiskTest, KeepsTheEncryptionKey) {
  EncryptionKey key = {};
  key.fill(std::byte{7});
  const Database secret = Value(Database::Open(directory_ / "secret", {.encryption_key = key}));
  PutItems(CreateApp(secret), 0, 10);
  const State state = ReadState(Value(secret.Fork({.directory = directory_ / "fork"})));
  EXPECT_EQ(state, ReadState(secret));
  EXPECT_THAT(Database::Open(directory_ / "fork"), StatusIs(StatusCode::kValidation, testing::_));
  EXPECT_EQ(state, ReadState(Value(Database::Open(directory_ / "fork", {.encryption_key = key}))));
}

TEST_F(ForkToDiskTest, RejectsAReadOnlyDatabase) {
  { const Database db = Value(Database::Open(directory_ / "db")); }
  const Database db = Value(Database::Open(directory_ / "db", {.read_only = true}));
  EXPECT_THAT(db.Fork(), StatusIs(StatusCode::kValidation, HasSubstr("read_only = false")));
}

TEST(ResetTest, BringsAForkBackToItsBeginning) {
  const Database original = Value(Database::InMemory());
  PutItems(CreateApp(original), 0, 100);
  const State before = ReadState(original);
  Database fork = Value(original.Fork());
  for (int round = 0; round < 3; ++round) {
    PutItems(Value(fork.OpenTable("app")), 50, 150);
    PutItems(Value(original.OpenTable("app")), 100 + round, 101 + round);
    ASSERT_THAT(fork.Reset(), IsOk());
    EXPECT_EQ(ReadState(fork), before);
  }
}

TEST(ResetTest, EmptiesADatabaseThatIsNoFork) {
  Database db = Value(Database::InMemory());
  PutItems(CreateApp(db), 0, 10);
  ASSERT_THAT(db.Reset(), IsOk());
  EXPECT_TRUE(Value(db.ListTables()).table_names.empty());
}

TEST(ResetTest, EndsTheFormerTables) {
  Database db = Value(Database::InMemory());
  const Table table = CreateApp(db);
  const Database copy = db;
  ASSERT_THAT(db.Reset(), IsOk());
  EXPECT_THAT(table.PutItem({.item = {{"PK", "p"}, {"SK", "s"}}}),
              StatusIs(StatusCode::kResourceNotFound, testing::_));
  EXPECT_THAT(copy.OpenTable("app"), StatusIs(StatusCode::kResourceNotFound, testing::_));
}

TEST(ResetTest, KeepsTheClock) {
  const auto clock = std::make_shared<ManualClock>();
  Database db = Value(Database::InMemory({.clock = clock}));
  clock->Advance(std::chrono::hours(2));
  ASSERT_THAT(db.Reset(), IsOk());
  EXPECT_EQ(db.clock()->Now(), Timestamp(std::chrono::hours(2)));
}

TEST(ResetTest, IsRejectedOnDisk) {
  const test::TempDirectory directory;
  Database db = Value(Database::Open(directory / "db"));
  EXPECT_THAT(db.Reset(),
              StatusIs(StatusCode::kValidation, HasSubstr("Only a database in memory")));
}

}  // namespace
}  // namespace dolmen::backup
