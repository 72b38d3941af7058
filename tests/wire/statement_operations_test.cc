// The operations on PartiQL statements in DynamoDB's JSON.

#include "tests/wire/fixture.h"

namespace dolmen {
namespace {

TEST_F(WireItemTest, ExecuteStatementReturnsItemsAndAToken) {
  EXPECT_EQ(
      Body("ExecuteStatement", R"({"Statement":"INSERT INTO app VALUE {'PK':'a','SK':?,'n':1}",)"
                               R"("Parameters":[{"S":"1"}],"ReturnConsumedCapacity":"TOTAL"})"),
      R"({"Items":[],"ConsumedCapacity":{"TableName":"app","CapacityUnits":1.0}})");
  EXPECT_EQ(Body("ExecuteStatement", R"({"Statement":"SELECT SK, n FROM app WHERE PK='a'"})"),
            R"({"Items":[{"SK":{"S":"1"},"n":{"N":"1"}}]})");
  const std::string page =
      Body("ExecuteStatement", R"({"Statement":"SELECT * FROM app","Limit":1})");
  EXPECT_NE(page.find(R"("NextToken":")"), std::string::npos) << page;
  EXPECT_NE(page.find(R"("LastEvaluatedKey":{"PK":{"S":"a"},"SK":{"S":"1"}})"), std::string::npos)
      << page;
}

TEST_F(WireItemTest, ExecuteStatementNamesTheExceptionsOfStatements) {
  const std::string insert = R"({"Statement":"INSERT INTO app VALUE {'PK':'a','SK':'1'}"})";
  Body("ExecuteStatement", insert);
  const std::string service = "com.amazonaws.dynamodb.v20120810#";
  EXPECT_EQ(Body("ExecuteStatement", insert, 400),
            ErrorBody(service + "DuplicateItemException", "Duplicate primary key exists in table"));
  EXPECT_EQ(Body("ExecuteStatement",
                 R"({"Statement":"DELETE FROM app WHERE PK='a' AND SK='1' AND v=1",)"
                 R"("ReturnValuesOnConditionCheckFailure":"ALL_OLD"})",
                 400),
            R"({"__type":")" + service +
                R"(ConditionalCheckFailedException",)"
                R"("Message":"The conditional request failed",)"
                R"("Item":{"PK":{"S":"a"},"SK":{"S":"1"}}})");
  EXPECT_EQ(Body("ExecuteStatement", R"({"Statement":"SELECT * FROM nosuch"})", 400),
            ErrorBody(service + "ResourceNotFoundException", "Requested resource not found"));
  ExpectInvalid("ExecuteStatement", R"({"Statement":"SELEC * FROM app"})",
                "Statement wasn't well formed, can't be processed: Expected data manipulation");
  ExpectInvalid("ExecuteStatement", R"({"Statement":"SELECT * FROM app","Limit":0})",
                "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: "
                "Member must have value greater than or equal to 1");
}

// --- parameters ---

// Returns the JSON of a list nested so often around a value.
std::string NestedLists(int levels, const std::string& value) {
  std::string json = value;
  for (int i = 0; i < levels; ++i) json = R"({"L":[)" + json + "]}";
  return json;
}

constexpr std::string_view kNotNumeric = "The parameter cannot be converted to a numeric value";
constexpr std::string_view kNumberOverflow =
    "Number overflow. Attempting to store a number with magnitude larger than supported range";
constexpr std::string_view kNumberUnderflow =
    "Number underflow. Attempting to store a number with magnitude smaller than supported range";
constexpr std::string_view kNesting =
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
    "beyond supported limit";

// A list of parameters, and the message of its first fault.
struct BadParameterCase {
  std::string parameters;
  std::string message;
};

std::vector<BadParameterCase> BadParameters() {
  const std::string text(kNotNumeric);
  const std::string deep = NestedLists(50, R"({"N":"twelve"})");
  return {
      {R"([{"N":""}])", text},
      {R"([{"N":"12,5"}])", text + ": 12,5"},
      {R"([{"N":"8e5000000000"}])", text + ": 8e5000000000"},
      {R"([{"N":"0.5e-2147483647"}])", text + ": 0.5e-2147483647"},
      {R"([{"N":"5e2147483646"}])", std::string(kNumberOverflow)},
      {R"([{"N":"55e2147483646"}])", std::string(kNumberUnderflow)},
      {R"([{"NS":["1","x"]}])", text + ": x"},
      {R"([{"M":{"a":{"L":[{"N":"0e126"}]}}}])", std::string(kNumberOverflow)},
      {"[" + deep + "]", std::string(kNesting)},
      {R"([{"M":{"a":{"N":"twelve"},"b":)" + deep + "}}]", text + ": twelve"},
      {R"([{"M":{"b":)" + deep + R"(,"a":{"N":"twelve"}}}])", std::string(kNesting)},
      {R"([{"S":"x"},{"N":"two"},{"N":"one"}])", text + ": two"},
      {R"([{"NS":[]},{"N":"x"}])",
       "One or more parameter values were invalid: An number set  may not be empty"},
  };
}

TEST_F(WireItemTest, AnInvalidParameterFailsItsStatementOnly) {
  const std::string good = R"({"Statement":"UPDATE app SET n=1 WHERE PK='a' AND SK='1'"})";
  Put(R"({"PK":{"S":"a"},"SK":{"S":"1"}})");
  for (const auto& [parameters, message] : BadParameters()) {
    const std::string bad =
        R"({"Statement":"DELETE FROM app WHERE PK='a' AND SK='2' AND v=?","Parameters":)" +
        parameters + "}";
    ExpectInvalid("ExecuteStatement", bad, message);
    EXPECT_EQ(Body("BatchExecuteStatement", R"({"Statements":[)" + bad + "," + good + "]}"),
              R"({"Responses":[{"Error":{"Code":"ValidationError","Message":")" + message +
                  R"("}},{"TableName":"app"}]})")
        << parameters;
    ExpectInvalid("ExecuteTransaction", R"({"TransactStatements":[)" + good + "," + bad + "]}",
                  message);
  }
}

