// Tests of exports, imports and bulk operations in DynamoDB's JSON, with folders as buckets.

#include "command/buckets.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "dolmen/testing/simulate.h"
#include "dolmen/wire.h"
#include "tests/command/command_fixture.h"
#include "tests/support/value.h"

namespace dolmen {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kTableArn = "arn:aws:dynamodb:us-east-1:000000000000:table/table";

class BucketsTest : public ::testing::Test {
 protected:
  BucketsTest() {
    std::filesystem::create_directory(Path("bucket"));
    EXPECT_TRUE(db_.CreateTable({.name = "table"}).ok());
    for (const char* sort : {"1", "2", "3"}) {
      EXPECT_TRUE(test::Value(db_.OpenTable("table"))
                      .PutItem({.item = {{"PK", "a"}, {"SK", sort}, {"n", 7}}})
                      .ok());
    }
  }

  std::string Path(const std::string& name) const { return directory_ / name; }
  void Write(const std::string& name, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(Path(name)).parent_path());
    test::WriteFile(Path(name), text);
  }

  // Executes the operation. A word in single quotes stands for a JSON string.
  std::string Body(std::string_view operation, std::string json, int status = 200) {
    std::replace(json.begin(), json.end(), '\'', '"');
    const EndpointResponse response = endpoint_.Execute(operation, json);
    EXPECT_EQ(response.status, status) << operation << ' ' << json << '\n' << response.body;
    return response.body;
  }
  std::string Export(const std::string& more = "", int status = 200) {
    return Body("ExportTableToPointInTime",
                "{'TableArn':'" + std::string(kTableArn) + "','S3Bucket':'bucket'" + more + "}",
                status);
  }
  // Returns an import's request for a table with the string key id and the index ByAge on a number.
  static std::string ImportRequest(const std::string& prefix, const std::string& format,
                                   const std::string& bucket = "bucket") {
    return "{'S3BucketSource':{'S3Bucket':'" + bucket + "','S3KeyPrefix':'" + prefix +
           "'},'InputFormat':" + format +
           ",'TableCreationParameters':{'TableName':'imported','BillingMode':'PAY_PER_REQUEST',"
           "'AttributeDefinitions':[{'AttributeName':'id','AttributeType':'S'},"
           "{'AttributeName':'age','AttributeType':'N'}],"
           "'KeySchema':[{'AttributeName':'id','KeyType':'HASH'}],"
           "'GlobalSecondaryIndexes':[{'IndexName':'ByAge','Projection':{'ProjectionType':'ALL'},"
           "'KeySchema':[{'AttributeName':'age','KeyType':'HASH'}]}]}}";
  }
  std::string Describe(const std::string& body, const std::string& operation,
                       const std::string& member) {
    return Body(operation, "{'" + member + "':'" + test::TextOfMember(body, member) + "'}");
  }
  std::string Import(const std::string& request) {
    return Describe(Body("ImportTable", request), "DescribeImport", "ImportArn");
  }
  std::string Scan(const std::string& table) {
    return Body("Scan", "{'TableName':'" + table + "'}");
  }

  test::TempDirectory directory_;
  std::shared_ptr<ManualClock> clock_ =
      std::make_shared<ManualClock>(*ParseIso8601("2026-10-01T12:00:00Z"));
  Database db_ = test::Value(Database::InMemory({.clock = clock_}));
  Endpoint endpoint_{db_, {.buckets = test::Value(command::OpenBuckets(directory_.path()))}};
};

TEST_F(BucketsTest, AnExportWritesTheFilesThatDynamoDbWrites) {
  const std::string started = Export(",'S3Prefix':'daily'");
  EXPECT_THAT(started, HasSubstr(R"("ExportStatus":"IN_PROGRESS")"));
  const std::string described = Describe(started, "DescribeExport", "ExportArn");
  EXPECT_THAT(described, HasSubstr(R"("ExportStatus":"COMPLETED")"));
  EXPECT_THAT(described, HasSubstr(R"("ItemCount":3)"));
  const std::string manifest = test::TextOfMember(described, "ExportManifest");
  EXPECT_THAT(manifest,
              ContainsRegex("^daily/AWSDynamoDB/[0-9]+-[0-9a-f]+/manifest-summary.json$"));
  const std::string summary = test::ReadFile(Path("bucket/" + manifest));
  EXPECT_THAT(summary, HasSubstr(R"("s3Bucket":"bucket","s3Prefix":"daily")"));
  EXPECT_THAT(summary, HasSubstr(R"("itemCount":3)"));
  const std::string files =
      test::ReadFile(Path("bucket/" + test::TextOfMember(summary, "manifestFilesS3Key")));
  EXPECT_TRUE(std::filesystem::exists(Path("bucket/" + test::TextOfMember(files, "dataFileS3Key"))))
      << files;
  EXPECT_THAT(files, ContainsRegex(R"("etag":"[0-9a-f]+-1")"));
}

