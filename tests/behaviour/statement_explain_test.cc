// EXPLAIN: the plan of a statement.

#include "tests/behaviour/statement_fixture.h"

namespace dolmen::behaviour {
namespace {

// The tests of plans. A plan is compared without its units, whose estimate depends on RocksDB.
class StatementExplainTest : public StatementTest {
 protected:
  Result<ExecuteStatementOutput> ExecuteWithAdditions(const std::string& statement,
                                                      List parameters = {}) const {
    ExecuteStatementOutput output;
    const Status executed = db_.ExecuteStatement(
        {.statement = statement, .parameters = std::move(parameters), .additions = true}, &output);
    if (!executed.ok()) return executed;
    return output;
  }
  Result<ExecuteStatementOutput> Explain(const std::string& statement, List parameters = {}) const {
    auto output = ExecuteWithAdditions("EXPLAIN " + statement, std::move(parameters));
    EXPECT_THAT(output, IsOk()) << statement;
    EXPECT_TRUE(output.ok() && output->page.size() == 1) << statement;
    return output;
  }
  // Returns the attributes of the plan as text, without its units.
  std::string Plan(const std::string& statement, List parameters = {}) const {
    const auto output = Explain(statement, std::move(parameters));
    std::string text;
    for (const auto [name, value] : output->page[0]) {
      if (name.find("Units") != std::string_view::npos) continue;
      text.append(text.empty() ? "{" : ", ").append(name).append(": ").append(value.ToString());
    }
    return text + "}";
  }
  std::string Units(const std::string& statement) const {
    const auto output = Explain(statement);
    const ItemView plan = output->page[0];
    const AttributeView units = plan["ReadUnits"].exists() ? plan["ReadUnits"] : plan["WriteUnits"];
    return plan["UnitsAre"].ToString().substr(1, 7) + " " + units.ToString();
  }
};

TEST_F(StatementExplainTest, ThePlanOfASelectIsItsReads) {
  const std::vector<std::pair<std::string, std::string>> plans = {
      {"SELECT v FROM Tbl WHERE pk='a' AND sk=1",
       R"x({FullScan: false, Key: {pk: "a", sk: 1}, Operation: "GetItem", Table: "Tbl"})x"},
      {"SELECT v FROM Tbl WHERE sk>1 AND v=2 AND pk='a' ORDER BY sk DESC",
       R"x({Filter: "v = 2", FullScan: false, KeyConditions: ["pk = "a" AND sk > 1"], )x"
       R"x(Operation: "Query", ScanIndexForward: false, Table: "Tbl"})x"},
      {"SELECT * FROM Tbl WHERE pk IN ['b','a'] AND sk=1",
       R"x({FullScan: false, KeyConditions: ["pk = "b" AND sk = 1", "pk = "a" AND sk = 1"], )x"
       R"x(Operation: "Query", ScanIndexForward: true, Table: "Tbl"})x"},
      {"SELECT * FROM Tbl.lidx WHERE pk='a' AND begins_with(l,'x')",
       R"x({FullScan: false, Index: "lidx", )x"
       R"x(KeyConditions: ["pk = "a" AND begins_with(l, "x")"], )x"
       R"x(Operation: "Query", ScanIndexForward: true, Table: "Tbl"})x"},
      {"SELECT * FROM Tbl WHERE v=2 OR pk='a'",
       R"x({Filter: "v = 2 OR pk = "a"", FullScan: true, Operation: "Scan", Table: "Tbl"})x"},
      {"SELECT * FROM Tbl.gidx",
       R"x({FullScan: true, Index: "gidx", Operation: "Scan", Table: "Tbl"})x"},
  };
  for (const auto& [statement, plan] : plans) EXPECT_EQ(Plan(statement), plan) << statement;
  EXPECT_EQ(Plan("SELECT * FROM Tbl WHERE pk=? AND v IN [?, 3]", {"a", Map{{"x", 1}}}),
            R"x({Filter: "v IN ({x: 1}, 3)", FullScan: false, KeyConditions: ["pk = "a""], )x"
            R"x(Operation: "Query", ScanIndexForward: true, Table: "Tbl"})x");
}

TEST_F(StatementExplainTest, ThePlanOfAWriteIsItsItemAndItsCondition) {
  EXPECT_EQ(Plan("UPDATE Hsh SET v=v+1 WHERE id=? AND v>2", {"x"}),
            R"x({Condition: "attribute_exists(id) AND v > 2", Key: {id: "x"}, )x"
            R"x(Operation: "UpdateItem", Table: "Hsh"})x");
  EXPECT_EQ(Plan("INSERT INTO Hsh VALUE {'id':'new'}"),
            R"x({Condition: "attribute_not_exists(id)", Key: {id: "new"}, )x"
            R"x(Operation: "PutItem", Table: "Hsh"})x");
  EXPECT_EQ(Plan("DELETE FROM Hsh WHERE id='x'"),
            R"x({Key: {id: "x"}, Operation: "DeleteItem", Table: "Hsh"})x");
  EXPECT_THAT(Execute("SELECT * FROM Hsh"), IsEmpty()) << "EXPLAIN has executed nothing";
}

TEST_F(StatementExplainTest, TheUnitsAreABoundOrAnEstimate) {
  EXPECT_EQ(Units("SELECT * FROM Hsh WHERE id='x'"), "at most 50");
  EXPECT_EQ(Units("INSERT INTO Hsh VALUE {'id':'x'}"), "at most 1");
  EXPECT_EQ(Units("INSERT INTO Tbl VALUE {'pk':'x','sk':1}"), "at most 3");
  EXPECT_EQ(Units("DELETE FROM Tbl WHERE pk='x' AND sk=1"), "at most 1200");
  EXPECT_EQ(Units("UPDATE Tbl SET v=1 WHERE pk='x' AND sk=1"), "at most 2000");
  EXPECT_EQ(Units("SELECT * FROM Hsh"), "estimat 1") << "the table is empty";
  for (int i = 0; i < 100; ++i) {
    Put({{"pk", "large"}, {"sk", i}, {"v", std::string(10'000, 'x')}});
  }
  const auto estimate = [&](const std::string& where) {
    return std::stoi(Units("SELECT * FROM Tbl WHERE " + where).substr(8));
  };
  EXPECT_GT(estimate("pk='large'"), 10) << "the exact number is 123";
  EXPECT_LT(estimate("pk='none'"), estimate("pk='large'"));
}

TEST_F(StatementExplainTest, ExplainHasTheErrorsOfItsStatement) {
  const std::vector<std::pair<std::string, std::string>> rules = {
      {"EXPLAIN", "Statement wasn't well formed, can't be processed: Expected data manipulation"},
      {"EXPLAIN SELECT v FROM Tbl.gidx WHERE g='g1'",
       "One or more parameter values were invalid: Global secondary index gidx does not project "
       "[v]"},
      {"EXPLAIN UPDATE Hsh SET id='y' WHERE id='x'",
       "One or more parameter values were invalid: Cannot update attribute id. This attribute is "
       "part of the key"},
      {"EXPLAIN DELETE FROM Hsh WHERE v=1",
       "Where clause does not contain a mandatory equality on all key attributes"},
  };
  for (const auto& [statement, message] : rules) {
    EXPECT_THAT(ExecuteWithAdditions(statement), StatusIs(kValidation, message)) << statement;
  }
  EXPECT_THAT(ExecuteWithAdditions("EXPLAIN SELECT * FROM Nope"),
              StatusIs(StatusCode::kResourceNotFound, "Requested resource not found"));
  ExecuteStatementOutput output;
  EXPECT_THAT(db_.ExecuteStatement(
                  {.statement = "EXPLAIN SELECT * FROM Tbl", .next_token = "x", .additions = true},
                  &output),
              StatusIs(kValidation, "EXPLAIN returns one item. Leave out NextToken."));
}

TEST_F(StatementExplainTest, ExplainWithoutAdditionsGetsTheAnswerOfDynamoDb) {
  const StatementRequest request{.statement = "EXPLAIN SELECT * FROM Hsh WHERE id='x'"};
  const std::string refused =
      "Statement wasn't well formed, can't be processed: Unexpected token after expression";
  EXPECT_THAT(Explain("SELECT * FROM Hsh WHERE id='x'"), IsOk())
      << "and keeps the parsed statement";
  EXPECT_THAT(db_.Execute(request.statement), StatusIs(kValidation, refused));
  const auto batch = test::Value(db_.BatchExecuteStatement({.statements = {request}}));
  EXPECT_THAT(batch.responses[0].status, StatusIs(kValidation, refused));
  EXPECT_THAT(db_.ExecuteTransaction({.statements = {request}}),
              StatusIs(kValidation, "Validation failed in TransactStatements[0]: " + refused));
}

}  // namespace
}  // namespace dolmen::behaviour
