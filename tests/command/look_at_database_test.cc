// Tests of `dolmen tables` and `dolmen stats`, of --help, and of the errors for a database that
// cannot be opened.

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "tests/command/command_fixture.h"
#include "tests/support/items.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

class LookAtDatabaseTest : public CommandTest {
 protected:
  CommandOutput On(const std::string& command, std::vector<std::string> arguments = {}) const {
    arguments.insert(arguments.begin(), {command, "--path", path_});
    return RunDolmen(std::move(arguments));
  }
};

TEST_F(LookAtDatabaseTest, TablesAreShownWithTheirKeysAndIndexes) {
  MakeDatabase(
      {.name = "app",
       .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")},
       .local_secondary_indexes = {{.name = "by-age", .sort_key = {"age", AttributeType::kN}}},
       .stream_specification = StreamSpecification{.view_type = StreamViewType::kNewImage}});
  ASSERT_THAT(Open().UpdateTimeToLive(
                  {.table_name = "app", .specification = {.attribute_name = "expires"}}),
              IsOk());
  const CommandOutput output = On("tables");
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_THAT(output.out, StartsWith("TABLE             KEYS             "));
  EXPECT_THAT(output.out, HasSubstr("\napp               PK:S SK:S        "));
  EXPECT_THAT(output.out, HasSubstr("new images  expires"));
  EXPECT_THAT(output.out, HasSubstr("\n  GSI1            GSI1PK:S GSI1SK:S"));
  EXPECT_THAT(output.out, HasSubstr("\n  by-age (local)  PK:S age:N       "));
}

TEST_F(LookAtDatabaseTest, TheJsonOfATableIsASchemaForAnImport) {
  MakeDatabase(
      {.name = "app",
       .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")},
       .stream_specification = StreamSpecification{.view_type = StreamViewType::kNewImage}});
  const CommandOutput output = On("tables", {"--json"});
  EXPECT_EQ(std::ranges::count(output.out, '\n'), 1) << output.err;
  WriteFile(File("schema.json"), output.out);
  const std::string copy = File("copy.dolmen");
  EXPECT_EQ(RunDolmen({"import", "--path", copy, "--table", "copy", "--create-table", "--schema",
                       File("schema.json")})
                .exit_code,
            0);
  const auto copied = Value(Value(Database::Open(copy)).DescribeTable("copy"));
  const TableDescription table = Describe();
  EXPECT_EQ(copied.partition_key, table.partition_key);
  EXPECT_EQ(copied.sort_key, table.sort_key);
  EXPECT_EQ(copied.global_secondary_indexes.at(0).index, table.global_secondary_indexes[0].index);
  EXPECT_EQ(copied.stream_specification, table.stream_specification);
}

TEST_F(LookAtDatabaseTest, ADatabaseWithoutTablesIsReportedAsEmpty) {
  ASSERT_THAT(Database::Open(path_), IsOk());
  EXPECT_EQ(On("tables").out, "The database has no tables.\n");
  EXPECT_EQ(On("tables", {"--json"}).out, "");
}

TEST_F(LookAtDatabaseTest, StatsArePrintedAsTextAndAsJson) {
  MakeDatabase();
  EXPECT_THAT(On("stats").out, HasSubstr("tables "));
  EXPECT_THAT(On("stats", {"--json"}).out, StartsWith("{\"tables\":1,\"table_files\":"));
}

TEST_F(LookAtDatabaseTest, NoCommandCreatesADatabaseByDefault) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"tables"},
                                                    {"stats"},
                                                    {"verify"},
                                                    {"query", "--table", "app"},
                                                    {"export", "--table", "app"},
                                                    {"import", "--table", "app"}}) {
    const CommandOutput output = On(arguments.front(), {arguments.begin() + 1, arguments.end()});
    EXPECT_EQ(output.exit_code, 1);
    EXPECT_EQ(output.err, "dolmen: there is no database in " + path_ + "\n");
    EXPECT_FALSE(fs::exists(path_)) << arguments.front();
  }
}

TEST_F(LookAtDatabaseTest, ADatabaseInUseIsReportedInOneLine) {
  MakeDatabase();
  const Database in_use = Open();
  const CommandOutput output = On("tables");
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_THAT(output.err, HasSubstr("is open in another program: stop that program"));
  EXPECT_EQ(std::ranges::count(output.err, '\n'), 1);
}

// A command that only reads deletes no expired items, so a user can run it on a backup.
TEST_F(LookAtDatabaseTest, CommandsThatReadDoNotExpireItems) {
  MakeDatabase();
  ASSERT_THAT(Open().UpdateTimeToLive(
                  {.table_name = "app", .specification = {.attribute_name = "expires"}}),
              IsOk());
  const auto seconds = Clock::System()->Now().time_since_epoch() / std::chrono::seconds(1);
  Put({{{"PK", "a"}, {"SK", "a"}, {"expires", seconds - 100}}});
  const std::string line = OnTable("export", {}).out;
  EXPECT_THAT(line, HasSubstr("expires"));
  EXPECT_EQ(OnTable("export", {}).out, line);
}

TEST_F(LookAtDatabaseTest, EveryCommandHasAnExampleInItsHelp) {
  for (const char* command : {"import", "export", "tables", "stats", "verify", "query", "draw",
                              "export-model", "import-model"}) {
    const CommandOutput output = RunDolmen({command, "--help"});
    EXPECT_EQ(output.exit_code, 0);
    EXPECT_THAT(output.out, HasSubstr("Example"));
    EXPECT_THAT(output.out, HasSubstr(std::string("dolmen ") + command + " --path app.dolmen"));
    EXPECT_THAT(output.out, AnyOf(HasSubstr("--path DIR REQUIRED"), HasSubstr("without it, give")));
  }
}

TEST_F(LookAtDatabaseTest, HelpFitsATerminalOf80Columns) {
  for (const char* command : {"", "serve", "import", "export", "copy", "tables", "stats", "verify",
                              "query", "draw", "export-model", "import-model"}) {
    std::vector<std::string> arguments{command, "--help"};
    if (arguments.front().empty()) arguments.erase(arguments.begin());
    std::istringstream help(RunDolmen(arguments).out);
    EXPECT_FALSE(help.str().empty()) << command;
    for (std::string line; std::getline(help, line);) EXPECT_LE(line.size(), 80U) << line;
  }
}

TEST_F(LookAtDatabaseTest, AnEmptyPathOrTableNameIsRejected) {
  for (const char* command : {"tables", "stats", "verify"}) {
    const CommandOutput output = RunDolmen({command, "--path", ""});
    EXPECT_EQ(output.exit_code, 2);
    EXPECT_THAT(output.err, StartsWith("dolmen: --path: is empty"));
  }
  EXPECT_THAT(RunDolmen({"query", "--path", path_, "--table", ""}).err,
              StartsWith("dolmen: --table: is empty"));
}

}  // namespace
}  // namespace dolmen::test
