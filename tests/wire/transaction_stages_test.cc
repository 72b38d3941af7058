// Tests of the order in which DynamoDB checks the actions of a transaction, and of the errors of each stage:
// 1. the constraints of all members
// 2. each action alone, in the order of the request, as far as this needs no table
// 3. the tables, two actions on one item, and empty values of keys
// 4. the keys and items against the schemas of their tables
// 5. the conditions
// 6. the results of updates

#include <string>
#include <string_view>
#include <vector>

#include "tests/wire/fixture.h"

namespace dolmen {
namespace {

constexpr std::string_view kShortNesting = "Nesting Levels have exceeded supported limits";
const std::string kLongNesting = std::string(kShortNesting) +
                                 ": Attributes in the item have nested levels beyond supported "
                                 "limit";
constexpr std::string_view kKeyOfItem = R"("Key":{"PK":{"S":"p"},"SK":{"S":"s"}})";
constexpr std::string_view kTransactedNoNumber =
    "The parameter cannot be converted to a numeric value: x";
constexpr std::string_view kTransactedSyntax =
    R"(Invalid ConditionExpression: Syntax error; token: "<EOF>", near: ">")";

std::string NestedJson(int containers) {
  std::string value = R"({"S":"x"})";
  for (int i = 0; i < containers; ++i) value = R"({"L":[)" + value + "]}";
  return value;
}

// Returns an action of the kind, like "Put", with these members.
std::string Action(std::string_view kind, std::string_view members,
                   std::string_view table = "app") {
  return "{\"" + std::string(kind) + R"(":{"TableName":")" + std::string(table) + R"(",)" +
         std::string(members) + "}}";
}
std::string PutItemWith(std::string_view attributes) {
  return R"("Item":{"PK":{"S":"p"},"SK":{"S":"s"})" + std::string(attributes) + "}";
}
std::string KeyAnd(std::string_view members) {
  return std::string(kKeyOfItem) + "," + std::string(members);
}
std::string Writes(const std::vector<std::string>& actions) {
  std::string list;
  for (const std::string& action : actions) list += (list.empty() ? "" : ",") + action;
  return R"({"TransactItems":[)" + list + "]}";
}

class TransactionStagesTest : public WireItemTest {
 protected:
  void ExpectRefused(const std::vector<std::string>& actions, std::string_view message) {
    ExpectInvalid("TransactWriteItems", Writes(actions), message);
  }
  // Expects that the first of the actions cancels the transaction.
  void ExpectCancelled(const std::string& action, std::string_view code, std::string_view message) {
    EXPECT_EQ(Body("TransactWriteItems", Writes({action}), 400),
              R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",)"
              R"("Message":"Transaction cancelled, please refer cancellation reasons for specific )"
              R"(reasons [)" +
                  std::string(code) + R"(]","CancellationReasons":[{"Code":")" + std::string(code) +
                  R"(","Message":")" + std::string(message) + R"("}]})");
  }
};

