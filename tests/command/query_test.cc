// Tests of `dolmen query`.

#include "tests/command/command_fixture.h"
#include "tests/support/items.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class QueryCommandTest : public CommandTest {
 protected:
  void SetUp() override {
    MakeDatabase({.name = "app",
                  .global_secondary_indexes = {
                      {.name = "by-day",
                       .partition_key = {{"year", AttributeType::kN}, {"month", AttributeType::kN}},
                       .sort_key = {{"day", AttributeType::kN}, {"hour", AttributeType::kN}}},
                      {.name = "by-hash", .partition_key = {{"hash", AttributeType::kB}}}}});
    Put({{{"PK", "USER#1"}, {"SK", "A"}, {"hash", B("\x01\xFF")}},
         {{"PK", "USER#1"}, {"SK", "B#1"}, {"status", "open"}},
         {{"PK", "USER#1"}, {"SK", "B#2"}, {"status", "closed"}},
         {{"PK", "USER#1"}, {"SK", "C"}},
         {{"PK", "DAY"}, {"SK", "1"}, {"year", 2026}, {"month", 4}, {"day", 5}, {"hour", 9}},
         {{"PK", "DAY"}, {"SK", "2"}, {"year", 2026}, {"month", 4}, {"day", 5}, {"hour", 10}},
         {{"PK", "DAY"}, {"SK", "3"}, {"year", 2026}, {"month", 4}, {"day", 15}, {"hour", 1}}});
  }

  // Runs a query and returns the sort keys of the found items, each followed by a space.
  std::string Found(std::vector<std::string> arguments) const {
    arguments.emplace_back("--json");
    const CommandOutput output = OnTable("query", std::move(arguments));
    EXPECT_EQ(output.exit_code, 0) << output.err;
    std::string found;
    const std::string start = R"("SK":{"S":")";
    for (std::size_t at = 0; (at = output.out.find(start, at)) != output.out.npos;) {
      at += start.size();
      found += output.out.substr(at, output.out.find('"', at) - at) + " ";
    }
    return found;
  }

  std::string Error(std::vector<std::string> arguments) const {
    const CommandOutput output = OnTable("query", std::move(arguments));
    EXPECT_EQ(output.exit_code, 2) << output.out;
    EXPECT_THAT(output.out, IsEmpty());
    return output.err;
  }
};

TEST_F(QueryCommandTest, APartitionIsPrintedInSortKeyOrder) {
  EXPECT_EQ(Found({"--partition", "USER#1"}), "A B#1 B#2 C ");
  EXPECT_EQ(Found({"--partition", "USER#1", "--reverse"}), "C B#2 B#1 A ");
}

TEST_F(QueryCommandTest, EachSortConditionSelectsItsRange) {
  const auto found = [&](const std::string& option, const std::string& value) {
    return Found({"--partition", "USER#1", option, value});
  };
  EXPECT_EQ(found("--sort-equals", "B#1"), "B#1 ");
  EXPECT_EQ(found("--sort-begins-with", "B#"), "B#1 B#2 ");
  EXPECT_EQ(found("--sort-less", "B#1"), "A ");
  EXPECT_EQ(found("--sort-at-most", "B#1"), "A B#1 ");
  EXPECT_EQ(found("--sort-greater", "B#1"), "B#2 C ");
  EXPECT_EQ(found("--sort-at-least", "B#1"), "B#1 B#2 C ");
  EXPECT_EQ(Found({"--partition", "USER#1", "--sort-between", "A", "B#1"}), "A B#1 ");
}

TEST_F(QueryCommandTest, AMultiAttributeIndexTakesAValueForEachKeyAttribute) {
  const std::vector<std::string> month = {"--index", "by-day",      "--partition",
                                          "2026",    "--partition", "4"};
  const auto found = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = month;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Found(arguments);
  };
  EXPECT_EQ(found({}), "1 2 3 ");
  EXPECT_EQ(found({"--sort-equals", "5"}), "1 2 ");
  EXPECT_EQ(found({"--sort-equals", "5", "--sort-equals", "10"}), "2 ");
  EXPECT_EQ(found({"--sort-equals", "5", "--sort-less", "10"}), "1 ");
  EXPECT_EQ(found({"--sort-greater", "5"}), "3 ");
}

TEST_F(QueryCommandTest, ABinaryKeyIsGivenInBase64) {
  EXPECT_EQ(Found({"--index", "by-hash", "--partition", "Af8="}), "A ");
}

