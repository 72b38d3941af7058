// Tests of the messages about values, which depend on the operation: most operations check values with DynamoDB's
// current checker, the others with an older one, and three operations count the error. A row is one rule.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/wire/fixture.h"

namespace dolmen {
namespace {

const std::string kOpv = "One or more parameter values were invalid: ";
const std::string kCounted = "1 validation error detected: ";
const std::string kNests =
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
    "beyond supported limit";
const std::string kOver =
    "Number overflow. Attempting to store a number with magnitude larger than supported range";
const std::string kUnder =
    "Number underflow. Attempting to store a number with magnitude smaller than supported range";
const std::string kNoNumeric = "The parameter cannot be converted to a numeric value";

// Returns the requests that have the value in an item or in a key, and in the parameter of an expression.
std::string PutWithValue(std::string_view value) {
  return R"({"TableName":"app","Item":{"PK":{"S":"p"},"SK":{"S":"s"},"a":)" + std::string(value) +
         "}}";
}
std::string UpdateWithValue(std::string_view value) {
  return R"({"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"s"}},"UpdateExpression":"SET a = :v",)"
         R"("ExpressionAttributeValues":{":v":)" +
         std::string(value) + "}}";
}
std::string DeleteWithValue(std::string_view value) {
  return R"({"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"s"}},"ConditionExpression":"a = :v",)"
         R"("ExpressionAttributeValues":{":v":)" +
         std::string(value) + "}}";
}
std::string GetWithValue(std::string_view value) {
  return R"({"TableName":"app","Key":{"PK":)" + std::string(value) + "}}";
}
std::string QueryWithValue(std::string_view value) {
  return R"({"TableName":"app","KeyConditionExpression":"PK = :v","ExpressionAttributeValues":{":v":)" +
         std::string(value) + "}}";
}
std::string ScanWithValue(std::string_view value) {
  return R"({"TableName":"app","FilterExpression":"a = :v","ExpressionAttributeValues":{":v":)" +
         std::string(value) + "}}";
}
std::string BatchWriteWithValue(std::string_view value) {
  return R"({"RequestItems":{"app":[{"PutRequest":{"Item":{"PK":{"S":"p"},"SK":{"S":"s"},"a":)" +
         std::string(value) + "}}}]}}";
}
std::string BatchGetWithValue(std::string_view value) {
  return R"({"RequestItems":{"app":{"Keys":[{"PK":)" + std::string(value) + "}]}}}";
}
std::string TransactWithValue(std::string_view value) {
  return R"({"TransactItems":[{"ConditionCheck":{"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"s"}},)"
         R"("ConditionExpression":"a = :v","ExpressionAttributeValues":{":v":)" +
         std::string(value) + "}}}]}";
}
std::string TransactPutWithValue(std::string_view value) {
  return R"({"TransactItems":[{"Put":)" + PutWithValue(value) + "}]}";
}

class ValueCheckerTest : public WireItemTest {
 protected:
  // Expects the messages of the current and of the older checker, in all operations.
  void ExpectSaid(std::string_view value, const std::string& current, const std::string& older) {
    const std::string in_values =
        "ExpressionAttributeValues contains invalid value: " + older + " for key :v";
    ExpectInvalid("PutItem", PutWithValue(value), kCounted + current);
    ExpectInvalid("UpdateItem", UpdateWithValue(value), kCounted + current);
    ExpectInvalid("DeleteItem", DeleteWithValue(value), kCounted + current);
    ExpectInvalid("GetItem", GetWithValue(value), current);
    ExpectInvalid("Query", QueryWithValue(value), current);
    ExpectInvalid("BatchGetItem", BatchGetWithValue(value), current);
    ExpectInvalid("Scan", ScanWithValue(value), in_values);
    ExpectInvalid("TransactWriteItems", TransactWithValue(value), in_values);
    ExpectInvalid("TransactWriteItems", TransactPutWithValue(value), older);
    ExpectInvalid("BatchWriteItem", BatchWriteWithValue(value), older);
  }
};

