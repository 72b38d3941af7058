// Tests of `dolmen import`: the inputs that it accepts and the inputs that it rejects.

#include <algorithm>
#include <filesystem>

#include "command/import_table.h"
#include "tests/command/command_fixture.h"
#include "tests/support/items.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

using ImportTest = CommandTest;

TEST_F(ImportTest, GzipIsRecognizedByItsBytesAndNotByItsName) {
  MakeDatabase();
  WriteGzip(File("items.json"), ItemLines(100));
  Write("more.gz", ItemLine("q", "1", 1));
  EXPECT_EQ(OnTable("import", {File("items.json"), File("more.gz")}).exit_code, 0);
  EXPECT_THAT(Items(), SizeIs(101));
}

TEST_F(ImportTest, ConcatenatedGzipFilesAreReadAsOne) {
  MakeDatabase();
  WriteGzip(File("a"), ItemLine("a", "1", 1));
  WriteGzip(File("b"), ItemLine("b", "1", 1));
  EXPECT_EQ(OnTable("import", {Write("both", ReadFile(File("a")) + ReadFile(File("b")))}).exit_code,
            0);
  EXPECT_THAT(Items(), SizeIs(2));
}

TEST_F(ImportTest, AnItemWithoutAttributesIsAnInvalidLine) {
  MakeDatabase();
  const std::string file = Write("items", ItemLine("a", "1", 1) + "{\"Item\":{}}\n{}\n");
  EXPECT_THAT(OnTable("import", {file}).err, HasSubstr(file + ":2: the item has no attributes"));
  EXPECT_THAT(OnTable("import", {"--skip-errors", file}).err, HasSubstr("skipped 2 lines"));
}

TEST_F(ImportTest, TheLaterOfTwoItemsWithOneKeyIsKept) {
  MakeDatabase();
  const std::string lines = ItemLine("a", "1", 1) + ItemLine("b", "1", 2) + ItemLine("a", "1", 3);
  EXPECT_EQ(OnTable("import", {Write("items", lines)}).exit_code, 0);
  EXPECT_THAT(Items(), testing::ElementsAre(Item{{"PK", "a"}, {"SK", "1"}, {"n", 3}},
                                            Item{{"PK", "b"}, {"SK", "1"}, {"n", 2}}));
}

TEST_F(ImportTest, TheItemFilesBelowADirectoryAreReadInOrder) {
  MakeDatabase();
  fs::create_directories(File("export/data/.hidden"));
  Write("export/data/2.json", ItemLine("a", "1", 2));
  WriteGzip(File("export/data/1.json.gz"), ItemLine("a", "1", 1) + ItemLine("b", "1", 1));
  Write("export/manifest-files.json", R"({"itemCount":2})");
  Write("export/data/readme.txt", "no item");
  Write("export/data/.hidden/3.json", "no item");
  const CommandOutput output = OnTable("import", {File("export")});
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_THAT(output.err, HasSubstr("Imported 3 items into app."));
  EXPECT_EQ(Items().front().at("n"), AttributeValue(2));
}

TEST_F(ImportTest, DirectoriesBehindSymbolicLinksAreReadOnce) {
  MakeDatabase();
  fs::create_directories(File("export/data"));
  fs::create_directories(File("elsewhere"));
  Write("export/data/1.json", ItemLine("a", "1", 1));
  Write("elsewhere/2.json", ItemLine("b", "1", 1));
  fs::create_directory_symlink(File("elsewhere"), File("export/data/link"));
  fs::create_directory_symlink("..", File("export/data/around"));
  fs::create_directory_symlink("data", File("export/same"));
  const CommandOutput output = OnTable("import", {File("export")});
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_THAT(output.err, HasSubstr("Imported 2 items into app."));
}

TEST_F(ImportTest, AFileToWhichSeveralInputsLeadIsReadOnce) {
  MakeDatabase();
  fs::create_directories(File("export/data"));
  const std::string file = Write("export/data/1.json", ItemLine("a", "1", 1));
  const std::vector<std::string> inputs = {File("export"), File("export/data"), file};
  for (const auto& given : {inputs, std::vector<std::string>(inputs.rbegin(), inputs.rend())}) {
    EXPECT_THAT(OnTable("import", given).err, HasSubstr("Imported 1 item into app."));
  }
}

