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

TEST_F(TableNamesTest, AnArnNamesTheTable) {
  const std::string arn = "arn:aws:dynamodb:us-east-1:000000000000:table/table";
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

TEST_F(TableNamesTest, OperationsOnTablesRejectOtherArns) {
  for (const std::string& arn : WrongArns()) {
    const std::string message =
        "1 validation error detected: Invalid resource type in '" + arn + "'";
    ExpectInvalid("DescribeTable", Named(arn), message);
    ExpectInvalid("DescribeTimeToLive", Named(arn), message);
    ExpectHas(Body("ListTagsOfResource", R"({"ResourceArn":")" + arn + "\"}", 400),
              std::string(kInvalid));
  }
}

// No table of another account or region exists here. The table of the same name must not answer for it.
TEST_F(TableNamesTest, ArnsOfOtherAccountsAndRegionsNameNothing) {
  struct Case {
    std::string operation;
    std::string before;  // the request up to the ARN of a table
    std::string after;
  };
  const std::string resource = R"({"ResourceArn":")";
  const std::string name = R"({"TableName":")";
  const Case cases[] = {
      {"GetItem", name, R"(","Key":{"PK":{"S":"p"},"SK":{"S":"s"}}})"},
      {"PutItem", name, R"(","Item":{"PK":{"S":"p"},"SK":{"S":"s"}}})"},
      {"UpdateItem", name, R"(","Key":{"PK":{"S":"p"},"SK":{"S":"s"}}})"},
      {"Query", name, R"(","KeyConditionExpression":"PK = :p"})"},
      {"Scan", name, "\"}"},
      {"BatchGetItem", R"({"RequestItems":{")", R"(":{"Keys":[{"PK":{"S":"p"}}]}}})"},
      {"BatchWriteItem", R"({"RequestItems":{")",
       R"(":[{"DeleteRequest":{"Key":{"PK":{"S":"p"}}}}]}})"},
      {"TransactWriteItems", R"({"TransactItems":[{"Delete":{"TableName":")",
       R"(","Key":{"PK":{"S":"p"}}}}]})"},
      {"TransactGetItems", R"({"TransactItems":[{"Get":{"TableName":")",
       R"(","Key":{"PK":{"S":"p"}}}}]})"},
      {"DescribeTable", name, "\"}"},
      {"DeleteTable", name, "\"}"},
      {"UpdateTable", name, R"(","TableClass":"STANDARD"})"},
      {"DescribeTimeToLive", name, "\"}"},
      {"DescribeContinuousBackups", name, "\"}"},
      {"ListStreams", name, "\"}"},
      {"ListBackups", name, "\"}"},
      {"DescribeStream", R"({"StreamArn":")", R"(/stream/1970-01-01T00:00:00.000"})"},
      {"ListTagsOfResource", resource, "\"}"},
      {"TagResource", resource, R"(","Tags":[{"Key":"k","Value":"v"}]})"},
      {"GetResourcePolicy", resource, "\"}"},
      {"PutResourcePolicy", resource, R"(","Policy":"{\"Statement\":[]}"})"},
      {"GetResourcePolicy", resource, R"(/stream/1970-01-01T00:00:00.000"})"},
  };
  for (const auto& [operation, before, after] : cases) {
    for (const std::string place : {"us-east-1:123456789012", "eu-west-1:000000000000"}) {
      const std::string table = "arn:aws:dynamodb:" + place + ":table/table";
      const std::string arn = table + after.substr(0, after.find('"'));
      const bool is_region = place.starts_with("eu");
      const bool of_policy = operation.ends_with("Policy");
      const bool of_tags = operation.find("Resource") != operation.npos && !of_policy;
      const std::string expected =
          is_region ? of_policy ? std::string(kInvalid) + "Invalid resource Arn: " + arn
                      : of_tags ? "Invalid TableArn: Invalid ResourceArn provided as input " + arn
                                : "1 validation error detected: Invalid AWS region in '" + arn + "'"
          : of_policy
              ? "This action is only supported by accounts that match the resource "
                "owner\u2019s account."
              : "User: arn:aws:iam::000000000000:root is not authorized to perform: dynamodb:" +
                    operation + " on resource: " + arn;
      const bool is_denied = !is_region && !of_policy;
      EXPECT_EQ(
          Body(operation, before + table + after, 400),
          ErrorBody(is_denied ? "com.amazon.coral.service#AccessDeniedException" : kValidationType,
                    expected, is_denied ? "Message" : "message"));
    }
  }
}

TEST_F(TableNamesTest, ArnsOfOtherBackupsAndExportsHaveMessagesOfTheirOwn) {
  const auto in = [](const std::string& place, const std::string& resource) {
    return "arn:" + place + ":table/table/" + resource + "\"";
  };
  for (const std::string operation : {"DescribeBackup", "DeleteBackup", "RestoreTableFromBackup"}) {
    const auto of = [&](const std::string& place) {
      return Object({R"("TargetTableName":"target")",
                     R"("BackupArn":")" + in(place, "backup/01760000000000-1a2b3c4d")});
    };
    for (const char* place :
         {"aws:dynamodb:eu-west-1:000000000000", "x:dynamodb:us-east-1:000000000000"}) {
      ExpectInvalid(operation, of(place), "BackupArn is not valid");
    }
    EXPECT_EQ(
        Body(operation, of("aws:dynamodb:us-east-1:123456789012"), 400),
        ErrorBody("com.amazon.coral.service#AccessDeniedException", "Access is denied", "Message"));
  }
  EXPECT_EQ(
      Body("DescribeExport",
           R"({"ExportArn":")" + in("aws:dynamodb:eu-west-1:000000000000", "export/0") + "}", 400),
      ErrorBody("com.amazonaws.dynamodb.v20120810#ExportNotFoundException",
                "Export not found: Invalid export arn"));
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