// The faults of one action. Each row has a fault and one that comes after it.
TEST_F(TransactionStagesTest, AnActionReportsItsFirstFault) {
  const std::string condition = R"(,"ConditionExpression":"copies > ")";
  const std::string deep = R"({"PK":{"S":"p"},"SK":)" + NestedJson(50) + "}";
  const std::string no_number = R"(,"n":{"N":"x"})";
  const std::string no_name = R"(,"":{"S":"x"})";
  const std::string bad_value =
      R"(,"ConditionExpression":"a > ","ExpressionAttributeValues":{":v":{"N":"x"}})";
  const std::string long_update = "SET a = " + std::string(4096, 'a');
  struct Row {
    std::string action;
    std::string message;
  };
  for (const auto& [action, message] : std::vector<Row>{
           // An empty name at the top of an item.
           {Action("Put", PutItemWith(no_number + no_name) + condition), "Empty attribute name"},
           {Action("Put", PutItemWith(no_name) + condition), "Empty attribute name"},
           {Action("Delete", R"("Key":{"":{"S":"p"}})" + condition), "Empty attribute name"},
           // Names and values of expressions, and the texts of expressions.
           {Action("Put", PutItemWith(no_number) + bad_value),
            "ExpressionAttributeValues contains invalid value: " +
                std::string(kTransactedNoNumber) + " for key :v"},
           {Action("Put", PutItemWith(no_number) + condition), std::string(kTransactedSyntax)},
           {Action("Delete", R"("Key":)" + deep + condition), std::string(kTransactedSyntax)},
           {Action("ConditionCheck", R"("Key":)" + deep + condition),
            std::string(kTransactedSyntax)},
           {Action("Update",
                   R"("Key":)" + deep + R"(,"UpdateExpression":")" + long_update + R"(")"),
            "Invalid UpdateExpression: Expression size has exceeded the maximum allowed size;"},
           // The values of an item or key, in the order of the text.
           {Action("Put", PutItemWith(R"(,"a":)" + NestedJson(32) + no_number)), kLongNesting},
           {Action("Put", PutItemWith(no_number + R"(,"a":)" + NestedJson(32))),
            std::string(kTransactedNoNumber)},
           {Action("Put", PutItemWith(R"(,"a":{"M":{"":)" + NestedJson(40) + "}}")), kLongNesting},
           {Action("Put", PutItemWith(no_number) + R"(,"ConditionExpression":"a > :v")"),
            std::string(kTransactedNoNumber)},
           // Placeholders.
           {Action("Put", PutItemWith(no_number) +
                              R"(,"ConditionExpression":"a > b","ExpressionAttributeNames":)"
                              R"({"#z":"z"})"),
            std::string(kTransactedNoNumber)},
           {Action("Put", PutItemWith(R"(,"fill":{"S":")" + std::string(410 * 1024, 'x') + "\"}") +
                              R"(,"ConditionExpression":"a > b","ExpressionAttributeNames":)"
                              R"({"#z":"z"})"),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#z}"},
       }) {
    ExpectRefused({action}, message);
    // The fault of the first action wins, and needs no table.
    ExpectRefused({action, Action("Put", PutItemWith(no_name), "none")}, message);
  }
}

// It is unverified that the constraints of the actions come before that of the token.
TEST_F(TransactionStagesTest, TheConstraintsOfAllMembersComeFirstAndTogether) {
  const std::string token(37, 't');
  ExpectInvalid(
      "TransactWriteItems",
      R"({"ClientRequestToken":")" + token + R"(","TransactItems":[)" +
          Action("Delete", KeyAnd(R"("ReturnValuesOnConditionCheckFailure":"SOME")")) + "," +
          Action("Put", PutItemWith(R"(,"n":{"N":"x"})"), "a*b") + "]}",
      "3 validation errors detected: Value 'SOME' at "
      "'transactItems.1.member.delete.returnValuesOnConditionCheckFailure' failed to satisfy "
      "constraint: Member must satisfy enum value set: [ALL_OLD, NONE]; Value 'a*b' at "
      "'transactItems.2.member.put.tableName' failed to satisfy constraint: Member must satisfy "
      "regular expression pattern: [a-zA-Z0-9_.-]+; Value '" +
          token +
          "' at 'clientRequestToken' failed to satisfy constraint: Member must have length less "
          "than or equal to 36");
}

// A fault that needs no table comes before each fault that needs one, whatever action has it.
TEST_F(TransactionStagesTest, FaultsOfAllActionsComeBeforeTablesAndKeys) {
  const std::string unused = Action(
      "Update", KeyAnd(R"("UpdateExpression":"SET a = b","ExpressionAttributeNames":{"#z":"z"})"));
  const std::string message =
      "Value provided in ExpressionAttributeNames unused in expressions: keys: {#z}";
  const std::string remove = Action("Delete", kKeyOfItem);
  ExpectRefused({Action("Put", PutItemWith(""), "none"), unused}, message);
  ExpectRefused({remove, remove, unused}, message);
  ExpectRefused({Action("Delete", R"("Key":{"PK":{"S":""},"SK":{"S":"s"}})"), unused}, message);
  ExpectRefused({Action("Delete", R"("Key":{"PK":{"S":"p"}})"), unused}, message);
  // The first action with a fault wins, whatever kind of fault it is.
  const std::string no_number = Action("Put", PutItemWith(R"(,"n":{"N":"x"})"));
  ExpectRefused({unused, no_number}, message);
  ExpectRefused({no_number, unused}, kTransactedNoNumber);
  ExpectRefused({unused, R"({"Put":{"TableName":"app","Item":{}},"Delete":{"TableName":"app",)" +
                             std::string(kKeyOfItem) + "}}"},
                message);
}

TEST_F(TransactionStagesTest, ADuplicateOrAnEmptyKeyComesBeforeKeysOfAnotherForm) {
  const std::string mismatch = Action("Delete", R"("Key":{"PK":{"S":"p"}})");
  const std::string remove = Action("Delete", kKeyOfItem);
  ExpectRefused({mismatch, remove, remove},
                "Transaction request cannot include multiple operations on one item");
  const std::string empty =
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
      "contain an empty string value. Key: SK";
  ExpectRefused({mismatch, Action("Delete", R"("Key":{"PK":{"S":"p"},"SK":{"S":""}})")}, empty);
  ExpectRefused({mismatch, Action("Put", R"("Item":{"PK":{"S":"p"},"SK":{"S":""}})")}, empty);
  ExpectRefused(
      {mismatch, Action("Put", PutItemWith(R"(,"GSI1PK":{"S":""},"GSI1SK":{"S":"x"})"))},
      "One or more parameter values are not valid. A value specified for a secondary index key is "
      "not supported. The AttributeValue for a key attribute cannot contain an empty string value. "
      "IndexName: GSI1, IndexKey: GSI1PK");
  ExpectRefused(
      {mismatch, Action("Update", KeyAnd(R"("UpdateExpression":"SET GSI1PK = :e",)"
                                         R"("ExpressionAttributeValues":{":e":{"S":""}})"))},
      "One or more parameter values are not valid. The update expression attempted to update a "
      "secondary index key to a value that is not supported. The AttributeValue for a key "
      "attribute "
      "cannot contain an empty string value.");
}

TEST_F(TransactionStagesTest, AKeyOfAnIndexThatHasAnotherTypeCancelsTheTransaction) {
  const std::string opv = "One or more parameter values were invalid: ";
  const std::string index =
      opv + "Type mismatch for Index Key age Expected: N Actual: S IndexName: by_age";
  ExpectCancelled(Action("Put", PutItemWith(R"(,"age":{"S":"x"})")), "ValidationError", index);
  ExpectCancelled(Action("Update", KeyAnd(R"("UpdateExpression":"SET age = :v",)"
                                          R"("ExpressionAttributeValues":{":v":{"S":"x"}})")),
                  "ValidationError", index);
  ExpectCancelled(Action("Put", R"("Item":{"PK":{"BOOL":true},"SK":{"S":"s"}})"), "ValidationError",
                  opv + "Type mismatch for key PK expected: S actual: BOOL");
}

TEST_F(TransactionStagesTest, MapsOfPlaceholdersAndSectionsAreCheckedAsInSingleWrites) {
  ExpectRefused({Action("Delete", KeyAnd(R"("ConditionExpression":"a = b",)"
                                         R"("ExpressionAttributeValues":{})"))},
                "ExpressionAttributeValues must not be empty");
  ExpectRefused({Action("Update", KeyAnd(R"("UpdateExpression":"SET a = b SET c = d")"))},
                "Invalid UpdateExpression: The \"SET\" section can only be used once in an update "
                "expression;");
}

// A value of 32 lists and maps is too deep for an item, but not for a condition.
TEST_F(TransactionStagesTest, OnlyAConditionCanUseAValueOf32Containers) {
  const auto values = [](int containers) {
    return R"("ExpressionAttributeValues":{":v":)" + NestedJson(containers) + "}";
  };
  const std::string is = R"("ConditionExpression":"a = :v",)";
  const std::string is_not = R"("ConditionExpression":"NOT a = :v",)";
  const auto actions = [&](const std::string& condition, int containers) {
    const std::string rest = condition + values(containers);
    return std::vector<std::string>{
        Action("ConditionCheck", KeyAnd(rest)), Action("Delete", KeyAnd(rest)),
        Action("Put", PutItemWith("") + "," + rest),
        Action("Update", KeyAnd(R"("UpdateExpression":"SET b = c",)" + rest))};
  };
  for (const std::string& action : actions(is, 32)) {
    ExpectCancelled(action, "ConditionalCheckFailed", "The conditional request failed");
  }
  Put(R"({"PK":{"S":"p"},"SK":{"S":"s"},"c":{"S":"c"}})");
  for (const std::string& action : actions(is_not, 32)) {
    Body("TransactWriteItems", Writes({action}));
    Put(R"({"PK":{"S":"p"},"SK":{"S":"s"},"c":{"S":"c"}})");
  }
  for (const std::string& action : actions(is, 33)) {
    ExpectRefused({action}, "ExpressionAttributeValues contains invalid value: " + kLongNesting +
                                " for key :v");
  }
  // A token needs the bytes of the request.
  EXPECT_EQ(Body("TransactWriteItems",
                 R"({"ClientRequestToken":"t","TransactItems":[)" + actions(is_not, 32)[0] + "]}"),
            "{}");
}

TEST_F(TransactionStagesTest, AnUpdateThatNestsTooDeepCancelsTheTransaction) {
  Put(R"({"PK":{"S":"p"},"SK":{"S":"s"},"m":{"M":{}},"l":{"L":[]}})");
  const auto update = [](std::string_view text, int containers) {
    return Action("Update",
                  KeyAnd(R"("UpdateExpression":")" + std::string(text) +
                         R"(","ExpressionAttributeValues":{":v":)" + NestedJson(containers) + "}"));
  };
  for (const std::string_view text :
       {"SET a = :v", "SET m.a = :v", "SET l[0] = :v", "SET a = list_append(l, :v)",
        "SET a = if_not_exists(b, :v)"}) {
    ExpectCancelled(update(text, 32), "ValidationError", kShortNesting);
  }
  ExpectCancelled(update("SET m.a = :v", 31), "ValidationError", kShortNesting);
  // The value is not stored.
  Body("TransactWriteItems", Writes({update("SET a = if_not_exists(l, :v)", 32)}));
  Body("TransactWriteItems", Writes({update("SET a = :v", 31)}));
}

TEST_F(TransactionStagesTest, TheSizeOfAnItemIsLimitedWhereItIsKnown) {
  const std::string fill = R"({"S":")" + std::string(409'594, 'x') + R"("})";
  ExpectRefused({Action("Put", PutItemWith(R"(,"a":)" + fill))},
                "Item size has exceeded the maximum allowed size");
  ExpectCancelled(Action("Update", KeyAnd(R"("UpdateExpression":"SET a = :v",)"
                                          R"("ExpressionAttributeValues":{":v":)" +
                                          fill + "}")),
                  "ValidationError", "Item size to update has exceeded the maximum allowed size");
}

}  // namespace
}  // namespace dolmen
