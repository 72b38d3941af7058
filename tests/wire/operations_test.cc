// Checks the page api/wire/README.md, which lists the outcome of every operation of DynamoDB.

#include <array>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "tests/support/source_directory.h"
#include "tests/wire/fixture.h"
#include "wire/operation.h"

namespace dolmen {
namespace {

// The operations in botocore's models dynamodb and dynamodbstreams, version 1.44.8.
constexpr std::array<std::string_view, 66> kAllOperations = {
    "BatchExecuteStatement",
    "BatchGetItem",
    "BatchWriteItem",
    "CancelBulkOperation",
    "CreateBackup",
    "CreateGlobalTable",
    "CreateTable",
    "DeleteBackup",
    "DeleteItem",
    "DeleteResourcePolicy",
    "DeleteTable",
    "DescribeBackup",
    "DescribeBulkOperation",
    "DescribeContinuousBackups",
    "DescribeContributorInsights",
    "DescribeEndpoints",
    "DescribeExport",
    "DescribeGlobalTable",
    "DescribeGlobalTableSettings",
    "DescribeImport",
    "DescribeKinesisStreamingDestination",
    "DescribeLimits",
    "DescribeStream",
    "DescribeTable",
    "DescribeTableReplicaAutoScaling",
    "DescribeTimeToLive",
    "DisableKinesisStreamingDestination",
    "EnableKinesisStreamingDestination",
    "ExecuteStatement",
    "ExecuteTransaction",
    "ExportTableToPointInTime",
    "GetItem",
    "GetRecords",
    "GetResourcePolicy",
    "GetShardIterator",
    "ImportTable",
    "ListBackups",
    "ListBulkOperations",
    "ListContributorInsights",
    "ListExports",
    "ListGlobalTables",
    "ListImports",
    "ListStreams",
    "ListTables",
    "ListTagsOfResource",
    "PutItem",
    "PutResourcePolicy",
    "Query",
    "RestoreTableFromBackup",
    "RestoreTableToPointInTime",
    "Scan",
    "SearchVectors",
    "StartBulkPutItems",
    "TagResource",
    "TransactGetItems",
    "TransactWriteItems",
    "UntagResource",
    "UpdateContinuousBackups",
    "UpdateContributorInsights",
    "UpdateGlobalTable",
    "UpdateGlobalTableSettings",
    "UpdateItem",
    "UpdateKinesisStreamingDestination",
    "UpdateTable",
    "UpdateTableReplicaAutoScaling",
    "UpdateTimeToLive",
};

std::string ReadOperationsPage() {
  std::ifstream file(test::SourceFile("/api/wire/README.md"));
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Returns the outcome of each operation in the table of the page.
std::map<std::string, std::string> OutcomesOf(const std::string& page) {
  std::map<std::string, std::string> outcomes;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t second = line.find(" | ", 2);
    const std::size_t third = second == line.npos ? line.npos : line.find(" |", second + 3);
    if (!line.starts_with("| ") || line.starts_with("| operation ") || third == line.npos) continue;
    EXPECT_TRUE(
        outcomes.emplace(line.substr(2, second - 2), line.substr(second + 3, third - second - 3))
            .second)
        << "two rows: " << line;
  }
  return outcomes;
}

TEST(OperationsTest, ThePageListsEveryOperationOnce) {
  const std::map<std::string, std::string> outcomes = OutcomesOf(ReadOperationsPage());
  EXPECT_EQ(outcomes.size(), kAllOperations.size());
  for (const std::string_view name : kAllOperations) {
    const auto row = outcomes.find(std::string(name));
    ASSERT_NE(row, outcomes.end()) << name;
    EXPECT_EQ(wire::FindOperation(name) == nullptr, row->second == "missing") << name;
  }
}

TEST(OperationsTest, ThePageCountsTheOutcomes) {
  const std::string page = ReadOperationsPage();
  std::map<std::string, int> counts;
  for (const auto& [name, outcome] : OutcomesOf(page)) ++counts[outcome];
  EXPECT_EQ(counts["works"] + counts["state only"] + counts["refused"] + counts["missing"], 66);
  EXPECT_NE(
      page.find(std::to_string(counts["works"]) + " work, " + std::to_string(counts["state only"]) +
                " keep state only, " + std::to_string(counts["refused"]) + " are refused, " +
                std::to_string(counts["missing"]) + " are missing."),
      page.npos);
}

using OperationsWireTest = WireTest;

// A client shows only the message to its user.
TEST_F(OperationsWireTest, EveryErrorHasAMessage) {
  for (const std::string_view name : kAllOperations) {
    for (const std::string_view request :
         {"{}", R"({"TableName":"none"})", R"({"GlobalTableName":"none"})",
          R"({"ResourceArn":"none"})", R"({"TableName":1})"}) {
      const EndpointResponse response = endpoint_.Execute(name, request);
      if (response.status == 200) continue;
      const std::size_t message = response.body.find(R"(essage":")");
      ASSERT_NE(message, response.body.npos) << name << ' ' << request << ' ' << response.body;
      EXPECT_NE(response.body[message + 9], '"') << name << ' ' << request;
    }
  }
}

// The table exists, so that the refusal is not an error about the table.
TEST_F(OperationsWireTest, OperationsThatAreRefusedFailForEveryRequest) {
  EXPECT_TRUE(db_.CreateTable({.name = "table"}).ok());
  for (const auto& [name, outcome] : OutcomesOf(ReadOperationsPage())) {
    if (outcome != "refused") continue;
    EXPECT_EQ(
        endpoint_
            .Execute(name, R"({"GlobalTableName":"table","TableName":"table","IndexName":"index",)"
                           R"("ReplicationGroup":[],"ReplicaUpdates":[],"TopK":1,)"
                           R"("SearchVector":[{"N":"1"}]})")
            .status,
        400)
        << name;
  }
}

}  // namespace
}  // namespace dolmen
