// Tests of a table's replicas in other regions, in DynamoDB's JSON.

#include <string>

#include "tests/wire/tables.h"

namespace dolmen {
namespace {

class ReplicasTest : public WireTableTest {
 protected:
  ReplicasTest() { Body("CreateTable", TableWith(kOnDemand)); }

  static std::string Updates(std::string_view updates) {
    return Object({R"("TableName":"table")", R"("ReplicaUpdates":[)" + std::string(updates) + "]"});
  }
  static std::string On(std::string_view action, std::string_view region,
                        std::string_view more = "") {
    return "{\"" + std::string(action) +
           "\":" + Object({R"("RegionName":")" + std::string(region) + "\"", more}) + "}";
  }
  std::string Change(std::string_view update) { return Body("UpdateTable", Updates(update)); }
  std::string DescribeIn(std::string_view region) {
    return endpoint_.Execute("DescribeTable", R"({"TableName":"table"})", region).body;
  }
};

TEST_F(ReplicasTest, ATableHasNoReplicasAtFirst) {
  for (const char* member : {"Replicas", "GlobalTable"}) ExpectHasNot(Describe(), member);
}

TEST_F(ReplicasTest, AReplicaIsDescribedWithItsSettings) {
  Change(On("Create", "eu-west-1",
            R"("KMSMasterKeyId":"k","TableClassOverride":"STANDARD",)"
            R"("OnDemandThroughputOverride":{"MaxReadRequestUnits":7},)"
            R"("GlobalSecondaryIndexes":[{"IndexName":"abc"}])"));
  ExpectHas(
      Describe(),
      R"("GlobalTableVersion":"2019.11.21","Replicas":[{"GlobalSecondaryIndexes":[{"IndexName":)"
      R"("abc"}],"KMSMasterKeyId":"k","OnDemandThroughputOverride":{"MaxReadRequestUnits":7},)"
      R"("RegionName":"eu-west-1",)"
      R"("ReplicaArn":"arn:aws:dynamodb:eu-west-1:000000000000:table/table",)"
      R"("ReplicaStatus":"ACTIVE",)"
      R"("ReplicaTableClassSummary":{"TableClass":"STANDARD"}}],)"
      R"("GlobalTableSettingsReplicationMode":"ENABLED_WITH_OVERRIDES",)"
      R"("MultiRegionConsistency":"EVENTUAL")");
  Change(On("Update", "eu-west-1", R"("KMSMasterKeyId":"other")"));
  ExpectHas(Describe(), R"("KMSMasterKeyId":"other","OnDemandThroughputOverride")");
}

TEST_F(ReplicasTest, EachRegionListsTheOtherRegions) {
  Change(On("Create", "eu-west-1"));
  ExpectHas(DescribeIn("eu-west-1"), R"("Replicas":[{"RegionName":"us-east-1")");
  ExpectHasNot(DescribeIn("eu-west-1"), R"("RegionName":"eu-west-1")");
}

// Every region shows the same table, so that a write is in all replicas at once.
TEST_F(ReplicasTest, AnItemIsInAllReplicas) {
  Change(On("Create", "eu-west-1"));
  Body("PutItem", R"({"TableName":"table","Item":{"a":{"S":"1"}}})");
  EXPECT_EQ(
      endpoint_.Execute("GetItem", R"({"TableName":"table","Key":{"a":{"S":"1"}}})", "eu-west-1")
          .body,
      R"({"Item":{"a":{"S":"1"}}})");
}

TEST_F(ReplicasTest, TheDescriptionIsRegionalAfterTheLastReplicaIsDeleted) {
  Change(On("Create", "eu-west-1"));
  Change(On("Delete", "eu-west-1"));
  for (const char* member : {"Replicas", "GlobalTable"}) ExpectHasNot(Describe(), member);
}

TEST_F(ReplicasTest, AReplicaEnablesTheStreamAndKeepsItEnabled) {
  constexpr std::string_view kDisable =
      R"({"TableName":"table","StreamSpecification":{"StreamEnabled":false}})";
  Change(On("Create", "eu-west-1"));
  ExpectHas(Describe(), R"("StreamViewType":"NEW_AND_OLD_IMAGES")");
  ExpectInvalid("UpdateTable", kDisable,
                "Disabling Stream is not allowed for a Global Table replica");
  Change(On("Delete", "eu-west-1"));
  Body("UpdateTable", kDisable);
}

// Terraform sends the replicas of all regions in one request. If one of the updates is invalid, none is
// made.
TEST_F(ReplicasTest, OneRequestChangesSeveralReplicas) {
  Change(On("Create", "eu-west-1") + "," + On("Create", "eu-west-2"));
  const std::string two = Describe();
  for (const char* region : {"eu-west-1", "eu-west-2"}) {
    ExpectHas(two, R"("RegionName":")" + std::string(region) + "\"");
  }
  ExpectInvalid("UpdateTable", Updates(On("Delete", "eu-west-1") + "," + On("Delete", "eu-west-3")),
                "The replica is not part of the global table table: [eu-west-3]");
  EXPECT_EQ(Describe(), two);
  Change(On("Delete", "eu-west-1") + "," + On("Create", "ap-south-1") + "," +
         On("Update", "eu-west-2", R"("KMSMasterKeyId":"k")"));
  const std::string changed = Describe();
  ExpectHasNot(changed, "eu-west-1");
  ExpectHas(changed, R"("RegionName":"ap-south-1")");
  ExpectHas(changed, R"({"KMSMasterKeyId":"k","RegionName":"eu-west-2")");
}

TEST_F(ReplicasTest, RejectsInvalidUpdates) {
  Change(On("Create", "eu-west-1"));
  const auto refuse = [this](const std::string& updates, const std::string& why) {
    ExpectInvalid("UpdateTable", Updates(updates), why);
  };
  refuse(On("Create", "us-east-1"), "Cannot add or delete the local region through ReplicaUpdates");
  refuse(On("Create", "eu-west-1"),
         "Failed to create a replica of the table table in eu-west-1: one or more replicas already "
         "existed as tables");
  for (const char* action : {"Update", "Delete"}) {
    refuse(On(action, "eu-west-2"),
           "The replica is not part of the global table table: [eu-west-2]");
  }
  refuse("{}", std::string(kInvalid) +
                   "an element of ReplicaUpdates must have one of Create, Update, Delete");
  refuse(R"({"Create":{"RegionName":"a"},"Delete":{"RegionName":"a"}})",
         std::string(kInvalid) +
             "an element of ReplicaUpdates must have only one action, not Create and Delete");
  const std::string mode = "replicaUpdates.1.member.disassociate.disassociationMode";
  refuse(On("Disassociate", "eu-west-1"),
         "1 validation error detected: Value null at '" + mode +
             "' failed to satisfy constraint: Member must not be null");
  refuse(On("Disassociate", "eu-west-1", R"("DisassociationMode":"SOME")"),
         "1 validation error detected: Value 'SOME' at '" + mode +
             "' failed to satisfy constraint: Member must satisfy enum value set: "
             "[WAIT_FOR_REPLICATION]");
  // The mode is accepted, and the action is refused.
  ExpectHas(Body("UpdateTable",
                 Updates(On("Disassociate", "eu-west-1",
                            R"("DisassociationMode":"WAIT_FOR_REPLICATION")")),
                 400),
            "Dolmen does not support Disassociate in ReplicaUpdates");
}

}  // namespace
}  // namespace dolmen