TEST_F(WireItemTest, TheFaultsOfAStatementHaveAnOrder) {
  const std::string bad = R"(","Parameters":[{"N":"x"}]})";
  const std::string number = std::string(kNotNumeric) + ": x";
  const std::string syntax = "Statement wasn't well formed, can't be processed: ";
  const std::vector<std::pair<std::string, std::string>> rules = {
      {R"({"Statement":"SELEC * FROM app","Parameters":[]})",
       "1 validation error detected: Value '[]' at 'parameters' failed to satisfy constraint: "
       "Member must have length greater than or equal to 1"},
      {R"({"Statement":"SELEC * FROM app)" + bad, syntax + "Expected data manipulation"},
      {R"({"Statement":"SELECT * FROM app WHERE PK=1e126)" + bad,
       std::string(kNumberOverflow) + " under root"},
      {R"({"Statement":"SELECT a, a FROM app)" + bad, number},
      {R"({"Statement":"SELECT * FROM app LIMIT 1)" + bad, number},
      {R"({"Statement":"SELECT * FROM app WHERE PK=? AND SK=?)" + bad, number},
      {R"({"Statement":"SELECT * FROM nosuch WHERE PK=?)" + bad, number},
      {R"({"Statement":"SELECT a, a FROM app","Parameters":[{"N":"1"}]})",
       "Duplicate identifiers in select clause: a"},
      {R"({"Statement":"SELECT a FROM app.nosuch","ConsistentRead":true})",
       "The table does not have the specified index"},
      {R"({"Statement":"SELECT a FROM app.GSI1 WHERE GSI1PK=1","ConsistentRead":true})",
       "Strongly consistent read is not supported on Global Secondary Indexes"},
  };
  for (const auto& [request, message] : rules) ExpectInvalid("ExecuteStatement", request, message);
}

