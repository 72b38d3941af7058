// Tests of OpenOptions::read_only, which reads a database and changes none of its files.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/behaviour/fixture.h"
#include "tests/support/child_process.h"
#include "tests/support/contents.h"
#include "tests/support/files.h"
#include "tests/support/half_made_index.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::behaviour {
namespace {

namespace fs = std::filesystem;
using test::FilesBelow;
using test::Value;
using testing::HasSubstr;

// Options of a read-only open. A database that is open for writing deletes expired items at once if
// it has this short expiry_lag. The tests show that a read-only open does not delete them.
const OpenOptions kReadOnly{.read_only = true, .expiry_lag = std::chrono::milliseconds(1)};

// An expiry time 100 seconds in the past, so an item with this time has expired. The time must not
// be much older: an item whose time is more than five years in the past never expires.
const std::int64_t kExpired =
    Clock::System()->Now().time_since_epoch() / std::chrono::seconds(1) - 100;

Item Session(const std::string& name, std::int64_t expires) {
  return {{"PK", "session"}, {"SK", name}, {"colour", "red"}, {"expires", expires}};
}

class ReadOnlyTest : public testing::Test {
 protected:
  // Creates a table with an index, a stream and a time to live, and a second table, which is
  // deleted. Half of the items are in a table file and half in the log. All items have expired.
  void Make() const {
    Value(Database::Open(path_))
        .CreateTable(
            {.name = "sessions",
             .global_secondary_indexes = {{.name = "by_colour", .partition_key = {{"colour"}}}},
             .stream_specification = StreamSpecification{.view_type = StreamViewType::kNewImage}})
        .status()
        .IgnoreError();
    for (const int part : {1, 2}) {
      const Database db = Value(Database::Open(path_, {.expiry_lag = std::nullopt}));
      const Table table = Value(db.OpenTable("sessions"));
      for (int i = 0; i < 10; ++i) {
        const std::string name = std::to_string(part) + "-" + std::to_string(i);
        ASSERT_THAT(table.PutItem({.item = Session(name, kExpired - i)}), IsOk());
      }
      if (part == 1) continue;
      ASSERT_THAT(db.UpdateTimeToLive(
                      {.table_name = "sessions", .specification = {.attribute_name = "expires"}}),
                  IsOk());
      ASSERT_THAT(table.WaitForIndexes(), IsOk());
      ASSERT_THAT(db.CreateTable({.name = "gone"}), IsOk());
      ASSERT_THAT(db.DeleteTable("gone"), IsOk());
    }
  }

  Database OpenToRead() const { return Value(Database::Open(path_, kReadOnly)); }

