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
  ExpectInvalid("ExecuteStatement", R"({"Statement":"SELEC"})",
                "Statement wasn't well formed, can't be processed: Expected data manipulation");
  ExpectInvalid("ExecuteStatement", R"({"Statement":"SELECT * FROM app","Limit":0})",
                "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: "
                "Member must have value greater than or equal to 1");
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
