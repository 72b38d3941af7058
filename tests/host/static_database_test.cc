// Tests of a program that keeps a database in a static object. The destructor runs after exit(3) has destroyed the
// static objects that RocksDB constructed when the database was opened.

#include <gmock/gmock.h>

#include <optional>
#include <string>

#include "dolmen/dolmen.h"
#include "tests/support/child_process.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

constexpr int kStaticItems = 100;

std::optional<Database> static_database;
std::optional<Table> static_table;
std::optional<Subscription> static_subscription;

// Opens the database in the directory and leaves it to the end of the process.
int OpenAndReturn(const ChildArguments& arguments) {
  const OpenOptions options = {.durability = arguments[1] == "sync" ? Durability::kSync
                                                                    : Durability::kBuffered};
  static_database = Value(arguments[0].empty() ? Database::InMemory(options)
                                               : Database::Open(arguments[0], options));
  static_table = Value(static_database->CreateTable(
      {.name = "app", .stream_specification = {{.view_type = StreamViewType::kNewAndOldImages}}}));
  static_subscription =
      Value(static_table->Subscribe({.name = "s"}, [](const StreamRecord&) { return Status(); }));
  for (int i = 0; i < kStaticItems; ++i) {
    Value(static_table->PutItem({.item = {{"PK", "p"}, {"SK", std::to_string(i)}}}));
  }
  return 0;
}

const ChildRole kOpenAndReturn("open_and_return", OpenAndReturn);

TEST(StaticDatabaseTest, TheProgramEndsAndTheDatabaseHasAllItems) {
  for (const char* const durability : {"sync", "buffered"}) {
    for (int round = 0; round < 2; ++round) {
      const TempDirectory directory;
      ChildProcess child(kOpenAndReturn, {directory / "db", durability});
      EXPECT_EQ(child.Finish(), 0) << durability;
      const Database db = Value(Database::Open(directory / "db"));
      EXPECT_EQ(Value(Value(db.OpenTable("app")).Scan({})).size(), std::size_t{kStaticItems});
      EXPECT_EQ(Value(db.Verify()).finding_count, 0u);
    }
  }
}

TEST(StaticDatabaseTest, AProgramWithADatabaseInMemoryEnds) {
  ChildProcess child(kOpenAndReturn, {"", "buffered"});
  EXPECT_EQ(child.Finish(), 0);
}

}  // namespace
}  // namespace dolmen::test
