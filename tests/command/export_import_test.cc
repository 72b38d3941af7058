// Tests that an import of an export restores the same items.

#include <algorithm>
#include <filesystem>

#include "command/item_lines.h"
#include "dolmen/wire.h"
#include "tests/command/command_fixture.h"
#include "tests/support/items.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class ExportImportTest : public CommandTest {
 protected:
  void SetUp() override {
    MakeDatabase();
    std::vector<Item> items;
    for (std::size_t i = 0; i < TestSteps(300); ++i) {
      items.push_back(RandomItem(&random_, static_cast<int>(i)));
    }
    Put(items);
  }

  // Imports the inputs into a table of a new database and returns the table's items.
  std::vector<Item> Imported(const std::vector<std::string>& inputs,
                             const std::string& input = "/dev/null") {
    const std::string path = File("copy" + std::to_string(++copies_) + ".dolmen");
    std::vector<std::string> arguments{
        "import",         "--path",          path,   "--table",    "copy",
        "--create-table", "--partition-key", "PK:S", "--sort-key", "SK:S"};
    arguments.insert(arguments.end(), inputs.begin(), inputs.end());
    const CommandOutput output = RunDolmen(arguments, input);
    EXPECT_EQ(output.exit_code, 0) << output.err;
    return ItemsOf(path, "copy");
  }

 private:
  int copies_ = 0;
};

TEST_F(ExportImportTest, AFileKeepsEveryItemOfEveryType) {
  const CommandOutput output = OnTable("export", {"--output", File("app.json")});
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_THAT(ReadFile(File("app.json")), StartsWith(R"({"Item":{)"));
  EXPECT_EQ(Imported({File("app.json")}), Items());
}

TEST_F(ExportImportTest, AFileIsCompressedIfItsNameEndsInGzOrTheFlagSaysSo) {
  EXPECT_EQ(OnTable("export", {"--output", File("app.json.gz")}).exit_code, 0);
  EXPECT_EQ(OnTable("export", {"--output", File("app"), "--gzip"}).exit_code, 0);
  for (const char* name : {"app.json.gz", "app"}) {
    EXPECT_THAT(ReadFile(File(name)), StartsWith("\x1F\x8B")) << name;
    EXPECT_EQ(Imported({File(name)}), Items()) << name;
  }
}

TEST_F(ExportImportTest, ExportWritesToStandardOutputAndImportReadsStandardInputByDefault) {
  const CommandOutput output = OnTable("export", {});
  EXPECT_EQ(output.exit_code, 0);
  EXPECT_EQ(std::ranges::count(output.out, '\n'), static_cast<std::ptrdiff_t>(Items().size()));
  WriteFile(File("app.json"), output.out);
  EXPECT_EQ(Imported({}, File("app.json")), Items());
  EXPECT_EQ(Imported({"-"}, File("app.json")), Items());
}

TEST_F(ExportImportTest, ADirectoryHasTheLayoutOfAnExportToS3) {
  EXPECT_EQ(OnTable("export", {"--output", File("backup/")}).exit_code, 0);
  const fs::path exports = directory_ / "backup/AWSDynamoDB";
  ASSERT_EQ(std::distance(fs::directory_iterator(exports), {}), 1);
  const fs::path made = fs::directory_iterator(exports)->path();
  EXPECT_THAT(ReadFile(made / "manifest-files.json"),
              HasSubstr("\"dataFileS3Key\":\"AWSDynamoDB/" + made.filename().string() +
                        "/data/00001.json.gz\""));
  EXPECT_THAT(
      ReadFile(made / "manifest-summary.json"),
      AllOf(HasSubstr("\"itemCount\":" + std::to_string(Items().size())),
            HasSubstr(R"("tableArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app")")));
  EXPECT_EQ(Imported({File("backup")}), Items());
}

// A fixture with a table that has indexes, a stream, a time to live and tags.
class ExportedTableTest : public CommandTest {
 protected:
  void SetUp() override {
    MakeDatabase(
        {.name = "app",
         .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")},
         .stream_specification = StreamSpecification{.view_type = StreamViewType::kOldImage,
                                                     .retention = std::chrono::hours(72)}});
    const Database database = Open();
    ASSERT_THAT(database.UpdateTimeToLive({"app", {true, "ttl", true}}), IsOk());
    const EndpointResponse tagged = Endpoint(database).Execute(
        "TagResource", R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app",)"
                       R"("Tags":[{"Key":"team","Value":"blue"}]})");
    ASSERT_EQ(tagged.status, 200) << tagged.body;
  }

