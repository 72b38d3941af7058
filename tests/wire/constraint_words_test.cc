// Tests of the words and the order of violated constraints in requests for items. DynamoDB has three spellings, which
// depend on the operation, the member and the constraint. A row is one rule.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/wire/fixture.h"

namespace dolmen {
namespace {

const std::string kNoReturnValues =
    "Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, "
    "ALL_NEW, UPDATE_NEW, "
    "NONE]";
const std::string kNoOperator =
    "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]";
const std::string kEmptyTableName =
    "Value at 'TableName' failed to satisfy constraint: Member must have length greater than or "
    "equal to 1";
const std::string kKeyMember = R"("Key":{"PK":{"S":"p"},"SK":{"S":"s"}})";
const std::string kItemMember = R"("Item":{"PK":{"S":"p"},"SK":{"S":"s"}})";

std::string NoneOf(std::string_view member, std::string_view values) {
  return std::string("Value 'SOME' at '")
      .append(member)
      .append("' failed to satisfy constraint: Member must satisfy enum value set: ")
      .append(values);
}
const std::string kNoCapacity = NoneOf("returnConsumedCapacity", "[INDEXES, TOTAL, NONE]");
const std::string kNoSelect =
    NoneOf("select", "[SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]");
const std::string kNoMetrics = NoneOf("returnItemCollectionMetrics", "[SIZE, NONE]");

std::string CountedList(const std::vector<std::string>& violations) {
  std::string text = std::to_string(violations.size()) + " validation error" +
                     (violations.size() > 1 ? "s" : "") + " detected: ";
  for (const std::string& violation : violations) {
    text += (&violation == violations.data() ? "" : "; ") + violation;
  }
  return text;
}

using ConstraintWordsTest = WireItemTest;

TEST_F(ConstraintWordsTest, OfOneItem) {
  struct Row {
    std::string_view operation;
    std::string members;
    std::string message;
  };
  const std::string table = R"("TableName":"app",)";
  const std::string some =
      R"("ReturnItemCollectionMetrics":"SOME","ReturnValues":"SOME","ReturnConsumedCapacity":"SOME",)";
  const std::vector<Row> rows = {
      {"PutItem", R"("TableName":"",)" + kItemMember, CountedList({kEmptyTableName})},
      {"UpdateItem", R"("TableName":"",)" + kKeyMember, CountedList({kEmptyTableName})},
      {"DeleteItem", R"("TableName":"",)" + kKeyMember, CountedList({kEmptyTableName})},
      // A write reports it alone.
      {"PutItem", R"("TableName":"",)" + some + kItemMember, CountedList({kEmptyTableName})},
      {"UpdateItem", R"("TableName":"",)" + some + kKeyMember, CountedList({kEmptyTableName})},
      {"DeleteItem", R"("TableName":"",)" + some + kKeyMember, CountedList({kEmptyTableName})},
      {"GetItem", R"("TableName":"",)" + kKeyMember, CountedList({kEmptyTableName})},
      {"Query", R"("TableName":"")", CountedList({kEmptyTableName})},
      {"Scan", R"("TableName":"")",
       CountedList({"Value '' at 'tableName' failed to satisfy constraint: Member must have length "
                    "greater than or "
                    "equal to 1"})},
      {"PutItem", R"("TableName":"no spaces",)" + kItemMember,
       CountedList({"Value 'no spaces' at 'tableName' failed to satisfy constraint: Member must "
                    "satisfy regular "
                    "expression pattern: [a-zA-Z0-9_.-]+"})},
      {"DeleteItem", kKeyMember,
       CountedList(
           {"Value null at 'tableName' failed to satisfy constraint: Member must not be null"})},
      {"DeleteItem", R"("TableName":")" + std::string(256, 'x') + R"(",)" + kKeyMember,
       CountedList({"Value '" + std::string(256, 'x') +
                    "' at 'tableName' failed to satisfy constraint: Member must have length less "
                    "than or equal to 255"})},
      {"Query", table + R"("Select":"SOME")", CountedList({kNoSelect})},
      {"Scan", table + R"("Select":"SOME")", CountedList({kNoSelect})},
      {"PutItem", table + R"("ReturnValues":"SOME",)" + kItemMember,
       CountedList({kNoReturnValues})},
      {"PutItem", table + R"("ConditionalOperator":"AN",)" + kItemMember,
       CountedList({kNoOperator})},
      {"PutItem", table + some + kItemMember,
       CountedList({kNoCapacity, kNoReturnValues, kNoMetrics})},
      {"DeleteItem", table + some + kKeyMember,
       CountedList({kNoCapacity, kNoReturnValues, kNoMetrics})},
      {"UpdateItem", table + some + kKeyMember, CountedList({kNoReturnValues})},
      {"UpdateItem",
       table + R"("ReturnItemCollectionMetrics":"SOME","ReturnConsumedCapacity":"SOME",)" +
           kKeyMember,
       CountedList({kNoCapacity, kNoMetrics})},
      // A write that lacks its key or item is reported in the usual words.
      {"UpdateItem", table + R"("UpdateExpression":"SET t = :v","ReturnValues":"SOME")",
       CountedList({NoneOf("returnValues", "[ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]"),
                    "Value null at 'key' failed to satisfy constraint: Member must not be null"})},
      {"UpdateItem",
       R"("TableName":"","ReturnValues":"SOME","ReturnConsumedCapacity":"SOME",)"
       R"("ConditionalOperator":"SOME")",
       CountedList({NoneOf("conditionalOperator", "[OR, AND]"), kNoCapacity,
                    "Value '' at 'tableName' failed to satisfy constraint: Member must have length "
                    "greater than or equal to 1",
                    NoneOf("returnValues", "[ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]"),
                    "Value null at 'key' failed to satisfy constraint: Member must not be null"})},
      {"PutItem", R"("TableName":"","ReturnConsumedCapacity":"SOME")",
       CountedList({kNoCapacity,
                    "Value '' at 'tableName' failed to satisfy constraint: Member must have length "
                    "greater than or "
                    "equal to 1",
                    "Value null at 'item' failed to satisfy constraint: Member must not be null"})},
      // Query reports its operator alone and does not count it.
      {"Query", table + R"("ConditionalOperator":"XOR","Select":"SOME","Limit":0)", kNoOperator},
      {"Scan", table + R"("ConditionalOperator":"SOME")",
       CountedList({NoneOf("conditionalOperator", "[OR, AND]")})},
  };
  for (const Row& row : rows) ExpectInvalid(row.operation, "{" + row.members + "}", row.message);
}

TEST_F(ConstraintWordsTest, OfBatchesAndTransactions) {
  struct Row {
    std::string_view operation;
    std::string request;
    std::string message;
  };
  const std::string names =
      "failed to satisfy constraint: Map keys must satisfy constraint: [Member must have length "
      "less than or equal "
      "to 255, Member must have length greater than or equal to 3, Member must satisfy regular "
      "expression pattern: "
      "[a-zA-Z0-9_.-]+]";
  const std::vector<Row> rows = {
      {"BatchGetItem", R"({"RequestItems":{}})",
       CountedList({"Value at 'RequestItems' failed to satisfy constraint: Member must have length "
                    "greater than or "
                    "equal to 1"})},
      {"BatchGetItem",
       R"({"RequestItems":{"a*b":{"Keys":[{"PK":{"S":"i"}}]}},"ReturnConsumedCapacity":"SOME"})",
       CountedList({R"(Value '{"a*b":{"Keys":[{"PK":{"S":"i"}}]}}' at 'requestItems' )" + names,
                    kNoCapacity})},
      {"BatchWriteItem", R"({"RequestItems":{"a*b":[{"DeleteRequest":{"Key":{"PK":{"S":"i"}}}}]}})",
       CountedList(
           {"Value "
            "'{a*b=[WriteRequest(deleteRequest=DeleteRequest(key={PK=AttributeValue(s=i)}))]}' at "
            "'requestItems' " +
            names})},
      {"BatchWriteItem",
       R"({"RequestItems":{"a*b":[{"DeleteRequest":{"Key":{}}}]},"ReturnItemCollectionMetrics":"SOME",)"
       R"("ReturnConsumedCapacity":"SOME"})",
       CountedList({kNoCapacity, kNoMetrics})},
      {"TransactWriteItems",
       R"({"TransactItems":[{"Delete":{"TableName":"app",)" + kKeyMember +
           R"(}}],"ReturnItemCollectionMetrics":"SOME","ReturnConsumedCapacity":"SOME","ClientRequestToken":")" +
           std::string(37, 't') + R"("})",
       CountedList({"Value '" + std::string(37, 't') +
                        "' at 'clientRequestToken' failed to satisfy constraint: Member must have "
                        "length less than or "
                        "equal to 36",
                    kNoCapacity, kNoMetrics})},
  };
  for (const Row& row : rows) ExpectInvalid(row.operation, row.request, row.message);
}

}  // namespace
}  // namespace dolmen