TEST_F(ValueCheckerTest, Numbers) {
  struct Row {
    std::string_view text;
    std::string current;
    std::string older;
  };
  const std::vector<Row> rows = {
      {"12,5", kNoNumeric + ": 12,5", kNoNumeric + ": 12,5"},
      {"12 5", kNoNumeric + ": 12 5", kNoNumeric + ": 12 5"},
      {"0x1F", kNoNumeric + ": 0x1F", kNoNumeric + ": 0x1F"},
      {"e", kNoNumeric + ": e", kNoNumeric + ": e"},
      {"", kNoNumeric + ": ", kNoNumeric},
      {"4e130", kOver, kOver},
      {"-1e-131", kUnder, kUnder},
      // An exponent of more than 32 bits, and one of more than 64.
      {"8e5000000000", kOver, kNoNumeric + ": 8e5000000000"},
      {"8e-5000000000", kUnder, kNoNumeric + ": 8e-5000000000"},
      {"1e9223372036854775808", kNoNumeric + ": 1e9223372036854775808",
       kNoNumeric + ": 1e9223372036854775808"},
      // The older checker computes with 32 bits, which wrap round.
      {"55e2147483646", kOver, kUnder},
      // The exponent of zero counts as written.
      {"0e140", kOver, kOver},
      {"0e126", kOver, kOver},
      {"0e-131", kUnder, kUnder},
      {"123456789012345678901234567890123456789",
       "Attempting to store more than 38 significant digits in a Number",
       "Attempting to store more than 38 significant digits in a Number"},
  };
  for (const Row& row : rows) {
    ExpectSaid(R"({"N":")" + std::string(row.text) + R"("})", row.current, row.older);
  }
  Body("PutItem", PutWithValue(R"({"N":"0e-77"})"));
  EXPECT_NE(Get("p", "s").find(R"("a":{"N":"0"})"), std::string::npos);
}

// The tests of the order of errors (fault_order_test.cc) test the other places.
TEST_F(ValueCheckerTest, ThePlaceOfAValueDoesNotMatter) {
  const std::string_view no_number = R"({"N":"12,5"})";
  const std::string message = kNoNumeric + ": 12,5";
  for (const std::string_view around :
       {R"({"L":[{"S":"x"},$]})", R"({"M":{"k":{"L":[$]}}})", R"({"NS":["1","12,5"]})"}) {
    std::string value(around);
    if (const std::size_t at = value.find('$'); at != value.npos) value.replace(at, 1, no_number);
    ExpectSaid(value, message, message);
  }
  const std::string key = R"({"PK":)" + std::string(no_number) + R"(,"SK":{"S":"s"}})";
  const std::string of_key = R"({"TableName":"app","Key":)" + key + "}";
  const std::string put = R"({"TableName":"app","Item":{"PK":{"S":"p"},"SK":{"S":"s"}},)";
  ExpectInvalid("UpdateItem", of_key, kCounted + message);
  ExpectInvalid("DeleteItem", of_key, kCounted + message);
  ExpectInvalid("PutItem", put + R"("Expected":{"a":{"Value":)" + std::string(no_number) + "}}}",
                kCounted + message);
  ExpectInvalid("Scan", R"({"TableName":"app","ExclusiveStartKey":)" + key + "}", message);
  ExpectInvalid("BatchWriteItem",
                R"({"RequestItems":{"app":[{"DeleteRequest":{"Key":)" + key + "}}]}}", message);
}