TEST_F(BucketsTest, AnExportOfThePastHasTheItemsOfItsTime) {
  ASSERT_TRUE(db_.UpdateContinuousBackups({.table_name = "table"}).ok());
  const auto seconds = [&] {
    return std::to_string(
        std::chrono::floor<std::chrono::seconds>(clock_->Now()).time_since_epoch().count());
  };
  const std::string time = ",'ExportTime':" + seconds();
  clock_->Advance(std::chrono::seconds(1));
  const Table table = test::Value(db_.OpenTable("table"));
  EXPECT_TRUE(table.PutItem({.item = {{"PK", "new"}, {"SK", "1"}}}).ok());
  EXPECT_TRUE(table.DeleteItem({.key = {{"PK", "a"}, {"SK", "1"}}}).ok());
  EXPECT_TRUE(table.DeleteItem({.key = {{"PK", "a"}, {"SK", "2"}}}).ok());
  clock_->Advance(std::chrono::seconds(1));
  const std::string past = Describe(Export(time), "DescribeExport", "ExportArn");
  EXPECT_THAT(past, HasSubstr(R"("ItemCount":3)"));
  EXPECT_THAT(past, HasSubstr("\"ExportTime\":" + time.substr(time.rfind(':') + 1)));
  EXPECT_THAT(Describe(Export(), "DescribeExport", "ExportArn"), HasSubstr(R"("ItemCount":2)"));
  EXPECT_EQ(Body("ListTables", "{}"), R"({"TableNames":["table"]})");
  EXPECT_THAT(Export(",'ExportTime':1", 400), HasSubstr("InvalidExportTimeException"));
  EXPECT_THAT(Export(",'ExportTime':" + seconds() + "9", 400), HasSubstr("Export Time is invalid"));
}

TEST_F(BucketsTest, ExportsAreListedFromTheNewest) {
  const std::string first = test::TextOfMember(Export(), "ExportArn");
  const std::string second = test::TextOfMember(Export(), "ExportArn");
  const std::string newest = std::max(first, second);
  const std::string page = Body("ListExports", "{'MaxResults':1}");
  EXPECT_THAT(page, HasSubstr(newest));
  EXPECT_THAT(Body("ListExports", "{'NextToken':'" + test::TextOfMember(page, "NextToken") + "'}"),
              HasSubstr(std::min(first, second)));
  EXPECT_EQ(Body("ListExports", "{'TableArn':'none'}"), R"({"ExportSummaries":[]})");
  for (const char* operation : {"ListExports", "ListImports", "ListBulkOperations"}) {
    for (const std::string token : {"t", "0176000000000-01a2b3c4d", "01760000000000-1a2b3c4x"}) {
      EXPECT_THAT(Body(operation, "{'NextToken':'" + token + "'}", 400),
                  HasSubstr("Invalid Request: Provided nextToken is invalid: " + token));
    }
  }
}

TEST_F(BucketsTest, ARepeatedTokenReturnsTheFirstExport) {
  const std::string first = test::TextOfMember(Export(",'ClientToken':'t'"), "ExportArn");
  EXPECT_EQ(test::TextOfMember(Export(",'ClientToken':'t'"), "ExportArn"), first);
  EXPECT_THAT(Export(",'ClientToken':'t','S3Prefix':'other'", 400),
              HasSubstr("ExportConflictException"));
}

TEST_F(BucketsTest, ARepeatedTokenReturnsTheFirstImport) {
  Write("bucket/x.csv", "id\na\n");
  const std::string token = "'CSV','ClientToken':'t'";
  const std::string first =
      test::TextOfMember(Body("ImportTable", ImportRequest("x", token)), "ImportArn");
  EXPECT_EQ(test::TextOfMember(Body("ImportTable", ImportRequest("x", token)), "ImportArn"), first);
  EXPECT_THAT(Body("ImportTable", ImportRequest("y", token), 400),
              HasSubstr("ImportConflictException"));
}