TEST_F(ImportTest, EmptyLinesCarriageReturnsAndAByteOrderMarkAreAccepted) {
  MakeDatabase();
  std::string crlf = ItemLine("a", "1", 1);
  crlf.insert(crlf.size() - 1, "\r");
  std::string last = ItemLine("c", "1", 1);
  last.pop_back();
  const std::string lines = "\xEF\xBB\xBF" + crlf + "\n  \n" + ItemLine("b", "1", 1) + last;
  const CommandOutput output = OnTable("import", {Write("items", lines)});
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_THAT(Items(), SizeIs(3));
}

TEST_F(ImportTest, LinesMayHaveNoTypes) {
  MakeDatabase();
  const std::string file =
      Write("items", R"({"PK":"a","SK":"1","n":2.5,"b":true,"l":[1,{"m":null}]})"
                     "\n"
                     R"({"Item":{"PK":"b","SK":"1"}})");
  EXPECT_EQ(OnTable("import", {file}).exit_code, 0);
  EXPECT_THAT(Items(), testing::ElementsAre(Item{{"PK", "a"},
                                                 {"SK", "1"},
                                                 {"n", 2.5},
                                                 {"b", true},
                                                 {"l", List{1, Map{{"m", nullptr}}}}},
                                            Item{{"PK", "b"}, {"SK", "1"}}));
}

// import_documents_test.cc tests all kinds of documents.
TEST_F(ImportTest, TheOutputOfAScanIsImportedAndResumed) {
  MakeDatabase();
  const std::string good = R"({"PK":{"S":"a"},"SK":{"S":"1"}})";
  const auto scan = [&](const std::string& second) {
    return Write("scan.json", "{\n\"Items\": [\n" + good + ",\n" + second + "\n]}\n");
  };
  const std::string file = scan(R"({"PK":{"S":"b"}})");
  const CommandOutput failed = OnTable("import", {file});
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_THAT(failed.err, HasSubstr(file + ":2: "));
  scan(R"({"PK":{"S":"b"},"SK":{"S":"1"}})");
  const CommandOutput resumed = OnTable("import", {file});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_THAT(resumed.err, HasSubstr("1 of them by earlier runs"));
  EXPECT_THAT(Items(), SizeIs(2));
}

TEST_F(ImportTest, AnEmptyFileImportsNoItems) {
  MakeDatabase();
  const CommandOutput output = OnTable("import", {Write("items", "")});
  EXPECT_EQ(output.exit_code, 0);
  EXPECT_THAT(output.err, HasSubstr("Imported 0 items into app."));
}

TEST_F(ImportTest, AnInvalidLineEndsTheImportAfterTheItemsBeforeIt) {
  MakeDatabase();
  const std::string file = Write("items", ItemLines(60) + "{\"Item\":\n" + ItemLines(80));
  const CommandOutput output = OnTable("import", {file});
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_THAT(output.err, HasSubstr(file + ":61: the line is not JSON: "));
  EXPECT_THAT(output.err, HasSubstr("(imported 60 items into app)"));
  EXPECT_THAT(Items(), SizeIs(60));
}

TEST_F(ImportTest, AnItemThatTheTableRejectsEndsTheImport) {
  MakeDatabase();
  const std::string file =
      Write("items", ItemLines(30) + R"({"Item":{"PK":{"N":"1"},"SK":{"S":"a"}}})" + "\n" +
                         ItemLine("after", "1", 1));
  const CommandOutput output = OnTable("import", {file});
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_THAT(output.err, HasSubstr(file + ":31: "));
  EXPECT_THAT(Items(), SizeIs(30));
}

TEST_F(ImportTest, SkipErrorsSkipsInvalidLinesAndShowsTheFirstOnes) {
  MakeDatabase();
  std::string lines = R"({"Item":{"PK":{"S":"x"}}})"
                      "\n";
  for (int i = 0; i < 20; ++i) lines += "no item\n";
  const std::string file = Write("items", ItemLines(40) + lines + ItemLine("z", "1", 1));
  const CommandOutput output = OnTable("import", {"--skip-errors", file});
  EXPECT_EQ(output.exit_code, 0);
  EXPECT_THAT(output.err, HasSubstr("skipped " + file + ":42: the line is not JSON"));
  EXPECT_THAT(output.err, Not(HasSubstr(":61:")));
  EXPECT_THAT(output.err, HasSubstr("Imported 41 items into app; skipped 21 lines."));
  EXPECT_THAT(Items(), SizeIs(41));
}

