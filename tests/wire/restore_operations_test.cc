// Tests of RestoreTableFromBackup and RestoreTableToPointInTime in DynamoDB's JSON.

#include <gmock/gmock.h>

#include "tests/wire/backups.h"
#include "tests/wire/tables.h"

namespace dolmen {
namespace {

using testing::HasSubstr;
using testing::Not;

class RestoreOperationsTest : public WireBackupTest {
 protected:
  std::string FromBackup(const std::string& overrides = "", int status = 200) {
    return Body("RestoreTableFromBackup",
                OfBackup(CreateBackup(), R"(,"TargetTableName":"restored")" + overrides), status);
  }
  static std::string To(std::string_view time) {
    return R"({"SourceTableName":"app","TargetTableName":"restored",)" + std::string(time) + "}";
  }
  std::string DescribeRestored() { return Body("DescribeTable", R"({"TableName":"restored"})"); }
  std::string GetRestored() {
    return Body("GetItem", R"({"TableName":"restored","Key":{"PK":{"S":"p"},"SK":{"S":"s"}}})");
  }
};

constexpr std::string_view kItem = R"({"Item":{"PK":{"S":"p"},"SK":{"S":"s"},"n":{"N":"1"}}})";

TEST_F(RestoreOperationsTest, ResponseSaysThatTheRestoreRunsAndDescribeTableThatItEnded) {
  const std::string arn = CreateBackup();
  clock_->Advance(std::chrono::seconds(5));
  const std::string body =
      Body("RestoreTableFromBackup", OfBackup(arn, R"(,"TargetTableName":"restored")"));
  EXPECT_EQ(TextIn(body, "TableStatus"), "CREATING");
  EXPECT_THAT(body, HasSubstr(R"("RestoreSummary":{"SourceBackupArn":")" + arn +
                              R"(","SourceTableArn":"arn:aws:dynamodb:us-east-1:000000000000:)"
                              R"(table/app","RestoreDateTime":1760000000,)"
                              R"("RestoreInProgress":true})"));
  EXPECT_EQ(TextIn(DescribeRestored(), "TableStatus"), "ACTIVE");
  EXPECT_THAT(DescribeRestored(), Not(HasSubstr("RestoreSummary")));
  EXPECT_EQ(GetRestored(), kItem);
}

TEST_F(RestoreOperationsTest, BillingAndEncryptionAreKeptAndTagsAndClassAreNot) {
  Body(
      "CreateTable",
      R"({"TableName":"paid","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],)"
      R"("KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"TableClass":)"
      R"("STANDARD_INFREQUENT_ACCESS","Tags":[{"Key":"k","Value":"v"}],"SSESpecification":)"
      R"({"Enabled":true},"ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":4}})");
  const std::string arn =
      TextIn(Body("CreateBackup", R"({"TableName":"paid","BackupName":"backup"})"), "BackupArn");
  Body("RestoreTableFromBackup", OfBackup(arn, R"(,"TargetTableName":"restored")"));
  const std::string table = DescribeRestored();
  EXPECT_THAT(table, HasSubstr(R"("ReadCapacityUnits":3,"WriteCapacityUnits":4)"));
  EXPECT_THAT(table, HasSubstr(R"("SSEDescription":)"));
  EXPECT_THAT(table, Not(HasSubstr("TableClassSummary")));
  EXPECT_EQ(Body("ListTagsOfResource",
                 R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/restored"})"),
            R"({"Tags":[]})");
}

TEST_F(RestoreOperationsTest, BillingCanBeOverridden) {
  FromBackup(R"(,"BillingModeOverride":"PROVISIONED","ProvisionedThroughputOverride":)"
             R"({"ReadCapacityUnits":5,"WriteCapacityUnits":6},"GlobalSecondaryIndexOverride":[])");
  EXPECT_THAT(DescribeRestored(), HasSubstr(R"("ReadCapacityUnits":5,"WriteCapacityUnits":6)"));
  EXPECT_THAT(DescribeRestored(), Not(HasSubstr("GlobalSecondaryIndexes")));
}

TEST_F(RestoreOperationsTest, BillingOverridesAreChecked) {
  const auto expect = [&](const std::string& overrides, std::string_view message) {
    EXPECT_EQ(FromBackup(overrides, 400), ErrorBody(kValidationType, message));
  };
  const std::string units =
      R"(,"ProvisionedThroughputOverride":{"ReadCapacityUnits":5,"WriteCapacityUnits":6})";
  expect(units, "Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED");
  expect(R"(,"BillingModeOverride":"PROVISIONED")",
         "Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED");
  expect(R"(,"OnDemandThroughputOverride":{"MaxReadRequestUnits":0})",
         "Invalid Request: Requested MaxReadRequestUnits for OnDemandThroughput is outside of "
         "valid range");
}

