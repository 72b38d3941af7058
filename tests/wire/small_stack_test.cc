// Tests that requests need little of the stack of the thread that makes them, however deep their input nests.

#include "tests/support/small_stack.h"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "dolmen/database.h"
#include "dolmen/wire.h"
#include "tests/support/status_matchers.h"

namespace dolmen::test {
namespace {

// Returns `inner` within `count` pairs of `open` and `close`.
std::string NestedText(const std::string& open, const std::string& inner, const std::string& close,
                       int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += open;
  text += inner;
  for (int i = 0; i < count; ++i) text += close;
  return text;
}

// Returns a PutItem of an item with a value that nests in the given way.
std::string PutOfDeep(const std::string& value) {
  return R"({"TableName":"app","Item":{"id":{"S":"deep"},"v":)" + value + "}}";
}
std::string DeepLists(int levels) {
  return PutOfDeep(NestedText(R"({"L":[)", R"({"S":"x"})", "]}", levels));
}
std::string DeepMaps(int levels) {
  return PutOfDeep(NestedText(R"({"M":{"a":)", R"({"S":"x"})", "}}", levels));
}
// Maps whose members and whose types are several, with the type at the end.
std::string DeepWideMaps(int levels) {
  return PutOfDeep(
      NestedText(R"({"S":null,"M":{"b":{"S":"x"},"a":)", R"({"S":"x"})", "}}", levels));
}

std::string UpdateOfDeep(const std::string& members) {
  return R"({"TableName":"app","Key":{"id":{"S":"a"}},)" + members + "}";
}
std::string DeepConditionText(const std::string& text) {
  return UpdateOfDeep(R"("ConditionExpression":")" + text +
                      R"(","ExpressionAttributeValues":{":v":{"N":"1"}})" +
                      R"(,"UpdateExpression":"SET b = :v")");
}
std::string StatementText(const std::string& text) { return R"({"Statement":")" + text + "\"}"; }

struct StackRequest {
  std::string name;
  std::string operation;
  std::string json;
  int status = 200;
};