TEST_F(BucketsTest, ARepeatedTokenReturnsTheFirstBulkOperation) {
  const auto start = [&](const std::string& prefix, int status = 200) {
    return Body(
        "StartBulkPutItems",
        "{'ClientToken':'t','TableName':'table','InputS3Configuration':{'S3Bucket':'bucket',"
        "'S3KeyPrefix':'" +
            prefix +
            "','InputFormat':'DYNAMODB_JSON'},'OutputS3Configuration':{'OutputType':["
            "'ERROR']}}",
        status);
  };
  const std::string first = test::TextOfMember(start("a"), "BulkOperationArn");
  EXPECT_EQ(test::TextOfMember(start("a"), "BulkOperationArn"), first);
  EXPECT_THAT(start("b", 400), HasSubstr("IdempotentParameterMismatchException"));
}

TEST_F(BucketsTest, ATokenIsForgottenAfterEightHours) {
  const std::string first = test::TextOfMember(Export(",'ClientToken':'t'"), "ExportArn");
  clock_->Advance(std::chrono::hours(8) + std::chrono::seconds(1));
  EXPECT_NE(test::TextOfMember(Export(",'ClientToken':'t'"), "ExportArn"), first);
}

TEST_F(BucketsTest, AnImportThatFailsAfterItsBeginIsDescribed) {
  Write("bucket/c.json", std::string("\x1f\x8b", 2) + "not gzip");
  const std::string described = Import(ImportRequest("c", "'DYNAMODB_JSON'"));
  EXPECT_THAT(described, HasSubstr(R"("ImportStatus":"FAILED")"));
  EXPECT_THAT(described, HasSubstr(R"("FailureCode":"InternalServerError")"));
  EXPECT_THAT(Body("ListImports", "{}"), HasSubstr(R"("ImportStatus":"FAILED")"));
}

TEST_F(BucketsTest, AMissingBucketFailsTheExport) {
  const std::string started =
      Body("ExportTableToPointInTime",
           "{'TableArn':'" + std::string(kTableArn) + "','S3Bucket':'none'}");
  EXPECT_THAT(Describe(started, "DescribeExport", "ExportArn"),
              HasSubstr(R"("FailureCode":"S3NoSuchBucket")"));
}

TEST_F(BucketsTest, RejectsExportsThatDolmenLacks) {
  EXPECT_THAT(Export(",'ExportFormat':'ION'", 400), HasSubstr("does not support the format ION"));
  EXPECT_THAT(Export(",'ExportTime':1", 400), HasSubstr("PointInTimeRecoveryUnavailableException"));
  EXPECT_THAT(Export(",'FilterSpecification':{}", 400),
              HasSubstr("does not support FilterSpecification"));
}

TEST_F(BucketsTest, UnknownTablesAndExportsAreNotFound) {
  EXPECT_THAT(Body("ExportTableToPointInTime",
                   "{'TableArn':'" + std::string(kTableArn) + "2','S3Bucket':'bucket'}", 400),
              HasSubstr("TableNotFoundException\",\"message\":\"Table not found: arn"));
  EXPECT_THAT(
      Body("DescribeExport", "{'ExportArn':'" + std::string(kTableArn) + "/export/01-a'}", 400),
      HasSubstr("ExportNotFoundException"));
  EXPECT_THAT(Body("DescribeExport", "{'ExportArn':'" + std::string(kTableArn) + "'}", 400),
              HasSubstr("Invalid Export ARN"));
}

TEST_F(BucketsTest, NoPathLeavesTheBucket) {
  for (const std::string prefix : {"..", "a/../..", "./a"}) {
    EXPECT_THAT(Export(",'S3Prefix':'" + prefix + "'", 400), HasSubstr("Invalid prefix"));
  }
  std::filesystem::create_directory_symlink(directory_.path(), Path("bucket/link"));
  EXPECT_THAT(Describe(Export(",'S3Prefix':'link'"), "DescribeExport", "ExportArn"),
              HasSubstr("leads out of the bucket"));
  for (const std::string bucket : {"..", ".dolmen", "a/b", ""}) {
    EXPECT_EQ(endpoint_
                  .Execute("ExportTableToPointInTime", R"({"TableArn":")" + std::string(kTableArn) +
                                                           R"(","S3Bucket":")" + bucket + "\"}")
                  .status,
              400)
        << bucket;
  }
  EXPECT_THAT(Body("DescribeExport",
                   "{'ExportArn':'" + std::string(kTableArn) + "/export/../../secret'}", 400),
              HasSubstr("Invalid Export ARN"));
}

