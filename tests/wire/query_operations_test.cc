// Tests of Query and Scan in DynamoDB's JSON.

#include <gtest/gtest.h>

#include <string>

#include "tests/wire/fixture.h"

namespace dolmen {
namespace {

// A fixture whose table holds three messages of one conversation.
class WireQueryTest : public WireItemTest {
 protected:
  WireQueryTest() {
    for (const char* number : {"1", "2", "3"}) {
      Put(R"({"PK":{"S":"CONVO"},"SK":{"S":"MSG#)" + std::string(number) +
          R"("},"GSI1PK":{"S":"ann"},"GSI1SK":{"S":"x"},"n":{"N":")" + number + R"("}})");
    }
  }
  std::string Query(std::string_view rest, int status = 200) {
    return Body("Query",
                R"({"TableName":"app","KeyConditionExpression":"PK = :pk",)"
                R"("ExpressionAttributeValues":{":pk":{"S":"CONVO"}})" +
                    std::string(rest) + "}",
                status);
  }
};

TEST_F(WireQueryTest, APageHasItemsAndCounts) {
  EXPECT_EQ(Query(R"(,"ProjectionExpression":"n")"),
            R"({"Count":3,"ScannedCount":3,"Items":[{"n":{"N":"1"}},{"n":{"N":"2"}},)"
            R"({"n":{"N":"3"}}]})");
}

