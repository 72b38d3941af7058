// Tests of the error that is reported if a request has several errors. DynamoDB checks in this
// order:
// 1. all attribute values
// 2. ReturnValues and the size of an item
// 3. the structure of the legacy parameters
// 4. the names and values of expressions, and the expressions
// 5. the tables

#include <string>
#include <string_view>

#include "tests/wire/fixture.h"

namespace dolmen {
namespace {

constexpr std::string_view kReturnValues = "ReturnValues can only be ALL_OLD or NONE";
constexpr std::string_view kSize = "Item size has exceeded the maximum allowed size";
constexpr std::string_view kNoNumber = "The parameter cannot be converted to a numeric value: x";
constexpr std::string_view kNoValues = "ExpressionAttributeValues must not be empty";

constexpr std::string_view kKey = R"({"PK":{"S":"p"},"SK":{"S":"s"}})";
constexpr std::string_view kOtherKey = R"({"id":{"N":"7"}})";  // no key of the table "app"

std::string LargeItem() {
  return R"({"PK":{"S":"p"},"SK":{"S":"s"},"fill":{"S":")" + std::string(410 * 1024, 'x') +
         R"("}})";
}

// Returns the body of a transaction of two parts that the first part has canceled.
std::string Canceled(std::string_view message) {
  return R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",)"
         R"("Message":"Transaction cancelled, please refer cancellation reasons for specific )"
         R"(reasons [ValidationError, None]","CancellationReasons":[{"Code":"ValidationError",)"
         R"("Message":")" +
         std::string(message) + R"("},{"Code":"None"}]})";
}

class FaultOrderTest : public WireItemTest {
 protected:
  // Expects the same message if the table exists and if the table does not exist.
  void ExpectSaid(std::string_view operation, std::string_view members, std::string_view message) {
    for (const std::string_view table : {"app", "none"}) {
      const bool is_counted =
          operation.ends_with("Item") && operation != "GetItem" && message != kSize;
      ExpectInvalid(operation,
                    R"({"TableName":")" + std::string(table) + R"(",)" + std::string(members) + "}",
                    (is_counted ? "1 validation error detected: " : "") + std::string(message));
    }
  }
};

TEST_F(FaultOrderTest, ReturnValuesComeBeforeNamesAndValues) {
  constexpr std::string_view kRest =
      R"(,"ReturnValues":"ALL_NEW","ConditionExpression":"a = :a","ExpressionAttributeValues":{})";
  ExpectSaid("PutItem", R"("Item":)" + std::string(kKey) + std::string(kRest), kReturnValues);
  ExpectSaid("DeleteItem", R"("Key":)" + std::string(kKey) + std::string(kRest), kReturnValues);
}

TEST_F(FaultOrderTest, ReturnValuesComeBeforeTheStructureOfExpected) {
  constexpr std::string_view kRest = R"(,"ReturnValues":"ALL_NEW","Expected":{"a":{}})";
  ExpectSaid("PutItem", R"("Item":)" + std::string(kKey) + std::string(kRest), kReturnValues);
  ExpectSaid("DeleteItem", R"("Key":)" + std::string(kKey) + std::string(kRest), kReturnValues);
}

TEST_F(FaultOrderTest, AnItemsSizeComesBeforeNamesAndValues) {
  ExpectSaid(
      "PutItem",
      R"("ConditionExpression":"a = :a","ExpressionAttributeValues":{},"Item":)" + LargeItem(),
      kSize);
  ExpectSaid("PutItem", R"("Expected":{"a":{}},"Item":)" + LargeItem(), kSize);
}

TEST_F(FaultOrderTest, ValuesComeBeforeReturnValues) {
  ExpectSaid("PutItem",
             R"("ReturnValues":"ALL_NEW","Expected":{"a":{"Value":{"N":"x"}}},"Item":)" +
                 std::string(kKey),
             kNoNumber);
}

