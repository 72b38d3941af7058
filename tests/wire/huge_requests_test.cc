// Tests of requests with very many or very long members. The time and the memory that stays
// allocated must be proportional to the request, and error messages must be short. The sizes are
// large enough that quadratic work would exceed the time limit of a test.

#include <malloc.h>

#include <string>

#include "tests/support/wire_response.h"
#include "tests/wire/tables.h"

namespace dolmen {
namespace {

class HugeRequestsTest : public WireTableTest {
 protected:
  // Returns the member with a list of `count` elements. The function `element` returns the element
  // for a number. The first element has the number `count`, and the last has the number 1.
  template <typename Element>
  static std::string Many(std::string_view member, int count, Element element) {
    std::string json = "\"" + std::string(member) + "\":[";
    for (int i = 0; i < count; ++i) json += (i > 0 ? "," : "") + element(count - i);
    return json + "]";
  }
  static std::string ManyTags(int count) {
    return Many("Tags", count, [](int i) {
      return R"({"Key":")" + std::to_string(1'000'000 + i) + R"(","Value":"v"})";
    });
  }
  static std::string ManyDefinitions(int count) {
    return Many("AttributeDefinitions", count, [](int i) {
      return R"({"AttributeName":"a)" + std::to_string(i) + R"(","AttributeType":"S"})";
    });
  }

