// Tests of commands that work on a service in place of a directory.

#include <filesystem>

#include "tests/command/served_database.h"
#include "tests/support/contents.h"
#include "tests/support/items.h"

namespace dolmen::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class EndpointTest : public ServedCommandTest {
 protected:
  // Stores random items in the served table "app".
  void PutOnServer(int count) {
    const Table table = Value(served_.database.OpenTable("app"));
    for (int i = 0; i < count; ++i) {
      ASSERT_THAT(table.PutItem({.item = RandomItem(&random_, i)}), IsOk());
    }
  }

  std::vector<Item> ServedItems(const std::string& table) const {
    std::vector<Item> items;
    for (auto& [key, item] : ReadContents(Value(served_.database.OpenTable(table)))) {
      items.push_back(item);
    }
    return items;
  }
};

TEST_F(EndpointTest, CommandsThatReadShowWhatTheServerHas) {
  MakeServedTable(
      {.name = "app", .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")}});
  const Table table = Value(served_.database.OpenTable("app"));
  ASSERT_THAT(table.PutItem({.item = {{"PK", "a"}, {"SK", "1"}, {"n", 7}}}), IsOk());
  EXPECT_THAT(OnServer("tables", {}).out, AllOf(HasSubstr("\napp "), HasSubstr("\n  GSI1 ")));
  EXPECT_THAT(OnServer("tables", {"--json"}).out, HasSubstr(R"("IndexName":"GSI1")"));
  EXPECT_THAT(OnServer("stats", {}).out, AllOf(HasSubstr("items"), HasSubstr("in indexes")));
  EXPECT_THAT(OnServer("stats", {"--json"}).out, StartsWith(R"({"tables":1,"items":1,)"));
  EXPECT_THAT(OnServer("query", {"--table", "app", "--partition", "a", "--json"}).out,
              HasSubstr(R"("n":{"N":"7"})"));
  EXPECT_THAT(OnServer("query", {"--sql", "SELECT n FROM app WHERE PK = 'a'", "--json"}).out,
              HasSubstr(R"("n":{"N":"7"})"));
  EXPECT_THAT(OnServer("query", {"--table", "nothing"}).err,
              HasSubstr("there is no table nothing; existing tables: app"));
}

TEST_F(EndpointTest, AnExportAndAnImportKeepTheTableAndItsItems) {
  MakeServedTable();
  PutOnServer(100);
  const Database remote = Value(command::ConnectTo({.url = served_.url()}));
  ASSERT_THAT(
      remote.UpdateTimeToLive(
          {.table_name = "app", .specification = {.attribute_name = "t", .hide_expired = true}}),
      IsOk());
  const Endpoint endpoint(served_.database);
  ASSERT_EQ(endpoint
                .Execute("TagResource",
                         R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app",)"
                         R"("Tags":[{"Key":"team","Value":"blue"}]})")
                .status,
            200);
  const std::string backup = File("backup") + "/";
  EXPECT_EQ(OnServer("export", {"--table", "app", "--output", backup}).exit_code, 0);
  const CommandOutput output = OnServer("import", {"--table", "copy", "--create-table", backup});
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_EQ(ServedItems("copy"), ServedItems("app"));
  const auto expiry = Value(remote.DescribeTimeToLive("copy"));
  EXPECT_EQ(expiry.attribute_name, "t");
  EXPECT_TRUE(expiry.hide_expired);
  EXPECT_THAT(OnServer("tables", {"--json"}).out, HasSubstr(R"({"Key":"team","Value":"blue"})"));
}

TEST_F(EndpointTest, AnImportIntoAServerResumes) {
  MakeServedTable();
  const std::string file = Write("items", ItemLines(60) + "no item\n" + ItemLine("z", "1", 1));
  EXPECT_EQ(OnServer("import", {"--table", "app", file}).exit_code, 1);
  const CommandOutput output = OnServer("import", {"--table", "app", "--skip-errors", file});
  EXPECT_EQ(output.exit_code, 0);
  EXPECT_THAT(output.err, HasSubstr("The import resumes at line 61 of "));
  EXPECT_THAT(output.err, HasSubstr("Imported 61 items into app, 60 of them by earlier runs"));
  EXPECT_EQ(ServedItems("app").size(), 61U);
  EXPECT_TRUE(std::filesystem::is_empty(File("state/dolmen")));
}

TEST_F(EndpointTest, AnImportWhoseTableIsNewHasNoCheckpoint) {
  MakeServedTable();
  const std::string file = Write("items", ItemLines(60) + "no item\n");
  EXPECT_EQ(OnServer("import", {"--table", "app", file}).exit_code, 1);
  ASSERT_THAT(served_.database.DeleteTable("app"), IsOk());
  MakeServedTable();
  EXPECT_EQ(OnServer("import", {"--table", "app", "--skip-errors", file}).exit_code, 0);
  EXPECT_EQ(ServedItems("app").size(), 60U);
}

TEST_F(EndpointTest, OptionsForDirectoriesAreRefusedOnAServer) {
  MakeServedTable();
  const CommandOutput output = OnServer("export", {"--table", "app", "--skip-damaged"});
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_THAT(output.err, HasSubstr("Scan the remote table."));
}

TEST_F(EndpointTest, ADatabaseIsADirectoryOrAService) {
  const CommandOutput both = OnServer("tables", {"--path", path_});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_THAT(both.err, StartsWith("dolmen: --path excludes --endpoint-url, --region, --profile."));
  const CommandOutput none = RunDolmen({"tables"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_EQ(none.err,
            "dolmen: --path or --endpoint-url is required. Try `dolmen tables --help`.\n");
  EXPECT_THAT(RunDolmen({"tables", "--endpoint-url", ""}).err,
              StartsWith("dolmen: --endpoint-url: is empty"));
  EXPECT_THAT(RunDolmen({"tables", "--endpoint-url", "127.0.0.1:8000"}).err,
              AllOf(StartsWith("dolmen: "), HasSubstr("127.0.0.1:8000")));
}

}  // namespace
}  // namespace dolmen::test
