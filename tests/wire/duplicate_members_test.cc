// Tests of JSON objects with two members of the same name. The last member counts, at any level of
// a request.

#include <string>

#include "tests/wire/fixture.h"

namespace dolmen {
namespace {

class DuplicateMembersTest : public WireItemTest {
 protected:
  DuplicateMembersTest() { Put(R"({"PK":{"S":"p"},"SK":{"S":"s"},"n":{"N":"1"}})"); }

  static constexpr std::string_view kKey = R"({"PK":{"S":"p"},"SK":{"S":"s"}})";
  static constexpr std::string_view kItem =
      R"({"Item":{"PK":{"S":"p"},"SK":{"S":"s"},"n":{"N":"1"}}})";

  static std::string With(std::string_view members) {
    return R"({"Key":)" + std::string(kKey) + "," + std::string(members) + "}";
  }
};

TEST_F(DuplicateMembersTest, TheLastParameterCounts) {
  EXPECT_EQ(Body("GetItem", With(R"("TableName":"none","TableName":"app")")), kItem);
  EXPECT_EQ(Body("GetItem", With(R"("TableName":"app","ProjectionExpression":"(","Key":{},)"
                                 R"("ProjectionExpression":"n","Key":)" +
                                 std::string(kKey))),
            R"({"Item":{"n":{"N":"1"}}})");
}

TEST_F(DuplicateMembersTest, ALastNullMakesTheParameterAbsent) {
  EXPECT_EQ(Body("GetItem", With(R"("TableName":"app","ProjectionExpression":"(",)"
                                 R"("ProjectionExpression":null)")),
            kItem);
  ExpectInvalid("GetItem", With(R"("TableName":"app","TableName":null)"),
                "1 validation error detected: Value null at 'tableName' failed to satisfy "
                "constraint: Member must not be null");
}

TEST_F(DuplicateMembersTest, ConstraintsApplyToTheLastMember) {
  EXPECT_EQ(Body("GetItem", With(R"("TableName":";","TableName":"app")")), kItem);
  ExpectInvalid("GetItem", With(R"("TableName":"app","TableName":"a;b")"),
                "1 validation error detected: Value 'a;b' at 'tableName' failed to satisfy "
                "constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
}

// DynamoDB checks the type of a member as soon as it reads the member. It therefore also rejects a
// wrong type in a member that a later member of the same name replaces.
TEST_F(DuplicateMembersTest, TypesAreCheckedForEveryMember) {
  ExpectUnserializable("GetItem", With(R"("TableName":1,"TableName":"app")"),
                       "NUMBER_VALUE cannot be converted to String");
  ExpectUnserializable("GetItem", With(R"("TableName":"app","TableName":1)"),
                       "NUMBER_VALUE cannot be converted to String");
}

TEST_F(DuplicateMembersTest, BatchGetItemReadsTheLastEntryOfATable) {
  const std::string none = R"({"Keys":[{"PK":{"S":"none"},"SK":{"S":"s"}}]})";
  const std::string one = R"({"Keys":[)" + std::string(kKey) + R"(],"ProjectionExpression":"n"})";
  EXPECT_EQ(Body("BatchGetItem", R"({"RequestItems":{"app":)" + one + R"(,"app":)" + none + "}}"),
            R"({"Responses":{"app":[]},"UnprocessedKeys":{}})");
  EXPECT_EQ(Body("BatchGetItem", R"({"RequestItems":{"app":{"Keys":[]},"app":)" + one + "}}"),
            R"({"Responses":{"app":[{"n":{"N":"1"}}]},"UnprocessedKeys":{}})");
}

TEST_F(DuplicateMembersTest, BatchWriteItemWritesTheLastEntryOfATable) {
  const auto put = [](std::string_view sort) {
    return R"("app":[{"PutRequest":{"Item":{"PK":{"S":"b"},"SK":{"S":")" + std::string(sort) +
           R"("}}}}])";
  };
  Body("BatchWriteItem", R"({"RequestItems":{)" + put("1") + R"(,"app":[],)" + put("2") + "}}");
  EXPECT_EQ(Get("b", "1"), "{}");
  EXPECT_EQ(Get("b", "2"), R"({"Item":{"PK":{"S":"b"},"SK":{"S":"2"}}})");
}