std::vector<StackRequest> StackRequests() {
  const std::string functions = NestedText("if_not_exists(x, ", ":v", ")", 148);
  const std::string sums = NestedText("(:v + ", ":v", ")", 250);
  const std::string path = "v" + NestedText("", "", "[0]", 31);
  const std::string scan = R"({"TableName":"app","FilterExpression":")";
  return {
      {"put", "PutItem", DeepLists(1)},
      {"lists of the deepest item", "PutItem", DeepLists(31)},
      {"maps of the deepest item", "PutItem", DeepMaps(31)},
      {"wide maps of the deepest item", "PutItem", DeepWideMaps(31)},
      {"get of the deepest item", "GetItem", R"({"TableName":"app","Key":{"id":{"S":"deep"}}})"},
      {"projection of the deepest item", "GetItem",
       R"({"TableName":"app","Key":{"id":{"S":"deep"}},"ProjectionExpression":"v)" +
           NestedText("", "", ".a", 31) + "\"}"},
      {"lists nested too deep", "PutItem", DeepLists(60), 400},
      {"lists nested far too deep", "PutItem", DeepLists(480), 400},
      {"maps nested far too deep", "PutItem", DeepMaps(480), 400},
      {"wide maps nested far too deep", "PutItem", DeepWideMaps(480), 400},
      {"unknown member", "ListTables", R"({"x":)" + NestedText("[", "", "]", 1000) + "}"},
      {"printed value", "ListTables", R"({"Limit":0,"ExclusiveStartTableName":"x"})", 400},
      {"condition without parentheses", "UpdateItem",
       DeepConditionText("attribute_not_exists(zz)")},
      {"conditions in parentheses", "UpdateItem",
       DeepConditionText(NestedText("(NOT ", "zz = :v", ")", 149)), 200},
      {"conditions joined in parentheses", "UpdateItem",
       DeepConditionText(NestedText("(zz = :v OR ", "NOT zz = :v", ")", 149)), 200},
      {"redundant parentheses", "UpdateItem",
       DeepConditionText(NestedText("(", "zz = :v", ")", 304)), 400},
      {"operands in parentheses", "UpdateItem",
       DeepConditionText("zz = " + NestedText("(", ":v", ")", 304)), 400},
      {"sizes of sizes", "UpdateItem",
       DeepConditionText(NestedText("size(", "zz", ")", 290) + " = :v"), 400},
      {"parentheses nested too deep", "UpdateItem",
       DeepConditionText(NestedText("(", "zz = :v", ")", 2000)), 400},
      {"functions in an update", "UpdateItem",
       UpdateOfDeep(R"("UpdateExpression":"SET c = )" + functions +
                    R"(","ExpressionAttributeValues":{":v":{"N":"1"}})")},
      {"sums in an update", "UpdateItem",
       UpdateOfDeep(R"("UpdateExpression":"SET c = )" + sums +
                    R"(","ExpressionAttributeValues":{":v":{"N":"1"}})"),
       400},
      {"path in an update", "UpdateItem",
       UpdateOfDeep(R"("UpdateExpression":"REMOVE )" + path + "\""), 400},
      {"filter", "Scan",
       scan + NestedText("(NOT ", "zz = :v", ")", 150) +
           R"(","ExpressionAttributeValues":{":v":{"N":"1"}}})"},
      {"key condition", "Query",
       R"({"TableName":"app","KeyConditionExpression":")" +
           NestedText("(NOT ", "id = :v", ")", 150) +
           R"(","ExpressionAttributeValues":{":v":{"S":"a"}}})",
       400},
      {"statement", "ExecuteStatement", StatementText("SELECT * FROM app WHERE id = 'a'")},
      {"statement in parentheses", "ExecuteStatement",
       StatementText("SELECT * FROM app WHERE " + NestedText("(", "id = 'a'", ")", 299))},
      {"statement of NOTs", "ExecuteStatement",
       StatementText("SELECT * FROM app WHERE id = 'a' AND " +
                     NestedText("(NOT ", "zz = 1", ")", 290))},
      {"statement of ORs", "ExecuteStatement",
       StatementText("SELECT * FROM app WHERE " +
                     NestedText("(id = 'b' OR ", "id = 'a'", ")", 90))},
      {"statement of ORs without a key", "ExecuteStatement",
       StatementText("SELECT * FROM app WHERE " + NestedText("(zz = 1 OR ", "zz = 2", ")", 140))},
      {"statement nested too deep", "ExecuteStatement",
       StatementText("SELECT * FROM app WHERE " + NestedText("(", "id = 'a'", ")", 2000)), 400},
      {"statement of sizes", "ExecuteStatement",
       StatementText("SELECT * FROM app WHERE id = 'a' AND " + NestedText("size(", "zz", ")", 290) +
                     " = 1"),
       400},
      {"list in a statement", "ExecuteStatement",
       StatementText("INSERT INTO app VALUE {'id': 'l', 'v': " + NestedText("[", "1", "]", 31) +
                     "}")},
      {"list in a statement nested too deep", "ExecuteStatement",
       StatementText("INSERT INTO app VALUE {'id': 'l2', 'v': " + NestedText("[", "1", "]", 299) +
                     "}"),
       400},
      {"tuple in a statement nested too deep", "ExecuteStatement",
       StatementText(
           "INSERT INTO app VALUE {'id': 'l2', 'v': " + NestedText("{'a': ", "1", "}", 299) + "}"),
       400},
      {"bag in a statement nested too deep", "ExecuteStatement",
       StatementText("SELECT * FROM app WHERE id = " + NestedText("<<", "1", ">>", 299)), 400},
      {"update in a statement", "ExecuteStatement",
       StatementText("UPDATE app SET c = " + NestedText("if_not_exists(c, ", "1", ")", 140) +
                     " WHERE id = 'a'")},
      {"sums in a statement", "ExecuteStatement",
       StatementText("UPDATE app SET c = " + NestedText("(1 + ", "1", ")", 290) +
                     " WHERE id = 'a'")},
      {"batch", "BatchGetItem", R"({"RequestItems":{"app":{"Keys":[{"id":{"S":"deep"}}]}}})"},
      {"transaction", "TransactWriteItems",
       R"({"TransactItems":[{"Put":)" + DeepMaps(31) + R"(},{"Update":)" +
           DeepConditionText(NestedText("(NOT ", "zz = :v", ")", 149)) + "}]}"},
      {"reading transaction", "TransactGetItems",
       R"({"TransactItems":[{"Get":{"TableName":"app","Key":{"id":{"S":"deep"}}}}]})"},
      {"new table", "CreateTable",
       R"({"TableName":"other","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],)"
       R"("AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],)"
       R"("BillingMode":"PAY_PER_REQUEST"})"},
      {"deleted table", "DeleteTable", R"({"TableName":"other"})"},
  };
}

TEST(SmallStackTest, RequestsRunOnTheSmallestStack) {
  if (!kHasFramesOfUsers) GTEST_SKIP() << "this build has larger frames";
  const Result<Database> database = Database::InMemory();
  ASSERT_THAT(database, IsOk());
  const Endpoint endpoint(*database);
  const auto table = endpoint.Execute(
      "CreateTable", R"({"TableName":"app","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],)"
                     R"("AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],)"
                     R"("BillingMode":"PAY_PER_REQUEST"})");
  ASSERT_EQ(table.status, 200) << table.body;
  for (const StackRequest& request : StackRequests()) {
    EndpointResponse response;
    const std::size_t used =
        StackBytesOf([&] { response = endpoint.Execute(request.operation, request.json); });
    EXPECT_LE(used, kUsableStackBytes) << request.name;
    EXPECT_EQ(response.status, request.status)
        << request.name << ": " << response.body.substr(0, 300);
  }
}

}  // namespace
}  // namespace dolmen::test