TEST_F(ValueCheckerTest, DuplicatesInSets) {
  // The current checker prints the members before the repeated one in byte order.
  ExpectSaid(
      R"({"SS":["pear","fig","kiwi","fig","apple"]})",
      kOpv + R"(Input collection ["fig", "kiwi", "pear", "fig", "apple"] contains duplicates.)",
      kOpv + "Input collection [pear, fig, kiwi, fig, apple] contains duplicates.");
  ExpectSaid(
      R"({"BS":["Yg==","YQ==","Yg==","Yw=="]})",
      kOpv + R"(Input collection ["YQ==","Yg==","Yg==","Yw=="]of type BS contains duplicates.)",
      kOpv + "Input collection [Yg==, YQ==, Yg==, Yw==]of type BS contains duplicates.");
  // The order is that of the bytes, not of their base64.
  ExpectSaid(R"({"BS":["0A==","AA==","0A=="]})",
             kOpv + R"(Input collection ["AA==","0A==","0A=="]of type BS contains duplicates.)",
             kOpv + "Input collection [0A==, AA==, 0A==]of type BS contains duplicates.");
  ExpectSaid(R"({"NS":["3","3.0"]})", kOpv + "Input collection contains duplicates.",
             "Input collection contains duplicates");
  ExpectSaid(R"({"SS":["",""]})", kOpv + R"(Input collection ["", ""] contains duplicates.)",
             kOpv + "Input collection [, ] contains duplicates.");
  ExpectSaid(R"({"BS":["",""]})",
             kOpv + R"(Input collection ["",""]of type BS contains duplicates.)",
             kOpv + "Input collection [, ]of type BS contains duplicates.");
  // Only the first pair decides about the order (unverified).
  ExpectSaid(R"({"SS":["b","a","b","a"]})",
             kOpv + R"(Input collection ["a", "b", "b", "a"] contains duplicates.)",
             kOpv + "Input collection [b, a, b, a] contains duplicates.");
  // The empty text is a member of a set of strings, but no number.
  ExpectSaid(R"({"NS":["1",""]})", kNoNumeric + ": ", kNoNumeric);
}

TEST_F(ValueCheckerTest, EmptySetsAndNull) {
  for (const auto& [value, fault] : std::vector<std::pair<std::string_view, std::string>>{
           {R"({"SS":[]})", kOpv + "An string set  may not be empty"},
           {R"({"NS":[]})", kOpv + "An number set  may not be empty"},
           {R"({"BS":[]})", kOpv + "Binary sets should not be empty"},
           {R"({"NULL":false})", kOpv + "Null attribute value types must have the value of true"},
           {R"({"L":[{"M":{"x":{"NS":[]}}}]})", kOpv + "An number set  may not be empty"}}) {
    ExpectSaid(value, fault, fault);
  }
}

