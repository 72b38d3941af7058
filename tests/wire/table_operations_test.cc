// Tests of DescribeTable, ListTables, DeleteTable, DescribeLimits and
// DescribeEndpoints in DynamoDB's JSON.

#include <string>

#include "tests/wire/tables.h"

namespace dolmen {
namespace {

using TableOperationsTest = WireTableTest;

constexpr std::string_view kNoTableName =
    "The parameter 'TableName' is required but was not present in the request";

TEST_F(TableOperationsTest, DescribesATableThatAProgramCreated) {
  CreateTableInput input;
  input.name = "made";
  input.global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")};
  clock_->Set(Timestamp(std::chrono::milliseconds(1363801528686)));
  ASSERT_TRUE(db_.CreateTable(input).ok());
  EXPECT_EQ(Describe("made"),
            R"({"Table":{"AttributeDefinitions":[{"AttributeName":"GSI1PK","AttributeType":"S"},)"
            R"({"AttributeName":"GSI1SK","AttributeType":"S"},)"
            R"({"AttributeName":"PK","AttributeType":"S"},)"
            R"({"AttributeName":"SK","AttributeType":"S"}],"TableName":"made",)"
            R"("KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},)"
            R"({"AttributeName":"SK","KeyType":"RANGE"}],)"
            R"("TableStatus":"ACTIVE","CreationDateTime":1363801528.686,)"
            R"("ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,)"
            R"("WriteCapacityUnits":0},"WarmThroughput":{"ReadUnitsPerSecond":12000,)"
            R"("Status":"ACTIVE","WriteUnitsPerSecond":4000},"TableSizeBytes":0,"ItemCount":0,)"
            R"("TableArn":"arn:aws:dynamodb:us-east-1:000000000000:table/made",)"
            R"("TableId":"ccd2a3ea-fa27-4199-9798-fb4072747603",)"
            R"("BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST",)"
            R"("LastUpdateToPayPerRequestDateTime":1363801528.686},)"
            R"("GlobalSecondaryIndexes":[{"IndexName":"GSI1",)"
            R"("KeySchema":[{"AttributeName":"GSI1PK","KeyType":"HASH"},)"
            R"({"AttributeName":"GSI1SK","KeyType":"RANGE"}],)"
            R"("Projection":{"ProjectionType":"ALL"},"IndexStatus":"ACTIVE",)"
            R"("ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,)"
            R"("WriteCapacityUnits":0},"WarmThroughput":{"ReadUnitsPerSecond":12000,)"
            R"("Status":"ACTIVE","WriteUnitsPerSecond":4000},"IndexSizeBytes":0,"ItemCount":0,)"
            R"("IndexArn":"arn:aws:dynamodb:us-east-1:000000000000:table/made/index/GSI1"}],)"
            R"("DeletionProtectionEnabled":false}})");
}

TEST_F(TableOperationsTest, DescribeTableCountsItems) {
  Body("CreateTable", TableWith(kOnDemand));
  Body("PutItem", R"({"TableName":"table","Item":{"a":{"S":"x"}}})");
  ExpectHas(Describe(), R"("ItemCount":1,)");
}

TEST_F(TableOperationsTest, AcceptsTheArnOfATableAsItsName) {
  const std::string made = Body("CreateTable", TableWith(kOnDemand));
  const std::string arn = R"("TableName":"arn:aws:dynamodb:us-east-1:000000000000:table/table")";
  EXPECT_EQ(Body("DescribeTable", Object({arn})), Describe());
  ExpectHas(Body("DeleteTable", Object({arn})), R"("TableStatus":"DELETING")");
}

TEST_F(TableOperationsTest, NamesTheTableThatDoesNotExist) {
  for (const std::string_view operation : {"DescribeTable", "DeleteTable", "DescribeTimeToLive"}) {
    ExpectNotFound(operation, R"({"TableName":"never"})",
                   "Requested resource not found: Table: never not found");
  }
}

