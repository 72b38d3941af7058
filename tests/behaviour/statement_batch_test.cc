// Several statements in one request: batches and transactions.

#include <map>

#include "tests/behaviour/statement_fixture.h"

namespace dolmen::behaviour {
namespace {

std::vector<StatementRequest> Requests(const std::vector<std::string>& statements) {
  std::vector<StatementRequest> requests;
  for (const std::string& statement : statements) requests.push_back({.statement = statement});
  return requests;
}

class StatementBatchTest : public StatementTest {
 protected:
  StatementBatchTest() { Run("INSERT INTO Hsh VALUE {'id':'x','v':1}"); }

  void Run(const std::string& statement) { EXPECT_THAT(db_.Execute(statement), IsOk()); }
  std::string X() const { return Execute("SELECT * FROM Hsh WHERE id='x'").at(0); }

  // Returns the text of each response: the table, the item, the code and message of the error.
  std::vector<std::string> Batch(const std::vector<std::string>& statements) const {
    const auto output = db_.BatchExecuteStatement({.statements = Requests(statements)});
    if (!output.ok()) return {output.status().message()};
    std::vector<std::string> texts;
    for (const BatchStatementResponse& response : output->responses) {
      std::string text = response.table_name;
      if (response.item) text += response.item->ToString();
      if (!response.status.ok()) text += "!" + response.status.message();
      texts.push_back(text);
    }
    return texts;
  }