TEST_F(QueryCommandTest, AFilterTakesNamesAndValues) {
  EXPECT_EQ(Found({"--filter", "#s = :open", "--names", R"({"#s": "status"})", "--values",
                   R"({":open": {"S": "open"}})"}),
            "B#1 ");
  EXPECT_EQ(Found({"--partition", "USER#1", "--filter", "attribute_exists(#s)", "--names",
                   R"({"#s": "status"})", "--limit", "1"}),
            "B#1 ");
}

TEST_F(QueryCommandTest, LimitBoundsTheItemsAndReportsThatThereAreMore) {
  CommandOutput output = OnTable("query", {"--partition", "USER#1", "--limit", "4"});
  EXPECT_THAT(output.err, IsEmpty());
  output = OnTable("query", {"--partition", "USER#1", "--limit", "3"});
  EXPECT_THAT(output.err, HasSubstr("There are more items"));
  EXPECT_EQ(Found({"--partition", "USER#1", "--limit", "3"}), "A B#1 B#2 ");
  EXPECT_EQ(Found({"--limit", "0", "--partition", "USER#1"}), "A B#1 B#2 C ");
  EXPECT_EQ(OnTable("query", {"--partition", "none"}).err, "No items found.\n");
}

TEST_F(QueryCommandTest, TextOutputAlignsTheKeysInColumns) {
  EXPECT_EQ(OnTable("query", {"--partition", "USER#1", "--sort-begins-with", "B"}).out,
            "PK      SK\n"
            "USER#1  B#1  status: \"open\"\n"
            "USER#1  B#2  status: \"closed\"\n");
}

// The command reads pages of 1 MB. The output must not show where a page ends.
TEST_F(QueryCommandTest, ManyPagesHaveOneHeaderAndOneWidthPerColumn) {
  const std::string large(390'000, 'x');
  Put({{{"PK", "LARGE"}, {"SK", "11111"}, {"t", large}},
       {{"PK", "LARGE"}, {"SK", "2"}, {"t", large}},
       {{"PK", "LARGE"}, {"SK", "3"}, {"t", large}},
       {{"PK", "LARGE"}, {"SK", "4"}, {"t", "end"}}});
  const std::string out = OnTable("query", {"--partition", "LARGE"}).out;
  EXPECT_THAT(out, StartsWith("PK     SK\nLARGE  11111  t: "));
  EXPECT_EQ(out.find("SK", 10), out.npos);
  EXPECT_THAT(out, EndsWith("\nLARGE  4      t: \"end\"\n"));
}

// An unescaped item could send control sequences to the terminal.
TEST_F(QueryCommandTest, ControlCharactersAreEscaped) {
  Put({{{"PK", "x"}, {"SK", "a\nb"}, {"t", "\x1b[2J\x7f \xC2\x9B \xC3\xA4"}}});
  EXPECT_THAT(OnTable("query", {"--partition", "x"}).out,
              EndsWith("x   a\\nb  t: \"\\x1b[2J\\x7f \\x9b \xC3\xA4\"\n"));
}

TEST_F(QueryCommandTest, AMisuseIsReportedWithItsReason) {
  EXPECT_THAT(Error({"--index", "none"}), HasSubstr("has no index none; it has by-day by-hash"));
  EXPECT_THAT(Error({"--partition", "a", "--partition", "b"}), HasSubstr("1 time, for PK:S"));
  EXPECT_THAT(Error({"--index", "by-day", "--partition", "x", "--partition", "1"}),
              HasSubstr("year is a number: "));
  EXPECT_THAT(Error({"--index", "by-hash", "--partition", "a"}), HasSubstr("Base64: a"));
  EXPECT_THAT(Error({"--partition", "a", "--sort-less", "b", "--sort-greater", "a"}),
              HasSubstr("--sort-less and --sort-greater can't be combined"));
  EXPECT_THAT(Error({"--partition", "a", "--sort-equals", "b", "--sort-less", "c"}),
              HasSubstr("more --sort-... conditions than sort keys: SK:S"));
  EXPECT_THAT(Error({"--index", "by-hash", "--partition", "Af8=", "--sort-less", "c"}),
              HasSubstr("there is no sort key"));
  EXPECT_THAT(Error({"--sort-equals", "a"}), HasSubstr("--sort-equals needs --partition"));
  EXPECT_THAT(Error({"--reverse"}), HasSubstr("--reverse needs --partition"));
  EXPECT_THAT(Error({"--filter", "a = :a", "--values", "x"}), HasSubstr("--values is not JSON"));
  EXPECT_THAT(Error({"--filter", "#a = a", "--names", R"({"#a": 1})"}),
              HasSubstr("#a is not a string"));
}

TEST_F(QueryCommandTest, ALimitMustBeAnIntegerFrom0) {
  for (const char* wrong : {"-1", "x", "1.5", "99999999999999999999", ""}) {
    EXPECT_THAT(Error({"--limit", wrong}), HasSubstr("--limit: ")) << wrong;
    EXPECT_THAT(Error({"--limit", wrong}), HasSubstr("from 0")) << wrong;
  }
}

TEST_F(QueryCommandTest, AnInvalidExpressionIsReportedInDynamoDbsWords) {
  const CommandOutput output = OnTable("query", {"--filter", "a ="});
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_THAT(output.err, HasSubstr("Invalid FilterExpression: Syntax error"));
}

TEST_F(QueryCommandTest, AStatementPrintsTheSameAsTheOptions) {
  const auto sql = [this](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"query", "--path", path_, "--sql"});
    return RunDolmen(std::move(arguments));
  };
  const std::string user = "SELECT * FROM app WHERE PK = 'USER#1'";
  EXPECT_EQ(sql({user}).out, OnTable("query", {"--partition", "USER#1"}).out);
  EXPECT_EQ(sql({user, "--json"}).out, OnTable("query", {"--partition", "USER#1", "--json"}).out);
  const CommandOutput two = sql({user, "--limit", "2"});
  EXPECT_EQ(two.out, OnTable("query", {"--partition", "USER#1", "--limit", "2"}).out);
  EXPECT_THAT(two.err, HasSubstr("There are more items"));
  EXPECT_EQ(sql({"SELECT hour, day FROM app WHERE PK = 'DAY'"}).out,
            "hour  day\n9     5\n10    5\n1     15\n");
}

TEST_F(QueryCommandTest, AStatementReadsOnlyAndTakesNoOtherSelection) {
  const std::string insert = "INSERT INTO app VALUE {'PK': 'a', 'SK': 'b'}";
  EXPECT_EQ(RunDolmen({"query", "--path", path_, "--sql", insert}).exit_code, 1);
  const CommandOutput both = OnTable("query", {"--sql", "SELECT * FROM app"});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_THAT(both.err, HasSubstr("--sql can't be combined with --table"));
  EXPECT_EQ(RunDolmen({"query", "--path", path_}).exit_code, 2);
}

}  // namespace
}  // namespace dolmen::test
