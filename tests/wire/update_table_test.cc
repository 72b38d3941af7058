// Tests of UpdateTable in DynamoDB's JSON.

#include <string>

#include "tests/wire/tables.h"

namespace dolmen {
namespace {

constexpr std::string_view kProvisioned = R"("BillingMode":"PROVISIONED")";

std::string OnTable(std::string_view change) { return Object({R"("TableName":"table")", change}); }

std::string IndexUpdates(std::string_view updates) {
  return R"("GlobalSecondaryIndexUpdates":[)" + std::string(updates) + "]";
}
std::string Create(std::string_view index) { return R"({"Create":)" + std::string(index) + "}"; }
std::string Update(std::string_view index, std::string_view units) {
  return R"({"Update":)" + Object({R"("IndexName":")" + std::string(index) + "\"", units}) + "}";
}
std::string Delete(std::string_view index) {
  return R"({"Delete":{"IndexName":")" + std::string(index) + "\"}}";
}

class UpdateTableTest : public WireTableTest {
 protected:
  // Creates a table with the partition key a and the global indexes i1_ and i2_ on b.
  void MakeTable(std::string_view billing, std::string_view of_index = "") {
    const std::string keys = Keys({{"b", "HASH"}});
    Body("CreateTable", Object({R"("TableName":"table")", Definitions({{"a", "S"}, {"b", "S"}}),
                                Keys({{"a", "HASH"}}), billing,
                                GlobalIndexes(Index("i1_", keys, kAll, of_index) + "," +
                                              Index("i2_", keys, kAll, of_index))}));
  }
  void MakeProvisionedTable() { MakeTable(Units(5, 5), Units(5, 5)); }

  std::string Change(std::string_view change) { return Body("UpdateTable", OnTable(change)); }
  void ExpectRefused(std::string_view change, std::string_view message) {
    ExpectInvalid("UpdateTable", OnTable(change), message);
  }
  void ExpectWrongValue(std::string_view change, std::string_view message) {
    ExpectRefused(change, std::string(kInvalid).append(message));
  }
  void WaitForIndexes() { EXPECT_TRUE(test::Value(db_.OpenTable("table")).WaitForIndexes().ok()); }
};

TEST_F(UpdateTableTest, RejectsARequestWithoutAChange) {
  for (const std::string& change : {std::string(), IndexUpdates(""), Definitions({{"a", "S"}})}) {
    ExpectRefused(
        change,
        "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
        "GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, "
        "ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, "
        "OnDemandThroughput, WarmThroughput or TableClass is required");
  }
}

// Otherwise a client would believe that the table has the feature.
TEST_F(UpdateTableTest, RejectsFeaturesThatDolmenLacks) {
  MakeTable(kOnDemand);
  for (const std::string name : {"GlobalTableWitnessUpdates", "GlobalTableSettingsReplicationMode",
                                 "DisassociationProtectionEnabled", "VectorIndexUpdates"}) {
    ExpectWrongValue(std::string(kOnDemand) + ",\"" + name + "\":[]",
                     "Dolmen does not support " + name + ": remove this member from the request");
  }
  ExpectWrongValue(std::string(kOnDemand) + R"(,"MultiRegionConsistency":"STRONG")",
                   "Dolmen does not support MultiRegionConsistency STRONG");
}

TEST_F(UpdateTableTest, ChecksTheRequestBeforeTheTable) {
  ExpectNotFound("UpdateTable", OnTable(kOnDemand),
                 "Requested resource not found: Table: table not found");
  ExpectWrongValue(std::string(kOnDemand) + "," + Units(1, 1),
                   "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when "
                   "BillingMode is PAY_PER_REQUEST");
  ExpectRefused(R"("ProvisionedThroughput":{"ReadCapacityUnits":1,)"
                R"("WriteCapacityUnits":1000000000001})",
                "Given value 1000000000001 for WriteCapacityUnits is out of bounds");
  ExpectWrongValue(IndexUpdates("{}"),
                   "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
                   "GlobalSecondaryIndexUpdate.Delete must not be null");
  ExpectWrongValue(IndexUpdates(R"({"Create":)" + Index("one", Keys({{"c", "HASH"}})) +
                                R"(,"Delete":{"IndexName":"two"}})"),
                   "Only one global secondary index action is allowed per "
                   "GlobalSecondaryIndexUpdate object");
  ExpectWrongValue(IndexUpdates(Update("same", Units(1, 1)) + "," + Delete("same")),
                   "Only one global secondary index update per index is allowed simultaneously. "
                   "Index: same");
}

