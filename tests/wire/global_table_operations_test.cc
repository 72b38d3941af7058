// Tests of the operations of the version 2017.11.29 of global tables, which no account has any more.

#include <string>

#include "tests/wire/tables.h"

namespace dolmen {
namespace {

constexpr std::string_view kNotGlobal =
    "com.amazonaws.dynamodb.v20120810#GlobalTableNotFoundException";

using GlobalTableTest = WireTableTest;

TEST_F(GlobalTableTest, NoGlobalTableExists) {
  EXPECT_EQ(Body("ListGlobalTables", "{}"), R"({"GlobalTables":[]})");
  for (const char* operation : {"DescribeGlobalTable", "UpdateGlobalTable",
                                "DescribeGlobalTableSettings", "UpdateGlobalTableSettings"}) {
    EXPECT_EQ(Body(operation, R"({"GlobalTableName":"table","ReplicaUpdates":[]})", 400),
              ErrorBody(kNotGlobal, "Global table with name: table does not exist."));
  }
}

TEST_F(GlobalTableTest, NoGlobalTableCanBeCreated) {
  ExpectInvalid(
      "CreateGlobalTable", R"({"GlobalTableName":"table","ReplicationGroup":[]})",
      "Creating a global table with global tables version 2017.11.29 is not supported: add "
      "replicas to the table with UpdateTable");
}

TEST_F(GlobalTableTest, NamesHaveAMessageOfTheirOwn) {
  for (const char* operation : {"CreateGlobalTable", "DescribeGlobalTable", "UpdateGlobalTable",
                                "DescribeGlobalTableSettings", "UpdateGlobalTableSettings"}) {
    ExpectInvalid(operation,
                  R"({"GlobalTableName":"ab","ReplicaUpdates":[],"ReplicationGroup":[]})",
                  "TableName must be at least 3 characters long and at most 255 characters long");
  }
}

}  // namespace
}  // namespace dolmen