  // Expects that the table "app" in the database has everything that SetUp gave to it.
  void ExpectSameTable(const std::string& path) {
    const Database database = Value(Database::Open(path, {.expiry_lag = std::nullopt}));
    const TableDescription table = Value(database.DescribeTable("app"));
    EXPECT_EQ(table.stream_specification, Describe().stream_specification);
    EXPECT_EQ(table.global_secondary_indexes.size(), 1U);
    const TimeToLiveDescription expiry = Value(database.DescribeTimeToLive("app"));
    EXPECT_EQ(expiry.attribute_name, "ttl");
    EXPECT_TRUE(expiry.hide_expired);
    const EndpointResponse tags = Endpoint(database).Execute(
        "ListTagsOfResource",
        R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app"})");
    EXPECT_EQ(tags.body, R"({"Tags":[{"Key":"dolmen:hide-expired","Value":"true"},)"
                         R"({"Key":"team","Value":"blue"}]})");
  }
};

TEST_F(ExportedTableTest, AnImportOfADirectoryCreatesTheSameTable) {
  Put({{{"PK", "a"}, {"SK", "b"}}});
  EXPECT_EQ(OnTable("export", {"--output", File("backup/")}).exit_code, 0);
  const std::string copy = File("copy.dolmen");
  const CommandOutput output = RunDolmen(
      {"import", "--path", copy, "--table", "app", "--create-table", File("backup")}, "/dev/null");
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_EQ(ItemsOf(copy, "app"), Items());
  ExpectSameTable(copy);
}

TEST_F(ExportedTableTest, TheDescriptionHasEachMemberOnce) {
  const std::string out = RunDolmen({"tables", "--path", path_, "--json"}, "/dev/null").out;
  EXPECT_THAT(
      out, HasSubstr(R"("Dolmen":{"HideExpired":true,"StreamRetentionMilliseconds":259200000}})"));
  EXPECT_EQ(out.find("\"Dolmen\""), out.rfind("\"Dolmen\""));
}

TEST_F(ExportedTableTest, OnlyADirectoryOfAnExportDescribesItsTable) {
  EXPECT_EQ(OnTable("export", {"--output", File("backup/")}).exit_code, 0);
  const fs::path made = fs::directory_iterator(directory_ / "backup/AWSDynamoDB")->path();
  fs::create_directory(made / "other");
  fs::copy_file(made / "data/00001.json.gz", made / "other/00001.json.gz");
  const auto import_from = [&](const fs::path& input) {
    return RunDolmen({"import", "--path", File("copy.dolmen"), "--table", "app", "--create-table",
                      input.string()},
                     "/dev/null");
  };
  for (const char* input : {"data/00001.json.gz", "other", "other/00001.json.gz"}) {
    const CommandOutput output = import_from(made / input);
    EXPECT_EQ(output.exit_code, 2) << input;
    EXPECT_THAT(output.err, HasSubstr("--create-table needs --partition-key or --schema")) << input;
  }
  const CommandOutput output = import_from(made / "data/.");
  EXPECT_EQ(output.exit_code, 0) << output.err;
  ExpectSameTable(File("copy.dolmen"));
}

TEST_F(ExportedTableTest, TheOutputOfTablesIsASchemaForTheSameTable) {
  const CommandOutput tables = RunDolmen({"tables", "--path", path_, "--json"}, "/dev/null");
  WriteFile(File("schema.json"), tables.out);
  WriteFile(File("items.json"), "");
  const std::string copy = File("copy.dolmen");
  const CommandOutput output =
      RunDolmen({"import", "--path", copy, "--table", "app", "--create-table", "--schema",
                 File("schema.json"), File("items.json")},
                "/dev/null");
  EXPECT_EQ(output.exit_code, 0) << output.err;
  ExpectSameTable(copy);
}

TEST_F(ExportImportTest, AnExistingFileIsReplacedOnlyWithOverwrite) {
  WriteFile(File("app.json"), "old");
  CommandOutput output = OnTable("export", {"--output", File("app.json")});
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_THAT(output.err, HasSubstr("app.json: it exists already; choose another name"));
  EXPECT_EQ(ReadFile(File("app.json")), "old");
  output = OnTable("export", {"--output", File("app.json"), "--overwrite"});
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_EQ(Imported({File("app.json")}), Items());
  EXPECT_FALSE(fs::exists(File("app.json.partial")));
}

