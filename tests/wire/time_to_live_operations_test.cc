// Tests of UpdateTimeToLive and DescribeTimeToLive in DynamoDB's JSON.

#include <string>

#include "tests/wire/tables.h"

namespace dolmen {
namespace {

class TimeToLiveOperationsTest : public WireTableTest {
 protected:
  TimeToLiveOperationsTest() { EXPECT_TRUE(db_.CreateTable({.name = "table"}).ok()); }

  static std::string To(std::string_view enabled, std::string_view attribute = "ttl") {
    return R"({"TableName":"table","TimeToLiveSpecification":{"Enabled":)" + std::string(enabled) +
           R"(,"AttributeName":")" + std::string(attribute) + R"("}})";
  }
  std::string Status() {
    EXPECT_TRUE(test::Value(db_.OpenTable("table")).WaitForIndexes().ok());
    return Body("DescribeTimeToLive", R"({"TableName":"table"})");
  }
};

TEST_F(TimeToLiveOperationsTest, IsDisabledAtFirst) {
  EXPECT_EQ(Status(), R"({"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}})");
}

TEST_F(TimeToLiveOperationsTest, CanBeEnabledAndDisabled) {
  EXPECT_EQ(Body("UpdateTimeToLive", To("true")),
            R"({"TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}})");
  EXPECT_EQ(Status(),
            R"({"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED","AttributeName":"ttl"}})");
  EXPECT_EQ(Body("UpdateTimeToLive", To("false")),
            R"({"TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":false}})");
  EXPECT_EQ(Status(), R"({"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}})");
}

TEST_F(TimeToLiveOperationsTest, RejectsAnUpdateToTheCurrentState) {
  ExpectInvalid("UpdateTimeToLive", To("false"), "TimeToLive is already disabled");
  Body("UpdateTimeToLive", To("true"));
  ExpectInvalid("UpdateTimeToLive", To("true"), "TimeToLive is already enabled");
  ExpectInvalid("UpdateTimeToLive", To("true", "other"),
                "TimeToLive is active on a different AttributeName: current AttributeName is ttl");
}

TEST_F(TimeToLiveOperationsTest, AFailedUpdateLeavesHideExpiredUnchanged) {
  ASSERT_TRUE(db_.UpdateTimeToLive({"table", {true, "ttl", true}}).ok());
  ExpectInvalid("UpdateTimeToLive", To("true"), "TimeToLive is already enabled");
  EXPECT_TRUE(test::Value(db_.DescribeTimeToLive("table")).hide_expired);
}

TEST_F(TimeToLiveOperationsTest, RejectsInvalidMembers) {
  ExpectInvalid("UpdateTimeToLive", R"({"TableName":"table"})",
                "1 validation error detected: Value null at 'timeToLiveSpecification' failed to "
                "satisfy constraint: Member must not be null");
  ExpectInvalid(
      "UpdateTimeToLive", R"({"TableName":"table","TimeToLiveSpecification":{}})",
      "2 validation errors detected: Value null at 'timeToLiveSpecification.attributeName' "
      "failed to satisfy constraint: Member must not be null; Value null at "
      "'timeToLiveSpecification.enabled' failed to satisfy constraint: Member must not be "
      "null");
  ExpectInvalid("UpdateTimeToLive", To("true", ""),
                "1 validation error detected: Value '' at 'timeToLiveSpecification.attributeName' "
                "failed to satisfy constraint: Member must have length greater than or equal to 1");
  ExpectNotFound("UpdateTimeToLive",
                 R"({"TableName":"never","TimeToLiveSpecification":)"
                 R"({"Enabled":true,"AttributeName":"ttl"}})",
                 "Requested resource not found: Table: never not found");
}

}  // namespace
}  // namespace dolmen