TEST_F(UpdateTableTest, RejectsChangesThatExcludeEachOther) {
  const std::string sse = R"("SSESpecification":{"Enabled":true})";
  const std::string table_class = R"("TableClass":"STANDARD")";
  const std::string protection = R"("DeletionProtectionEnabled":true)";
  const std::string replicas = R"("ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1"}}])";
  const std::string warm = R"("WarmThroughput":{"ReadUnitsPerSecond":20000})";
  const std::string maxima = R"("OnDemandThroughput":{"MaxReadRequestUnits":10})";
  const std::string stream =
      R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"})";
  const std::string create =
      Definitions({{"c", "S"}}) + "," + IndexUpdates(Create(Index("of_c", Keys({{"c", "HASH"}}))));
  const std::string remove = IndexUpdates(Delete("i1_"));
  constexpr std::string_view kAlone = " modification must be the only operation in the request";
  struct Case {
    std::vector<std::string> changes;
    std::string message;
  };
  const Case cases[] = {
      {{sse, table_class}, "Server-Side Encryption" + std::string(kAlone)},
      {{table_class, protection}, "TableClass" + std::string(kAlone)},
      {{protection, stream}, "DeletionProtection" + std::string(kAlone)},
      {{replicas, stream}, "Replica" + std::string(kAlone)},
      {{replicas, create}, "Replica" + std::string(kAlone)},
      {{warm, std::string(kOnDemand)}, "WarmThroughput must be the only operation in the request"},
      {{maxima, stream},
       "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request"},
      {{create, Units(1, 1)}, "You cannot create or delete index while updating table IOPS"},
      {{remove, Units(1, 1)}, "You cannot create or delete index while updating table IOPS"},
      {{create, stream}, "You cannot create or delete index while changing stream status"},
      {{remove, stream}, "You cannot create or delete index while changing stream status"},
      {{stream, Units(1, 1)}, "You cannot modify stream status while updating table IOPS"},
      {{IndexUpdates(""), stream}, "List of GlobalSecondaryIndexUpdates is empty"},
  };
  MakeTable(kOnDemand);
  const std::string before = Describe();
  for (const auto& [changes, message] : cases) {
    ExpectWrongValue(changes[0] + "," + changes[1], message);
  }
  EXPECT_EQ(Describe(), before);

  // These changes may stand together.
  Change(maxima + "," + std::string(kOnDemand));
  Change(replicas + R"(,"MultiRegionConsistency":"EVENTUAL")");
  Change(create + "," + std::string(kOnDemand));
}

// --- throughput ---

TEST_F(UpdateTableTest, DescribesTheTimesAndTheNumberOfThroughputChanges) {
  MakeProvisionedTable();
  clock_->Set(Timestamp(std::chrono::milliseconds(90000500)));
  ExpectHas(Change(Units(6, 4)),
            R"("ProvisionedThroughput":{"LastDecreaseDateTime":90000,)"
            R"("LastIncreaseDateTime":90000,"NumberOfDecreasesToday":1,"ReadCapacityUnits":6,)"
            R"("WriteCapacityUnits":4},"WarmThroughput")");
  ExpectHas(Change(Units(6, 3)), R"("NumberOfDecreasesToday":2,)");
  clock_->Advance(std::chrono::hours(24));
  ExpectHas(Describe(), R"("LastIncreaseDateTime":90000,"NumberOfDecreasesToday":0,)");
}

// DynamoDB's message for an index says first "the index i1_" and later "index i1_". The test checks
// that Dolmen's message has the same irregular wording.
TEST_F(UpdateTableTest, RejectsUnchangedUnits) {
  MakeProvisionedTable();
  ExpectRefused(
      Units(5, 5),
      "The provisioned throughput for the table will not change. The requested value equals the "
      "current value. Current ReadCapacityUnits provisioned for the table: 5. Requested "
      "ReadCapacityUnits: 5. Current WriteCapacityUnits provisioned for the table: 5. Requested "
      "WriteCapacityUnits: 5. Refer to the Amazon DynamoDB Developer Guide for current limits and "
      "how to request higher limits.");
  ExpectRefused(
      IndexUpdates(Update("i1_", Units(5, 5))),
      "The provisioned throughput for the index i1_ will not change. The requested value equals "
      "the current value. Current ReadCapacityUnits provisioned for index i1_: 5. Requested "
      "ReadCapacityUnits: 5. Current WriteCapacityUnits provisioned for index i1_: 5. Requested "
      "WriteCapacityUnits: 5. Refer to the Amazon DynamoDB Developer Guide for current limits and "
      "how to request higher limits.");
}

