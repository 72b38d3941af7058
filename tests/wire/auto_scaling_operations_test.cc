// Tests of the operations on the auto scaling of replicas in DynamoDB's JSON.

#include <string>

#include "tests/wire/tables.h"

namespace dolmen {
namespace {

constexpr std::string_view kOff = R"({"AutoScalingDisabled":true,"ScalingPolicies":[]})";
constexpr std::string_view kWanted =
    R"({"MinimumUnits":1,"MaximumUnits":9,"ScalingPolicyUpdate":{"PolicyName":"p",)"
    R"("TargetTrackingScalingPolicyConfiguration":{"ScaleInCooldown":60,"TargetValue":70.5}}})";
constexpr std::string_view kStored =
    R"({"AutoScalingDisabled":false,"MaximumUnits":9,"MinimumUnits":1,"ScalingPolicies":[)"
    R"({"PolicyName":"p","TargetTrackingScalingPolicyConfiguration":{"ScaleInCooldown":60,)"
    R"("TargetValue":70.5}}]})";

class AutoScalingTest : public WireTableTest {
 protected:
  AutoScalingTest() {
    CreateTableInput input{.name = "table"};
    input.global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")};
    EXPECT_TRUE(db_.CreateTable(input).ok());
  }

  void MakeGlobal() {
    Body("UpdateTable", OnTable(R"("ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1"}}])"));
  }
  static std::string OnTable(std::string_view more = "") {
    return Object({R"("TableName":"table")", more});
  }
  // Returns the description of a region's replica.
  static std::string Replica(std::string_view region, std::string_view index_read,
                             std::string_view index_write, std::string_view read,
                             std::string_view write) {
    return R"({"RegionName":")" + std::string(region) +
           R"(","GlobalSecondaryIndexes":[{"IndexName":"GSI1","IndexStatus":"ACTIVE",)"
           R"("ProvisionedReadCapacityAutoScalingSettings":)" +
           std::string(index_read) + R"(,"ProvisionedWriteCapacityAutoScalingSettings":)" +
           std::string(index_write) + R"(}],"ReplicaProvisionedReadCapacityAutoScalingSettings":)" +
           std::string(read) + R"(,"ReplicaProvisionedWriteCapacityAutoScalingSettings":)" +
           std::string(write) + R"(,"ReplicaStatus":"ACTIVE"})";
  }
  static std::string Description(const std::string& first, const std::string& second) {
    return R"({"TableAutoScalingDescription":{"TableName":"table","TableStatus":"ACTIVE",)"
           R"("Replicas":[)" +
           first + "," + second + "]}}";
  }
  std::string Scaling() { return Body("DescribeTableReplicaAutoScaling", OnTable()); }
};

TEST_F(AutoScalingTest, ATableWithoutReplicasHasNone) {
  for (const char* operation :
       {"DescribeTableReplicaAutoScaling", "UpdateTableReplicaAutoScaling"}) {
    ExpectNotFound(operation, OnTable(), "Global table with name: table does not exist.");
  }
}

TEST_F(AutoScalingTest, IsDisabledAtFirst) {
  MakeGlobal();
  EXPECT_EQ(Scaling(), Description(Replica("eu-west-1", kOff, kOff, kOff, kOff),
                                   Replica("us-east-1", kOff, kOff, kOff, kOff)));
}

TEST_F(AutoScalingTest, SettingsAreStoredAndDisabled) {
  MakeGlobal();
  const std::string wanted(kWanted);
  const std::string updated =
      Body("UpdateTableReplicaAutoScaling",
           OnTable(R"("ProvisionedWriteCapacityAutoScalingUpdate":)" + wanted +
                   R"(,"GlobalSecondaryIndexUpdates":[{"IndexName":"GSI1",)"
                   R"("ProvisionedWriteCapacityAutoScalingUpdate":)" +
                   wanted + R"(}],"ReplicaUpdates":[{"RegionName":"eu-west-1",)" +
                   R"("ReplicaProvisionedReadCapacityAutoScalingUpdate":)" + wanted +
                   R"(,"ReplicaGlobalSecondaryIndexUpdates":[{"IndexName":"GSI1",)"
                   R"("ProvisionedReadCapacityAutoScalingUpdate":)" +
                   wanted + "}]}]"));
  EXPECT_EQ(updated, Description(Replica("eu-west-1", kStored, kStored, kStored, kStored),
                                 Replica("us-east-1", kOff, kStored, kOff, kStored)));
  EXPECT_EQ(Scaling(), updated);
  Body("UpdateTableReplicaAutoScaling",
       OnTable(R"("ProvisionedWriteCapacityAutoScalingUpdate":{"AutoScalingDisabled":true})"));
  EXPECT_EQ(Scaling(), Description(Replica("eu-west-1", kStored, kStored, kStored, kOff),
                                   Replica("us-east-1", kOff, kStored, kOff, kOff)));
}

TEST_F(AutoScalingTest, RejectsInvalidUpdates) {
  MakeGlobal();
  ExpectInvalid("UpdateTableReplicaAutoScaling",
                OnTable(R"("ProvisionedWriteCapacityAutoScalingUpdate":{"MinimumUnits":1})"),
                "Failed to update settings for global table with name: ‘table’: Parameters "
                "'ScalingPolicyUpdate' are required unless auto scaling is being disabled.");
  ExpectNotFound("UpdateTableReplicaAutoScaling",
                 OnTable(R"("GlobalSecondaryIndexUpdates":[{"IndexName":"nope"}])"),
                 "Failed to update settings for global table with name: ‘table’ because the global "
                 "secondary indexes with names: ‘[nope]’ do not exist.");
  ExpectInvalid("UpdateTableReplicaAutoScaling",
                OnTable(R"("ReplicaUpdates":[{"RegionName":"eu-west-2"}])"),
                "Failed to update settings for global table with name: ‘table’: the table has no "
                "replica in eu-west-2.");
}

}  // namespace
}  // namespace dolmen
