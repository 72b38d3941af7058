// Tests of BatchGetItem, BatchWriteItem, TransactGetItems and TransactWriteItems in DynamoDB's
// JSON.

#include <gtest/gtest.h>

#include <string>

#include "tests/wire/fixture.h"

namespace dolmen {
namespace {

std::string Key(std::string_view sk) {
  return R"({"PK":{"S":"p"},"SK":{"S":")" + std::string(sk) + R"("}})";
}

std::string PutAction(std::string_view sk, std::string_view rest = "") {
  return R"({"Put":{"TableName":"app","Item":)" + Key(sk) + std::string(rest) + "}}";
}

TEST_F(WireItemTest, ABatchWritesAndGets) {
  EXPECT_EQ(Body("BatchWriteItem", R"({"RequestItems":{"app":[{"PutRequest":{"Item":)" + Key("1") +
                                       R"(}},{"PutRequest":{"Item":)" + Key("2") +
                                       R"(}},{"DeleteRequest":{"Key":)" + Key("3") +
                                       R"(}}]},"ReturnConsumedCapacity":"TOTAL"})"),
            R"({"UnprocessedItems":{},)"
            R"("ConsumedCapacity":[{"TableName":"app","CapacityUnits":3.0}]})");
  EXPECT_EQ(Body("BatchGetItem", R"({"RequestItems":{"app":{"Keys":[)" + Key("1") + "," + Key("3") +
                                     R"(],"ProjectionExpression":"SK"}}})"),
            R"({"Responses":{"app":[{"SK":{"S":"1"}}]},"UnprocessedKeys":{}})");
}

TEST_F(WireItemTest, ABatchThatFindsNothingHasAnEmptyListForTheTable) {
  EXPECT_EQ(Body("BatchGetItem", R"({"RequestItems":{"app":{"Keys":[)" + Key("1") + "]}}}"),
            R"({"Responses":{"app":[]},"UnprocessedKeys":{}})");
}

TEST_F(WireItemTest, AWriteRequestIsAPutOrADelete) {
  constexpr std::string_view kMessage =
      "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
      "supported datatypes";
  ExpectInvalid("BatchWriteItem", R"({"RequestItems":{"app":[{}]}})", kMessage);
  ExpectInvalid(
      "BatchWriteItem",
      R"({"RequestItems":{"app":[{"PutRequest":{"Item":{}},"DeleteRequest":{"Key":{}}}]}})",
      kMessage);
}

TEST_F(WireItemTest, ABatchHasAtMost25WritesOverAllTables) {
  const auto writes = [](int from, int count) {
    std::string list;
    for (int i = from; i < from + count; ++i) {
      list += std::string(i > from ? "," : "") + R"({"PutRequest":{"Item":)" +
              Key(std::to_string(i)) + "}}";
    }
    return list;
  };
  ASSERT_TRUE(db_.CreateTable({.name = "two"}).ok());
  Body("BatchWriteItem", R"({"RequestItems":{"app":[)" + writes(0, 25) + "]}}");
  ExpectInvalid(
      "BatchWriteItem",
      R"({"RequestItems":{"app":[)" + writes(0, 13) + R"(],"two":[)" + writes(0, 13) + "]}}",
      "Too many items requested for the BatchWriteItem call");
}

// The tables of one request must all have a ProjectionExpression or all have AttributesToGet.
TEST_F(WireItemTest, ABatchDoesNotMixExpressionsAndLegacyParametersOverItsTables) {
  const auto batch = [](std::string_view first, std::string_view second) {
    const std::string keys = R"("Keys":[{"PK":{"S":"p"},"SK":{"S":"s"}}])";
    return R"({"RequestItems":{"app":{)" + keys + std::string(first) + R"(},"none":{)" + keys +
           std::string(second) + "}}}";
  };
  constexpr std::string_view kLegacy = R"(,"AttributesToGet":["a"])";
  constexpr std::string_view kExpression = R"(,"ProjectionExpression":"a")";
  constexpr std::string_view kMixed =
      "Can not use both expression and non-expression parameters in the same request: "
      "Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}";
  ExpectInvalid("BatchGetItem", batch(kLegacy, kExpression), kMixed);
  ExpectInvalid("BatchGetItem", batch(kExpression, kLegacy), kMixed);
  for (const std::string_view same : {kLegacy, kExpression}) {
    EXPECT_EQ(Body("BatchGetItem", batch(same, same), 400),
              ErrorBody("com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",
                        "Requested resource not found"));
  }
}

TEST_F(WireItemTest, ABatchReportsDuplicateKeysBeforeAMissingTable) {
  const std::string keys = "[" + Key("1") + "," + Key("1") + "]";
  ExpectInvalid("BatchGetItem", R"({"RequestItems":{"none":{"Keys":)" + keys + "}}}",
                "Provided list of item keys contains duplicates");
  ExpectInvalid("BatchGetItem", R"({"RequestItems":{"app":{"Keys":)" + keys + "}}}",
                "Provided list of item keys contains duplicates");
}

std::string ItemOf390Kilobytes(const std::string& sk) {
  return R"({"PK":{"S":"p"},"SK":{"S":")" + sk + R"("},"t":{"S":")" + std::string(390 * 1024, 'x') +
         R"("}})";
}
// Returns a list of `count` keys. Their sort keys are consecutive numbers, the first of which is
// the parameter `from`. Example: [{"PK":{"S":"p"},"SK":{"S":"100"}}]
std::string KeyList(int from, int count) {
  std::string keys = "[";
  for (int i = from; i < from + count; ++i) keys += (i > from ? "," : "") + Key(std::to_string(i));
  return keys + "]";
}

