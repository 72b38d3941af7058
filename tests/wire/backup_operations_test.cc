// Tests of CreateBackup, DescribeBackup, ListBackups and DeleteBackup in DynamoDB's JSON.

#include <gmock/gmock.h>

#include "tests/wire/backups.h"

namespace dolmen {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

using BackupOperationsTest = WireBackupTest;

TEST_F(BackupOperationsTest, CreateBackupReturnsTheDetails) {
  const std::string body = Body("CreateBackup", R"({"TableName":"app","BackupName":"first"})");
  EXPECT_THAT(TextIn(body, "BackupArn"),
              MatchesRegex("arn:aws:dynamodb:us-east-1:000000000000:table/app/backup/"
                           "01760000000000-[0-9a-f]{8}"));
  EXPECT_THAT(body,
              HasSubstr(R"("BackupName":"first","BackupSizeBytes":9,"BackupStatus":"CREATING",)"
                        R"("BackupType":"USER","BackupCreationDateTime":1760000000)"));
}

TEST_F(BackupOperationsTest, DescribeBackupReturnsTheSourceTable) {
  Body("UpdateTimeToLive",
       R"({"TableName":"app","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}})");
  const std::string arn = CreateBackup();
  const std::string body = Body("DescribeBackup", OfBackup(arn));
  EXPECT_EQ(TextIn(body, "BackupStatus"), "AVAILABLE");
  EXPECT_THAT(
      body,
      HasSubstr(R"("KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},)"
                R"({"AttributeName":"SK","KeyType":"RANGE"}],"TableCreationDateTime":0,)"
                R"("ProvisionedThroughput":{"ReadCapacityUnits":0,"WriteCapacityUnits":0},)"
                R"("ItemCount":1,"BillingMode":"PAY_PER_REQUEST"},"SourceTableFeatureDetails":)"
                R"({"LocalSecondaryIndexes":[{"IndexName":"by_age",)"));
  EXPECT_THAT(body, HasSubstr(R"("TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED",)"
                              R"("AttributeName":"ttl"})"));
}

TEST_F(BackupOperationsTest, DeletedBackupIsNotFound) {
  const std::string arn = CreateBackup();
  EXPECT_EQ(TextIn(Body("DeleteBackup", OfBackup(arn)), "BackupStatus"), "DELETED");
  for (const char* operation : {"DescribeBackup", "DeleteBackup"}) {
    ExpectError(operation, OfBackup(arn), "BackupNotFoundException", "Backup not found: " + arn);
  }
  ExpectError("RestoreTableFromBackup", OfBackup(arn, R"(,"TargetTableName":"restored")"),
              "BackupNotFoundException", "Backup not found: " + arn);
  EXPECT_EQ(Body("ListBackups", "{}"), R"({"BackupSummaries":[]})");
}

TEST_F(BackupOperationsTest, RequestsAreChecked) {
  ExpectError("CreateBackup", R"({"TableName":"never","BackupName":"backup"})",
              "TableNotFoundException", "Table not found: never");
  ExpectInvalid("DescribeBackup", OfBackup("arn:aws:dynamodb:us-east-1:000000000000:table/app"),
                "Invalid Backup ARN");
  EXPECT_THAT(Body("CreateBackup", R"({"TableName":"app","BackupName":"ab"})", 400),
              HasSubstr("Member must have length greater than or equal to 3"));
}

TEST_F(BackupOperationsTest, ListBackupsHasPages) {
  std::vector<std::string> arns;
  for (int i = 0; i < 3; ++i) {
    arns.push_back(CreateBackup());
    clock_->Advance(std::chrono::seconds(1));
  }
  const std::string page = Body("ListBackups", R"({"TableName":"app","Limit":2})");
  EXPECT_THAT(page, HasSubstr(arns[0]));
  EXPECT_EQ(TextIn(page, "LastEvaluatedBackupArn"), arns[1]);
  Body("DeleteBackup", OfBackup(arns[1]));
  const std::string rest =
      Body("ListBackups", R"({"Limit":1,"ExclusiveStartBackupArn":")" + arns[1] + R"("})");
  EXPECT_EQ(TextIn(rest, "BackupArn"), arns[2]);
  EXPECT_THAT(rest, Not(HasSubstr("LastEvaluatedBackupArn")));
}

TEST_F(BackupOperationsTest, ListBackupsFiltersByTableTypeAndTime) {
  const std::string first = CreateBackup();
  clock_->Advance(std::chrono::seconds(1));
  const std::string second = CreateBackup();
  const auto list = [&](const std::string& filter) { return Body("ListBackups", filter); };
  EXPECT_EQ(list(R"({"TableName":"never"})"), R"({"BackupSummaries":[]})");
  EXPECT_EQ(list(R"({"BackupType":"SYSTEM"})"), R"({"BackupSummaries":[]})");
  EXPECT_EQ(TextIn(list(R"({"TimeRangeLowerBound":1760000000.5})"), "BackupArn"), second);
  EXPECT_THAT(list(R"({"TimeRangeUpperBound":1760000001})"), Not(HasSubstr(second)));
  ExpectInvalid("ListBackups", R"({"TimeRangeLowerBound":2,"TimeRangeUpperBound":1})",
                "Time range lower bound must be less than or equal to upper bound");
}

TEST_F(BackupOperationsTest, DeletingATableWithRecoveryMakesASystemBackup) {
  EnableRecovery();
  Body("DeleteTable", R"({"TableName":"app"})");
  EXPECT_EQ(Body("ListBackups", "{}"), R"({"BackupSummaries":[]})");
  const std::string listed = Body("ListBackups", R"({"BackupType":"ALL"})");
  EXPECT_EQ(TextIn(listed, "BackupName"), "app$DeletedTableBackup");
  EXPECT_EQ(TextIn(listed, "BackupType"), "SYSTEM");
  EXPECT_THAT(listed, HasSubstr(R"("BackupExpiryDateTime":1763024000)"));
  EXPECT_THAT(Body("DescribeBackup", OfBackup(TextIn(listed, "BackupArn"))),
              HasSubstr(R"("SourceTableFeatureDetails":{})"));
}

}  // namespace
}  // namespace dolmen