TEST_F(ImportTest, TruncatedGzipIsAnErrorAfterTheItemsBeforeIt) {
  MakeDatabase();
  WriteGzip(File("items.gz"), ItemLines(5000));
  fs::resize_file(File("items.gz"), fs::file_size(File("items.gz")) / 2);
  const CommandOutput output = OnTable("import", {File("items.gz")});
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_THAT(output.err, HasSubstr("items.gz ends in the middle of its compressed data"));
  EXPECT_THAT(Items(), Not(IsEmpty()));
}

TEST_F(ImportTest, ALineOver16MegabytesIsAnError) {
  MakeDatabase();
  const CommandOutput output =
      OnTable("import", {Write("items", ItemLines(1) + std::string(17 << 20, ' '))});
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_THAT(output.err, HasSubstr("items:2: the line is longer than 16 MB"));
}

TEST_F(ImportTest, ALineOver16MegabytesCanBeSkipped) {
  MakeDatabase();
  const std::string lines =
      ItemLine("a", "1", 1) + std::string(17 << 20, ' ') + "\n" + ItemLine("b", "1", 1);
  const std::string last(17 << 20, ' ');  // has no line end
  WriteGzip(File("items.gz"), lines + last);
  for (const std::string& file : {Write("items", lines + last), File("items.gz")}) {
    const CommandOutput output = OnTable("import", {"--skip-errors", file});
    EXPECT_EQ(output.exit_code, 0) << output.err;
    EXPECT_THAT(output.err, HasSubstr("skipped " + file + ":2: the line is longer than 16 MB\n"));
    EXPECT_THAT(output.err, HasSubstr("Imported 2 items into app; skipped 2 lines."));
  }
}

TEST_F(ImportTest, ATableIsCreatedOnlyWithCreateTable) {
  const std::string file = Write("items", R"({"id":{"N":"1"}})");
  CommandOutput output = OnTable("import", {file});
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_THAT(output.err, HasSubstr("there is no database in " + path_));
  EXPECT_FALSE(fs::exists(path_));
  output = OnTable("import", {"--create-table", "--partition-key", "id:N", file});
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_EQ(Describe().partition_key, (KeyAttribute{.name = "id", .type = AttributeType::kN}));
  EXPECT_FALSE(Describe().sort_key.has_value());
  // The table exists and has the requested keys. So the import uses it unchanged.
  EXPECT_EQ(OnTable("import", {"--create-table", "--partition-key", "id:N", file}).exit_code, 0);
}

TEST_F(ImportTest, CreateTableRejectsAnExistingTableWithOtherKeys) {
  MakeDatabase();
  const std::string file = Write("items", ItemLines(1));
  const CommandOutput output =
      OnTable("import", {"--create-table", "--partition-key", "OTHER:N", file});
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_EQ(output.err,
            "dolmen: the table app already exists with the keys PK:S SK:S, not OTHER:N: "
            "omit --create-table, or import into another table\n");
  EXPECT_THAT(Items(), IsEmpty());
}

TEST_F(ImportTest, AnInvalidTableLeavesNoDatabaseBehind) {
  const std::string schema = Write("schema.json", "{}");
  for (const std::vector<std::string>& keys : {std::vector<std::string>{"--schema", schema},
                                               {"--partition-key", "a:S", "--sort-key", "a:S"}}) {
    std::vector<std::string> arguments = {"--create-table", Write("items", "")};
    arguments.insert(arguments.end(), keys.begin(), keys.end());
    EXPECT_EQ(OnTable("import", arguments).exit_code, 1);
    EXPECT_FALSE(fs::exists(path_)) << keys.front();
  }
}