// Query and Scan check the value and the structure of each attribute of their filter, then the start
// key. Query then checks KeyConditions in the same way. AttributesToGet comes before the start key.
TEST_F(FaultOrderTest, FiltersComeBeforeStartKeysAndStartKeysBeforeKeyConditions) {
  constexpr std::string_view kArguments =
      "One or more parameter values were invalid: Invalid number of argument(s) for the EQ "
      "ComparisonOperator";
  const std::string no_number =
      R"({"a":{"ComparisonOperator":"EQ","AttributeValueList":[{"N":"x"}]}})";
  const std::string no_arguments = R"({"a":{"ComparisonOperator":"EQ","AttributeValueList":[]}})";
  const std::string both = R"({"a":{"ComparisonOperator":"EQ","AttributeValueList":[]},)"
                           R"("b":{"ComparisonOperator":"EQ","AttributeValueList":[{"N":"x"}]}})";
  const std::string start = R"("ExclusiveStartKey":{"PK":{"SS":[]}})";
  ExpectSaid("Scan", start + R"(,"ScanFilter":)" + no_number, kNoNumber);
  ExpectSaid("Scan", start + R"(,"ScanFilter":)" + no_arguments, kArguments);
  const std::string keys = R"(,"KeyConditions":)";
  ExpectSaid("Query", start + R"(,"QueryFilter":)" + no_number + keys + no_arguments, kNoNumber);
  ExpectSaid("Query", start + R"(,"QueryFilter":)" + no_arguments + keys + no_number, kArguments);
  ExpectSaid("Query", start + keys + no_arguments,
             "The provided starting key is invalid: One or more parameter values were invalid: An "
             "string set  may not be empty");
  ExpectSaid("Query", R"("KeyConditions":)" + both, kArguments);
  const std::string twice = start + R"(,"AttributesToGet":["a","a"])";
  constexpr std::string_view kTwice =
      "One or more parameter values were invalid: Duplicate value in attribute name: a";
  ExpectSaid("Scan", twice + R"(,"ScanFilter":)" + no_number, kTwice);
  ExpectSaid("Query", twice + R"(,"QueryFilter":)" + no_number + keys + no_arguments, kNoNumber);
  ExpectSaid("Query", twice + keys + no_arguments, kTwice);
}

TEST_F(FaultOrderTest, TooDeepAValueOfAFilterComesBeforeItsOperator) {
  std::string deep = R"({"S":"x"})";
  for (int i = 0; i < 40; ++i) deep = R"({"L":[)" + deep + "]}";
  ExpectSaid("Scan",
             R"("ConditionalOperator":"AND","ScanFilter":{"a":{"ComparisonOperator":"EQ",)"
             R"("AttributeValueList":[)" +
                 deep + "]}}",
             "Nesting Levels have exceeded supported limits: Attributes in the item have nested "
             "levels beyond supported limit");
}

// Each clause is checked alone, in the order of the text.
TEST_F(FaultOrderTest, TheFirstBadClauseOfAKeyConditionComesBeforeTheTable) {
  const auto said = [&](const std::string& condition, const std::string& message) {
    ExpectSaid("Query",
               R"("ExpressionAttributeValues":{":p":{"S":"p"},":s":{"SS":["x"]}},)"
               R"("KeyConditionExpression":")" +
                   condition + "\"",
               "Invalid KeyConditionExpression: " + message);
  };
  const std::string undefined =
      "An expression attribute value used in expression is not defined; attribute value: :u";
  const std::string type =
      "Incorrect operand type for operator or function; operator or function: >, operand type: SS";
  said("PK = :u AND SK > :s AND a = :p", undefined);
  said("SK > :s AND PK = :u AND a = :p", type);
  said("PK = :p AND SK > :p AND SK < :p AND a > :s",
       "Incorrect operand type for operator or function; operator or function: >, operand type: "
       "SS");
}

TEST_F(FaultOrderTest, NamesComeBeforeValues) {
  constexpr std::string_view kBadName =
      "ExpressionAttributeNames contains invalid key: Syntax error; key: \"bad\"";
  for (const std::string_view values : {R"({":a":{"N":"x"}})", R"({":a":{"SS":[]}})", "{}"}) {
    const std::string placeholders =
        R"(,"ExpressionAttributeNames":{"bad":"x"},"ExpressionAttributeValues":)" +
        std::string(values);
    const std::string condition = R"("ConditionExpression":"a = :a")" + placeholders;
    const std::string key = R"(,"Key":)" + std::string(kKey);
    ExpectSaid("DeleteItem", condition + key, kBadName);
    ExpectSaid("UpdateItem", condition + key, kBadName);
    ExpectSaid("PutItem", condition + R"(,"Item":)" + std::string(kKey), kBadName);
    ExpectSaid("Query", R"("KeyConditionExpression":"PK = :a")" + placeholders, kBadName);
    ExpectSaid("Scan", R"("FilterExpression":"a = :a")" + placeholders, kBadName);
    ExpectInvalid("TransactWriteItems",
                  R"({"TransactItems":[{"Delete":{"TableName":"app",)" + condition + key + "}}]}",
                  kBadName);
  }
}

TEST_F(FaultOrderTest, ValuesOfAnUpdateComeBeforeTheStructureOfAnyParameter) {
  ExpectSaid("UpdateItem",
             R"("AttributeUpdates":{"a":{"Action":"PUT"}},"Expected":{"a":{"Value":{"N":"x"}}},)"
             R"("Key":)" +
                 std::string(kKey),
             kNoNumber);
}