  // Returns the text of each item, or the message and the reasons of the error.
  std::vector<std::string> Transact(const std::vector<std::string>& statements,
                                    const std::string& token = {}) const {
    const auto output =
        db_.ExecuteTransaction({.statements = Requests(statements), .client_request_token = token});
    std::vector<std::string> texts;
    if (output.ok()) {
      for (const auto& item : output->items) texts.push_back(item ? item->ToString() : "none");
      return texts;
    }
    if (output.status().reasons().empty()) return {output.status().message()};
    for (const Status& reason : output.status().reasons()) {
      texts.emplace_back(CancellationCode(reason));
    }
    return texts;
  }
};

constexpr const char* kReadX = "SELECT * FROM Hsh WHERE id='x'";

TEST_F(StatementBatchTest, ABatchAnswersEachStatement) {
  EXPECT_THAT(Batch({kReadX, "SELECT v FROM Hsh WHERE id='none'",
                     "SELECT nosuch FROM Tbl WHERE pk='a' AND sk=1",
                     "SELECT m.x FROM Tbl WHERE pk='a' AND sk=2", "SELECT * FROM Nope WHERE id='x'",
                     "SELEC * FROM Hsh"}),
              ElementsAre("Hsh{id: \"x\", v: 1}", "Hsh", "Tbl{}", "Tbl{x: 2}",
                          "!Requested resource not found",
                          "!Statement wasn't well formed, can't be processed: Expected data "
                          "manipulation"));
  EXPECT_THAT(Batch({"INSERT INTO Hsh VALUE {'id':'x'}", "INSERT INTO Hsh VALUE {'id':'y'}",
                     "UPDATE Hsh SET v=2 WHERE id='none'",
                     "DELETE FROM Tbl WHERE pk='b' AND sk=1 RETURNING ALL OLD *",
                     "INSERT INTO Hsh VALUE {'a':1}", "UPDATE Hsh SET v=1 WHERE id=?"}),
              ElementsAre("Hsh!Duplicate primary key exists in table", "Hsh",
                          "Hsh!The conditional request failed", "Tbl{pk: \"b\", sk: 1, v: \"str\"}",
                          "!Key attribute should be present in the item: Key id",
                          "!Number of parameters in request and statement don't match."));
}

TEST_F(StatementBatchTest, ABatchReadsSingleItemsByTheirWholeKey) {
  const std::string message =
      "!Select statements within BatchExecuteStatement must specify the primary key in the where "
      "clause.";
  for (const char* statement :
       {"SELECT * FROM Hsh WHERE id='x' AND v=1", "SELECT * FROM Hsh",
        "SELECT * FROM Hsh WHERE id IN ['x']", "SELECT * FROM Tbl.gidx WHERE g='x'",
        "SELECT * FROM Tbl WHERE pk='a'", "SELECT * FROM Tbl WHERE pk='a' AND sk>1"}) {
    EXPECT_THAT(Batch({statement}), ElementsAre(message)) << statement;
  }
}

TEST_F(StatementBatchTest, AWholeBatchIsRefusedBeforeAnyStatementRuns) {
  const std::string duplicates = "Provided list of item keys contains duplicates";
  const std::string mixed = "Read and write requests together in the same batch is not supported.";
  EXPECT_THAT(Batch({kReadX, kReadX}), ElementsAre(duplicates));
  EXPECT_THAT(Batch({"INSERT INTO Hsh VALUE {'id':'z'}", "UPDATE Hsh SET v=9 WHERE 'z'=id"}),
              ElementsAre(duplicates));
  const std::string overlap = "UPDATE Hsh SET v=1, v=2 WHERE id='x'";
  EXPECT_THAT(Batch({overlap, overlap}),
              testing::Each(testing::StartsWith("!Two document paths overlap")));
  EXPECT_THAT(Batch({kReadX, "SELEC * FROM Hsh", "UPDATE Hsh SET v=9 WHERE id='x'"}),
              ElementsAre(mixed));
  EXPECT_THAT(
      Batch({"notes IS TIMESTAMP", "SELECT v, v FROM Hsh", "UPDATE Hsh SET v=1 WHERE id='x'"}),
      ElementsAre("!Unsupported operation: IsType", "!Duplicate identifiers in select clause: v",
                  "Hsh"));
  EXPECT_THAT(Batch({""}), ElementsAre("The statement was empty."));
  EXPECT_THAT(Batch({}), ElementsAre("The statement was empty."));
  EXPECT_EQ(X(), "{id: \"x\", v: 1}");
}

TEST_F(StatementBatchTest, AnUpdateThatBeginsWithFromIsAnUpdate) {
  EXPECT_THAT(Batch({"FROM Hsh WHERE id='x' SET v=v+1", "FROM Hsh WHERE id='none' SET v=1"}),
              ElementsAre("Hsh", "Hsh!The conditional request failed"));
  EXPECT_THAT(Transact({"FROM Hsh WHERE id='x' AND v=2 SET v=v+1"}), IsEmpty());
  EXPECT_EQ(X(), "{id: \"x\", v: 3}");
}

TEST_F(StatementBatchTest, ABatchSumsTheCapacityOfEachTable) {
  const auto output = db_.BatchExecuteStatement(
      {.statements = Requests({kReadX, "SELECT * FROM Tbl WHERE pk='a' AND sk=1",
                               "SELECT * FROM Hsh WHERE id='none'"}),
       .options = {.return_consumed_capacity = ReturnConsumedCapacity::kTotal}});
  ASSERT_THAT(output, IsOk());
  std::map<std::string, double> units;
  for (const auto& consumed : output->consumed_capacity) {
    units[consumed.table_name] = consumed.total.read_units;
  }
  EXPECT_EQ(units, (std::map<std::string, double>{{"Hsh", 1}, {"Tbl", 0.5}}));
}

TEST_F(StatementBatchTest, AnErrorThatDependsOnTheTableHasItsName) {
  const std::string missing =
      "Hsh!The provided expression refers to an attribute that does not exist in the item";
  EXPECT_THAT(
      Batch({"UPDATE Hsh SET v='a'+1 WHERE id='a'", "UPDATE Hsh SET v=nosuch+1 WHERE id='x'",
             "UPDATE Hsh SET id='c' WHERE id='b'"}),
      ElementsAre("!Incorrect operand type for operator or function; operator or function: +, "
                  "operand type: S",
                  missing,
                  "Hsh!One or more parameter values were invalid: Cannot update attribute id. This "
                  "attribute is part of the key"));
  EXPECT_THAT(Batch({"SELECT m.x, m FROM Hsh WHERE id='none'"}),
              ElementsAre("!Two document paths overlap with each other; must remove or rewrite one "
                          "of these paths; path one: [m], path two: [m, x]"));
}

TEST_F(StatementBatchTest, AFailedWriteConsumesCapacityBesideASuccessfulOne) {
  const std::string large(3000, 'x');
  Run("INSERT INTO Hsh VALUE {'id':'large','v':'" + large + "'}");
  // Returns the units in total and of the table itself, for each table.
  const auto units = [&](const std::vector<std::string>& statements) {
    const auto output = test::Value(db_.BatchExecuteStatement(
        {.statements = Requests(statements),
         .options = {.return_consumed_capacity = ReturnConsumedCapacity::kIndexes}}));
    std::map<std::string, std::pair<double, double>> found;
    for (const auto& consumed : output.consumed_capacity) {
      found[consumed.table_name] = {consumed.total.write_units, consumed.table.write_units};
    }
    for (const BatchStatementResponse& response : output.responses) {
      EXPECT_EQ(response.status.item(), nullptr) << "no statement asks for the item";
    }
    return found;
  };
  using Units = std::map<std::string, std::pair<double, double>>;
  const std::string succeeds = "UPDATE Hsh SET v=1 WHERE id='x'";
  EXPECT_EQ(units({succeeds, "UPDATE Hsh SET v=1 WHERE id='none'"}), (Units{{"Hsh", {2, 1}}}));
  EXPECT_EQ(units({succeeds, "DELETE FROM Hsh WHERE id='large' AND v=1"}),
            (Units{{"Hsh", {4, 1}}}));
  EXPECT_EQ(units({succeeds, "INSERT INTO Hsh VALUE {'id':'large'}"}), (Units{{"Hsh", {4, 1}}}));
  EXPECT_EQ(units({succeeds, "DELETE FROM Tbl WHERE pk='a' AND sk=1 AND v=1"}),
            (Units{{"Hsh", {1, 1}}}));
  EXPECT_EQ(units({"UPDATE Hsh SET v=1 WHERE id='none'"}), Units());
  Run("DELETE FROM Hsh WHERE id='large'");
  Run("INSERT INTO Hsh VALUE {'id':'large'}");
  EXPECT_EQ(units({succeeds, "INSERT INTO Hsh VALUE {'id':'large','v':'" + large + "'}"}),
            (Units{{"Hsh", {4, 1}}}));
}

TEST_F(StatementBatchTest, ATransactionReadsOrWrites) {
  EXPECT_THAT(Transact({kReadX, "SELECT v FROM Hsh WHERE id='none'",
                        "SELECT m.y[1], v FROM Tbl WHERE pk='a' AND sk=1"}),
              ElementsAre("{id: \"x\", v: 1}", "none", "{v: 10, y[1]: \"y1\"}"));
  EXPECT_THAT(Transact({"UPDATE Hsh SET v=v+1 WHERE id='x'", "INSERT INTO Hsh VALUE {'id':'y'}",
                        "DELETE FROM Tbl WHERE pk='b' AND sk=1",
                        "EXISTS(SELECT * FROM Tbl WHERE pk='a' AND sk=1 AND v=10)"}),
              IsEmpty());
  EXPECT_EQ(X(), "{id: \"x\", v: 2}");
}

TEST_F(StatementBatchTest, ATransactionIsCancelledForTheReasonsOfItsStatements) {
  EXPECT_THAT(Transact({"INSERT INTO Hsh VALUE {'id':'x'}",
                        "UPDATE Tbl SET w=1 WHERE pk='a' AND "
                        "sk=1"}),
              ElementsAre("DuplicateItem", "None"));
  EXPECT_THAT(
      Transact({"UPDATE Hsh SET v=2 WHERE id='none'", "DELETE FROM Hsh WHERE id='x' AND v=7",
                "EXISTS(SELECT * FROM Tbl WHERE pk='a' AND sk=1 AND v=11)",
                "EXISTS(SELECT * FROM Tbl WHERE pk='a' AND sk=9 AND v IS MISSING)"}),
      ElementsAre("ConditionalCheckFailed", "ConditionalCheckFailed", "ConditionalCheckFailed",
                  "ConditionalCheckFailed"));
  EXPECT_EQ(X(), "{id: \"x\", v: 1}");
}

TEST_F(StatementBatchTest, ATokenRepeatsATransactionWithoutAnEffect) {
  const std::string token = "0123456789abcdef0123456789abcdef0123";
  const std::string update = "UPDATE Hsh SET v=v+1 WHERE id='x'";
  EXPECT_THAT(Transact({update}, token), IsEmpty());
  EXPECT_THAT(Transact({update}, token), IsEmpty());
  EXPECT_EQ(X(), "{id: \"x\", v: 2}");
  const auto other =
      db_.ExecuteTransaction({.statements = Requests({"UPDATE Hsh SET v=v+2 WHERE id='x'"}),
                              .client_request_token = token});
  EXPECT_THAT(other, StatusIs(StatusCode::kIdempotentParameterMismatch,
                              "Specified idempotent token was used with different request "
                              "parameters within the idempotency window"));
  // TransactWriteItems has tokens of its own.
  const Table hash = test::Value(db_.OpenTable("Hsh"));
  EXPECT_THAT(db_.TransactWriteItems({.actions = {{hash, PutItemInput{.item = {{"id", "t"}}}}},
                                      .client_request_token = token}),
              IsOk());
}

TEST_F(StatementBatchTest, ATokenBelongsToTheParametersOfItsTransaction) {
  const auto add = [&](int number) {
    return db_
        .ExecuteTransaction({.statements = {{.statement = "UPDATE Hsh SET v=v+? WHERE id='x'",
                                             .parameters = {number}}},
                             .client_request_token = "token"})
        .status();
  };
  EXPECT_THAT(add(1), IsOk());
  EXPECT_THAT(add(1), IsOk());
  EXPECT_EQ(add(2).code(), StatusCode::kIdempotentParameterMismatch);
  EXPECT_EQ(X(), "{id: \"x\", v: 2}");
}

TEST_F(StatementBatchTest, AWholeTransactionIsRefused) {
  const std::string first = "Validation failed in TransactStatements[0]: ";
  const std::string select =
      "Select statements within ExecuteTransaction must specify the primary key in the where "
      "clause.";
  const std::string exists = "EXISTS() must contain a single item read with additional condition";
  const std::string twice = "Transaction request cannot include multiple operations on one item";
  const std::vector<std::pair<std::vector<std::string>, std::string>> rules = {
      {{}, "ExecutePartiQLTransaction can not have empty statement."},
      {{kReadX, kReadX}, twice},
      {{"UPDATE Hsh SET v=1 WHERE id='x'", "EXISTS(SELECT * FROM Hsh WHERE id='x' AND v=1)"},
       twice},
      {{kReadX, "UPDATE Hsh SET v=1 WHERE id='y'"},
       "ExecuteTransaction API does not support both read and write operations in the same "
       "request."},
      {{"SELECT * FROM Hsh WHERE id='x' AND v=1"}, first + select},
      {{"SELECT * FROM Hsh"}, first + select},
      {{"SELECT * FROM Tbl.gidx WHERE g='x'"},
       first + "Reads on indices are not supported within transactions."},
      {{"UPDATE Hsh SET v=2 WHERE id='x' RETURNING ALL OLD *"},
       first + "RETURNING clause is not supported in ExecuteTransaction."},
      {{"EXISTS(SELECT * FROM Hsh WHERE id='x')"}, first + exists},
      {{"EXISTS(SELECT * FROM Hsh WHERE v=1)"}, first + exists},
      {{kReadX, "SELECT * FROM Hsh WHERE id=?"},
       "Validation failed in TransactStatements[1]: Number of parameters in request and statement "
       "don't match."},
      {{"UPDATE Hsh SET v='a'+1 WHERE id='x'"},
       first + "Incorrect operand type for operator or function; operator or function: +, operand "
               "type: S"},
      {{"UPDATE Hsh SET v=1 WHERE id='x'", "UPDATE Hsh SET v=2 WHERE id='b' AND v>TRUE"},
       "Validation failed in TransactStatements[1]: Incorrect operand type for operator or "
       "function; operator or function: >, operand type: BOOL"},
      {{"UPDATE Hsh SET id='c' WHERE id='b'"},
       "One or more parameter values were invalid: Cannot update attribute id. This attribute is "
       "part of the key"},
      {{"SELECT m.x, m FROM Hsh WHERE id='none'"},
       first +
           "Two document paths overlap with each other; must remove or rewrite one of these paths; "
           "path one: [m], path two: [m, x]"},
      {{kReadX, "SELECT * FROM Nope WHERE id='x'"}, "Requested resource not found"},
      {{"SELECT * FROM Hsh WHERE id='x' AND v>TRUE", "SELECT * FROM Nope WHERE id='x'"},
       first + "Incorrect operand type for operator or function; operator or function: >, operand "
               "type: BOOL"},
      {{"SELECT * FROM Nope WHERE id='x'", "SELECT * FROM Hsh WHERE id='x' AND v>TRUE"},
       "Requested resource not found"},
      {{"DELETE FROM Nope WHERE id='x'", "DELETE FROM Hsh WHERE id='x' RETURNING ALL OLD *"},
       "Requested resource not found"},
      {{kReadX, "SELECT * FROM Hsh WHERE id='y' AND v IN []"},
       "Validation failed in TransactStatements[1]: IN operator must have a left hand argument of "
       "type Variable Reference and right hand argument of type Seq with at least one member"},
      {{"EXISTS(SELECT * FROM Hsh WHERE id='x' AND v>TRUE)",
        "UPDATE Hsh SET v=1 WHERE id='y' AND v IN []"},
       first + "Incorrect operand type for operator or function; operator or function: >, operand "
               "type: BOOL"},
      {{kReadX, "SELEC * FROM Hsh"},
       "Validation failed in TransactStatements[1]: Statement wasn't well formed, can't be "
       "processed: Expected data manipulation"},
      {{"notes IS TIMESTAMP"}, first + "Unsupported operation: IsType"},
  };
  for (const auto& [statements, message] : rules) {
    EXPECT_THAT(Transact(statements), ElementsAre(message));
  }
}

}  // namespace
}  // namespace dolmen::behaviour