// 31 lists or maps around a scalar are allowed. From 63 on, a write is refused by the parser, which counts no error.
TEST_F(ValueCheckerTest, Nesting) {
  const auto nested = [](int containers) {
    std::string value = R"({"S":"x"})";
    for (int i = 0; i < containers; ++i) {
      value = i % 2 == 0 ? R"({"L":[)" + value + "]}" : R"({"M":{"m":)" + value + "}}";
    }
    return value;
  };
  const std::string in_values =
      "ExpressionAttributeValues contains invalid value: " + kNests + " for key :v";
  Body("PutItem", PutWithValue(nested(31)));
  for (const int containers : {33, 45, 61}) {
    ExpectSaid(nested(containers), kNests, kNests);
  }
  // Only the conditions of transactions accept 32 (transaction_stages_test.cc).
  ExpectInvalid("PutItem", PutWithValue(nested(32)), kCounted + kNests);
  ExpectInvalid("UpdateItem", UpdateWithValue(nested(32)), kCounted + kNests);
  ExpectInvalid("Query", QueryWithValue(nested(32)), kNests);
  ExpectInvalid("Scan", ScanWithValue(nested(32)), in_values);
  ExpectInvalid("BatchWriteItem", BatchWriteWithValue(nested(32)), kNests);
  ExpectInvalid("TransactWriteItems", TransactPutWithValue(nested(32)), kNests);
  ExpectInvalid("PutItem", PutWithValue(nested(63)), kNests);
  ExpectInvalid("UpdateItem", UpdateWithValue(nested(63)), in_values);
  ExpectInvalid("BatchWriteItem", BatchWriteWithValue(nested(63)), kNests);
  ExpectInvalid("TransactWriteItems", TransactWithValue(nested(63)), in_values);
  // Beside such a value, ReturnValues and ConditionalOperator are read first and in the usual words.
  const std::string put = PutWithValue(nested(63));
  const std::string put_and = put.substr(0, put.size() - 1);
  const std::string update = UpdateWithValue(nested(63));
  const std::string update_and = update.substr(0, update.size() - 1);
  const std::string no_operator = kCounted +
                                  "Value 'SOME' at 'conditionalOperator' failed to satisfy "
                                  "constraint: Member must satisfy enum value set: [OR, AND]";
  const std::string no_values =
      kCounted +
      "Value 'SOME' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value "
      "set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]";
  ExpectInvalid("PutItem", put_and + R"(,"ConditionalOperator":"SOME"})", no_operator);
  ExpectInvalid("PutItem", put_and + R"(,"ReturnValues":"SOME"})", no_values);
  ExpectInvalid("PutItem", put_and + R"(,"ReturnValues":"ALL_NEW"})",
                "ReturnValues can only be ALL_OLD or NONE");
  const std::string erase = DeleteWithValue(nested(63));
  ExpectInvalid("DeleteItem", erase.substr(0, erase.size() - 1) + R"(,"ReturnValues":"ALL_NEW"})",
                "ReturnValues can only be ALL_OLD or NONE");
  ExpectInvalid("UpdateItem", update_and + R"(,"ReturnValues":"SOME"})", no_values);
  ExpectInvalid("UpdateItem", update_and + R"(,"ReturnValues":"ALL_NEW"})", in_values);
  // A number at the bottom of a value that is too deep is not reached.
  std::string deep = R"({"N":"x"})";
  for (int i = 0; i < 40; ++i) deep = R"({"L":[)" + deep + "]}";
  ExpectInvalid("PutItem", PutWithValue(deep), kCounted + kNests);
}

