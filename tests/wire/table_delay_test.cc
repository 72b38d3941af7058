// Tests of new tables that are not ACTIVE at once.

#include <string>

#include "dolmen/testing/simulate.h"
#include "tests/wire/tables.h"

namespace dolmen {
namespace {

constexpr std::string_view kInUseType = "com.amazonaws.dynamodb.v20120810#ResourceInUseException";

class TableDelayTest : public WireTableTest {
 protected:
  TableDelayTest() {
    db_ = test::Value(Database::InMemory(
        {.clock = clock_,
         .simulate = Simulate({.delays = {.create_table = std::chrono::seconds(5)}})}));
    endpoint_ = Endpoint(db_);
    created_ = Body("CreateTable", TableWith(std::string(kOnDemand) + "," +
                                             GlobalIndexes(Index("of_a", Keys({{"a", "HASH"}})))));
  }

  std::string created_;
};

TEST_F(TableDelayTest, ANewTableAndItsIndexesAreCreating) {
  for (const std::string& body : {created_, Describe()}) {
    ExpectHas(body, R"("TableStatus":"CREATING")");
    ExpectHas(body, R"("IndexStatus":"CREATING")");
    ExpectHasNot(body, "Backfilling");
  }
  EXPECT_EQ(Body("ListTables", "{}"), R"({"TableNames":["table"]})");
}

TEST_F(TableDelayTest, ATableIsActiveAfterTheDelay) {
  clock_->Advance(std::chrono::milliseconds(4999));
  ExpectHas(Describe(), R"("TableStatus":"CREATING")");
  clock_->Advance(std::chrono::milliseconds(1));
  ExpectHas(Describe(), R"("TableStatus":"ACTIVE")");
  ExpectHas(Describe(), R"("IndexStatus":"ACTIVE")");
  Body("PutItem", R"({"TableName":"table","Item":{"a":{"S":"1"}}})");
  Body("DeleteTable", R"({"TableName":"table"})");
}

TEST_F(TableDelayTest, ATableInCreationHasNoItems) {
  constexpr std::string_view kMessage = "Requested resource not found";
  ExpectNotFound("PutItem", R"({"TableName":"table","Item":{"a":{"S":"1"}}})", kMessage);
  ExpectNotFound("GetItem", R"({"TableName":"table","Key":{"a":{"S":"1"}}})", kMessage);
  ExpectNotFound("Scan", R"({"TableName":"table"})", kMessage);
  ExpectNotFound("BatchGetItem", R"({"RequestItems":{"table":{"Keys":[{"a":{"S":"1"}}]}}})",
                 kMessage);
  ExpectNotFound("TransactWriteItems",
                 R"({"TransactItems":[{"Put":{"TableName":"table","Item":{"a":{"S":"1"}}}}]})",
                 kMessage);
}

TEST_F(TableDelayTest, ATableInCreationIsNeitherChangedNorDeleted) {
  const std::string in_use = ErrorBody(
      kInUseType,
      "Attempt to change a resource which is still in use: Table is being created: table");
  EXPECT_EQ(Body("DeleteTable", R"({"TableName":"table"})", 400), in_use);
  EXPECT_EQ(Body("UpdateTable", R"({"TableName":"table","TableClass":"STANDARD"})", 400), in_use);
  const std::string expiry =
      R"({"TableName":"table","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}})";
  EXPECT_EQ(Body("UpdateTimeToLive", expiry, 400), in_use);
  clock_->Advance(std::chrono::seconds(5));
  Body("UpdateTimeToLive", expiry);
}

TEST_F(TableDelayTest, TheSettingsOfATableInCreationCanBeRead) {
  const std::string table = R"({"TableName":"table"})";
  const std::string arn = R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/table")";
  ExpectInvalid(
      "DescribeTimeToLive", table,
      "Cannot describe time to live while table is in CREATING state: Current table state "
      "is CREATING");
  Body("DescribeContinuousBackups", table);
  Body("TagResource", arn + R"(,"Tags":[{"Key":"team","Value":"blue"}]})");
  ExpectHas(Body("ListTagsOfResource", arn + "}"), "blue");
  Body("UntagResource", arn + R"(,"TagKeys":["team"]})");
}

}  // namespace
}  // namespace dolmen