TEST_F(ExportImportTest, ASymbolicLinkIsNotFollowed) {
  WriteFile(File("elsewhere"), "old");
  for (const std::string name : {"elsewhere", "dangling"}) {
    fs::create_symlink(File(name), File("link"));
    EXPECT_EQ(OnTable("export", {"--output", File("link")}).exit_code, 1) << name;
    EXPECT_TRUE(fs::is_symlink(File("link"))) << name;
    EXPECT_EQ(OnTable("export", {"--output", File("link"), "--overwrite"}).exit_code, 0) << name;
    EXPECT_FALSE(fs::is_symlink(File("link"))) << name;
    fs::remove(File("link"));
  }
  fs::create_symlink(File("elsewhere"), File("app.json.partial"));
  const CommandOutput output = OnTable("export", {"--output", File("app.json"), "--overwrite"});
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_THAT(output.err, HasSubstr("app.json.partial: another export writes it or has left it"));
  EXPECT_TRUE(fs::is_symlink(File("app.json.partial")));
  EXPECT_EQ(ReadFile(File("elsewhere")), "old");
  EXPECT_FALSE(fs::exists(File("dangling")));
}

TEST_F(ExportImportTest, AFailedExportLeavesNoFile) {
  fs::create_directory(File("in"));
  const CommandOutput output =
      RunDolmen({"export", "--path", path_, "--table", "none", "--output", File("in/a.json")});
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_THAT(output.err, HasSubstr("there is no table none; existing tables: app"));
  EXPECT_TRUE(fs::is_empty(File("in")));
}

TEST_F(ExportImportTest, AWriteErrorNamesTheFileAndTheReason) {
  CommandOutput output = OnTable("export", {"--output", File("no/such/app.json")});
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_THAT(output.err, HasSubstr("no/such/app.json.partial: No such file or directory"));
  const std::string long_name(300, 'x');
  for (const std::string& name : {long_name, long_name + "/"}) {
    output = OnTable("export", {"--output", File(name)});
    EXPECT_EQ(output.exit_code, 1);
    EXPECT_THAT(output.err, HasSubstr("dolmen: can't write " + File(long_name)));
    EXPECT_THAT(output.err, HasSubstr(": File name too long"));
  }
  output = OnTable("export", {"--output", "/dev/full"});
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_THAT(output.err, HasSubstr("/dev/full: No space left on device"));
}

// The option --overwrite replaces an existing output file. If the output is a device, the export
// must write to the device and not replace it.
TEST_F(ExportImportTest, ADeviceIsWrittenAndNotReplaced) {
  EXPECT_EQ(OnTable("export", {"--output", "/dev/null"}).exit_code, 0);
  EXPECT_EQ(OnTable("export", {"--output", "/dev/null", "--overwrite"}).exit_code, 0);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(ItemLines, AnItemCanStandUnderItemOrAlone) {
  command::ItemLineParser parser;
  const Item item{{"PK", "a"}, {"Item", "b"}};
  EXPECT_THAT(parser.Parse(R"({"Item":{"PK":{"S":"a"},"Item":{"S":"b"}}})"), IsOkAndHolds(item));
  EXPECT_THAT(parser.Parse(R"({"PK":{"S":"a"},"Item":{"S":"b"}})"), IsOkAndHolds(item));
  EXPECT_THAT(parser.Parse(R"({"Item":{"S":"b"}})"), IsOkAndHolds(Item{{"Item", "b"}}));
  EXPECT_THAT(parser.Parse(R"({"Item":{"S":{"S":"b"}}})"), IsOkAndHolds(Item{{"S", "b"}}));
}

TEST(ItemLines, AnInvalidLineIsReportedWithItsReason) {
  command::ItemLineParser parser;
  const auto refused = [&](std::string_view line) { return parser.Parse(line).status().message(); };
  EXPECT_THAT(refused("{"), StartsWith("the line is not JSON: "));
  EXPECT_THAT(refused("PK,SK"), StartsWith("the line is not JSON: "));
  EXPECT_THAT(refused("[1]"), StartsWith("the line is not an item"));
  EXPECT_THAT(refused(R"({"Metadata":{"a":1},"Keys":{"PK":{"S":"a"}}})"),
              HasSubstr("incremental export"));
  EXPECT_THAT(refused(R"({"Item":{"PK":{"N":"x"}}})"), HasSubstr("numeric value"));
  EXPECT_NE(refused(R"({"Item":[1]})"), "");
  EXPECT_NE(refused(R"({"Item":3})"), "");
}

}  // namespace
}  // namespace dolmen::test