// DynamoDB Local and dynalite check the value and the structure of one attribute before they check
// the next attribute. Dolmen does the same.
TEST_F(FaultOrderTest, ExpectedAndAttributeUpdatesAreCheckedAttributeByAttribute) {
  const std::string key = R"("Key":)" + std::string(kKey);
  ExpectSaid(
      "UpdateItem", R"("Expected":{"a":{},"b":{"Value":{"N":"x"}}},)" + key,
      "One or more parameter values were invalid: Value must be provided when Exists is null "
      "for Attribute: a");
  ExpectSaid("UpdateItem", R"("Expected":{"a":{"Value":{"N":"x"}},"b":{}},)" + key, kNoNumber);
  ExpectSaid("UpdateItem",
             R"("AttributeUpdates":{"a":{"Action":"PUT"},"b":{"Value":{"N":"x"}}},)" + key,
             "One or more parameter values were invalid: Only DELETE action is allowed when no "
             "attribute value is specified");
  ExpectSaid("UpdateItem",
             R"("AttributeUpdates":{"a":{"Value":{"N":"x"}},"b":{"Action":"PUT"}},)" + key,
             kNoNumber);
}

TEST_F(FaultOrderTest, NamesAndValuesComeBeforeTheTable) {
  ExpectSaid(
      "UpdateItem",
      R"("ConditionExpression":"a = :a","ExpressionAttributeValues":{},"Key":)" + std::string(kKey),
      kNoValues);
}

TEST_F(FaultOrderTest, TheStructureOfLegacyParametersComesBeforeNamesAndValues) {
  ExpectSaid("Query",
             R"("KeyConditions":{},"FilterExpression":"a = :a","ExpressionAttributeValues":{})",
             "Conditions can be of length 1 or 2 only");
}

// Dolmen needs the schema of the table to decide if an index can serve a condition. So a missing
// table is reported before a condition that no index can serve.
TEST_F(FaultOrderTest, AMissingTableComesBeforeAnUnindexableCondition) {
  for (const std::string_view op :
       {R"("NE","AttributeValueList":[{"S":"p"}])",
        R"("NOT_CONTAINS","AttributeValueList":[{"S":"p"}])",
        R"("IN","AttributeValueList":[{"S":"p"},{"S":"q"}])", R"("NULL")"}) {
    const auto query = [&](std::string_view table, std::string_view more) {
      return R"({"TableName":")" + std::string(table) +
             R"(","KeyConditions":{"PK":{"ComparisonOperator":)" + std::string(op) + "}}" +
             std::string(more) + "}";
    };
    ExpectInvalid("Query", query("app", ""),
                  "Attempted conditional constraint is not an indexable operation");
    ExpectInvalid("Query", query("none", R"(,"ProjectionExpression":"a,")"),
                  R"(Invalid ProjectionExpression: Syntax error; token: "<EOF>", near: ",")");
    EXPECT_EQ(Body("Query", query("none", ""), 400),
              ErrorBody("com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",
                        "Requested resource not found"));
  }
}

// --- several tables ---

TEST_F(FaultOrderTest, FaultsInABatchOfWritesComeBeforeItsTables) {
  const auto batch = [](std::string_view table) {
    return R"({"RequestItems":{")" + std::string(table) + R"(":[{"DeleteRequest":{"Key":)" +
           std::string(kOtherKey) + R"(}},{"PutRequest":{"Item":)" + LargeItem() + "}}]}}";
  };
  ExpectInvalid("BatchWriteItem", batch("none"), kSize);
  ExpectInvalid("BatchWriteItem", batch("app"), kSize);
}

TEST_F(FaultOrderTest, DuplicatesInABatchOfGetsComeBeforeTheTables) {
  const auto batch = [](std::string_view table, std::string_view more) {
    return R"({"RequestItems":{")" + std::string(table) + R"(":{"Keys":[)" +
           std::string(kOtherKey) + "," + std::string(kOtherKey) + "]" + std::string(more) + "}}}";
  };
  for (const std::string_view table : {"none", "app"}) {
    ExpectInvalid("BatchGetItem", batch(table, ""),
                  "Provided list of item keys contains duplicates");
    ExpectInvalid("BatchGetItem", batch(table, R"(,"ProjectionExpression":"a,")"),
                  R"(Invalid ProjectionExpression: Syntax error; token: "<EOF>", near: ",")");
  }
}