TEST_F(UpdateTableTest, ChangesUnitsOfSeveralIndexes) {
  MakeProvisionedTable();
  const std::string changed =
      Change(IndexUpdates(Update("i1_", Units(7, 5)) + "," + Update("i2_", Units(5, 8))));
  ExpectHas(changed, R"("ReadCapacityUnits":7,"WriteCapacityUnits":5})");
  ExpectHas(changed, R"("ReadCapacityUnits":5,"WriteCapacityUnits":8})");
  EXPECT_EQ(Describe(), R"({"Table":)" + changed.substr(changed.find(':') + 1));
}

TEST_F(UpdateTableTest, AFailedUpdateChangesNothing) {
  MakeProvisionedTable();
  const std::string before = Describe();
  ExpectNotFound("UpdateTable",
                 OnTable(Units(9, 9) + "," + IndexUpdates(Update("never", Units(1, 1)))),
                 "Requested resource not found: Index never for table table");
  EXPECT_EQ(Describe(), before);
}

// Returns WarmThroughput as a response has it.
std::string Warm(int read, int write) {
  return R"("WarmThroughput":{"ReadUnitsPerSecond":)" + std::to_string(read) +
         R"(,"Status":"ACTIVE","WriteUnitsPerSecond":)" + std::to_string(write) + "}";
}

TEST_F(UpdateTableTest, WarmThroughputIsTheHighestThroughputSoFar) {
  MakeProvisionedTable();
  const std::string of_index = R"("WriteCapacityUnits":5},)" + Warm(5, 5) + R"(,"IndexSizeBytes")";
  ExpectHas(Describe(), Warm(5, 5) + R"(,"TableSizeBytes")");
  ExpectHas(Describe(), of_index);
  ExpectHas(Change(Units(9, 2)), Warm(9, 5) + R"(,"TableSizeBytes")");
  ExpectHas(Change(Units(1, 7)), Warm(9, 7) + R"(,"TableSizeBytes")");
  ExpectHas(Describe(), of_index);
  ExpectHas(Change(IndexUpdates(Update("i1_", Units(1, 6)))), Warm(5, 6) + R"(,"IndexSizeBytes")");
}

TEST_F(UpdateTableTest, WarmThroughputOutlastsTheOnDemandMode) {
  MakeTable(kOnDemand);
  const std::string changed =
      Change(std::string(kProvisioned) + "," + Units(1, 9000) + "," +
             IndexUpdates(Update("i1_", Units(3, 3)) + "," + Update("i2_", Units(4, 4))));
  ExpectHas(changed, Warm(12000, 9000) + R"(,"TableSizeBytes")");
  ExpectHas(changed, Warm(12000, 4000) + R"(,"IndexSizeBytes")");
}

TEST_F(UpdateTableTest, WarmThroughputGrowsOnly) {
  MakeTable(kOnDemand);
  const auto wanted = [](int read, int write) {
    return R"("WarmThroughput":{"ReadUnitsPerSecond":)" + std::to_string(read) +
           R"(,"WriteUnitsPerSecond":)" + std::to_string(write) + "}";
  };
  ExpectHas(Change(wanted(13000, 4000)), Warm(13000, 4000));
  ExpectWrongValue(
      wanted(12999, 4000),
      "Requested ReadUnitsPerSecond for WarmThroughput for table is lower than current "
      "WarmThroughput, decreasing WarmThroughput is not supported");
  ExpectWrongValue(IndexUpdates(Update("i1_", wanted(12000, 3999))),
                   "Requested WriteUnitsPerSecond for WarmThroughput for index i1_ is lower than "
                   "current WarmThroughput, decreasing WarmThroughput is not supported");
  ExpectHas(Describe(), Warm(13000, 4000));
}

