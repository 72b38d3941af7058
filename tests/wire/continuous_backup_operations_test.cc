// Tests of DescribeContinuousBackups and UpdateContinuousBackups in DynamoDB's JSON.

#include "tests/wire/backups.h"

namespace dolmen {
namespace {

class ContinuousBackupOperationsTest : public WireBackupTest {
 protected:
  static std::string To(std::string_view specification) {
    return R"({"TableName":"app","PointInTimeRecoverySpecification":)" +
           std::string(specification) + "}";
  }
  static std::string Description(std::string_view recovery) {
    return R"({"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"ENABLED",)"
           R"("PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":)" +
           std::string(recovery) + "}}}";
  }
  std::string Describe() { return Body("DescribeContinuousBackups", R"({"TableName":"app"})"); }
};

TEST_F(ContinuousBackupOperationsTest, RecoveryIsDisabledAtFirst) {
  EXPECT_EQ(Describe(), Description(R"("DISABLED")"));
}

TEST_F(ContinuousBackupOperationsTest, LatestTimeIsFiveMinutesAgoAndNotBeforeTheEnabling) {
  const std::string enabled =
      Description(R"("ENABLED","RecoveryPeriodInDays":35,"EarliestRestorableDateTime":1760000000,)"
                  R"("LatestRestorableDateTime":1760000000)");
  EXPECT_EQ(Body("UpdateContinuousBackups", To(R"({"PointInTimeRecoveryEnabled":true})")), enabled);
  EXPECT_EQ(Describe(), enabled);
  clock_->Advance(std::chrono::minutes(15));
  EXPECT_EQ(Describe(), Description(R"("ENABLED","RecoveryPeriodInDays":35,)"
                                    R"("EarliestRestorableDateTime":1760000000,)"
                                    R"("LatestRestorableDateTime":1760000600)"));
}

TEST_F(ContinuousBackupOperationsTest, DisablingAndEnablingResetsThePeriod) {
  Body("UpdateContinuousBackups",
       To(R"({"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":7})"));
  EXPECT_EQ(Body("UpdateContinuousBackups", To(R"({"PointInTimeRecoveryEnabled":false})")),
            Description(R"("DISABLED")"));
  EnableRecovery();
  EXPECT_NE(Describe().find(R"("RecoveryPeriodInDays":35)"), std::string::npos);
}

TEST_F(ContinuousBackupOperationsTest, RequestsAreChecked) {
  for (const char* operation : {"DescribeContinuousBackups", "UpdateContinuousBackups"}) {
    ExpectError(operation,
                R"({"TableName":"never","PointInTimeRecoverySpecification":)"
                R"({"PointInTimeRecoveryEnabled":true}})",
                "TableNotFoundException", "Table not found: never");
  }
  ExpectInvalid("DescribeContinuousBackups", "{}",
                "The parameter 'TableName' is required but was not present in the request");
  ExpectInvalid("UpdateContinuousBackups",
                To(R"({"PointInTimeRecoveryEnabled":false,"RecoveryPeriodInDays":7})"),
                "Invalid Request: Cannot specify RecoveryPeriodInDays when disabling "
                "point-in-time recovery.");
  ExpectInvalid("UpdateContinuousBackups", To("{}"),
                "1 validation error detected: Value null at "
                "'pointInTimeRecoverySpecification.pointInTimeRecoveryEnabled' failed to satisfy "
                "constraint: Member must not be null");
  ExpectInvalid("UpdateContinuousBackups",
                To(R"({"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":36})"),
                "1 validation error detected: Value '36' at "
                "'pointInTimeRecoverySpecification.recoveryPeriodInDays' failed to satisfy "
                "constraint: Member must have value less than or equal to 35");
}

}  // namespace
}  // namespace dolmen