TEST_F(WireQueryTest, AQueryReadsBackwardsPageByPage) {
  EXPECT_EQ(Query(R"(,"ScanIndexForward":false,"Limit":1,"ProjectionExpression":"n")"),
            R"({"Count":1,"ScannedCount":1,"Items":[{"n":{"N":"3"}}],)"
            R"("LastEvaluatedKey":{"PK":{"S":"CONVO"},"SK":{"S":"MSG#3"}}})");
  EXPECT_EQ(Query(R"(,"ScanIndexForward":false,"Limit":1,"ProjectionExpression":"n",)"
                  R"("ExclusiveStartKey":{"PK":{"S":"CONVO"},"SK":{"S":"MSG#2"}})"),
            R"({"Count":1,"ScannedCount":1,"Items":[{"n":{"N":"1"}}],)"
            R"("LastEvaluatedKey":{"PK":{"S":"CONVO"},"SK":{"S":"MSG#1"}}})");
}

TEST_F(WireQueryTest, AnEmptyPageHasAnEmptyListOfItems) {
  EXPECT_EQ(Body("Query", R"({"TableName":"app","KeyConditionExpression":"PK = :pk",)"
                          R"("ExpressionAttributeValues":{":pk":{"S":"none"}}})"),
            R"({"Count":0,"ScannedCount":0,"Items":[]})");
}

TEST_F(WireQueryTest, SelectCountReturnsNoItems) {
  EXPECT_EQ(Query(R"(,"Select":"COUNT","ReturnConsumedCapacity":"TOTAL")"),
            R"({"Count":3,"ScannedCount":3,)"
            R"("ConsumedCapacity":{"TableName":"app","CapacityUnits":0.5}})");
}

TEST_F(WireQueryTest, AQueryOfAnIndexReportsTheIndexsKeysAndCapacity) {
  EXPECT_EQ(Body("Query", R"({"TableName":"app","IndexName":"GSI1","Limit":1,)"
                          R"("KeyConditionExpression":"GSI1PK = :pk","ProjectionExpression":"n",)"
                          R"("ExpressionAttributeValues":{":pk":{"S":"ann"}},)"
                          R"("ReturnConsumedCapacity":"INDEXES"})"),
            R"({"Count":1,"ScannedCount":1,"Items":[{"n":{"N":"1"}}],"LastEvaluatedKey":{)"
            R"("GSI1PK":{"S":"ann"},"GSI1SK":{"S":"x"},"PK":{"S":"CONVO"},"SK":{"S":"MSG#1"}},)"
            R"("ConsumedCapacity":{"TableName":"app","CapacityUnits":0.5,)"
            R"("Table":{"CapacityUnits":0.0},"GlobalSecondaryIndexes":{"GSI1":{)"
            R"("CapacityUnits":0.5}}}})");
}

TEST_F(WireQueryTest, AFilterIsAppliedAfterTheLimit) {
  EXPECT_EQ(Body("Scan", R"({"TableName":"app","FilterExpression":"n > :two","Limit":2,)"
                         R"("ExpressionAttributeValues":{":two":{"N":"2"}}})"),
            R"({"Count":0,"ScannedCount":2,"Items":[],)"
            R"("LastEvaluatedKey":{"PK":{"S":"CONVO"},"SK":{"S":"MSG#2"}}})");
}

TEST_F(WireQueryTest, AnInvalidStartKeyIsRejected) {
  const auto start = [&](std::string_view key) {
    return Query(R"(,"ExclusiveStartKey":)" + std::string(key), 400);
  };
  EXPECT_EQ(start("{}"), ErrorBody(kValidationType, "The provided starting key is invalid"));
  EXPECT_EQ(start(R"({"PK":{"S":"CONVO"}})"),
            ErrorBody(kValidationType, "The provided starting key is invalid"));
  EXPECT_EQ(start(R"({"PK":{"S":"other"},"SK":{"S":"a"}})"),
            ErrorBody(kValidationType,
                      "The provided starting key is outside query boundaries based on provided "
                      "conditions"));
  EXPECT_EQ(start(R"({"PK":{}})"),
            ErrorBody(kValidationType,
                      "The provided starting key is invalid: Supplied AttributeValue is empty, "
                      "must contain exactly one of the supported datatypes"));
  EXPECT_EQ(start(R"({"PK":{"N":"x"}})"),
            ErrorBody(kValidationType, "The parameter cannot be converted to a numeric value: x"));
  EXPECT_EQ(start(R"({"PK":{"SS":[]}})"),
            ErrorBody(kValidationType,
                      "The provided starting key is invalid: One or more parameter values were "
                      "invalid: An string set  may not be empty"));
  EXPECT_EQ(
      start(R"({"PK":{"NS":[]}})"),
      ErrorBody(kValidationType,
                "One or more parameter values were invalid: An number set  may not be empty"));
  EXPECT_EQ(
      start(R"({"PK":{"SS":["a","a"]}})"),
      ErrorBody(
          kValidationType,
          "One or more parameter values were invalid: Input collection [\"a\", \"a\"] contains "
          "duplicates."));
}

TEST_F(WireQueryTest, AQueryNeedsAKeyCondition) {
  ExpectInvalid("Query", R"({"TableName":"app"})",
                "Either the KeyConditions or KeyConditionExpression parameter must be specified in "
                "the request.");
}

TEST_F(WireQueryTest, TheMessageNamesTheMissingExpressions) {
  ExpectInvalid("Query", R"({"TableName":"app","ExpressionAttributeValues":{":a":{"N":"1"}}})",
                "ExpressionAttributeValues can only be specified when using expressions: "
                "FilterExpression and KeyConditionExpression are null");
  ExpectInvalid("Scan",
                R"({"TableName":"app","ProjectionExpression":"a","ExpressionAttributeValues":{}})",
                "ExpressionAttributeValues can only be specified when using expressions: "
                "FilterExpression is null");
}

TEST_F(WireQueryTest, AllItemsOfAPartitionAreInOneSegment) {
  std::size_t items = 0;
  for (const char* segment : {"0", "1", "2"}) {
    const std::string page =
        Body("Scan", R"({"TableName":"app","TotalSegments":3,"Select":"COUNT","Segment":)" +
                         std::string(segment) + "}");
    items += page.find(R"({"Count":3,)") == 0 ? 3 : 0;
  }
  EXPECT_EQ(items, 3u) << "all items of one partition are in one segment";
  ExpectInvalid("Scan", R"({"TableName":"app","Segment":3,"TotalSegments":3})",
                "The Segment parameter is zero-based and must be less than parameter "
                "TotalSegments: Segment: 3 is not less than TotalSegments: 3");
}

}  // namespace
}  // namespace dolmen
