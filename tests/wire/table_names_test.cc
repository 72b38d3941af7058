// Tests of the ways to name a table in a request: its name, or the complete ARN of a table.

#include <string>
#include <vector>

#include "tests/wire/tables.h"

namespace dolmen {
namespace {

class TableNamesTest : public WireTableTest {
 protected:
  TableNamesTest() {
    CreateTableInput input;
    input.name = "table";
    input.stream_specification = StreamSpecification{.view_type = StreamViewType::kKeysOnly};
    EXPECT_TRUE(db_.CreateTable(input).ok());
  }

  // Returns texts that begin like an ARN but are not the ARN of a table.
  static const std::vector<std::string>& WrongArns() {
    static const std::vector<std::string> wrong = {
        "arn:",
        "arn:aws:s3:::x",
        "arn:x:table/table",
        "arn:aws:s3:us-east-1:000000000000:table/table",
        "arn:aws:dynamodb:us-east-1:table/table",
        "arn:aws:dynamodb:us-east-1::table/table",
        "arn:aws:dynamodb::000000000000:table/table",
        "arn::dynamodb:us-east-1:000000000000:table/table",
        "arn:aws:dynamodb:us-east-1:000000000000:table",
        "arn:aws:dynamodb:us-east-1:000000000000:table/",
        "arn:aws:dynamodb:us-east-1:000000000000:table/ab",
        "arn:aws:dynamodb:us-east-1:000000000000:table/a;b",
        "arn:aws:dynamodb:us-east-1:000000000000:table/" + std::string(256, 'a'),
        "arn:aws:dynamodb:us-east-1:000000000000:table/table/index/i",
        "arn:aws:dynamodb:us-east-1:000000000000:global-table/table"};
    return wrong;
  }
  static std::string Named(const std::string& name, std::string_view more = "") {
    return Object({R"("TableName":")" + name + "\"", more});
  }
};

constexpr std::string_view kOtherAccount = "arn:aws-cn:dynamodb:eu-west-1:123456789012:table/table";

TEST_F(TableNamesTest, AnArnOfAnyAccountAndRegionNamesTheTable) {
  const std::string arn(kOtherAccount);
  EXPECT_EQ(Body("GetItem", Named(arn, R"("Key":{"PK":{"S":"p"},"SK":{"S":"s"}})")), "{}");
  EXPECT_EQ(Body("ListStreams", Named(arn)), Body("ListStreams", Named("table")));
  ExpectHas(Body("DescribeTable", Named(arn)), R"("TableName":"table")");
  EXPECT_EQ(Body("ListTagsOfResource", R"({"ResourceArn":")" + arn + "\"}"), R"({"Tags":[]})");
}

TEST_F(TableNamesTest, OperationsOnDataRejectOtherArnsAsNames) {
  for (const std::string& arn : WrongArns()) {
    const std::string pattern =
        "Value '" + arn +
        "' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression "
        "pattern: [a-zA-Z0-9_.-]+";
    ExpectHas(Body("GetItem", Named(arn, R"("Key":{"PK":{"S":"p"}})"), 400), pattern);
    ExpectHas(Body("Scan", Named(arn), 400), pattern);
    ExpectHas(Body("ListStreams", Named(arn), 400), pattern);
    ExpectHas(Body("BatchGetItem",
                   R"({"RequestItems":{")" + arn + R"(":{"Keys":[{"PK":{"S":"p"}}]}}})", 400),
              "Map keys must satisfy constraint");
  }
}

TEST_F(TableNamesTest, OperationsOnTablesRejectOtherArnsAsTableArns) {
  for (const std::string& arn : WrongArns()) {
    const std::string message = "Invalid TableArn: Invalid ResourceArn provided as input " + arn;
    ExpectInvalid("DescribeTable", Named(arn), message);
    ExpectInvalid("DescribeTimeToLive", Named(arn), message);
    ExpectInvalid("ListTagsOfResource", R"({"ResourceArn":")" + arn + "\"}", message);
  }
}

TEST_F(TableNamesTest, TableNamesHaveAsciiLettersOnly) {
  for (const char* const name : {"täble", "t\u00e4\u00e4ble", "table "}) {
    ExpectHas(Body("Scan", Named(name), 400), "regular expression pattern: [a-zA-Z0-9_.-]+");
    ExpectHas(Body("DescribeTable", Named(name), 400), "pattern: [a-zA-Z0-9_.-]+");
  }
  ExpectHas(Body("Scan", Named("Az09_.-"), 400), "ResourceNotFoundException");
}

}  // namespace
}  // namespace dolmen