TEST_F(RestoreOperationsTest, IndexesCanBeChosen) {
  const std::string keys = R"("KeySchema":[{"AttributeName":"GSI1PK","KeyType":"HASH"},)"
                           R"({"AttributeName":"GSI1SK","KeyType":"RANGE"}])";
  FromBackup(R"(,"LocalSecondaryIndexOverride":[],"GlobalSecondaryIndexOverride":[)" +
             Index("renamed", keys) + "]");
  const std::string table = DescribeRestored();
  EXPECT_THAT(table, HasSubstr(R"("IndexName":"renamed")"));
  EXPECT_THAT(table, Not(HasSubstr("by_age")));
  EXPECT_EQ(
      FromBackup(R"(,"GlobalSecondaryIndexOverride":[)" +
                     Index("other", keys, R"("Projection":{"ProjectionType":"KEYS_ONLY"})") + "]",
                 400),
      ErrorBody(kValidationType,
                "Index other does not match a secondary index that existed in the source "
                "table and cannot be created during the restore operation"));
}

TEST_F(RestoreOperationsTest, TargetMustNotExist) {
  ExpectError("RestoreTableFromBackup", OfBackup(CreateBackup(), R"(,"TargetTableName":"app")"),
              "TableAlreadyExistsException", "Table already exists: app");
}

TEST_F(RestoreOperationsTest, TargetHasThreeTo255Characters) {
  const std::string message =
      "TableName must be at least 3 characters long and at most 255 characters long";
  for (const std::string& name : {std::string("ab"), std::string(256, 'a')}) {
    const std::string target = R"("TargetTableName":")" + name + "\"";
    ExpectInvalid("RestoreTableFromBackup", OfBackup(CreateBackup(), "," + target), message);
    ExpectInvalid("RestoreTableToPointInTime", R"({"SourceTableName":"never",)" + target + "}",
                  message);
  }
}

TEST_F(RestoreOperationsTest, ATimeFiveMinutesAgoIsRestored) {
  EnableRecovery();
  clock_->Advance(std::chrono::minutes(6));
  Put(R"({"PK":{"S":"p"},"SK":{"S":"s"},"n":{"N":"2"}})");
  const std::string body =
      Body("RestoreTableToPointInTime", To(R"("UseLatestRestorableTime":true)"));
  EXPECT_THAT(body, HasSubstr(R"("RestoreSummary":{"SourceTableArn":"arn:aws:dynamodb:us-east-1:)"
                              R"(000000000000:table/app","RestoreDateTime":1760000060,)"));
  EXPECT_EQ(GetRestored(), kItem);
}

TEST_F(RestoreOperationsTest, AGivenTimeIsRestored) {
  EnableRecovery();
  clock_->Advance(std::chrono::seconds(1));
  Put(R"({"PK":{"S":"p"},"SK":{"S":"s"},"n":{"N":"2"}})");
  clock_->Advance(std::chrono::minutes(6));
  Body("RestoreTableToPointInTime", To(R"("RestoreDateTime":1760000000.999)"));
  EXPECT_EQ(GetRestored(), kItem);
}

TEST_F(RestoreOperationsTest, PointInTimeRequestsAreCheckedInDynamoDBsOrder) {
  const std::string operation = "RestoreTableToPointInTime";
  ExpectError(operation, To(R"("RestoreDateTime":1)"), "PointInTimeRecoveryUnavailableException",
              "Point in time recovery is not enabled for table 'app'");
  EnableRecovery();
  ExpectInvalid(operation, R"({"TargetTableName":"restored"})",
                "The parameter 'TableName' is required but was not present in the request");
  ExpectInvalid(operation,
                To(R"("SourceTableArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app")"),
                "Must provide exactly one of: sourceTableArn, sourceTableName");
  ExpectInvalid(operation, R"({"TargetTableName":"restored","SourceTableArn":"app"})",
                "sourceTableArn is not a valid ARN");
  const std::string not_one_time =
      "Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime must be "
      "specified, but not both";
  ExpectInvalid(operation, R"({"SourceTableName":"app","TargetTableName":"app"})", not_one_time);
  ExpectInvalid(operation, To(R"("RestoreDateTime":1,"UseLatestRestorableTime":true)"),
                not_one_time);
  ExpectError(operation, R"({"SourceTableName":"app","TargetTableName":"app","RestoreDateTime":1})",
              "InvalidRestoreTimeException",
              "RestoreDateTime '1970-01-01T00:00:01Z' must be within EarliestRestorableDateTime "
              "'2025-10-09T08:53:20Z' and LatestRestorableDateTime '2025-10-09T08:53:20Z'");
  ExpectError(operation,
              R"({"SourceTableName":"app","TargetTableName":"app","RestoreDateTime":1760000000})",
              "TableAlreadyExistsException", "Table already exists: app");
  ExpectError(operation, R"({"SourceTableName":"never","TargetTableName":"restored"})",
              "TableNotFoundException", "Table not found: never");
}

}  // namespace
}  // namespace dolmen
