// Tests of exports, imports, bulk operations and restores that continue after their requests, as in
// `dolmen serve`.

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <latch>
#include <memory>
#include <semaphore>
#include <string>
#include <thread>

#include "command/buckets.h"
#include "dolmen/wire.h"
#include "tests/command/command_fixture.h"
#include "tests/support/intercepted_disk.h"
#include "tests/support/open_on_disk.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"
#include "wire/jobs.h"

namespace dolmen {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class BackgroundJobsTest : public ::testing::Test {
 protected:
  BackgroundJobsTest() {
    std::filesystem::create_directory(Path("bucket"));
    EXPECT_TRUE(db_.CreateTable({.name = "table"}).ok());
    Put("1");
    // The jobs of the test wait for this job.
    EXPECT_THAT(jobs_->Start({}, {},
                             [this](wire::Job& job) {
                               job.Proceed();
                               open_.wait();
                               return Status();
                             }),
                test::IsOk());
  }
  ~BackgroundJobsTest() override {
    if (!open_.try_wait()) open_.count_down();
    jobs_->Stop();
  }

  std::string Path(const std::string& name) const { return directory_ / name; }
  void Put(const std::string& sort) const {
    EXPECT_TRUE(
        test::Value(db_.OpenTable("table")).PutItem({.item = {{"PK", "a"}, {"SK", sort}}}).ok());
  }
  // Lets the waiting jobs work.
  void Open() { open_.count_down(); }

  // Executes the operation. A word in single quotes stands for a JSON string.
  std::string Body(std::string_view operation, std::string json, int status = 200) const {
    std::replace(json.begin(), json.end(), '\'', '"');
    const EndpointResponse response = endpoint_.Execute(operation, json);
    EXPECT_EQ(response.status, status) << operation << ' ' << json << '\n' << response.body;
    return response.body;
  }
  // Repeats the operation until its response lacks the text, and returns this response.
  std::string WaitWhile(const std::string& text, std::string_view operation,
                        const std::string& json) const {
    for (;;) {
      std::string body = Body(operation, json);
      if (body.find(text) == body.npos) return body;
      std::this_thread::yield();
    }
  }

  std::string Export() const {
    return test::TextOfMember(
        Body("ExportTableToPointInTime",
             "{'TableArn':'arn:aws:dynamodb:us-east-1:000000000000:table/table',"
             "'S3Bucket':'bucket'}"),
        "ExportArn");
  }
  std::string CreateBackup() const {
    return test::TextOfMember(Body("CreateBackup", "{'TableName':'table','BackupName':'backup'}"),
                              "BackupArn");
  }
  static std::string OfExport(const std::string& arn) { return "{'ExportArn':'" + arn + "'}"; }
  std::string Import() const {
    test::WriteFile(Path("bucket/a.json"), R"({"Item":{"id":{"S":"a"}}})");
    return test::TextOfMember(
        Body("ImportTable",
             "{'S3BucketSource':{'S3Bucket':'bucket'},'InputFormat':'DYNAMODB_JSON',"
             "'TableCreationParameters':{'TableName':'imported','BillingMode':'PAY_PER_REQUEST',"
             "'AttributeDefinitions':[{'AttributeName':'id','AttributeType':'S'}],"
             "'KeySchema':[{'AttributeName':'id','KeyType':'HASH'}]}}"),
        "ImportArn");
  }