TEST_F(UpdateTableTest, MinusOneRemovesAMaximum) {
  MakeTable(kOnDemand);
  Change(R"("OnDemandThroughput":{"MaxReadRequestUnits":10,"MaxWriteRequestUnits":20})");
  ExpectHas(Change(R"("OnDemandThroughput":{"MaxReadRequestUnits":-1})"),
            R"("OnDemandThroughput":{"MaxWriteRequestUnits":20})");
  ExpectHasNot(Change(R"("OnDemandThroughput":{"MaxWriteRequestUnits":-1})"), "OnDemandThroughput");
}

TEST_F(UpdateTableTest, MaximaArePositiveAndBelongToOnDemandTables) {
  const std::string maximum = R"("OnDemandThroughput":{"MaxWriteRequestUnits":0})";
  MakeTable(kOnDemand);
  ExpectWrongValue(
      maximum,
      "Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid "
      "range");
  ExpectWrongValue(
      IndexUpdates(Update("i1_", maximum)),
      "Requested MaxWriteRequestUnits for OnDemandThroughput for index : i1_ is outside "
      "of valid range");
  Change(R"("OnDemandThroughput":{"MaxReadRequestUnits":10})");
  // A change of the billing mode drops the maxima.
  ExpectHasNot(Change(std::string(kProvisioned) + "," + Units(1, 2) + "," +
                      IndexUpdates(Update("i1_", Units(3, 3)) + "," + Update("i2_", Units(4, 4)))),
               "OnDemandThroughput");
  ExpectWrongValue(maximum,
                   "MaxWriteRequestUnits for OnDemandThroughput cannot be specified when the table "
                   "BillingMode is PROVISIONED");
  ExpectWrongValue(IndexUpdates(Update("i1_", maximum)),
                   "MaxWriteRequestUnits for OnDemandThroughput for index: i1_ cannot be specified "
                   "when the table BillingMode is PROVISIONED");
}

// --- billing mode ---

TEST_F(UpdateTableTest, RejectsUnitsForAnOnDemandTable) {
  MakeTable(kOnDemand);
  ExpectWrongValue(Units(1, 1),
                   "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when "
                   "BillingMode is PAY_PER_REQUEST");
  ExpectWrongValue(
      IndexUpdates(Update("i1_", Units(1, 1))),
      "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: i1_ "
      "when BillingMode is PAY_PER_REQUEST");
  ExpectWrongValue(
      IndexUpdates(Update("i1_", "")),
      "The only Updates for index: i1_ when TableThroughputMode is PAY_PER_REQUEST can "
      "be to OnDemandThroughput, WarmThroughput");
}

// A request that sets BillingMode to PROVISIONED must give capacity units, even if the table
// already has this mode or does not exist.
TEST_F(UpdateTableTest, ProvisionedModeNeedsUnits) {
  constexpr std::string_view kMessage =
      "ProvisionedThroughput must be specified when BillingMode is PROVISIONED";
  ExpectWrongValue(kProvisioned, kMessage);
  MakeProvisionedTable();
  ExpectWrongValue(kProvisioned, kMessage);
  ExpectHas(Change(std::string(kProvisioned) + "," + Units(6, 5)), R"("ReadCapacityUnits":6)");
}

TEST_F(UpdateTableTest, ChangesToProvisionedWithUnitsForAllIndexes) {
  MakeTable(kOnDemand);
  ExpectWrongValue(kProvisioned,
                   "ProvisionedThroughput must be specified when BillingMode is PROVISIONED");
  const std::string units = std::string(kProvisioned) + "," + Units(1, 2);
  ExpectWrongValue(units, "ProvisionedThroughput must be specified for index: i1_,i2_");
  ExpectWrongValue(units + "," + IndexUpdates(Update("i1_", Units(3, 3))),
                   "ProvisionedThroughput must be specified for index: i2_");
  const std::string changed = Change(
      units + "," + IndexUpdates(Update("i1_", Units(3, 3)) + "," + Update("i2_", Units(4, 4))));
  ExpectHas(changed, R"("BillingModeSummary":{"BillingMode":"PROVISIONED",)"
                     R"("LastUpdateToPayPerRequestDateTime":0})");
  ExpectHas(changed, R"("ReadCapacityUnits":1,"WriteCapacityUnits":2})");
  ExpectHas(changed, R"("ReadCapacityUnits":4,"WriteCapacityUnits":4})");
}