  const test::TempDirectory directory_;
  const fs::path path_ = directory_ / "db";
};

TEST_F(ReadOnlyTest, ReadsSeeEveryAcknowledgedWriteAndChangeNoFile) {
  Make();
  const auto before = FilesBelow(path_);
  {
    const Database db = OpenToRead();
    const Table table = Value(db.OpenTable("sessions"));
    EXPECT_EQ(test::ReadContents(table).size(), 20u);
    EXPECT_EQ(test::ReadContents(table, "by_colour").size(), 20u);
    EXPECT_TRUE(Value(table.GetItem({.key = {{"PK", "session"}, {"SK", "2-9"}}})).item);
    EXPECT_EQ(Value(db.DescribeTable("sessions")).content.item_count, 20u);
    EXPECT_THAT(Value(db.ListTables()).table_names, testing::ElementsAre("sessions"));
    EXPECT_GT(Value(db.Stats()).log_bytes, 0u);
    const VerifyOutput verified = Value(db.Verify());
    EXPECT_EQ(verified.finding_count, 0u);
    EXPECT_EQ(verified.items, 20u);
    EXPECT_EQ(verified.stream_records, 20u);
    EXPECT_EQ(test::ReadContents(table).size(), 20u) << "an item has expired";
  }
  EXPECT_EQ(FilesBelow(path_), before);
}

// A read-only database deletes no records, so records beyond their retention stay readable.
TEST_F(ReadOnlyTest, StreamRecordsBeyondTheirRetentionAreReadAndNotTrimmed) {
  Make();
  const auto clock = std::make_shared<ManualClock>(Clock::System()->Now() + std::chrono::hours(48));
  const auto before = FilesBelow(path_);
  {
    const Database db = Value(Database::Open(path_, {.read_only = true, .clock = clock}));
    const auto stream = Value(db.ListStreams()).streams.at(0);
    const auto shard = Value(db.DescribeStream({.stream_arn = stream.stream_arn})).shards.at(0);
    const std::string iterator =
        Value(db.GetShardIterator({.stream_arn = stream.stream_arn,
                                   .shard_id = shard.shard_id,
                                   .shard_iterator_type = ShardIteratorType::kTrimHorizon}));
    EXPECT_EQ(Value(db.GetRecords({.shard_iterator = iterator})).records.size(), 20u);
  }
  EXPECT_EQ(FilesBelow(path_), before);
}

TEST_F(ReadOnlyTest, EveryWriteIsRejected) {
  Make();
  const auto before = FilesBelow(path_);
  {
    const Database db = OpenToRead();
    const Table table = Value(db.OpenTable("sessions"));
    const Item item = Session("new", 1);
    const Item key = {{"PK", "session"}, {"SK", "not there"}};
    const std::vector<std::pair<const char*, std::function<Status()>>> writes = {
        {"PutItem", [&] { return table.PutItem({.item = item}).status(); }},
        {"UpdateItem",
         [&] { return table.UpdateItem({.key = key, .update = Update().Set("a", 1)}).status(); }},
        {"DeleteItem of an absent item", [&] { return table.DeleteItem({.key = key}).status(); }},
        {"PutItem with a false condition",
         [&] {
           return table.PutItem({.item = item, .condition = AttributeExists("PK")}).status();
         }},
        {"BatchWriteItem",
         [&] {
           return db.BatchWriteItem({.requests = {{table, {PutRequest{item}}}}}).status();
         }},
        {"TransactWriteItems",
         [&] {
           return db.TransactWriteItems({.actions = {{table, PutItemInput{.item = item}}}})
               .status();
         }},
        {"ExpireNow", [&] { return table.ExpireNow().status(); }},
        {"Subscribe",
         [&] {
           return table.Subscribe({.name = "s"}, [](const StreamRecord&) { return Status(); })
               .status();
         }},
        {"Unsubscribe", [&] { return table.Unsubscribe("s"); }},
        {"CreateTable", [&] { return db.CreateTable({.name = "new"}).status(); }},
        {"UpdateTable",
         [&] {
           return db.UpdateTable({.name = "sessions", .delete_index = "by_colour"}).status();
         }},
        {"UpdateTimeToLive",
         [&] {
           return db
               .UpdateTimeToLive({.table_name = "sessions",
                                  .specification = {.enabled = false, .attribute_name = "expires"}})
               .status();
         }},
        {"DeleteTable", [&] { return db.DeleteTable("sessions"); }},
    };
    for (const auto& [name, write] : writes) {
      EXPECT_THAT(write(),
                  StatusIs(StatusCode::kValidation,
                           "the database is open for reading only: open it with read_only = false"))
          << name;
    }
    EXPECT_EQ(test::ReadContents(table).size(), 20u);
  }
  EXPECT_EQ(FilesBelow(path_), before);
}

TEST_F(ReadOnlyTest, WaitForIndexesRejectsAnIndexThatIsBeingBuilt) {
  Make();
  test::LeaveIndexHalfMade(path_, "sessions", {.name = "late", .partition_key = {{"colour"}}});
  const Database db = OpenToRead();
  const Table table = Value(db.OpenTable("sessions"));
  EXPECT_THAT(table.WaitForIndexes(),
              StatusIs(StatusCode::kValidation,
                       "the database is open for reading only: open it with read_only = false"));
  EXPECT_THAT(table.Query({.index = "late", .key_condition = Partition("red")}),
              StatusIs(StatusCode::kValidation, testing::_));
}

TEST_F(ReadOnlyTest, OpenCreatesNoDatabase) {
  EXPECT_THAT(Database::Open(path_, kReadOnly),
              StatusIs(StatusCode::kValidation, HasSubstr("there is no database in")));
  EXPECT_FALSE(fs::exists(path_));
  // The creation of this database was interrupted. A read-only open does not finish the creation.
  fs::create_directory(path_);
  std::ofstream(path_ / "DOLMEN") << "dolmen database, format 1\n";
  EXPECT_THAT(Database::Open(path_, kReadOnly),
              StatusIs(StatusCode::kValidation, HasSubstr("was interrupted")));
  EXPECT_EQ(FilesBelow(path_).size(), 1u);
}

TEST_F(ReadOnlyTest, InMemoryRejectsReadOnly) {
  EXPECT_THAT(Database::InMemory(kReadOnly), StatusIs(StatusCode::kValidation, testing::_));
}

TEST_F(ReadOnlyTest, ADatabaseIsOpenEitherForReadingOrForWriting) {
  Make();
  {
    const Database reader = OpenToRead();
    EXPECT_THAT(Database::Open(path_), StatusIs(StatusCode::kResourceInUse, testing::_));
  }
  const Result<Database> writer = Database::Open(path_);
  EXPECT_THAT(writer, IsOk());
  EXPECT_THAT(Database::Open(path_, kReadOnly),
              StatusIs(StatusCode::kResourceInUse, HasSubstr("is open already")));
}

// Runs in a child process: opens the database, and writes the outcome to the parent.
int TryToOpen(const test::ChildArguments& arguments) {
  const auto db = Database::Open(arguments[0], {.read_only = arguments[1] == "read"});
  test::TellParent(db.ok() ? "open" : StatusCodeName(db.status().code()));
  test::WaitForParent();
  return 0;
}

const test::ChildRole kTryToOpen("try_to_open", TryToOpen);

TEST_F(ReadOnlyTest, AnotherProcessCannotOpenTheDatabaseMeanwhile) {
  Make();
  {
    const Database reader = OpenToRead();
    test::ChildProcess other(kTryToOpen, {path_.string(), "write"});
    EXPECT_EQ(other.ReadLine(), "ResourceInUseException");
  }
  test::ChildProcess other(kTryToOpen, {path_.string(), "read"});
  ASSERT_EQ(other.ReadLine(), "open");
  EXPECT_THAT(Database::Open(path_), StatusIs(StatusCode::kResourceInUse, testing::_));
}

// A copy of a database may lack the file LOCK. A read-only open then locks nothing and does not
// create the file.
TEST_F(ReadOnlyTest, ACopyWithoutItsLockFileCanBeRead) {
  Make();
  fs::remove(path_ / "LOCK");
  const auto before = FilesBelow(path_);
  { EXPECT_EQ(test::ReadContents(Value(OpenToRead().OpenTable("sessions"))).size(), 20u); }
  EXPECT_EQ(FilesBelow(path_), before);
}

}  // namespace
}  // namespace dolmen::behaviour