  // Expects an error whose body is well-formed, shorter than 100 KiB, and contains `has` in its
  // first 1000 bytes.
  void ExpectShort(std::string_view operation, const std::string& json, std::string_view has) {
    const EndpointResponse response = endpoint_.Execute(operation, json);
    EXPECT_EQ(test::FaultOf(operation, response), "");
    EXPECT_EQ(response.status, 400);
    EXPECT_LT(response.body.size(), 100u << 10);
    ExpectHas(response.body.substr(0, 1000), has);
  }
};

TEST_F(HugeRequestsTest, TagsAreCountedBeforeTheyAreAdded) {
  constexpr std::string_view message =
      "Number of Tags exceed the current limit for the provided ResourceArn";
  const std::string tags = ManyTags(400'000);
  // The table does not exist, but the error is about the number of tags. So the tags are counted
  // before the request takes the lock of the tables' settings and looks up the table.
  const std::string_view arn =
      R"("ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/none")";
  ExpectInvalid("TagResource", Object({arn, tags}), message);
  ExpectInvalid("CreateTable", TableWith(std::string(kOnDemand) + "," + tags), message);
}

TEST_F(HugeRequestsTest, ManyAttributeDefinitionsAreCheckedInTime) {
  ExpectShort("CreateTable",
              Object({R"("TableName":"table")", ManyDefinitions(200'000), Keys({{"a1", "HASH"}}),
                      kOnDemand, GlobalIndexes(Index("of_a2", Keys({{"a2", "HASH"}})))}),
              "Some AttributeDefinitions are not used. AttributeDefinitions: [a200000, a199999,");
}

TEST_F(HugeRequestsTest, IndexesAreCountedBeforeTheyAreRead) {
  const auto index = [](int) { return Index("same", Keys({{"none", "HASH"}})); };
  ExpectInvalid(
      "CreateTable",
      TableWith(std::string(kOnDemand) + "," + Many("GlobalSecondaryIndexes", 21, index)),
      std::string(kInvalid) + "GlobalSecondaryIndex count exceeds the per-table limit of 20");
  ExpectInvalid(
      "CreateTable",
      TableWith(std::string(kOnDemand) + "," + Many("LocalSecondaryIndexes", 6, index)),
      std::string(kInvalid) + "Number of LocalSecondaryIndexes exceeds per-table limit of 5");
}

TEST_F(HugeRequestsTest, ManyIndexUpdatesAreCheckedInTime) {
  EXPECT_TRUE(db_.CreateTable({.name = "table"}).ok());
  const auto update = [](int i) {
    return R"({"Update":{"IndexName":"index)" + std::to_string(i) + "\"," + Units(1, 1) + "}}";
  };
  ExpectNotFound(
      "UpdateTable",
      Object({R"("TableName":"table")", Many("GlobalSecondaryIndexUpdates", 150'000, update)}),
      "Requested resource not found: Index index150000 for table table");
}

// A hostile client can repeat the same name any number of times in an object.
TEST_F(HugeRequestsTest, ManyDuplicateMembersAreReadInTime) {
  EXPECT_TRUE(db_.CreateTable({.name = "table"}).ok());
  std::string item = R"({"TableName":"table","Item":{"PK":{"S":"p"},"SK":{"S":"s"})";
  for (int i = 0; i < 400'000; ++i) item += R"(,"a)" + std::to_string(i % 1000) + R"(":{"N":"1"})";
  Body("PutItem", item + "}}");
}

TEST_F(HugeRequestsTest, AMessageShowsTheBeginningOfAValue) {
  for (const std::string_view character : {"x", "ä", "€", "😀"}) {
    std::string text = "1";
    while (text.size() < 1 << 20) text += character;
    ExpectShort("Scan", R"({"TableName":"app","Select":")" + text + "\"}",
                "Value '1" + std::string(character));
    ExpectShort("BatchGetItem", R"({"RequestItems":{")" + text + R"(":{"Keys":[]}}})",
                "Value '{\\\"1" + std::string(character));
    ExpectShort("Scan",
                R"({"TableName":"app","ExpressionAttributeNames":{")" + text + R"(":null}})",
                "Value null at 'expressionAttributeNames.1" + std::string(character));
  }
}

TEST_F(HugeRequestsTest, AMessageShowsTheBeginningOfTextWithoutALengthLimit) {
  for (const std::string_view character : {"x", "ä", "€", "😀"}) {
    std::string text = "1";
    while (text.size() < 1 << 20) text += character;
    const std::string beginning = "1" + std::string(character);
    const auto put = [](const std::string& value) {
      return R"({"TableName":"app","Item":{"PK":)" + value + "}}";
    };
    ExpectShort("PutItem", put(R"({"N":")" + text + "\"}"),
                "The parameter cannot be converted to a numeric value: " + beginning);
    ExpectShort("PutItem", put(R"({"SS":[")" + text + R"(",")" + text + "\"]}"),
                "Input collection [\\\"" + beginning);
    ExpectShort("DescribeTable", R"({"TableName":"arn:)" + text + "\"}",
                "Invalid resource type in 'arn:" + beginning);
    ExpectShort("TagResource",
                R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app",)"
                R"("Tags":[{"Key":")" +
                    text + "\"}]}",
                "The Tag Key provided is invalid, Key: " + beginning);
    ExpectShort(
        "Scan",
        R"({"TableName":"app","FilterExpression":"a = :a","ExpressionAttributeValues":{":)" + text +
            R"(":{"N":"x"}}})",
        " for key :" + beginning);
  }
  const auto member = [](int) { return std::string(R"("x")"); };
  ExpectShort("PutItem",
              R"({"TableName":"app","Item":{"PK":{)" + Many("SS", 100'000, member) + "}}}",
              "Input collection [\\\"x\\\", \\\"x\\\", \\\"x\\\"");
}

TEST_F(HugeRequestsTest, AMessageShowsTheBeginningOfAList) {
  const auto get = [](int) {
    return std::string(R"({"Get":{"TableName":"app","Key":{"a":{"L":[{"NULL":true}]}}}})");
  };
  ExpectShort("TransactGetItems", "{" + Many("TransactItems", 100'000, get) + "}",
              "Value '[TransactGetItem(get=Get(tableName=app, "
              "key={a=AttributeValue(l=[{NULL=true}])})), TransactGetItem(get=");
}

TEST_F(HugeRequestsTest, MemoryIsReleasedAfterAHugeRequest) {
  const auto allocated = [] { return mallinfo2().hblkhd + mallinfo2().uordblks; };
  const std::string huge = R"({"a":[)" + std::string(16 << 20, ' ') + "]}";
  Body("ListTables", "{}");
  const auto before = allocated();
  Body("ListTables", huge);
  EXPECT_LT(allocated(), before + (8 << 20));
  EXPECT_FALSE(endpoint_.Unreadable("ListTables", huge).has_value());
  EXPECT_LT(allocated(), before + (8 << 20));
}

}  // namespace
}  // namespace dolmen