TEST_F(UpdateTableTest, ChangesToPayPerRequest) {
  MakeProvisionedTable();
  clock_->Set(Timestamp(std::chrono::milliseconds(12500)));
  const std::string changed = Change(kOnDemand);
  ExpectHas(changed, R"("BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST",)"
                     R"("LastUpdateToPayPerRequestDateTime":12.5})");
  ExpectHasNot(changed, R"("ReadCapacityUnits":5)");
  EXPECT_EQ(Change(kOnDemand), changed);  // a repeated request changes nothing and succeeds
}

// --- indexes ---

TEST_F(UpdateTableTest, BuildsAnIndexInTheBackground) {
  Body("CreateTable", TableWith(kOnDemand));
  Body("PutItem", R"({"TableName":"table","Item":{"a":{"S":"x"},"c":{"N":"1"}}})");
  const std::string index = Index("of_c", Keys({{"c", "HASH"}}));
  ExpectHas(Change(Definitions({{"a", "S"}, {"c", "N"}}) + "," + IndexUpdates(Create(index))),
            R"("GlobalSecondaryIndexes":[{"IndexName":"of_c",)");
  WaitForIndexes();
  const std::string made = Describe();
  ExpectHas(made, R"({"AttributeName":"c","AttributeType":"N"}],)");
  ExpectHas(made, R"("IndexStatus":"ACTIVE",)");
  ExpectHas(made, R"("ItemCount":1,"IndexArn":)");
  ExpectHasNot(made, "Backfilling");
  ExpectHas(Body("Scan", R"({"TableName":"table","IndexName":"of_c"})"), R"("Count":1)");
}

TEST_F(UpdateTableTest, DeletesAnIndexAndItsThroughput) {
  MakeProvisionedTable();
  ExpectHasNot(Change(IndexUpdates(Delete("i1_"))), "i1_");
  ExpectNotFound("UpdateTable", OnTable(IndexUpdates(Delete("i1_"))),
                 "Requested resource not found: Index i1_ for table table");
  const std::string index = Index("i1_", Keys({{"b", "HASH"}}), kAll, Units(9, 9));
  ExpectHas(Change(Definitions({{"a", "S"}, {"b", "S"}}) + "," + IndexUpdates(Create(index))),
            R"("ReadCapacityUnits":9,"WriteCapacityUnits":9})");
}

TEST_F(UpdateTableTest, CreatesOrDeletesOneIndexAtATime) {
  MakeTable(kOnDemand);
  const std::string keys = Keys({{"b", "HASH"}});
  for (const std::string& updates :
       {Delete("i1_") + "," + Delete("i2_"), Create(Index("new", keys)) + "," + Delete("i2_"),
        Create(Index("new", keys)) + "," + Create(Index("newer", keys))}) {
    EXPECT_EQ(
        Body("UpdateTable", OnTable(Definitions({{"b", "S"}}) + "," + IndexUpdates(updates)), 400),
        ErrorBody("com.amazonaws.dynamodb.v20120810#LimitExceededException",
                  "Subscriber limit exceeded: Only 1 online index can be created or deleted "
                  "simultaneously per table"));
  }
}

// Terraform, Pulumi and Dynamoose define the attributes of the whole final table in each request that adds one index.
TEST_F(UpdateTableTest, IgnoresDefinitionsThatNoNewIndexUses) {
  MakeTable(kOnDemand);
  const auto create = [&](const std::string& definitions, std::string_view key) {
    const std::string index = Index("of_" + std::string(key), Keys({{key, "HASH"}}));
    const std::string changed = Change(definitions + "," + IndexUpdates(Create(index)));
    WaitForIndexes();
    return changed;
  };
  const std::string final_table = Definitions({{"a", "S"}, {"b", "S"}, {"c", "N"}, {"d", "S"}});
  constexpr std::string_view kAbc =
      R"("AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"},{"AttributeName":"b",)"
      R"("AttributeType":"S"},{"AttributeName":"c","AttributeType":"N"}])";
  ExpectHas(create(final_table, "c"), kAbc);
  ExpectHas(create(final_table, "d"), R"({"AttributeName":"d","AttributeType":"S"}])");
  ExpectHas(create(Definitions({{"b", "N"}}), "b"), R"({"AttributeName":"b","AttributeType":"S"})");

  // Beside any other change they are ignored, whatever they say.
  const std::string others = Definitions({{"a", "B"}, {"z", "S"}, {"z", "N"}});
  Change(others + R"(,"TableClass":"STANDARD")");
  ExpectHas(Change(others + "," + IndexUpdates(Delete("of_d"))), kAbc);
}