// The errors that PutItem, UpdateItem and DeleteItem find in a request are counted. Those that depend on the table or
// on the stored item, and those of sizes, are not.
TEST_F(ValueCheckerTest, WritesOfOneItemCountTheErrorsOfTheRequest) {
  const std::string key = R"({"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"s"}})";
  const std::string item = R"({"TableName":"app","Item":{"PK":{"S":"p"},"SK":{"S":"s"}})";
  struct Row {
    std::string_view operation;
    std::string request;
    std::string message;
  };
  const std::vector<Row> rows = {
      {"DeleteItem", key + R"(,"ConditionExpression":"a = :x AND"})",
       kCounted + R"(Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "AND")"},
      {"PutItem", item + R"(,"ExpressionAttributeNames":{"#q":"a"}})",
       kCounted + "ExpressionAttributeNames can only be specified when using expressions"},
      {"PutItem", item + R"(,"ExpressionAttributeValues":{":v":{"S":"x"}}})",
       kCounted + "ExpressionAttributeValues can only be specified when using expressions"},
      {"UpdateItem", key + R"(,"ExpressionAttributeValues":{":v":{"S":"x"}}})",
       kCounted + "ExpressionAttributeValues can only be specified when using expressions"},
      {"UpdateItem", key + R"(,"UpdateExpression":"SET a = :v","ExpressionAttributeValues":{}})",
       kCounted + "ExpressionAttributeValues must not be empty"},
      {"UpdateItem", key + R"(,"UpdateExpression":"SET a = :v"})",
       kCounted +
           "Invalid UpdateExpression: An expression attribute value used in expression is not "
           "defined; attribute value: :v"},
      {"UpdateItem", key + R"(,"UpdateExpression":")" + std::string(4097, 'a') + R"("})",
       kCounted +
           "Invalid UpdateExpression: Expression size has exceeded the maximum allowed size;"},
      {"DeleteItem", key + R"(,"ConditionExpression":")" + std::string(4097, 'a') + R"("})",
       kCounted +
           "Invalid ConditionExpression: Expression size has exceeded the maximum allowed size; "
           "expression size: 4097"},
      {"DeleteItem", key + R"(,"ConditionExpression":""})",
       kCounted + "Invalid ConditionExpression: The expression can not be empty;"},
      {"DeleteItem", key + R"(,"ConditionExpression":"date = a"})",
       kCounted +
           "Invalid ConditionExpression: Attribute name is a reserved keyword; reserved keyword: "
           "date"},
      {"DeleteItem", key + R"(,"ConditionExpression":"#x = a"})",
       kCounted +
           "Invalid ConditionExpression: An expression attribute name used in the document path "
           "is not defined; attribute name: #x"},
      {"DeleteItem", key + R"j(,"ConditionExpression":"((a = b))"})j",
       kCounted + "Invalid ConditionExpression: The expression has redundant parentheses;"},
      {"DeleteItem", key + R"(,"ConditionExpression":"a = a"})",
       kCounted +
           "Invalid ConditionExpression: The first operand must be distinct from the remaining "
           "operands for this operator or function; operator: =, first operand: [a]"},
      {"DeleteItem",
       key + R"j(,"ConditionExpression":"begins_with(a, :n)","ExpressionAttributeValues":)j"
             R"({":n":{"N":"1"}}})",
       kCounted +
           "Invalid ConditionExpression: Incorrect operand type for operator or function; operator "
           "or function: begins_with, operand type: N"},
      {"UpdateItem", key + R"(,"UpdateExpression":"SET a = b, a = c"})",
       kCounted +
           "Invalid UpdateExpression: Two document paths overlap with each other; must remove or "
           "rewrite one of these paths; path one: [a], path two: [a]"},
      {"UpdateItem", key + R"(,"UpdateExpression":"SET a = b SET c = d"})",
       kCounted +
           "Invalid UpdateExpression: The \"SET\" section can only be used once in an update "
           "expression;"},
      {"PutItem", item + R"(,"ConditionExpression":"a = b","ExpressionAttributeNames":{}})",
       kCounted + "ExpressionAttributeNames must not be empty"},
      {"PutItem", item + R"(,"ConditionExpression":"a = b","ExpressionAttributeNames":{"#z":"z"}})",
       kCounted + "Value provided in ExpressionAttributeNames unused in expressions: keys: {#z}"},
      {"PutItem",
       item + R"(,"ConditionExpression":"a = b","ExpressionAttributeValues":{":z":{"S":"z"}}})",
       kCounted + "Value provided in ExpressionAttributeValues unused in expressions: keys: {:z}"},
      {"DeleteItem", key + R"(,"Expected":{"a":{"ComparisonOperator":"IN"}}})",
       kCounted + kOpv +
           "Value or AttributeValueList must be used with ComparisonOperator: IN for Attribute: a"},
      {"UpdateItem", key + R"(,"AttributeUpdates":{"a":{"Action":"PUT"}}})",
       kCounted + kOpv + "Only DELETE action is allowed when no attribute value is specified"},
      {"PutItem", item + R"(,"ReturnValues":"ALL_NEW"})",
       kCounted + "ReturnValues can only be ALL_OLD or NONE"},
      // Not counted.
      {"UpdateItem",
       key + R"(,"UpdateExpression":"SET PK = :v","ExpressionAttributeValues":{":v":{"S":"x"}}})",
       kOpv + "Cannot update attribute PK. This attribute is part of the key"},
      {"PutItem", R"({"TableName":"app","Item":{"PK":{"S":"p"}}})",
       kOpv + "Missing the key SK in the item"},
      {"PutItem", R"({"TableName":"app","Item":{"PK":{"N":"1"},"SK":{"S":"s"}}})",
       kOpv + "Type mismatch for key PK expected: S actual: N"},
      {"PutItem", R"({"TableName":"app","Item":{"PK":{"S":""},"SK":{"S":"s"}}})",
       "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
       "contain an empty string value. Key: PK"},
      {"PutItem", item.substr(0, item.size() - 1) + R"(,"age":{"S":"x"}}})",
       kOpv + "Type mismatch for Index Key age Expected: N Actual: S IndexName: by_age"},
      {"UpdateItem",
       key + R"(,"UpdateExpression":"SET age = :v","ExpressionAttributeValues":{":v":{"S":"x"}}})",
       kOpv + "Type mismatch for Index Key age Expected: N Actual: S IndexName: by_age"},
      {"DeleteItem", R"({"TableName":"app","Key":{"PK":{"S":"p"}}})",
       "The provided key element does not match the schema"},
      {"PutItem", item.substr(0, item.size() - 1) + R"(,"a":{}}})",
       "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
      {"PutItem", item.substr(0, item.size() - 1) + R"(,"a":{"S":"x","N":"1"}}})",
       "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
       "supported datatypes"},
      {"PutItem",
       item.substr(0, item.size() - 1) + R"(,"a":{"S":")" + std::string(410'000, 'x') + R"("}}})",
       "Item size has exceeded the maximum allowed size"},
      {"UpdateItem",
       key +
           R"(,"UpdateExpression":"SET a.b.c = :v","ExpressionAttributeValues":{":v":{"S":"x"}}})",
       "The document path provided in the update expression is invalid for update"},
      {"UpdateItem", key + R"(,"UpdateExpression":"SET a = absent"})",
       "The provided expression refers to an attribute that does not exist in the item"},
      {"UpdateItem",
       key + R"(,"UpdateExpression":"SET a = if_not_exists(a, :s) + :n",)"
             R"("ExpressionAttributeValues":{":s":{"S":"x"},":n":{"N":"1"}}})",
       "An operand in the update expression has an incorrect data type"},
      {"UpdateItem",
       key + R"(,"UpdateExpression":"SET a = if_not_exists(a, :n) + :n",)"
             R"("ExpressionAttributeValues":{":n":{"N":"9e125"}}})",
       kOver},
  };
  for (const Row& row : rows) ExpectInvalid(row.operation, row.request, row.message);
  // An absent table changes nothing about the errors of the request.
  ExpectInvalid(
      "DeleteItem", R"({"TableName":"none","Key":{"PK":{"S":"p"}},"ConditionExpression":"a ="})",
      kCounted + R"(Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "=")");
}