TEST_F(DuplicateMembersTest, TheLastAttributeCounts) {
  Put(R"({"PK":{"S":"q"},"SK":{"S":"s"},"a":{"N":"wrong"},"a":{"S":"x"},"b":{"S":"y"},"b":null})");
  EXPECT_EQ(Get("q", "s"), R"({"Item":{"PK":{"S":"q"},"SK":{"S":"s"},"a":{"S":"x"}}})");
}

TEST_F(DuplicateMembersTest, TheLastValueOfATypeCounts) {
  Put(R"({"PK":{"S":"q"},"SK":{"S":"s"},"a":{"S":"x","S":"y"},"b":{"S":"z","N":"1","S":null}})");
  EXPECT_EQ(Get("q", "s"),
            R"({"Item":{"PK":{"S":"q"},"SK":{"S":"s"},"a":{"S":"y"},"b":{"N":"1"}}})");
}

TEST_F(DuplicateMembersTest, TheLastOfManyMembersCounts) {
  std::string item = R"({"PK":{"S":"q"},"SK":{"S":"s"})";
  for (int i = 99; i >= 0; --i)
    item += R"(,"a)" + std::to_string(i % 10) + R"(":{"N":"1)" + std::to_string(i / 10) + R"("})";
  Put(item + "}");
  std::string expected = R"({"Item":{"PK":{"S":"q"},"SK":{"S":"s"})";
  for (int i = 0; i < 10; ++i) expected += R"(,"a)" + std::to_string(i) + R"(":{"N":"10"})";
  EXPECT_EQ(Get("q", "s"), expected + "}}");
}

TEST_F(DuplicateMembersTest, TheLastNameAndValueOfAnExpressionCount) {
  const auto scan = [&](std::string_view values, int status) {
    return Body("Scan",
                R"({"TableName":"app","FilterExpression":"#n = :n","Select":"COUNT",)"
                R"("ExpressionAttributeNames":{"#n":null,"#n":"PK","#n":"n"},)"
                R"("ExpressionAttributeValues":{)" +
                    std::string(values) + "}}",
                status);
  };
  EXPECT_EQ(scan(R"(":n":{"N":"wrong"},":n":{"N":"1"})", 200), R"({"Count":1,"ScannedCount":1})");
  EXPECT_EQ(scan(R"(":n":{"N":"1"},":n":null)", 400),
            ErrorBody(kValidationType, "ExpressionAttributeValues must not be empty"));
  ExpectInvalid("Scan",
                R"({"TableName":"app","FilterExpression":"#n = #n",)"
                R"("ExpressionAttributeNames":{"#n":"n","#n":null}})",
                "1 validation error detected: Value null at 'expressionAttributeNames.#n.member' "
                "failed to satisfy constraint: Member must not be null");
}

TEST_F(DuplicateMembersTest, MessagesPrintTheLastMember) {
  ExpectInvalid("TransactGetItems",
                R"({"TransactItems":[{"Get":{"TableName":"app","Key":{},"Key":null}}]})",
                "1 validation error detected: Value null at 'transactItems.1.member.get.key' "
                "failed to satisfy constraint: Member must not be null");
  const std::string message = Body(
      "BatchWriteItem",
      R"({"RequestItems":{"a;":[],"a;":[{"DeleteRequest":{"Key":{"a":{"S":"b"},"a":{"S":"c"}}}}]}})",
      400);
  EXPECT_NE(
      message.find(
          "Value '{a;=[WriteRequest(deleteRequest=DeleteRequest(key={a=AttributeValue(s=c)}))]}' "
          "at"),
      message.npos)
      << message;
}

}  // namespace
}  // namespace dolmen
