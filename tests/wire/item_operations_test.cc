// Tests of GetItem, PutItem, UpdateItem and DeleteItem in DynamoDB's JSON.

#include <gtest/gtest.h>

#include <string>

#include "tests/wire/fixture.h"

namespace dolmen {
namespace {

constexpr std::string_view kAnn = R"({"PK":{"S":"USER#1"},"SK":{"S":"ME"},"age":{"N":"30"}})";
constexpr std::string_view kAnnsKey =
    R"("TableName":"app","Key":{"PK":{"S":"USER#1"},"SK":{"S":"ME"}})";

std::string OnAnn(std::string_view rest) { return "{" + std::string(kAnnsKey).append(rest) + "}"; }

TEST_F(WireItemTest, GetItemReturnsTheItem) {
  Put(kAnn);
  EXPECT_EQ(Body("GetItem", OnAnn("")),
            R"({"Item":{"PK":{"S":"USER#1"},"SK":{"S":"ME"},"age":{"N":"30"}}})");
}

TEST_F(WireItemTest, GetItemOfAnAbsentItemHasNoItem) {
  EXPECT_EQ(Body("GetItem", OnAnn("")), "{}");
  EXPECT_EQ(Body("GetItem", OnAnn(R"(,"ReturnConsumedCapacity":"TOTAL")")),
            R"({"ConsumedCapacity":{"TableName":"app","CapacityUnits":0.5}})");
}

TEST_F(WireItemTest, GetItemReturnsTheProjectedAttributes) {
  Put(kAnn);
  EXPECT_EQ(Body("GetItem", OnAnn(R"(,"ProjectionExpression":"#a",)"
                                  R"("ExpressionAttributeNames":{"#a":"age"})")),
            R"({"Item":{"age":{"N":"30"}}})");
  EXPECT_EQ(Body("GetItem", OnAnn(R"(,"ProjectionExpression":"nothing")")), R"({"Item":{}})");
}

TEST_F(WireItemTest, AConsistentReadCostsAWholeUnit) {
  Put(kAnn);
  EXPECT_EQ(Body("GetItem", OnAnn(R"(,"ProjectionExpression":"age","ConsistentRead":true,)"
                                  R"("ReturnConsumedCapacity":"INDEXES")")),
            R"({"Item":{"age":{"N":"30"}},"ConsumedCapacity":{"TableName":"app",)"
            R"("CapacityUnits":1.0,"Table":{"CapacityUnits":1.0}}})");
}

TEST_F(WireItemTest, ATableMayBeNamedByItsArn) {
  Put(kAnn);
  EXPECT_EQ(Body("GetItem",
                 R"({"TableName":"arn:aws:dynamodb:us-east-1:000000000000:table/app",)"
                 R"("Key":{"PK":{"S":"USER#1"},"SK":{"S":"ME"}},"ProjectionExpression":"age"})"),
            R"({"Item":{"age":{"N":"30"}}})");
}

TEST_F(WireItemTest, PutItemReturnsTheOldItemIfAsked) {
  Put(kAnn);
  EXPECT_EQ(Body("PutItem", R"({"TableName":"app","Item":{"PK":{"S":"USER#1"},"SK":{"S":"ME"}},)"
                            R"("ReturnValues":"ALL_OLD"})"),
            R"({"Attributes":{"PK":{"S":"USER#1"},"SK":{"S":"ME"},"age":{"N":"30"}}})");
}

TEST_F(WireItemTest, UpdateItemReturnsWhatItChanged) {
  Put(kAnn);
  EXPECT_EQ(Body("UpdateItem", OnAnn(R"(,"UpdateExpression":"SET age = age + :one",)"
                                     R"("ExpressionAttributeValues":{":one":{"N":"1"}},)"
                                     R"("ReturnValues":"UPDATED_NEW")")),
            R"({"Attributes":{"age":{"N":"31"}}})");
}

TEST_F(WireItemTest, AnUpdateThatOnlyRemovesCreatesNoItem) {
  constexpr std::string_view kUpdate =
      R"("TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"s"}},"UpdateExpression":"REMOVE a.b")";
  EXPECT_EQ(
      Body("UpdateItem", "{" + std::string(kUpdate) +
                             R"(,"ReturnValues":"ALL_NEW","ReturnConsumedCapacity":"TOTAL"})"),
      R"({"ConsumedCapacity":{"TableName":"app","CapacityUnits":1.0}})");
  EXPECT_EQ(Body("TransactWriteItems",
                 R"({"TransactItems":[{"Update":{)" + std::string(kUpdate) + "}}]}"),
            "{}");
  EXPECT_EQ(Get("p", "s"), "{}");
}

TEST_F(WireItemTest, DeleteItemSucceedsTwice) {
  Put(kAnn);
  EXPECT_EQ(Body("DeleteItem", OnAnn("")), "{}");
  EXPECT_EQ(Body("DeleteItem", OnAnn("")), "{}");
  EXPECT_EQ(Get("USER#1", "ME"), "{}");
}

TEST_F(WireItemTest, AFalseConditionReturnsTheItemIfAsked) {
  Put(kAnn);
  const std::string condition = R"j(,"ConditionExpression":"attribute_not_exists(PK)")j";
  EXPECT_EQ(Body("DeleteItem", OnAnn(condition), 400),
            ErrorBody("com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",
                      "The conditional request failed"));
  EXPECT_EQ(Body("DeleteItem",
                 OnAnn(condition + R"(,"ReturnValuesOnConditionCheckFailure":"ALL_OLD")"), 400),
            R"({"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",)"
            R"("Message":"The conditional request failed",)"
            R"("Item":{"PK":{"S":"USER#1"},"SK":{"S":"ME"},"age":{"N":"30"}}})");
}

TEST_F(WireItemTest, CollectionMetricsAreOnlyForTablesWithLocalIndexes) {
  EXPECT_EQ(Body("PutItem", R"({"TableName":"app","ReturnItemCollectionMetrics":"SIZE","Item":)" +
                                std::string(kAnn) + "}"),
            R"({"ItemCollectionMetrics":{"ItemCollectionKey":{"PK":{"S":"USER#1"}},)"
            R"("SizeEstimateRangeGB":[0.0,1.0]}})");
  ASSERT_TRUE(db_.CreateTable({.name = "plain"}).ok());
  EXPECT_EQ(Body("PutItem", R"({"TableName":"plain","ReturnItemCollectionMetrics":"SIZE","Item":)" +
                                std::string(kAnn) + "}"),
            "{}");
}

TEST_F(WireItemTest, AMissingTableIsReportedAfterOtherFaultsOfTheRequest) {
  const auto get = [](std::string_view projection) {
    return R"({"TableName":"none","Key":{},"ProjectionExpression":")" + std::string(projection) +
           R"("})";
  };
  EXPECT_EQ(Body("GetItem", get("age"), 400),
            ErrorBody("com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",
                      "Requested resource not found"));
  ExpectInvalid("GetItem", get(""),
                "Invalid ProjectionExpression: The expression can not be empty;");
}

TEST_F(WireItemTest, AKeyHasExactlyTheTablesKeyAttributes) {
  ExpectInvalid("GetItem", R"({"TableName":"app","Key":{"PK":{"S":"a"}}})",
                "The provided key element does not match the schema");
}

TEST_F(WireItemTest, NamesAndValuesNeedAnExpression) {
  ExpectInvalid("GetItem", OnAnn(R"(,"ExpressionAttributeNames":{"#a":"a"})"),
                "ExpressionAttributeNames can only be specified when using expressions");
  ExpectInvalid("GetItem", OnAnn(R"(,"ExpressionAttributeNames":{})"),
                "ExpressionAttributeNames can only be specified when using expressions");
  ExpectCounted("DeleteItem", OnAnn(R"(,"ExpressionAttributeValues":{})"),
                "ExpressionAttributeValues can only be specified when using expressions");
  ExpectCounted("UpdateItem", OnAnn(R"(,"ExpressionAttributeValues":{":a":{"N":"1"}})"),
                "ExpressionAttributeValues can only be specified when using expressions");
}

TEST_F(WireItemTest, NamesAndValuesMustNotBeEmpty) {
  const std::string condition = R"j(,"ConditionExpression":"attribute_exists(PK)")j";
  ExpectCounted("DeleteItem", OnAnn(condition + R"(,"ExpressionAttributeNames":{})"),
                "ExpressionAttributeNames must not be empty");
  ExpectCounted("DeleteItem", OnAnn(condition + R"(,"ExpressionAttributeValues":{})"),
                "ExpressionAttributeValues must not be empty");
}

TEST_F(WireItemTest, AnInvalidValueIsReportedWithoutItsPlaceholder) {
  ExpectCounted("DeleteItem",
                OnAnn(R"(,"ConditionExpression":"a = :a",)"
                      R"("ExpressionAttributeValues":{":a":{"N":"one"}})"),
                "The parameter cannot be converted to a numeric value: one");
}

TEST_F(WireItemTest, NullParametersCountAsAbsent) {
  Put(kAnn);
  EXPECT_EQ(Body("GetItem", OnAnn(R"(,"ProjectionExpression":null,"AttributesToGet":null,)"
                                  R"("ConsistentRead":null,"ExpressionAttributeNames":null)")),
            R"({"Item":{"PK":{"S":"USER#1"},"SK":{"S":"ME"},"age":{"N":"30"}}})");
}

TEST_F(WireItemTest, UnknownMembersAreIgnored) {
  EXPECT_EQ(Body("GetItem", OnAnn(R"(,"Color":["red",{"deep":1}])")), "{}");
}

TEST_F(WireItemTest, NumbersBeyondTheRangeOfEveryTypeAreAcceptedInIgnoredMembers) {
  for (const std::string_view number :
       {"100000000000000000000", "-100000000000000000000", "1e400", "-1.5e+400000", "1e-400000",
        "18446744073709551616", "123456789012345678901234567890.5"}) {
    EXPECT_EQ(Body("GetItem", OnAnn(R"(,"Color":["5e999\\\"",)" + std::string(number) + "]")), "{}")
        << number;
  }
  // The unknown member Color holds a number that is too large. Dolmen must read and check the other
  // numbers of the request as usual.
  ExpectInvalid("Scan", R"({"TableName":"app","TotalSegments":1234567890123456789,"Color":1e400})",
                "1 validation error detected: Value '1234567890123456789' at 'totalSegments' "
                "failed to satisfy constraint: Member must have value less than or equal to "
                "1000000");
  ExpectInvalid("Scan", R"({"TableName":"app","TotalSegments":1e-400,"Color":1e400})",
                "1 validation error detected: Value '0' at 'totalSegments' failed to satisfy "
                "constraint: Member must have value greater than or equal to 1");
  ExpectUnserializable("GetItem", R"({"TableName":100000000000000000000,"Key":{}})",
                       "NUMBER_VALUE cannot be converted to String");
  EXPECT_EQ(Body("GetItem", OnAnn(R"(,"Color":0100000000000000000000)"), 400),
            R"({"__type":"com.amazon.coral.service#SerializationException"})");
}

}  // namespace
}  // namespace dolmen