TEST_F(WireItemTest, KeysBeyond16MegabytesAreUnprocessedWithTheirOptions) {
  for (int i = 100; i < 150; ++i) Put(ItemOf390Kilobytes(std::to_string(i)));
  const std::string body =
      Body("BatchGetItem", R"({"RequestItems":{"app":{"ConsistentRead":true,"Keys":)" +
                               KeyList(100, 50) +
                               R"(,"ProjectionExpression":"#t",)"
                               R"("ExpressionAttributeNames":{"#t":"t"}}}})");
  const std::size_t left = body.find(R"("UnprocessedKeys":{"app":{"Keys":[{"PK":{"S":"p"},)");
  ASSERT_NE(left, body.npos);
  EXPECT_NE(body.find(R"("SK":{"S":"149"}}],"ConsistentRead":true,"ProjectionExpression":"#t",)"
                      R"("ExpressionAttributeNames":{"#t":"t"}}}})",
                      left),
            body.npos)
      << body.substr(left);
}

TEST_F(WireItemTest, UnprocessedKeysNameTheTableAsTheRequestDoes) {
  constexpr std::string_view kArn = "arn:aws:dynamodb:us-east-1:000000000000:table/app";
  const auto table = [](std::string_view name, const std::string& keys) {
    return "\"" + std::string(name) + R"(":{"Keys":)" + keys + R"(,"ProjectionExpression":"PK"})";
  };
  for (int i = 100; i < 150; ++i) Put(ItemOf390Kilobytes(std::to_string(i)));
  const auto ask = [&](std::string_view first, std::string_view second) {
    return Body("BatchGetItem", R"({"RequestItems":{)" + table(first, KeyList(100, 44)) + "," +
                                    table(second, KeyList(144, 6)) + "}}");
  };
  const auto left = [&](std::string_view first, std::string_view second) {
    // A response holds at most 16 MB. So it has 42 of the 50 items, and the keys of the other eight
    // are unprocessed.
    return R"("UnprocessedKeys":{)" + table(first, KeyList(142, 2)) + "," +
           table(second, KeyList(144, 6)) + "}}";
  };
  EXPECT_TRUE(ask("app", kArn).ends_with(left("app", kArn)));
  EXPECT_TRUE(ask(kArn, "app").ends_with(left(kArn, "app")));
}

TEST_F(WireItemTest, ATransactionWritesAllAndReadsAll) {
  EXPECT_EQ(
      Body("TransactWriteItems", R"({"TransactItems":[)" + PutAction("1") + "," + PutAction("2") +
                                     R"(],"ReturnConsumedCapacity":"INDEXES"})"),
      R"({"ConsumedCapacity":[{"TableName":"app","CapacityUnits":4.0,)"
      R"("WriteCapacityUnits":4.0,"Table":{"CapacityUnits":4.0,"WriteCapacityUnits":4.0}}]})");
  EXPECT_EQ(Body("TransactGetItems", R"({"TransactItems":[{"Get":{"TableName":"app","Key":)" +
                                         Key("1") + R"(}},{"Get":{"TableName":"app","Key":)" +
                                         Key("9") + R"(}}],"ReturnConsumedCapacity":"TOTAL"})"),
            R"({"Responses":[{"Item":{"PK":{"S":"p"},"SK":{"S":"1"}}},{}],"ConsumedCapacity":[)"
            R"({"TableName":"app","CapacityUnits":4.0,"ReadCapacityUnits":4.0}]})");
}