TEST_F(BucketsTest, AnExportIsImported) {
  const std::string manifest =
      test::TextOfMember(Describe(Export(), "DescribeExport", "ExportArn"), "ExportManifest");
  const std::string data = manifest.substr(0, manifest.rfind('/')) + "/data/";
  const std::string imported = Import(
      "{'S3BucketSource':{'S3Bucket':'bucket','S3KeyPrefix':'" + data +
      "'},'InputFormat':'DYNAMODB_JSON','InputCompressionType':'GZIP','TableCreationParameters':{"
      "'TableName':'copy','BillingMode':'PAY_PER_REQUEST','AttributeDefinitions':[{'AttributeName':"
      "'PK','AttributeType':'S'},{'AttributeName':'SK','AttributeType':'S'}],'KeySchema':[{"
      "'AttributeName':'PK','KeyType':'HASH'},{'AttributeName':'SK','KeyType':'RANGE'}]}}");
  EXPECT_THAT(imported, HasSubstr(R"("ImportStatus":"COMPLETED")"));
  EXPECT_THAT(imported, HasSubstr(R"("ImportedItemCount":3)"));
  EXPECT_EQ(Scan("copy"), Scan("table"));
}

TEST_F(BucketsTest, CsvCellsAreStringsExceptKeys) {
  Write("bucket/people.csv", "id,age,note\na,41,\"says \"\"hi\"\",\nhere\"\nb,,\n");
  EXPECT_THAT(Import(ImportRequest("people", "'CSV'")), HasSubstr(R"("ImportedItemCount":2)"));
  const std::string items = Scan("imported");
  EXPECT_THAT(items,
              HasSubstr(R"("age":{"N":"41"},"id":{"S":"a"},"note":{"S":"says \"hi\",\nhere"})"));
  EXPECT_THAT(items, HasSubstr(R"({"id":{"S":"b"},"note":{"S":""}})"));
}

TEST_F(BucketsTest, TheRequestMayHaveTheHeaderAndTheDelimiter) {
  Write("bucket/x", "a;41\n");
  Import(ImportRequest("x",
                       "'CSV','InputFormatOptions':{'Csv':{'Delimiter':';','HeaderList':["
                       "'id','age']}}"));
  EXPECT_THAT(Scan("imported"), HasSubstr(R"([{"age":{"N":"41"},"id":{"S":"a"}}])"));
}

TEST_F(BucketsTest, TheDelimiterIsOneOfDynamoDBs) {
  const auto options = [](const std::string& delimiter) {
    return ImportRequest("x", "'CSV','InputFormatOptions':{'Csv':{'Delimiter':'" + delimiter +
                                  "','HeaderList':['id','age']}}");
  };
  for (const std::string bad : {"#", "a", "\\n", "\\\"", "é"}) {
    EXPECT_THAT(Body("ImportTable", options(bad), 400),
                HasSubstr("at 'inputFormatOptions.csv.delimiter' failed to satisfy constraint: "
                          "Member must satisfy regular expression pattern: [,;:|\\\\t ]"))
        << bad;
  }
  Write("bucket/x", "a\t41\n");
  Import(options("\\t"));
  EXPECT_THAT(Scan("imported"), HasSubstr(R"([{"age":{"N":"41"},"id":{"S":"a"}}])"));
}

TEST_F(BucketsTest, AnInvalidRowIsLoggedWithItsNumber) {
  Write("bucket/x.csv", "id,age\na,1\nb,2\n\"c\"d,3\n");
  const std::string arn = test::TextOfMember(Import(ImportRequest("x", "'CSV'")), "ImportArn");
  EXPECT_THAT(test::ReadFile(Path(".dolmen/logs/" + arn.substr(arn.rfind('/') + 1) + ".json")),
              HasSubstr(R"("itemIndex":3)"));
}

TEST_F(BucketsTest, ItemsThatASimulationLeavesUnprocessedAreImported) {
  std::string lines;
  for (int i = 0; i < 100; ++i) {
    lines.append(R"({"Item":{"PK":{"S":"b"},"SK":{"S":")" + std::to_string(i) + "\"}}}\n");
  }
  Write("bucket/more.json", lines);
  db_ = test::Value(Database::InMemory(
      {.simulate = Simulate({.rules = {{.fault = SimulatedFault::kPartialBatch, .chance = 1}}})}));
  ASSERT_TRUE(db_.CreateTable({.name = "table"}).ok());
  endpoint_ = Endpoint(db_, {.buckets = test::Value(command::OpenBuckets(directory_.path()))});
  const std::string described = Describe(
      Body("StartBulkPutItems",
           "{'TableName':'table','InputS3Configuration':{'S3Bucket':'bucket',"
           "'InputFormat':'DYNAMODB_JSON'},'OutputS3Configuration':{'OutputType':['ERROR']}}"),
      "DescribeBulkOperation", "BulkOperationArn");
  EXPECT_THAT(described, HasSubstr(R"("BulkOperationStatus":"COMPLETED")"));
  EXPECT_THAT(Scan("table"), HasSubstr(R"("Count":100)"));
}

