// Tests of KeyConditions, QueryFilter and AttributesToGet, and of the legacy parameters that a
// request cannot combine with expressions.

#include <string>
#include <string_view>

#include "tests/wire/fixture.h"

namespace dolmen {
namespace {

class LegacyReadsTest : public WireItemTest {
 protected:
  LegacyReadsTest() {
    for (const std::string_view sort : {"a1", "a2", "b1"}) {
      Put(R"({"PK":{"S":"p"},"SK":{"S":")" + std::string(sort) + R"("},"kind":{"S":")" +
          std::string(sort.substr(0, 1)) + R"("},"age":{"N":")" + std::string(sort.substr(1)) +
          R"("}})");
    }
  }

  static std::string Querying(std::string_view key_conditions, std::string_view more = "") {
    return R"({"TableName":"app","AttributesToGet":["SK"],"KeyConditions":)" +
           std::string(key_conditions) + std::string(more) + "}";
  }
  static std::string Condition(std::string_view op, std::string_view values) {
    return R"({"ComparisonOperator":")" + std::string(op) + R"(","AttributeValueList":[)" +
           std::string(values) + "]}";
  }
  static std::string InPartition(std::string_view sort_condition) {
    return R"({"PK":)" + Condition("EQ", R"({"S":"p"})") + R"(,"SK":)" +
           std::string(sort_condition) + "}";
  }

  // Returns the sort keys of the found items, each followed by a space, for example "a1 a2 ".
  std::string Found(std::string_view key_conditions, std::string_view more = "") {
    const std::string body = Body("Query", Querying(key_conditions, more));
    std::string found;
    constexpr std::string_view kBefore = R"({"SK":{"S":")";
    for (std::size_t at = body.find(kBefore); at != body.npos; at = body.find(kBefore, at + 1)) {
      found += body.substr(at + kBefore.size(), 2) + " ";
    }
    return found;
  }
};

TEST_F(LegacyReadsTest, KeyConditionsSelectTheRange) {
  EXPECT_EQ(Found(R"({"PK":)" + Condition("EQ", R"({"S":"p"})") + "}"), "a1 a2 b1 ");
  EXPECT_EQ(Found(InPartition(Condition("EQ", R"({"S":"a2"})"))), "a2 ");
  EXPECT_EQ(Found(InPartition(Condition("LT", R"({"S":"a2"})"))), "a1 ");
  EXPECT_EQ(Found(InPartition(Condition("LE", R"({"S":"a2"})"))), "a1 a2 ");
  EXPECT_EQ(Found(InPartition(Condition("GT", R"({"S":"a2"})"))), "b1 ");
  EXPECT_EQ(Found(InPartition(Condition("GE", R"({"S":"a2"})"))), "a2 b1 ");
  EXPECT_EQ(Found(InPartition(Condition("BEGINS_WITH", R"({"S":"a"})"))), "a1 a2 ");
  EXPECT_EQ(Found(InPartition(Condition("BETWEEN", R"({"S":"a2"},{"S":"b1"})"))), "a2 b1 ");
}

TEST_F(LegacyReadsTest, KeyConditionsCanBeCombinedWithOtherExpressions) {
  EXPECT_EQ(Body("Query", R"({"TableName":"app","KeyConditions":{"PK":)" +
                              Condition("EQ", R"({"S":"p"})") +
                              R"(},"FilterExpression":"kind = :b","ProjectionExpression":"SK",)"
                              R"("ExpressionAttributeValues":{":b":{"S":"b"}}})"),
            R"({"Count":1,"ScannedCount":3,"Items":[{"SK":{"S":"b1"}}]})");
}

TEST_F(LegacyReadsTest, AQueryNeedsAtMostAsManyKeyConditionsAsTheKeyHasAttributes) {
  const std::string equal = Condition("EQ", R"({"S":"p"})");
  ExpectInvalid("Query", Querying("{}"), "Conditions can be of length 1 or 2 only");
  ExpectInvalid("Query",
                Querying(R"({"PK":)" + equal + R"(,"SK":)" + equal + R"(,"c":)" + equal + "}"),
                "The number of query conditions (3) exceeds the number of key attributes defined "
                "in the schema (2)");
  ExpectInvalid("Query", R"({"TableName":"app"})",
                "Either the KeyConditions or KeyConditionExpression parameter must be specified in "
                "the request.");
}