TEST_F(UpdateTableTest, RejectsAnInvalidNewIndex) {
  MakeTable(kOnDemand);
  const auto create = [](std::string_view definitions, const std::string& index) {
    return std::string(definitions) + "," + IndexUpdates(Create(index));
  };
  const std::string of_c = Index("of_c", Keys({{"c", "HASH"}}));
  ExpectWrongValue(create(Definitions({{"a", "S"}, {"b", "S"}}), of_c),
                   "Some index key attributes are not defined in AttributeDefinitions. Keys: [c], "
                   "AttributeDefinitions: [a, b]");
  ExpectWrongValue(
      create(Definitions({{"c", "S"}}), Index("new", Keys({{"c", "HASH"}, {"b", "RANGE"}}))),
      "Some index key attributes are not defined in AttributeDefinitions. Keys: [c, b], "
      "AttributeDefinitions: [c]");
  ExpectWrongValue(IndexUpdates(Create(Index("of_b", Keys({{"b", "HASH"}})))),
                   "AttributeDefinitions is not specified for index: of_b");
  ExpectWrongValue(
      create(Definitions({{"c", "S"}}), Index("of_c", Keys({{"c", "HASH"}}), kAll, Units(1, 1))),
      "ProvisionedThroughput should not be specified for index: of_c when BillingMode is "
      "PAY_PER_REQUEST");
  ExpectRefused(create(Definitions({{"c", "S"}}), Index("of_c", Keys({{"c", "RANGE"}}))),
                "Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  const std::string five =
      Definitions({{"b", "S"}, {"c", "S"}, {"d", "S"}, {"e", "S"}, {"f", "S"}});
  ExpectWrongValue(
      create(
          five,
          Index("new",
                Keys({{"b", "HASH"}, {"c", "HASH"}, {"d", "HASH"}, {"e", "HASH"}, {"f", "HASH"}}))),
      "The KeySchema exceeds the maximum allowed number of HASH key attributes");
  ExpectWrongValue(create(five, Index("new", Keys({{"b", "HASH"}, {"c", "RANGE"}, {"d", "HASH"}}))),
                   "All HASH key attributes must precede RANGE key attributes in the KeySchema");
  ExpectRefused(create(five, Index("new", Keys({{"b", "HASH"}, {"b", "RANGE"}}))),
                "The KeySchema contains multiple key attributes with the same name");
  ExpectRefused(create(Definitions({{"b", "S"}}), Index("i1_", Keys({{"b", "HASH"}}))),
                "Attempting to create an index which already exists");
  ExpectRefused(IndexUpdates(R"({"Create":{"IndexName":"x"}})"),
                "3 validation errors detected: Value 'x' at "
                "'globalSecondaryIndexUpdates.1.member.create.indexName' failed to satisfy "
                "constraint: Member must have length greater than or equal to 3; Value null at "
                "'globalSecondaryIndexUpdates.1.member.create.keySchema' failed to satisfy "
                "constraint: Member must not be null; Value null at "
                "'globalSecondaryIndexUpdates.1.member.create.projection' failed to satisfy "
                "constraint: Member must not be null");
}

// CreateTable refuses 21 indexes as invalid (create_table_test.cc).
TEST_F(UpdateTableTest, TheTwentyFirstIndexIsOverALimit) {
  std::string indexes;
  for (int i = 0; i < 20; ++i) {
    indexes += (i > 0 ? "," : "") + Index("index" + std::to_string(i), Keys({{"b", "HASH"}}));
  }
  Body("CreateTable", Object({R"("TableName":"table")", Definitions({{"a", "S"}, {"b", "S"}}),
                              Keys({{"a", "HASH"}}), kOnDemand, GlobalIndexes(indexes)}));
  EXPECT_EQ(Body("UpdateTable",
                 OnTable(Definitions({{"b", "S"}}) + "," +
                         IndexUpdates(Create(Index("one_more", Keys({{"b", "HASH"}}))))),
                 400),
            ErrorBody("com.amazonaws.dynamodb.v20120810#LimitExceededException",
                      "GlobalSecondaryIndex count exceeds the per-table limit of 20"));
}

TEST_F(UpdateTableTest, ANewIndexOfAProvisionedTableNeedsUnits) {
  MakeProvisionedTable();
  ExpectWrongValue(
      Definitions({{"c", "S"}}) + "," + IndexUpdates(Create(Index("of_c", Keys({{"c", "HASH"}})))),
      "ProvisionedThroughput must be specified for index: of_c");
}

// --- streams, class, encryption, protection, sizes, annotations ---

TEST_F(UpdateTableTest, EnablesAndDisablesTheStream) {
  MakeTable(kOnDemand);
  constexpr std::string_view kEnable =
      R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"})";
  ExpectHas(Change(kEnable), kEnable);
  ExpectRefused(kEnable, "Table already has an enabled stream: TableName: table");
  const std::string disabled = Change(R"("StreamSpecification":{"StreamEnabled":false})");
  ExpectWrongValue(R"("StreamSpecification":{"StreamEnabled":true})",
                   "If stream is being enabled then UpdateViewType is required");
  ExpectWrongValue(R"("StreamSpecification":{"StreamEnabled":false,"StreamViewType":"KEYS_ONLY"})",
                   "If stream is being disabled, then UpdateViewType must not be specified");
  ExpectRefused(R"("StreamSpecification":{"StreamEnabled":false})",
                "Table has no stream to disable: TableName: table");
  ExpectHasNot(disabled, "StreamSpecification");
  ExpectHas(disabled, R"("LatestStreamArn":"arn:aws:dynamodb:)");
}

TEST_F(UpdateTableTest, ALocalIndexIsNeitherDeletedNorUpdated) {
  ASSERT_TRUE(db_.CreateTable({.name = "table",
                               .local_secondary_indexes = {{.name = "local", .sort_key = {"age"}}}})
                  .ok());
  ExpectRefused(IndexUpdates(R"({"Delete":{"IndexName":"local"}})"),
                "Cannot delete an index that is not a GlobalSecondaryIndex: local");
  ExpectRefused(IndexUpdates(Update("local", Units(1, 1))),
                "Cannot update an index that is not a GlobalSecondaryIndex: local");
}

TEST_F(UpdateTableTest, ChangesClassEncryptionAndProtection) {
  MakeTable(kOnDemand);
  clock_->Set(Timestamp(std::chrono::seconds(7)));
  Change(R"("TableClass":"STANDARD_INFREQUENT_ACCESS")");
  Change(R"("DeletionProtectionEnabled":true)");
  Change(R"("SSESpecification":{"Enabled":true})");
  const std::string changed = Change(R"("OnDemandThroughput":{"MaxWriteRequestUnits":3})");
  ExpectHas(changed,
            R"("TableClassSummary":{"LastUpdateDateTime":7,)"
            R"("TableClass":"STANDARD_INFREQUENT_ACCESS"},"DeletionProtectionEnabled":true)");
  ExpectHas(changed, R"("SSEDescription":{"KMSMasterKeyArn":)");
  ExpectHas(changed, R"("OnDemandThroughput":{"MaxWriteRequestUnits":3})");
  ExpectHasNot(Change(R"("SSESpecification":{"Enabled":false})"), "SSEDescription");
}

TEST_F(UpdateTableTest, ReturnsTheSizeAndTheNumberOfItems) {
  MakeTable(kOnDemand);
  Body("PutItem", R"({"TableName":"table","Item":{"a":{"S":"1"}}})");
  ExpectHas(Change(R"("TableClass":"STANDARD")"), R"("TableSizeBytes":2,"ItemCount":1)");
}

// A program's own annotations of a table stay when UpdateTable writes the endpoint's annotation.
TEST_F(UpdateTableTest, KeepsTheAnnotationsOfAProgram) {
  ASSERT_TRUE(db_.CreateTable({.name = "table", .annotations = {{"version", 3}}}).ok());
  Change(R"("TableClass":"STANDARD")");
  EXPECT_EQ(test::Value(db_.DescribeTable("table")).annotations.at("version"), AttributeValue(3));
}

}  // namespace
}  // namespace dolmen