TEST_F(FaultOrderTest, KeysOfABatchOfGetsComeBeforeItsTables) {
  constexpr std::string_view kNoName = "Empty attribute name";
  const std::string no_name = R"({"":{"S":"x"}})";
  const auto part = [](std::string_view table, const std::string& keys, std::string_view more) {
    return "\"" + std::string(table) + R"(":{"Keys":[)" + keys + "]" + std::string(more) + "}";
  };
  const auto batch = [](const std::string& parts) { return R"({"RequestItems":{)" + parts + "}}"; };
  const std::string other(kOtherKey);
  for (const std::string_view table : {"none", "app"}) {
    ExpectInvalid("BatchGetItem", batch(part(table, no_name, "")), kNoName);
    ExpectInvalid("BatchGetItem", batch(part(table, no_name + "," + no_name, "")), kNoName);
    // DynamoDB checks the tables of the request one after the other. For each table it checks the
    // keys first and then the projection.
    for (const std::string_view more :
         {R"(,"ProjectionExpression":"a,")", R"(,"AttributesToGet":["a","a"])",
          R"(,"ProjectionExpression":"a","ExpressionAttributeNames":{})"}) {
      ExpectInvalid("BatchGetItem", batch(part(table, no_name, more)), kNoName);
    }
    ExpectInvalid("BatchGetItem",
                  batch(part(table, other, R"(,"ProjectionExpression":"a,")") + "," +
                        part("two", no_name, "")),
                  R"(Invalid ProjectionExpression: Syntax error; token: "<EOF>", near: ",")");
    ExpectInvalid("BatchGetItem", batch(part(table, other, "") + "," + part("two", no_name, "")),
                  kNoName);
  }
}

TEST_F(FaultOrderTest, FaultsInATransactionOfWritesComeBeforeItsTables) {
  // Returns a transaction of two actions. The key of the first action does not match the schema of
  // its table. The second action is `other`. If DynamoDB can find an error in the second action
  // without a schema, it reports that error and not the wrong key of the first action.
  const auto writes = [](std::string_view table, std::string_view other) {
    return R"({"TransactItems":[{"Put":{"TableName":")" + std::string(table) + R"(","Item":)" +
           std::string(kOtherKey) + "}}," + std::string(other) + "]}";
  };
  for (const std::string_view table : {"none", "app"}) {
    ExpectInvalid("TransactWriteItems",
                  writes(table, R"({"Put":{"TableName":"app","Item":{}},)"
                                R"("Delete":{"TableName":"app","Key":{}}})"),
                  "TransactItems can only contain one of Check, Put, Update or Delete");
    ExpectInvalid("TransactWriteItems",
                  writes(table, R"({"Delete":{"TableName":"app","Key":{"PK":{"N":"x"}}}})"),
                  kNoNumber);
    ExpectInvalid(
        "TransactWriteItems",
        writes(table, R"({"Delete":{"TableName":"app","ConditionExpression":"a =","Key":)" +
                          std::string(kKey) + "}}"),
        R"(Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "=")");
    ExpectInvalid("TransactWriteItems",
                  writes(table, R"({"Put":{"TableName":"app","Item":)" + LargeItem() + "}}"),
                  kSize);
  }
  ExpectInvalid("TransactWriteItems",
                writes("app", R"({"Delete":{"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":)"
                              R"(""}}}})"),
                "One or more parameter values are not valid. The AttributeValue for a key "
                "attribute cannot contain an empty string value. Key: SK");
  EXPECT_EQ(
      Body("TransactWriteItems",
           writes("app", R"({"Delete":{"TableName":"app","Key":)" + std::string(kKey) + "}}"), 400),
      Canceled("One or more parameter values were invalid: Missing the key PK in the item"));
}

TEST_F(FaultOrderTest, FaultsInATransactionOfGetsComeBeforeItsTables) {
  const auto gets = [](std::string_view table, std::string_view other) {
    return R"({"TransactItems":[{"Get":{"TableName":")" + std::string(table) + R"(","Key":)" +
           std::string(kOtherKey) + R"(}},{"Get":{"TableName":"app",)" + std::string(other) +
           "}}]}";
  };
  const std::string key = R"("Key":)" + std::string(kKey);
  for (const std::string_view table : {"none", "app"}) {
    ExpectInvalid("TransactGetItems", gets(table, R"("Key":{"PK":{"N":"x"}})"), kNoNumber);
    ExpectInvalid("TransactGetItems", gets(table, key + R"(,"ProjectionExpression":"a,")"),
                  R"(Invalid ProjectionExpression: Syntax error; token: "<EOF>", near: ",")");
  }
  EXPECT_EQ(Body("TransactGetItems", gets("app", key), 400),
            Canceled("The provided key element does not match the schema"));
}

}  // namespace
}  // namespace dolmen