TEST_F(LegacyReadsTest, KeyConditionsSelectFromAnIndexOfSeveralAttributes) {
  Body(
      "CreateTable",
      R"({"TableName":"rooms","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[)"
      R"({"AttributeName":"id","AttributeType":"S"},{"AttributeName":"building","AttributeType":"S"},)"
      R"({"AttributeName":"floor","AttributeType":"N"},{"AttributeName":"number","AttributeType":"N"}],)"
      R"("KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"GlobalSecondaryIndexes":[)"
      R"({"IndexName":"where","Projection":{"ProjectionType":"ALL"},"KeySchema":[)"
      R"({"AttributeName":"building","KeyType":"HASH"},{"AttributeName":"floor","KeyType":"RANGE"},)"
      R"({"AttributeName":"number","KeyType":"RANGE"}]}]})");
  for (const std::string number : {"1", "2", "3"}) {
    Body("PutItem", R"({"TableName":"rooms","Item":{"id":{"S":"r)" + number +
                        R"("},"building":{"S":"b"},"floor":{"N":"4"},"number":{"N":")" + number +
                        R"("}}})");
  }
  const auto query = [](const std::string& conditions) {
    return R"({"TableName":"rooms","IndexName":"where","AttributesToGet":["id"],"KeyConditions":)" +
           conditions + "}";
  };
  const std::string in_building = R"({"building":)" + Condition("EQ", R"({"S":"b"})");
  const std::string number = R"(,"number":)" + Condition("GT", R"({"N":"1"})") + "}";
  EXPECT_EQ(
      Body("Query", query(in_building + R"(,"floor":)" + Condition("EQ", R"({"N":"4"})") + number)),
      R"({"Count":2,"ScannedCount":2,"Items":[{"id":{"S":"r2"}},{"id":{"S":"r3"}}]})");
  ExpectInvalid("Query", query(in_building + number),
                "RANGE key attributes floor must have equality conditions specified in the query "
                "because a condition is present on key attribute number");
}

TEST_F(LegacyReadsTest, KeyConditionsRejectOperatorsThatNoIndexServes) {
  for (const std::string_view op : {"NE", "CONTAINS", "NOT_CONTAINS", "IN"}) {
    ExpectInvalid("Query", Querying(InPartition(Condition(op, R"({"S":"a"})"))),
                  "Attempted conditional constraint is not an indexable operation");
  }
  for (const std::string_view op : {"NULL", "NOT_NULL"}) {
    ExpectInvalid("Query", Querying(InPartition(Condition(op, ""))),
                  "Attempted conditional constraint is not an indexable operation");
  }
  ExpectInvalid("Query", Querying(R"({"PK":)" + Condition("GT", R"({"S":"p"})") + "}"),
                "Query key condition not supported");
}

TEST_F(LegacyReadsTest, KeyConditionsRejectInvalidArguments) {
  ExpectInvalid("Query", Querying(R"({"PK":)" + Condition("EQ", "") + "}"),
                "One or more parameter values were invalid: Invalid number of argument(s) for the "
                "EQ ComparisonOperator");
  ExpectInvalid("Query", Querying(InPartition(Condition("BEGINS_WITH", R"({"N":"1"})"))),
                "One or more parameter values were invalid: ComparisonOperator BEGINS_WITH is not "
                "valid for N AttributeValue type");
  ExpectInvalid("Query", Querying(InPartition(Condition("BETWEEN", R"({"S":"b"},{"S":"a"})"))),
                "The BETWEEN condition was provided a range where the lower bound is greater than "
                "the upper bound");
  ExpectInvalid("Query", Querying(R"({"PK":)" + Condition("EQ", R"({"N":""})") + "}"),
                "The parameter cannot be converted to a numeric value: ");
}

TEST_F(LegacyReadsTest, KeyConditionsRejectOtherAttributesAndTypesThanTheKeys) {
  ExpectInvalid("Query", Querying(R"({"kind":)" + Condition("EQ", R"({"S":"p"})") + "}"),
                "Query condition missed key schema element: PK");
  ExpectInvalid("Query", Querying(R"({"PK":)" + Condition("EQ", R"({"N":"1"})") + "}"),
                "One or more parameter values were invalid: Condition parameter type does not "
                "match schema type");
}

TEST_F(LegacyReadsTest, QueryFilterAppliesToTheSelectedRange) {
  EXPECT_EQ(Found(R"({"PK":)" + Condition("EQ", R"({"S":"p"})") + "}",
                  R"(,"QueryFilter":{"kind":)" + Condition("NE", R"({"S":"a"})") + "}"),
            "b1 ");
}

