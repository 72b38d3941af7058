// Tests of the fixtures with which `dolmen serve --memory --fixture` begins.

#include "command/fixture.h"

#include <chrono>
#include <filesystem>
#include <memory>

#include "tests/command/command_fixture.h"
#include "tests/support/items.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

using command::OpenFixture;
using testing::HasSubstr;

class FixtureTest : public CommandTest {
 protected:
  static std::size_t CountIn(const Database& database, const std::string& table) {
    return Value(Value(database.OpenTable(table)).Scan({.select = Select::kCount})).count();
  }
  std::string Seed(const std::string& items) const {
    return Write("seed.json",
                 R"({"Tables":[{"TableName":"app","BillingMode":"PAY_PER_REQUEST",)"
                 R"("KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}],)"
                 R"("AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}],)"
                 R"("Items":)" +
                     items + "}]}");
  }

  const OpenOptions options_ = {.expiry_lag = std::nullopt};
};

TEST_F(FixtureTest, ADirectoryOfADatabaseIsCopied) {
  MakeDatabase();
  Put({{{"PK", "a"}, {"SK", "1"}}, {{"PK", "b"}, {"SK", "1"}}});
  const Database copy = Value(OpenFixture(path_, options_));
  EXPECT_EQ(CountIn(copy, "app"), 2);
  EXPECT_THAT(Value(copy.OpenTable("app")).PutItem({.item = {{"PK", "c"}, {"SK", "1"}}}), IsOk());
  EXPECT_EQ(Items().size(), 2) << "the fixture can be opened and is not changed";
}

TEST_F(FixtureTest, ExpiredItemsStayInTheDirectory) {
  MakeDatabase();
  Put({{{"PK", "a"}, {"SK", "1"}, {"expires", 1}}});
  ASSERT_THAT(Open().UpdateTimeToLive(
                  {.table_name = "app", .specification = {.attribute_name = "expires"}}),
              IsOk());
  for (int round = 0; round < 3; ++round) {
    ASSERT_THAT(OpenFixture(path_, {.expiry_lag = std::chrono::milliseconds(1)}), IsOk());
  }
  EXPECT_EQ(Items().size(), 1);
}

TEST_F(FixtureTest, ADirectoryOfExportsCreatesATableForEachExport) {
  MakeDatabase();
  Put({{{"PK", "a"}, {"SK", "1"}}});
  ASSERT_THAT(Open().CreateTable({.name = "log"}), IsOk());
  ASSERT_EQ(OnTable("export", {"--output", File("backup/")}).exit_code, 0);
  ASSERT_EQ(RunDolmen({"export", "--path", path_, "--table", "log", "--output", File("backup/")})
                .exit_code,
            0);
  const Database copy = Value(OpenFixture(File("backup"), options_));
  EXPECT_EQ(CountIn(copy, "app"), 1);
  EXPECT_EQ(CountIn(copy, "log"), 0);
  EXPECT_FALSE(Value(copy.DescribeTable("app")).annotations.contains("dolmen:import"))
      << "the import leaves no checkpoint";

  ASSERT_EQ(OnTable("export", {"--output", File("backup/")}).exit_code, 0);
  EXPECT_THAT(OpenFixture(File("backup"), options_),
              StatusIs(StatusCode::kResourceInUse, HasSubstr("two exports of the table app")));
}

TEST_F(FixtureTest, AFileIsASeed) {
  EXPECT_EQ(CountIn(Value(OpenFixture(Seed(R"([{"PK":{"S":"a"}}])"), options_)), "app"), 1);
}

TEST_F(FixtureTest, AResetBringsTheContentsBack) {
  Database database = Value(OpenFixture(Seed(R"([{"PK":{"S":"a"}}])"), options_));
  EXPECT_THAT(Value(database.OpenTable("app")).DeleteItem({.key = {{"PK", "a"}}}), IsOk());
  EXPECT_THAT(database.Reset(), IsOk());
  EXPECT_EQ(CountIn(database, "app"), 1);
}

TEST_F(FixtureTest, TheDatabaseHasTheGivenClock) {
  MakeDatabase();
  const auto clock = std::make_shared<ManualClock>();
  for (const std::string& path : {path_, Seed("[]")}) {
    const Database database = Value(OpenFixture(path, {.clock = clock}));
    clock->Advance(std::chrono::hours(1));
    EXPECT_EQ(database.clock()->Now(), clock->Now());
  }
}

TEST_F(FixtureTest, AnErrorSaysWhatToDo) {
  std::filesystem::create_directories(File("lines"));
  std::filesystem::create_directories(File("empty"));
  Write("lines/items.json", ItemLine("a", "1", 1));
  const struct {
    std::string path;
    const char* says;
  } cases[] = {
      {File("absent.json"), "can't read the fixture"},
      {File("empty"), "there is no file *.json"},
      {File("lines"), "dolmen import --create-table"},
      {Write("lines.json", ItemLine("a", "1", 1)), R"(give {"Tables": [)"},
      {Seed(R"([{"SK":{"S":"a"}}])"), "item 1 of the table app"},
  };
  for (const auto& [path, says] : cases) {
    EXPECT_THAT(OpenFixture(path, options_), StatusIs(StatusCode::kValidation, HasSubstr(says)));
  }
  MakeDatabase();
  const Database open = Open();
  EXPECT_THAT(OpenFixture(path_, options_),
              StatusIs(StatusCode::kResourceInUse, HasSubstr("is open in another program")));
}

}  // namespace
}  // namespace dolmen::test