TEST_F(BucketsTest, AnInvalidItemIsSkippedAndLogged) {
  Write("bucket/items.json", R"({"Item":{"id":{"S":"a"}}})"
                             "\n"
                             R"({"Item":{"other":{"S":"b"}}})"
                             "\n"
                             R"({"Item":{"id":{"S":"c"}}})"
                             "\n{\n"
                             R"({"Item":{"id":{"S":"never read"}}})");
  const std::string described = Import(ImportRequest("items", "'DYNAMODB_JSON'"));
  EXPECT_THAT(described, HasSubstr(R"("FailureCode":"ItemValidationError")"));
  EXPECT_THAT(described, HasSubstr(R"("ErrorCount":2)"));
  EXPECT_THAT(described, HasSubstr(R"("ImportedItemCount":2)"));
  EXPECT_THAT(described, HasSubstr(R"("ProcessedItemCount":4)"));
  EXPECT_THAT(Scan("imported"), Not(HasSubstr("never read")));
  const std::string arn = test::TextOfMember(described, "ImportArn");
  const std::string log =
      test::ReadFile(Path(".dolmen/logs/" + arn.substr(arn.rfind('/') + 1) + ".json"));
  EXPECT_THAT(log, HasSubstr(R"("key":"items.json","itemIndex":2)"));
  EXPECT_THAT(log, HasSubstr("Missing the key id in the item"));
}

TEST_F(BucketsTest, AnImportNeedsABucketAndANewTable) {
  EXPECT_THAT(Import(ImportRequest("x", "'CSV'", "none")), HasSubstr("S3NoSuchBucket"));
  Body("DescribeTable", "{'TableName':'imported'}", 400);
  Import(ImportRequest("no such prefix", "'CSV'"));
  EXPECT_THAT(Body("ImportTable", ImportRequest("x", "'CSV'"), 400),
              HasSubstr("Table already exists: imported"));
  EXPECT_THAT(Body("ListImports", "{}"), HasSubstr(R"("ImportStatus":"COMPLETED")"));
}

TEST_F(BucketsTest, ABulkOperationPutsItemsIntoATable) {
  Write("bucket/more.json", R"({"Item":{"PK":{"S":"b"},"SK":{"S":"1"}}})"
                            "\n"
                            R"({"Item":{"PK":{"S":"b"}}})");
  const std::string described = Describe(
      Body("StartBulkPutItems",
           "{'TableName':'table','InputS3Configuration':{'S3Bucket':'bucket','S3KeyPrefix':'more',"
           "'InputFormat':'DYNAMODB_JSON'},'OutputS3Configuration':{'OutputType':['ERROR']}}"),
      "DescribeBulkOperation", "BulkOperationArn");
  EXPECT_THAT(described, HasSubstr(R"("BulkOperationStatus":"COMPLETED_WITH_ERRORS")"));
  EXPECT_THAT(described, HasSubstr(R"("FailedItemCount":1)"));
  EXPECT_THAT(described, HasSubstr(R"("BulkOperationUsage":[{"BulkPutBytes":66,)"
                                   R"("Table":{"BulkPutBytes":66},"TableName":"table"}])"));
  EXPECT_THAT(Scan("table"), HasSubstr(R"("PK":{"S":"b"})"));
  EXPECT_THAT(Body("ListBulkOperations", "{}"), HasSubstr("COMPLETED_WITH_ERRORS"));
  EXPECT_THAT(Describe(described, "CancelBulkOperation", "BulkOperationArn"),
              HasSubstr("COMPLETED_WITH_ERRORS"));
}

TEST_F(BucketsTest, ExportsNeedADirectoryOfBuckets) {
  const Endpoint plain(db_);
  EXPECT_THAT(plain
                  .Execute("ExportTableToPointInTime", R"({"TableArn":")" + std::string(kTableArn) +
                                                           R"(","S3Bucket":"bucket"})")
                  .body,
              HasSubstr("start the server with the option --buckets DIR"));
  EXPECT_EQ(plain.Execute("ListExports", "{}").body, R"({"ExportSummaries":[]})");
  EXPECT_FALSE(command::OpenBuckets(Path("none")).ok());
}

}  // namespace
}  // namespace dolmen
