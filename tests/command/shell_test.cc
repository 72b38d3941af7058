// Tests of `dolmen shell` with statements from standard input.

#include "tests/command/command_fixture.h"
#include "tests/support/items.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class ShellTest : public CommandTest {
 protected:
  void SetUp() override {
    MakeDatabase(
        {.name = "app", .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")}});
    Put({{{"PK", "USER#1"}, {"SK", "A"}, {"name", "Ann"}},
         {{"PK", "USER#1"}, {"SK", "B"}, {"total", 12}, {"tags", List{"x"}}}});
  }

  CommandOutput Run(const std::string& input, std::vector<std::string> arguments = {}) const {
    arguments.insert(arguments.begin(), {"shell", "--path", path_});
    return RunDolmen(std::move(arguments), Write("input", input));
  }

  // Returns the output of a run without an error.
  std::string Out(const std::string& input, std::vector<std::string> arguments = {}) const {
    const CommandOutput output = Run(input, std::move(arguments));
    EXPECT_EQ(output.exit_code, 0) << output.err;
    EXPECT_THAT(output.err, IsEmpty());
    return output.out;
  }
};

TEST_F(ShellTest, AResultIsATableWithTheKeysFirst) {
  EXPECT_EQ(Out("SELECT * FROM app WHERE PK = 'USER#1';\n"),
            "PK      SK\n"
            "USER#1  A   name: \"Ann\"\n"
            "USER#1  B   tags: [\"x\"], total: 12\n"
            "2 items\n");
}

TEST_F(ShellTest, ASelectedAttributeIsAColumn) {
  EXPECT_EQ(Out("SELECT total, tags[0], name FROM app WHERE PK = 'USER#1';\n"),
            "total  tags[0]  name\n"
            "                Ann\n"
            "12     x\n"
            "2 items\n");
}

TEST_F(ShellTest, JsonHasALineForEachItem) {
  EXPECT_EQ(Out("SELECT name FROM app WHERE PK = 'USER#1' AND SK = 'A'; SELECT * FROM app "
                "WHERE PK = 'none';\n",
                {"--json"}),
            "{\"Item\":{\"name\":{\"S\":\"Ann\"}}}\n");
}

TEST_F(ShellTest, AStatementMayHaveSeveralLinesAndALineSeveralStatements) {
  EXPECT_EQ(Out("INSERT INTO app VALUE\n"
                "  {'PK': 'it''s;', -- a comment; with a semicolon\n"
                "   'SK': 'C'}; DELETE FROM app WHERE PK = 'USER#1' AND SK = 'A';\n"
                "SELECT SK FROM app WHERE PK = 'it''s;'"),
            "Done.\nDone.\nSK\nC\n1 item\n");
  EXPECT_EQ(Items().size(), 2U);
}

TEST_F(ShellTest, TheFirstErrorEndsTheShell) {
  const CommandOutput output =
      Run("\nSELECT * FROM absent;\nDELETE FROM app WHERE PK = 'USER#1' "
          "AND SK = 'A';\n");
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_THAT(output.out, IsEmpty());
  EXPECT_THAT(output.err, StartsWith("dolmen: line 2: ResourceNotFoundException: "));
  EXPECT_EQ(Items().size(), 2U);
}

TEST_F(ShellTest, AReadOnlyDatabaseIsNotWritten) {
  const CommandOutput output = Run("INSERT INTO app VALUE {'PK': 'a', 'SK': 'b'}", {"--read-only"});
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_THAT(output.err, HasSubstr("for reading only"));
  EXPECT_THAT(Out("SELECT * FROM app", {"--read-only"}), EndsWith("\n2 items\n"));
}

TEST_F(ShellTest, TablesAndAttributesAreDescribed) {
  EXPECT_THAT(Out("\\d\n"), HasSubstr("\n  GSI1  GSI1PK:S GSI1SK:S      0"));
  EXPECT_THAT(Out("\\d app\n"), EndsWith("\nATTRIBUTE  TYPES  IN 2 items\n"
                                         "PK         S               2\n"
                                         "SK         S               2\n"
                                         "name       S               1\n"
                                         "tags       L               1\n"
                                         "total      N               1\n"));
  EXPECT_THAT(Out("\\d app\n", {"--json"}), StartsWith("{\"AttributeDefinitions\":"));
  EXPECT_THAT(Run("\\d absent\n").err, HasSubstr("absent"));
}

TEST_F(ShellTest, TheCostOfEachStatementIsShownOnRequest) {
  EXPECT_EQ(Out("\\cost\nSELECT SK FROM app WHERE PK = 'USER#1' AND SK = 'A';\n"
                "INSERT INTO app VALUE {'PK': 'a', 'SK': 'b', 'GSI1PK': 'c', 'GSI1SK': 'd'};\n"
                "\\cost\nSELECT SK FROM app WHERE PK = 'a';\n"),
            "The units of each statement are shown.\nSK\nA\n1 item\n0.5 units: app 0.5\n"
            "Done.\n2 units: GSI1 1, app 1\n"
            "The units of statements are not shown.\nSK\nb\n1 item\n");
}

TEST_F(ShellTest, ExplainShowsThePlanOfAStatement) {
  const std::string plan = Out("EXPLAIN DELETE FROM app WHERE PK = 'USER#1' AND SK = 'A';");
  EXPECT_THAT(plan, HasSubstr("DeleteItem"));
  EXPECT_THAT(plan, EndsWith("\n1 item\n"));
  EXPECT_EQ(Items().size(), 2U);
}

TEST_F(ShellTest, CommandsBeginWithABackslash) {
  EXPECT_THAT(Out("\\?\n"), HasSubstr("\\d TABLE"));
  EXPECT_EQ(Out("\\q\nSELECT * FROM absent;\n"), "");
  const CommandOutput output = Run("\\x\n");
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_EQ(output.err, "dolmen: line 1: the shell has no command \\x; \\? lists them\n");
}

TEST_F(ShellTest, AFixtureIsOpenedInMemory) {
  const std::string input = Write("input",
                                  "DELETE FROM app WHERE PK = 'USER#1' AND SK = 'A';\n"
                                  "SELECT SK FROM app;\n");
  EXPECT_EQ(RunDolmen({"shell", "--memory", "--fixture", path_}, input).out,
            "Done.\nSK\nB\n1 item\n");
  EXPECT_EQ(Items().size(), 2U);
}

TEST_F(ShellTest, TheTablesHaveExactlyOnePlace) {
  EXPECT_EQ(RunDolmen({"shell"}).exit_code, 2);
  EXPECT_EQ(RunDolmen({"shell", "--memory", "--path", path_}).exit_code, 2);
  EXPECT_EQ(RunDolmen({"shell", "--path", path_, "--fixture", path_}).exit_code, 2);
  EXPECT_EQ(RunDolmen({"shell", "--path", File("absent")}).exit_code, 1);
}

}  // namespace
}  // namespace dolmen::test