TEST_F(LegacyReadsTest, QueryFilterRejectsKeyAttributes) {
  ExpectInvalid("Query",
                Querying(InPartition(Condition("EQ", R"({"S":"a1"})")),
                         R"(,"QueryFilter":{"SK":)" + Condition("NE", R"({"S":"a"})") + "}"),
                "QueryFilter can only contain non-primary key attributes: Primary key attribute: "
                "SK");
}

TEST_F(LegacyReadsTest, AttributesToGetNamesTopLevelAttributes) {
  Put(R"({"PK":{"S":"q"},"SK":{"S":"s"},"a.b":{"S":"dotted"},"m":{"M":{"k":{"N":"1"}}}})");
  EXPECT_EQ(Body("GetItem", R"({"TableName":"app","Key":{"PK":{"S":"q"},"SK":{"S":"s"}},)"
                            R"("AttributesToGet":["a.b","m.k","absent"]})"),
            R"({"Item":{"a.b":{"S":"dotted"}}})");
  EXPECT_EQ(Body("BatchGetItem", R"({"RequestItems":{"app":{"AttributesToGet":["m"],)"
                                 R"("Keys":[{"PK":{"S":"q"},"SK":{"S":"s"}}]}}})"),
            R"({"Responses":{"app":[{"m":{"M":{"k":{"N":"1"}}}}]},"UnprocessedKeys":{}})");
}

TEST_F(LegacyReadsTest, AttributesToGetRejectsDuplicatesAndAnEmptyList) {
  constexpr std::string_view kOfItem =
      R"("TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"a1"}})";
  ExpectInvalid("GetItem", "{" + std::string(kOfItem) + R"(,"AttributesToGet":["a","b","a"]})",
                "One or more parameter values were invalid: Duplicate value in attribute name: a");
  ExpectInvalid("GetItem", "{" + std::string(kOfItem) + R"(,"AttributesToGet":[]})",
                "1 validation error detected: Value '[]' at 'attributesToGet' failed to satisfy "
                "constraint: Member must have length greater than or equal to 1");
}

TEST_F(LegacyReadsTest, LegacyParametersAndExpressionsDoNotMix) {
  constexpr std::string_view kBegin =
      "Can not use both expression and non-expression parameters in the same request: "
      "Non-expression parameters: {";
  const auto refused = [&](std::string_view operation, std::string_view parameters,
                           std::string_view legacy, std::string_view expressions) {
    const bool is_write = operation.ends_with("Item") && operation != "GetItem";
    ExpectInvalid(operation, R"({"TableName":"app",)" + std::string(parameters) + "}",
                  std::string(is_write ? "1 validation error detected: " : "") +
                      std::string(kBegin) + std::string(legacy) + "} Expression parameters: {" +
                      std::string(expressions) + "}");
  };
  const std::string key = R"("Key":{"PK":{"S":"p"},"SK":{"S":"s"}},)";
  refused("GetItem", key + R"("AttributesToGet":["a"],"ProjectionExpression":"a")",
          "AttributesToGet", "ProjectionExpression");
  refused("PutItem", R"("Item":{},"Expected":{},"ConditionExpression":"a")", "Expected",
          "ConditionExpression");
  refused("DeleteItem", key + R"("ConditionalOperator":"OR","ConditionExpression":"a")",
          "ConditionalOperator", "ConditionExpression");
  refused("UpdateItem",
          key + R"("Expected":{},"AttributeUpdates":{},"ConditionExpression":"a",)" +
              R"("UpdateExpression":"a")",
          "AttributeUpdates, Expected", "UpdateExpression, ConditionExpression");
  refused("Scan", R"("ScanFilter":{},"FilterExpression":"a")", "ScanFilter", "FilterExpression");
  refused("Query",
          R"("KeyConditions":{},"QueryFilter":{},"AttributesToGet":["a"],)"
          R"("FilterExpression":"a","ProjectionExpression":"a")",
          "AttributesToGet, QueryFilter", "ProjectionExpression, FilterExpression");
  refused("Query", R"("KeyConditions":{},"KeyConditionExpression":"a")", "KeyConditions",
          "KeyConditionExpression");
  ExpectInvalid(
      "BatchGetItem",
      R"({"RequestItems":{"app":{"Keys":[{}],"AttributesToGet":["a"],)"
      R"("ProjectionExpression":"a"}}})",
      std::string(kBegin) + "AttributesToGet} Expression parameters: {ProjectionExpression}");
}

}  // namespace
}  // namespace dolmen
