// Tests of `dolmen copy`: tables and exports, in directories and on a server.

#include <filesystem>

#include "tests/command/served_database.h"
#include "tests/support/contents.h"
#include "tests/support/items.h"

namespace dolmen::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class CopyCommandTest : public ServedCommandTest {
 protected:
  CommandOutput Copy(const std::string& from, const std::string& to,
                     std::vector<std::string> arguments = {}) const {
    arguments.insert(arguments.begin(), {"copy", from, to, "--table", "app"});
    return RunDolmen(std::move(arguments));
  }

  // Makes a table with an index, tags and a time to live in the directory.
  void MakeSource() {
    MakeDatabase(
        {.name = "app", .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")}});
    std::vector<Item> items;
    for (int i = 0; i < 200; ++i) items.push_back(RandomItem(&random_, i));
    Put(items);
    const Database database = Open();
    ASSERT_THAT(database.UpdateTimeToLive(
                    {.table_name = "app", .specification = {.attribute_name = "expires"}}),
                IsOk());
    const auto tagged = Endpoint(database).Execute(
        "TagResource", R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app",)"
                       R"("Tags":[{"Key":"team","Value":"blue"}]})");
    ASSERT_EQ(tagged.status, 200) << tagged.body;
  }

  const std::string copy_ = File("copy.dolmen");
};

TEST_F(CopyCommandTest, ATableGoesToAServiceAndBackWithAllThatItHas) {
  MakeSource();
  const CommandOutput out = Copy(path_, served_.url(), {"--to-table", "moved", "--verify"});
  EXPECT_EQ(out.exit_code, 0) << out.err;
  EXPECT_THAT(out.err, AllOf(HasSubstr("Copied 200 items"), HasSubstr("to moved; read "),
                             HasSubstr("Verified 200 items: both tables have the same items.\n")));
  EXPECT_EQ(Value(served_.database.DescribeTimeToLive("moved")).attribute_name, "expires");
  const CommandOutput back = RunDolmen(
      {"copy", served_.url(), copy_, "--table", "moved", "--to-table", "app", "--verify"});
  EXPECT_EQ(back.exit_code, 0) << back.err;
  EXPECT_EQ(ItemsOf(copy_, "app"), Items());
  const std::string source = RunDolmen({"tables", "--path", path_, "--json"}).out;
  const std::string copied = RunDolmen({"tables", "--path", copy_, "--json"}).out;
  for (const char* member : {R"("Tags":[{"Key":"team","Value":"blue"}])", R"("IndexName":"GSI1")",
                             R"("AttributeName":"expires")"}) {
    EXPECT_THAT(source, HasSubstr(member));
    EXPECT_THAT(copied, HasSubstr(member));
  }
  // A complete copy leaves no checkpoint.
  EXPECT_THAT(Value(Value(Database::Open(copy_)).DescribeTable("app")).annotations.size(), 1U);
  EXPECT_TRUE(std::filesystem::is_empty(File("state/dolmen")));
}

TEST_F(CopyCommandTest, VerifyFindsADifference) {
  MakeSource();
  ASSERT_EQ(Copy(path_, copy_).exit_code, 0);
  {
    const Table table = Value(Value(Database::Open(copy_)).OpenTable("app"));
    ASSERT_THAT(table.PutItem({.item = {{"PK", "only"}, {"SK", "here"}}}), IsOk());
  }
  const CommandOutput more = Copy(path_, copy_, {"--verify"});
  EXPECT_EQ(more.exit_code, 1);
  EXPECT_THAT(more.err,
              HasSubstr("the tables differ: app has 200 items, app has 201 items; copy again"));
}

TEST_F(CopyCommandTest, AnExportIsAPlaceToo) {
  MakeSource();
  const std::string backup = File("backup") + "/";
  EXPECT_THAT(Copy(path_, backup).err, StartsWith("Exported 200 items"));
  const CommandOutput output = Copy(backup, served_.url());
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_THAT(output.err, StartsWith("Imported 200 items into app"));
  EXPECT_THAT(Copy(served_.url(), File("items.json")).err, StartsWith("Exported 200 items"));
}

TEST_F(CopyCommandTest, FilesWithoutKeysNeedATableThatExists) {
  WriteGzip(File("items.json.gz"), ItemLines(3));
  for (const std::string& target : {File("new.dolmen"), served_.url()}) {
    const CommandOutput output = Copy(File("items.json.gz"), target);
    EXPECT_EQ(output.exit_code, 1);
    EXPECT_EQ(output.err, "dolmen: there is no table app in " + target + ", and " +
                              File("items.json.gz") +
                              " has items but no keys to create it: use `dolmen import "
                              "--create-table --partition-key NAME:S`, with --sort-key if the "
                              "table has one\n");
    EXPECT_FALSE(std::filesystem::exists(File("new.dolmen")));
  }
  MakeServedTable();
  EXPECT_EQ(Copy(File("items.json.gz"), served_.url()).exit_code, 0);
}

TEST_F(CopyCommandTest, TheEstimateIsWhatTheCopyThenCounts) {
  MakeSource();
  const CommandOutput estimate =
      Copy(path_, served_.url(), {"--estimate", "--units-per-second", "100"});
  EXPECT_EQ(estimate.exit_code, 0) << estimate.err;
  EXPECT_THAT(Value(served_.database.ListTables()).table_names, IsEmpty());
  EXPECT_THAT(estimate.out, AllOf(StartsWith("200 items ("), HasSubstr("\nAt 100 units a second: "),
                                  HasSubstr("\nRead from " + path_ + ": ")));
  // "Write to URL: 200 units." is then ", wrote 200 units.".
  const std::string before = "\nWrite to " + served_.url() + ": ";
  const std::size_t begin = estimate.out.find(before);
  ASSERT_NE(begin, estimate.out.npos) << estimate.out;
  const std::string units = estimate.out.substr(
      begin + before.size(), estimate.out.find('\n', begin + 1) - begin - before.size());
  EXPECT_THAT(Copy(path_, served_.url()).err, HasSubstr(", wrote " + units + "\n"));
}

TEST_F(CopyCommandTest, ATargetWithOtherKeysIsRefused) {
  MakeSource();
  MakeServedTable({.name = "app", .partition_key = {"id"}, .sort_key = std::nullopt});
  const CommandOutput output = Copy(path_, served_.url());
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_THAT(output.err, HasSubstr("already exists with the keys id:S, not PK:S SK:S: choose"));
}

TEST_F(CopyCommandTest, OptionsThatDoNotSuitThePlacesAreRefused) {
  MakeSource();
  const std::string items = Write("items.json", ItemLines(3));
  EXPECT_THAT(Copy(items, served_.url(), {"--verify"}).err,
              HasSubstr("--verify needs a table on both sides, not the export " + items));
  EXPECT_THAT(Copy(path_, File("out/"), {"--estimate"}).err,
              HasSubstr("--estimate needs a table on both sides"));
  EXPECT_THAT(Copy(items, File("out/")).err, HasSubstr("copy the files themselves"));
  const CommandOutput follow = Copy(path_, served_.url(), {"--follow"});
  EXPECT_EQ(follow.exit_code, 2);
  EXPECT_THAT(follow.err, HasSubstr("--follow needs a service as FROM"));
  EXPECT_EQ(Copy(path_, served_.url(), {"--parallel", "0"}).exit_code, 2);
}

TEST_F(CopyCommandTest, ATableIsNotCopiedToItself) {
  MakeSource();
  for (const std::string& place : {path_, served_.url()}) {
    const CommandOutput output = Copy(place, place);
    EXPECT_EQ(output.exit_code, 2);
    EXPECT_THAT(output.err, HasSubstr("FROM and TO are the same table"));
  }
  MakeServedTable(
      {.name = "app",
       .stream_specification = StreamSpecification{.view_type = StreamViewType::kNewImage}});
  std::string other_name = served_.url();
  other_name.replace(other_name.find("127.0.0.1"), 9, "localhost");
  const CommandOutput output = Copy(served_.url(), other_name, {"--follow"});
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_THAT(output.err, HasSubstr("FROM and TO are the same table"));
}

}  // namespace
}  // namespace dolmen::test
