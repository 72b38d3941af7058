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
std::string Nested(const std::string& open, const std::string& inner, const std::string& close,
                   int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += open;
  text += inner;
  for (int i = 0; i < count; ++i) text += close;
  return text;
}

// Returns a PutItem of an item with a value that nests in the given way.
std::string PutOf(const std::string& value) {
  return R"({"TableName":"app","Item":{"id":{"S":"deep"},"v":)" + value + "}}";
}
std::string NestedLists(int levels) {
  return PutOf(Nested(R"({"L":[)", R"({"S":"x"})", "]}", levels));
}
std::string NestedMaps(int levels) {
  return PutOf(Nested(R"({"M":{"a":)", R"({"S":"x"})", "}}", levels));
}
// Maps whose members and whose types are several, with the type at the end.
std::string NestedWideMaps(int levels) {
  return PutOf(Nested(R"({"S":null,"M":{"b":{"S":"x"},"a":)", R"({"S":"x"})", "}}", levels));
}

std::string Update(const std::string& members) {
  return R"({"TableName":"app","Key":{"id":{"S":"a"}},)" + members + "}";
}
std::string Condition(const std::string& text) {
  return Update(R"("ConditionExpression":")" + text +
                R"(","ExpressionAttributeValues":{":v":{"N":"1"}})" +
                R"(,"UpdateExpression":"SET b = :v")");
}
std::string Statement(const std::string& text) { return R"({"Statement":")" + text + "\"}"; }

struct Request {
  std::string name;
  std::string operation;
  std::string json;
  int status = 200;
};

std::vector<Request> Requests() {
  const std::string functions = Nested("if_not_exists(x, ", ":v", ")", 148);
  const std::string sums = Nested("(:v + ", ":v", ")", 250);
  const std::string path = "v" + Nested("", "", "[0]", 31);
  const std::string scan = R"({"TableName":"app","FilterExpression":")";
  return {
      {"put", "PutItem", NestedLists(1)},
      {"lists of the deepest item", "PutItem", NestedLists(31)},
      {"maps of the deepest item", "PutItem", NestedMaps(31)},
      {"wide maps of the deepest item", "PutItem", NestedWideMaps(31)},
      {"get of the deepest item", "GetItem", R"({"TableName":"app","Key":{"id":{"S":"deep"}}})"},
      {"projection of the deepest item", "GetItem",
       R"({"TableName":"app","Key":{"id":{"S":"deep"}},"ProjectionExpression":"v)" +
           Nested("", "", ".a", 31) + "\"}"},
      {"lists nested too deep", "PutItem", NestedLists(60), 400},
      {"lists nested far too deep", "PutItem", NestedLists(480), 400},
      {"maps nested far too deep", "PutItem", NestedMaps(480), 400},
      {"wide maps nested far too deep", "PutItem", NestedWideMaps(480), 400},
      {"unknown member", "ListTables", R"({"x":)" + Nested("[", "", "]", 1000) + "}"},
      {"printed value", "ListTables", R"({"Limit":0,"ExclusiveStartTableName":"x"})", 400},
      {"condition without parentheses", "UpdateItem", Condition("attribute_not_exists(zz)")},
      {"conditions in parentheses", "UpdateItem", Condition(Nested("(NOT ", "zz = :v", ")", 149)),
       200},
      {"conditions joined in parentheses", "UpdateItem",
       Condition(Nested("(zz = :v OR ", "NOT zz = :v", ")", 149)), 200},
      {"redundant parentheses", "UpdateItem", Condition(Nested("(", "zz = :v", ")", 304)), 400},
      {"operands in parentheses", "UpdateItem", Condition("zz = " + Nested("(", ":v", ")", 304)),
       400},
      {"sizes of sizes", "UpdateItem", Condition(Nested("size(", "zz", ")", 290) + " = :v"), 400},
      {"parentheses nested too deep", "UpdateItem", Condition(Nested("(", "zz = :v", ")", 2000)),
       400},
      {"functions in an update", "UpdateItem",
       Update(R"("UpdateExpression":"SET c = )" + functions +
              R"(","ExpressionAttributeValues":{":v":{"N":"1"}})")},
      {"sums in an update", "UpdateItem",
       Update(R"("UpdateExpression":"SET c = )" + sums +
              R"(","ExpressionAttributeValues":{":v":{"N":"1"}})"),
       400},
      {"path in an update", "UpdateItem", Update(R"("UpdateExpression":"REMOVE )" + path + "\""),
       400},
      {"filter", "Scan",
       scan + Nested("(NOT ", "zz = :v", ")", 150) +
           R"(","ExpressionAttributeValues":{":v":{"N":"1"}}})"},
      {"key condition", "Query",
       R"({"TableName":"app","KeyConditionExpression":")" + Nested("(NOT ", "id = :v", ")", 150) +
           R"(","ExpressionAttributeValues":{":v":{"S":"a"}}})",
       400},
      {"statement", "ExecuteStatement", Statement("SELECT * FROM app WHERE id = 'a'")},
      {"statement in parentheses", "ExecuteStatement",
       Statement("SELECT * FROM app WHERE " + Nested("(", "id = 'a'", ")", 299))},
      {"statement of NOTs", "ExecuteStatement",
       Statement("SELECT * FROM app WHERE id = 'a' AND " + Nested("(NOT ", "zz = 1", ")", 290))},
      {"statement of ORs", "ExecuteStatement",
       Statement("SELECT * FROM app WHERE " + Nested("(id = 'b' OR ", "id = 'a'", ")", 90))},
      {"statement of ORs without a key", "ExecuteStatement",
       Statement("SELECT * FROM app WHERE " + Nested("(zz = 1 OR ", "zz = 2", ")", 140))},
      {"statement nested too deep", "ExecuteStatement",
       Statement("SELECT * FROM app WHERE " + Nested("(", "id = 'a'", ")", 2000)), 400},
      {"statement of sizes", "ExecuteStatement",
       Statement("SELECT * FROM app WHERE id = 'a' AND " + Nested("size(", "zz", ")", 290) +
                 " = 1"),
       400},
      {"list in a statement", "ExecuteStatement",
       Statement("INSERT INTO app VALUE {'id': 'l', 'v': " + Nested("[", "1", "]", 31) + "}")},
      {"list in a statement nested too deep", "ExecuteStatement",
       Statement("INSERT INTO app VALUE {'id': 'l2', 'v': " + Nested("[", "1", "]", 299) + "}"),
       400},
      {"tuple in a statement nested too deep", "ExecuteStatement",
       Statement("INSERT INTO app VALUE {'id': 'l2', 'v': " + Nested("{'a': ", "1", "}", 299) +
                 "}"),
       400},
      {"bag in a statement nested too deep", "ExecuteStatement",
       Statement("SELECT * FROM app WHERE id = " + Nested("<<", "1", ">>", 299)), 400},
      {"update in a statement", "ExecuteStatement",
       Statement("UPDATE app SET c = " + Nested("if_not_exists(c, ", "1", ")", 140) +
                 " WHERE id = 'a'")},
      {"sums in a statement", "ExecuteStatement",
       Statement("UPDATE app SET c = " + Nested("(1 + ", "1", ")", 290) + " WHERE id = 'a'")},
      {"batch", "BatchGetItem", R"({"RequestItems":{"app":{"Keys":[{"id":{"S":"deep"}}]}}})"},
      {"transaction", "TransactWriteItems",
       R"({"TransactItems":[{"Put":)" + NestedMaps(31) + R"(},{"Update":)" +
           Condition(Nested("(NOT ", "zz = :v", ")", 149)) + "}]}"},
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
  for (const Request& request : Requests()) {
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