TEST_F(TableOperationsTest, RejectsInvalidTableNames) {
  for (const std::string_view operation :
       {"DescribeTable", "DeleteTable", "UpdateTable", "DescribeTimeToLive"}) {
    ExpectInvalid(operation, R"({"TableName":"ab"})",
                  "1 validation error detected: Value 'ab' at 'tableName' failed to satisfy "
                  "constraint: Member must have length greater than or equal to 3");
    ExpectInvalid(operation, R"({"TableName":""})",
                  "2 validation errors detected: Value '' at 'tableName' failed to satisfy "
                  "constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+; "
                  "Value '' at 'tableName' failed to satisfy constraint: Member must have length "
                  "greater than or equal to 3");
    ExpectInvalid(operation, R"({"TableName":"a/b"})",
                  "1 validation error detected: Value 'a/b' at 'tableName' failed to satisfy "
                  "constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
    for (const std::string_view without : {"{}", R"({"TableName":null})"}) {
      ExpectInvalid(operation, without, kNoTableName);
    }
    ExpectUnserializable(operation, R"({"TableName":23})",
                         "NUMBER_VALUE cannot be converted to String");
  }
}

TEST_F(TableOperationsTest, ARecreatedTableHasAnotherId) {
  const auto id = [&] {
    const std::string body = Describe();
    return body.substr(body.find("\"TableId\":"), 48);
  };
  Body("CreateTable", TableWith(kOnDemand));
  const std::string first = id();
  EXPECT_EQ(id(), first);
  Body("DeleteTable", R"({"TableName":"table"})");
  Body("CreateTable", TableWith(kOnDemand));
  EXPECT_NE(id(), first);
}

// --- DeleteTable ---

TEST_F(TableOperationsTest, DeleteTableDescribesTheTableWithoutItsDefinition) {
  const StreamSpecification stream{.view_type = StreamViewType::kKeysOnly};
  ASSERT_TRUE(
      db_.CreateTable({.name = "made",
                       .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")},
                       .stream_specification = stream})
          .ok());
  const std::string deleted = Body("DeleteTable", R"({"TableName":"made"})");
  const std::size_t id = deleted.find("\"TableId\":") + 10;
  EXPECT_EQ(deleted, R"({"TableDescription":{"TableName":"made","TableStatus":"DELETING",)"
                     R"("ProvisionedThroughput":{"NumberOfDecreasesToday":0,)"
                     R"("ReadCapacityUnits":0,"WriteCapacityUnits":0},"TableSizeBytes":0,)"
                     R"("ItemCount":0,)"
                     R"("TableArn":"arn:aws:dynamodb:us-east-1:000000000000:table/made",)"
                     R"("TableId":)" +
                         deleted.substr(id, 38) +
                         R"(,"BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST",)"
                         R"("LastUpdateToPayPerRequestDateTime":0},)"
                         R"("DeletionProtectionEnabled":false}})");
  EXPECT_EQ(Body("ListTables", "{}"), R"({"TableNames":[]})");
}

TEST_F(TableOperationsTest, TheResponseOfDeleteTableNeverHasWarmThroughput) {
  Body("CreateTable", TableWith(Units(2, 2)));
  Body("UpdateTable", R"({"TableName":"table",)" + Units(1, 3) + "}");
  ExpectHas(Describe(), "WarmThroughput");
  ExpectHasNot(Body("DeleteTable", R"({"TableName":"table"})"), "WarmThroughput");
}

TEST_F(TableOperationsTest, AProtectedTableIsNotDeleted) {
  Body("CreateTable", TableWith(std::string(kOnDemand) + R"(,"DeletionProtectionEnabled":true)"));
  ExpectInvalid("DeleteTable", R"({"TableName":"table"})",
                "Resource cannot be deleted as it is currently protected against deletion. Disable "
                "deletion protection first.");
  Body("UpdateTable", R"({"TableName":"table","DeletionProtectionEnabled":false})");
  Body("DeleteTable", R"({"TableName":"table"})");
}

// --- ListTables ---

class ListTablesTest : public WireTableTest {
 protected:
  ListTablesTest() {
    for (const char* name : {"bbb", "ccc", "aaa", "Zzz"}) {
      EXPECT_TRUE(db_.CreateTable({.name = name}).ok());
    }
  }
};

TEST_F(ListTablesTest, ListsAllNamesInByteOrder) {
  EXPECT_EQ(Body("ListTables", "{}"), R"({"TableNames":["Zzz","aaa","bbb","ccc"]})");
}

TEST_F(ListTablesTest, ContinuesAfterTheLastName) {
  EXPECT_EQ(Body("ListTables", R"({"Limit":2})"),
            R"({"TableNames":["Zzz","aaa"],"LastEvaluatedTableName":"aaa"})");
  EXPECT_EQ(Body("ListTables", R"({"Limit":2,"ExclusiveStartTableName":"aaa"})"),
            R"({"TableNames":["bbb","ccc"]})");
}

TEST_F(ListTablesTest, StartsAfterANameThatNoTableHas) {
  EXPECT_EQ(Body("ListTables", R"({"ExclusiveStartTableName":"aaab"})"),
            R"({"TableNames":["bbb","ccc"]})");
}

TEST_F(ListTablesTest, RejectsInvalidMembers) {
  ExpectInvalid("ListTables", R"({"Limit":0})",
                "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: "
                "Member must have value greater than or equal to 1");
  ExpectInvalid("ListTables", R"({"Limit":101,"ExclusiveStartTableName":"a"})",
                "2 validation errors detected: Value 'a' at 'exclusiveStartTableName' failed to "
                "satisfy constraint: Member must have length greater than or equal to 3; Value "
                "'101' at 'limit' failed to satisfy constraint: Member must have value less than "
                "or equal to 100");
  ExpectUnserializable("ListTables", R"({"Limit":"1"})",
                       "STRING_VALUE cannot be converted to Integer");
}

// --- the account ---

TEST_F(TableOperationsTest, DescribesLimits) {
  EXPECT_EQ(Body("DescribeLimits", "{}"),
            R"({"AccountMaxReadCapacityUnits":80000,"AccountMaxWriteCapacityUnits":80000,)"
            R"("TableMaxReadCapacityUnits":40000,"TableMaxWriteCapacityUnits":40000})");
}

// The address that DescribeEndpoints returns must not belong to a real server of AWS, because a
// client may send its requests to this address.
TEST_F(TableOperationsTest, DescribesAnEndpointWithAnAddressThatDoesNotExist) {
  EXPECT_EQ(Body("DescribeEndpoints", "{}"),
            R"({"Endpoints":[{"Address":"dynamodb.ddblocal.amazonaws.com",)"
            R"("CachePeriodInMinutes":1440}]})");
}

}  // namespace
}  // namespace dolmen