// The text of a bare error in a value is no reason to leave out the count.
TEST_F(ValueCheckerTest, TheCountDoesNotDependOnTheText) {
  ExpectInvalid("PutItem",
                PutWithValue(R"({"N":"Item size has exceeded the maximum allowed size"})"),
                kCounted + kNoNumeric + ": Item size has exceeded the maximum allowed size");
}

TEST_F(ValueCheckerTest, OnlyQueryCountsTheErrorsOfSelect) {
  struct Row {
    std::string_view members;
    std::string message;
  };
  const std::vector<Row> rows = {
      {R"("Select":"ALL_PROJECTED_ATTRIBUTES")",
       "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"},
      {R"("Select":"SPECIFIC_ATTRIBUTES")",
       "Must specify the AttributesToGet or ProjectionExpression when choosing to get "
       "SPECIFIC_ATTRIBUTES"},
      {R"("Select":"COUNT","ProjectionExpression":"a")",
       "Cannot specify the ProjectionExpression when choosing to get only the Count"},
      {R"("Select":"ALL_PROJECTED_ATTRIBUTES","IndexName":"by_age","ProjectionExpression":"a")",
       "Cannot specify the ProjectionExpression when choosing to get ALL_PROJECTED_ATTRIBUTES"},
      {R"("Select":"ALL_ATTRIBUTES","AttributesToGet":["a"])",
       "Cannot specify the AttributesToGet when choosing to get ALL_ATTRIBUTES"},
  };
  for (const auto& [members, message] : rows) {
    std::string scan = R"({"TableName":"app",)" + std::string(members) + "}";
    ExpectInvalid("Scan", scan, message);
    scan.pop_back();
    ExpectInvalid(
        "Query",
        scan +
            R"(,"KeyConditions":{"PK":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"p"}]}}})",
        kCounted + message);
  }
}

}  // namespace
}  // namespace dolmen