  const test::TempDirectory directory_;
  Database db_ = test::Value(Database::InMemory());
  std::latch open_{1};
  std::string failure_;  // of a job; written before the release of failed_
  std::binary_semaphore failed_{0};
  const std::shared_ptr<wire::Jobs> jobs_ =
      std::make_shared<wire::Jobs>(wire::Jobs::Place::kInBackground, [this](const Status& status) {
        failure_ = status.message();
        failed_.release();
      });
  const EndpointOptions options_{.buckets = test::Value(command::OpenBuckets(directory_.path())),
                                 .jobs = jobs_};
  Endpoint endpoint_{db_, options_};
};

TEST_F(BackgroundJobsTest, AnExportHasTheItemsOfTheMomentOfItsRequest) {
  const std::string arn = Export();
  Put("2");
  EXPECT_THAT(Body("DescribeExport", OfExport(arn)), HasSubstr(R"("ExportStatus":"IN_PROGRESS")"));
  EXPECT_THAT(Body("ListExports", "{}"), HasSubstr(R"("ExportStatus":"IN_PROGRESS")"));
  Open();
  const std::string ended = WaitWhile("IN_PROGRESS", "DescribeExport", OfExport(arn));
  EXPECT_THAT(ended, HasSubstr(R"("ExportStatus":"COMPLETED")"));
  EXPECT_THAT(ended, HasSubstr(R"("ItemCount":1)"));
}

TEST_F(BackgroundJobsTest, AnExportWhoseServerEndsHasFailed) {
  const std::string arn = Export();
  const std::string path = Path(".dolmen/exports/" + arn.substr(arn.rfind('/') + 1) + ".json");
  EXPECT_THAT(test::ReadFile(path), HasSubstr(R"("ExportStatus":"FAILED")")) << "after a crash";
  std::thread stopper([this] { jobs_->Stop(); });
  EXPECT_THAT(WaitWhile("IN_PROGRESS", "DescribeExport", OfExport(arn)),
              HasSubstr("The server ended before the job"));
  Open();
  stopper.join();
}

TEST_F(BackgroundJobsTest, ATableIsCreatingWhileItIsImported) {
  const std::string arn = Import();
  const std::string table = "{'TableName':'imported'}";
  EXPECT_THAT(Body("DescribeTable", table), HasSubstr(R"("TableStatus":"CREATING")"));
  EXPECT_THAT(Body("DeleteTable", table, 400), HasSubstr("ResourceInUseException"));
  EXPECT_THAT(Body("ListImports", "{}"), HasSubstr(R"("ImportStatus":"IN_PROGRESS")"));
  Open();
  EXPECT_THAT(WaitWhile("IN_PROGRESS", "DescribeImport", "{'ImportArn':'" + arn + "'}"),
              HasSubstr(R"("ImportedItemCount":1)"));
  EXPECT_THAT(WaitWhile("CREATING", "DescribeTable", table), HasSubstr(R"("ItemCount":1)"));
  EXPECT_THAT(Body("DeleteTable", table), HasSubstr("DELETING"));
}

TEST_F(BackgroundJobsTest, ATableIsCreatingWhileItIsRestored) {
  const std::string backup = CreateBackup();
  const std::string table = "{'TableName':'restored'}";
  const std::string restore = "{'BackupArn':'" + backup + "','TargetTableName':'restored'}";
  EXPECT_THAT(Body("RestoreTableFromBackup", restore), HasSubstr(R"("TableStatus":"CREATING")"));
  const std::string creating = Body("DescribeTable", table);
  EXPECT_THAT(creating, HasSubstr(R"("TableStatus":"CREATING")"));
  EXPECT_THAT(creating, HasSubstr(R"("RestoreSummary":{"SourceBackupArn":")" + backup));
  EXPECT_THAT(creating, HasSubstr(R"("RestoreInProgress":true})"));
  EXPECT_EQ(Body("ListTables", "{}"), R"({"TableNames":["restored","table"]})");
  EXPECT_THAT(Body("RestoreTableFromBackup", restore, 400), HasSubstr("BackupInUseException"));
  EXPECT_THAT(Body("DeleteTable", table, 400), HasSubstr("ResourceInUseException"));
  Open();
  EXPECT_THAT(WaitWhile("CREATING", "DescribeTable", table), Not(HasSubstr("RestoreSummary")));
  EXPECT_THAT(Body("Scan", table), HasSubstr(R"("Count":1)"));
}

TEST_F(BackgroundJobsTest, ATableInRestorationCannotBeCreatedOrRestored) {
  const std::string first = CreateBackup();
  const std::string second = CreateBackup();
  Body("RestoreTableFromBackup", "{'BackupArn':'" + first + "','TargetTableName':'restored'}");
  const std::string in_use =
      R"(TableInUseException","message":"Table: restored is already being restored from backup: )" +
      first + "\"";
  EXPECT_THAT(Body("RestoreTableFromBackup",
                   "{'BackupArn':'" + second + "','TargetTableName':'restored'}", 400),
              HasSubstr(in_use));
  ASSERT_TRUE(db_.UpdateContinuousBackups({.table_name = "table"}).ok());
  EXPECT_THAT(Body("RestoreTableToPointInTime",
                   "{'SourceTableName':'table','TargetTableName':'restored',"
                   "'UseLatestRestorableTime':true}",
                   400),
              HasSubstr(in_use));
  EXPECT_THAT(
      Body("CreateTable",
           "{'TableName':'restored','BillingMode':'PAY_PER_REQUEST','AttributeDefinitions':["
           "{'AttributeName':'id','AttributeType':'S'}],"
           "'KeySchema':[{'AttributeName':'id','KeyType':'HASH'}]}",
           400),
      HasSubstr(R"(ResourceInUseException","message":"Table is being used: restored")"));
}

TEST_F(BackgroundJobsTest, ATableInCreationCannotBeRestored) {
  Import();
  EXPECT_THAT(Body("RestoreTableFromBackup",
                   "{'BackupArn':'" + CreateBackup() + "','TargetTableName':'imported'}", 400),
              HasSubstr(R"(TableInUseException","message":"Table: imported is being created")"));
}

// A disk whose writes fail when the test wants it.
class BreakableDisk : public test::InterceptedDisk {
 public:
  void Break() { is_broken_ = true; }
  rocksdb::IOStatus Intercept(const test::DiskCall& call,
                              const test::PerformCall& perform) override {
    if (is_broken_ && call.kind == test::DiskCall::Kind::kWrite) {
      return rocksdb::IOStatus::IOError("the disk is broken");
    }
    return perform(call.bytes);
  }

 private:
  std::atomic<bool> is_broken_ = false;
};

TEST_F(BackgroundJobsTest, ARestoreThatFailsIsReportedAndNamedByDescribeTable) {
  const auto disk = std::make_shared<BreakableDisk>();
  db_ = test::Value(test::OpenOnDisk(Path("db"), disk, {}));
  endpoint_ = Endpoint(db_, options_);
  ASSERT_TRUE(db_.CreateTable({.name = "table"}).ok());
  Put("1");
  Body("RestoreTableFromBackup",
       "{'BackupArn':'" + CreateBackup() + "','TargetTableName':'restored'}");
  disk->Break();
  Open();
  failed_.acquire();
  EXPECT_THAT(failure_, HasSubstr("The restore of table restored has failed at 20"));
  EXPECT_THAT(failure_, HasSubstr("the disk is broken"));
  EXPECT_THAT(Body("DescribeTable", "{'TableName':'restored'}", 400),
              HasSubstr("ResourceNotFoundException\",\"message\":\"Requested resource not found: "
                        "Table: restored not found. " +
                        failure_));
  EXPECT_THAT(Body("DescribeTable", "{'TableName':'other'}", 400), Not(HasSubstr("restore")));
  EXPECT_EQ(Body("ListTables", "{}"), R"({"TableNames":["table"]})");
}

TEST_F(BackgroundJobsTest, ARestoreThatCannotBeginFailsItsRequest) {
  const std::string backup = CreateBackup();
  EXPECT_THAT(Body("RestoreTableFromBackup",
                   "{'BackupArn':'" + backup + "','TargetTableName':'table'}", 400),
              HasSubstr("TableAlreadyExistsException"));
}

TEST_F(BackgroundJobsTest, ABulkOperationCanBeCancelled) {
  test::WriteFile(Path("bucket/a.json"), R"({"Item":{"PK":{"S":"b"},"SK":{"S":"1"}}})");
  const std::string arn = test::TextOfMember(
      Body("StartBulkPutItems",
           "{'TableName':'table','InputS3Configuration':{'S3Bucket':'bucket',"
           "'InputFormat':'DYNAMODB_JSON'},'OutputS3Configuration':{'OutputType':['ERROR']}}"),
      "BulkOperationArn");
  const std::string operation = "{'BulkOperationArn':'" + arn + "'}";
  EXPECT_THAT(Body("DescribeBulkOperation", operation), HasSubstr("IN_PROGRESS"));
  EXPECT_THAT(Body("CancelBulkOperation", operation), HasSubstr(R"("CANCELLING")"));
  EXPECT_THAT(WaitWhile("CANCELLING", "DescribeBulkOperation", operation),
              HasSubstr(R"("BulkOperationStatus":"CANCELLED")"));
  EXPECT_THAT(Body("Scan", "{'TableName':'table'}"), HasSubstr(R"("Count":1)"));
}

}  // namespace
}  // namespace dolmen