TEST_F(WireItemTest, ACanceledTransactionHasAReasonForEachAction) {
  Put(Key("2"));
  constexpr std::string_view kNew = R"j(,"ConditionExpression":"attribute_not_exists(PK)",)j"
                                    R"("ReturnValuesOnConditionCheckFailure":"ALL_OLD")";
  EXPECT_EQ(
      Body("TransactWriteItems",
           R"({"TransactItems":[)" + PutAction("1", kNew) + "," + PutAction("2", kNew) + "]}", 400),
      R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",)"
      R"("Message":"Transaction cancelled, please refer cancellation reasons for specific )"
      R"(reasons [None, ConditionalCheckFailed]","CancellationReasons":[{"Code":"None"},)"
      R"({"Code":"ConditionalCheckFailed","Message":"The conditional request failed",)"
      R"("Item":{"PK":{"S":"p"},"SK":{"S":"2"}}}]})");
  EXPECT_EQ(Get("p", "1"), "{}");
}

TEST_F(WireItemTest, AnActionHasExactlyOneOfTheFourKinds) {
  constexpr std::string_view kMessage =
      "TransactItems can only contain one of Check, Put, Update or Delete";
  ExpectInvalid("TransactWriteItems", R"({"TransactItems":[{}]})", kMessage);
  ExpectInvalid("TransactWriteItems",
                R"({"TransactItems":[{"Put":{"TableName":"app","Item":{}},)"
                R"("Delete":{"TableName":"app","Key":{}}}]})",
                kMessage);
}

TEST_F(WireItemTest, ABatchReportsCollectionMetricsOnlyForTablesWithLocalIndexes) {
  ASSERT_TRUE(db_.CreateTable({.name = "plain"}).ok());
  const auto put = [](std::string_view pk, std::string_view sk) {
    return R"({"PutRequest":{"Item":{"PK":{"S":")" + std::string(pk) + R"("},"SK":{"S":")" +
           std::string(sk) + R"("}}}})";
  };
  const auto metrics = [](std::string_view pk) {
    return R"({"ItemCollectionKey":{"PK":{"S":")" + std::string(pk) +
           R"("}},"SizeEstimateRangeGB":[0.0,1.0]})";
  };
  EXPECT_EQ(
      Body("BatchWriteItem", R"({"RequestItems":{"plain":[)" + put("p", "1") + R"(],"app":[)" +
                                 put("p", "1") + "," + put("q", "1") + "," + put("p", "2") +
                                 R"(]},"ReturnItemCollectionMetrics":"SIZE"})"),
      R"({"UnprocessedItems":{},"ItemCollectionMetrics":{"app":[)" + metrics("p") + "," +
          metrics("q") + "]}}");
}

TEST_F(WireItemTest, AClientTokenIsRejectedForAnotherTransaction) {
  const auto write = [](std::string_view sk) {
    return R"({"ClientRequestToken":"t","TransactItems":[)" + PutAction(sk) + "]}";
  };
  EXPECT_EQ(Body("TransactWriteItems", write("1")), "{}");
  EXPECT_EQ(Body("TransactWriteItems", write("1")), "{}");
  const std::string other = Body("TransactWriteItems", write("2"), 400);
  EXPECT_NE(other.find(R"(v20120810#IdempotentParameterMismatchException","Message":")"),
            other.npos)
      << other;
}

TEST_F(WireItemTest, ATransactionCombinesAllFourKindsOfActions) {
  Put(Key("1"));
  Put(Key("2"));
  EXPECT_EQ(Body("TransactWriteItems",
                 R"({"TransactItems":[{"ConditionCheck":{"TableName":"app","Key":)" + Key("1") +
                     R"j(,"ConditionExpression":"attribute_exists(PK)"}},)j"
                     R"({"Delete":{"TableName":"app","Key":)" +
                     Key("2") + R"(}},{"Update":{"TableName":"app","Key":)" + Key("3") +
                     R"(,"UpdateExpression":"SET #n = :n","ExpressionAttributeNames":{"#n":"n"},)"
                     R"("ExpressionAttributeValues":{":n":{"N":"7"}}}},)" +
                     PutAction("4") + R"(],"ReturnItemCollectionMetrics":"SIZE"})"),
            R"({"ItemCollectionMetrics":{"app":[)"
            R"({"ItemCollectionKey":{"PK":{"S":"p"}},"SizeEstimateRangeGB":[0.0,1.0]}]}})");
  EXPECT_EQ(Get("p", "3"), R"({"Item":{"PK":{"S":"p"},"SK":{"S":"3"},"n":{"N":"7"}}})");
  EXPECT_EQ(Get("p", "2"), "{}");
}

}  // namespace
}  // namespace dolmen