TEST_F(WireItemTest, ExplainNeedsTheAdditionsOfTheEndpoint) {
  const std::string explain = R"({"Statement":"EXPLAIN SELECT * FROM app"})";
  ExpectInvalid("ExecuteStatement", explain,
                "Statement wasn't well formed, can't be processed: Unexpected token after "
                "expression");
  endpoint_ = Endpoint(db_, {.statement_additions = true});
  EXPECT_NE(Body("ExecuteStatement", explain).find(R"("Operation":{"S":"Scan"})"),
            std::string::npos);
}

TEST_F(WireItemTest, WritesReturnNoItems) {
  EXPECT_EQ(Body("ExecuteStatement", R"({"Statement":"DELETE FROM app WHERE PK='a' AND SK='1'"})"),
            R"({"Items":[]})");
  EXPECT_EQ(
      Body("ExecuteTransaction",
           R"({"TransactStatements":[{"Statement":"DELETE FROM app WHERE PK='a' AND SK='1'"}],)"
           R"("ReturnConsumedCapacity":"TOTAL"})"),
      R"({"Responses":[],"ConsumedCapacity":[{"TableName":"app","CapacityUnits":2.0,)"
      R"("WriteCapacityUnits":2.0}]})");
}

TEST_F(WireItemTest, BatchExecuteStatementAnswersEachStatement) {
  Put(R"({"PK":{"S":"a"},"SK":{"S":"1"}})");
  EXPECT_EQ(Body("BatchExecuteStatement",
                 R"({"Statements":[{"Statement":"SELECT * FROM app WHERE PK='a' AND SK='1'"},)"
                 R"({"Statement":"SELECT * FROM app WHERE PK='a' AND SK='2'"},)"
                 R"({"Statement":"SELECT * FROM nosuch WHERE PK='a' AND SK='2'"}]})"),
            R"({"Responses":[{"TableName":"app","Item":{"PK":{"S":"a"},"SK":{"S":"1"}}},)"
            R"({"TableName":"app"},{"Error":{"Code":"ResourceNotFound",)"
            R"("Message":"Requested resource not found"}}]})");
  EXPECT_EQ(Body("BatchExecuteStatement",
                 R"({"Statements":[{"Statement":"INSERT INTO app VALUE {'PK':'a','SK':'1'}"},)"
                 R"({"Statement":"DELETE FROM app WHERE PK='a' AND SK=?"}]})"),
            R"({"Responses":[{"Error":{"Code":"DuplicateItem",)"
            R"("Message":"Duplicate primary key exists in table"},"TableName":"app"},)"
            R"({"Error":{"Code":"ValidationError","Message":)"
            R"("Number of parameters in request and statement don't match."}}]})");
}

TEST_F(WireItemTest, ExecuteTransactionReturnsItemsOrReasons) {
  Put(R"({"PK":{"S":"a"},"SK":{"S":"1"}})");
  EXPECT_EQ(
      Body("ExecuteTransaction", R"({"TransactStatements":[{"Statement":)"
                                 R"("SELECT * FROM app WHERE PK='a' AND SK='1'"},{"Statement":)"
                                 R"("SELECT * FROM app WHERE PK='a' AND SK='2'"}]})"),
      R"({"Responses":[{"Item":{"PK":{"S":"a"},"SK":{"S":"1"}}},{}]})");
  EXPECT_EQ(Body("ExecuteTransaction", R"({"TransactStatements":[{"Statement":)"
                                       R"("UPDATE app SET v=1 WHERE PK='a' AND SK='1'"}]})"),
            R"({"Responses":[]})");
  const std::string cancelled = Body(
      "ExecuteTransaction",
      R"({"TransactStatements":[{"Statement":"INSERT INTO app VALUE {'PK':'a','SK':'1'}"}]})", 400);
  EXPECT_NE(cancelled.find(R"("CancellationReasons":[{"Code":"DuplicateItem",)"
                           R"("Message":"Duplicate primary key exists in table"}])"),
            std::string::npos)
      << cancelled;
}

}  // namespace
}  // namespace dolmen