TEST_F(ImportTest, AResponseOfDescribeTableIsASchema) {
  const std::string schema = R"({"Table": {"TableName": "other", "TableStatus": "ACTIVE",
      "TableArn": "arn:aws:dynamodb:eu-west-1:123456789012:table/other",
      "ProvisionedThroughput": {"ReadCapacityUnits": 0, "WriteCapacityUnits": 0},
      "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"},
                               {"AttributeName": "email", "AttributeType": "S"}],
      "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
      "GlobalSecondaryIndexes": [{"IndexName": "by-email", "IndexStatus": "ACTIVE", "ItemCount": 3,
          "KeySchema": [{"AttributeName": "email", "KeyType": "HASH"}],
          "Projection": {"ProjectionType": "ALL"}}]}})";
  const CommandOutput output =
      OnTable("import", {"--create-table", "--schema", Write("schema.json", schema),
                         Write("items", R"({"id":{"S":"1"},"email":{"S":"a@b"}})")});
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_EQ(Describe().partition_key.name, "id");
  ASSERT_THAT(Describe().global_secondary_indexes, SizeIs(1));
  EXPECT_EQ(Describe().global_secondary_indexes.front().index.name, "by-email");
}

TEST_F(ImportTest, AnErrorOfTheDatabaseDoesNotBlameTheSchema) {
  const Database database = Value(Database::InMemory());
  const command::NewTable table{
      .input = {.name = "app"},
      .schema = R"({"KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
                    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}]})",
      .schema_file = "schema.json"};
  EXPECT_THAT(command::CreateNewTable(database, table), IsOk());
  EXPECT_THAT(command::CreateNewTable(database, table),
              StatusIs(StatusCode::kResourceInUse, Not(HasSubstr("schema"))));
}

TEST_F(ImportTest, AnInvalidSchemaIsRejected) {
  const auto error = [&](const std::string& schema) {
    const CommandOutput output =
        OnTable("import", {"--create-table", "--schema", Write("schema.json", schema)});
    EXPECT_EQ(output.exit_code, 1);
    return output.err;
  };
  EXPECT_EQ(error("[]"),
            "dolmen: the schema in " + File("schema.json") + " is not a JSON object\n");
  EXPECT_THAT(error("{}"), HasSubstr("the schema in " + File("schema.json") + " is rejected: "));
}

TEST_F(ImportTest, AMisuseIsReportedInOneLine) {
  MakeDatabase();
  const auto error = [&](std::vector<std::string> arguments) {
    const CommandOutput output = OnTable("import", std::move(arguments));
    EXPECT_NE(output.exit_code, 0);
    EXPECT_EQ(std::ranges::count(output.err, '\n'), 1) << output.err;
    return output.err;
  };
  EXPECT_THAT(error({File("none")}), HasSubstr("there is no file or directory"));
  fs::create_directory(File("empty"));
  EXPECT_THAT(error({File("empty")}), HasSubstr("there is no file *.json or *.json.gz below"));
  fs::create_symlink("loop", File("loop"));
  EXPECT_THAT(error({File("loop")}), HasSubstr("can't read " + File("loop") + ": Too many levels"));
  for (const std::vector<std::string>& inputs :
       {std::vector<std::string>{"-", "-"},
        {"--create-table", "--schema", "-"},
        {"--create-table", "--schema", "-", File("empty"), "-"}}) {
    EXPECT_THAT(error(inputs), HasSubstr("standard input can be read once only"));
  }
  EXPECT_THAT(error({"--create-table"}), HasSubstr("--create-table needs --partition-key"));
  EXPECT_THAT(error({"--create-table", "--partition-key", "PK:X"}), HasSubstr("S, N or B"));
  EXPECT_THAT(error({"--partition-key", "PK:S"}), HasSubstr("--create-table"));
  EXPECT_THAT(RunDolmen({"import", "--path", path_, "--table", "none"}).err,
              HasSubstr("--create-table creates it"));
}

// Errors in the command line, such as an unknown option, have exit code 2. Other errors, such as an
// input that does not exist, have exit code 1.
TEST_F(ImportTest, AnInvalidCommandLineHasExitCode2) {
  const auto exit_code = [&](std::vector<std::string> arguments) {
    return OnTable("import", std::move(arguments)).exit_code;
  };
  EXPECT_EQ(exit_code({"--create-table", "--partition-key", "PK:X"}), 2);
  EXPECT_EQ(exit_code({"--create-table", "--partition-key", "PK", "--sort-key", "SK:X"}), 2);
  EXPECT_EQ(exit_code({"--create-table"}), 2);
  EXPECT_EQ(exit_code({"-", "-"}), 2);
  EXPECT_EQ(exit_code({File("none")}), 1);
}

}  // namespace
}  // namespace dolmen::test
