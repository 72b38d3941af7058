// Tests of CreateTable in DynamoDB's JSON: its response, and the message of each rejection.

#include <string>

#include "tests/wire/tables.h"

namespace dolmen {
namespace {

constexpr std::string_view kTable = R"("TableName":"table")";
constexpr std::string_view kKeysOnly = R"("Projection":{"ProjectionType":"KEYS_ONLY"})";

class CreateTableTest : public WireTableTest {
 protected:
  void ExpectRefused(std::string_view json, std::string_view message) {
    ExpectInvalid("CreateTable", json, message);
  }
  void ExpectWrongValue(std::string_view json, std::string_view message) {
    ExpectRefused(json, std::string(kInvalid).append(message));
  }
};

// Returns a request for a table with the keys a and b and the given indexes. The request also
// defines the attribute c, for the indexes' keys.
std::string WithIndexes(std::string_view indexes, std::string_view more = kOnDemand) {
  return Object({kTable, Definitions({{"a", "S"}, {"b", "S"}, {"c", "N"}}),
                 Keys({{"a", "HASH"}, {"b", "RANGE"}}), indexes, more});
}

TEST_F(CreateTableTest, ReturnsTheDescriptionOfTheNewTable) {
  const std::string made = Body("CreateTable", TableWith(kOnDemand));
  EXPECT_EQ(made, R"({"TableDescription":{)"
                  R"("AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"}],)"
                  R"("TableName":"table",)"
                  R"("KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],)"
                  R"("TableStatus":"ACTIVE","CreationDateTime":0,)"
                  R"("ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,)"
                  R"("WriteCapacityUnits":0},)"
                  R"("TableSizeBytes":0,"ItemCount":0,)"
                  R"("TableArn":"arn:aws:dynamodb:us-east-1:000000000000:table/table",)"
                  R"("TableId":"8aa9db3d-fcc4-40ac-9980-783b54742e34",)"
                  R"("BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},)"
                  R"("DeletionProtectionEnabled":false}})");
}

TEST_F(CreateTableTest, ReturnsTheDescriptionsOfTheIndexes) {
  const std::string made = Body(
      "CreateTable",
      WithIndexes(LocalIndexes(Index("by_c", Keys({{"a", "HASH"}, {"c", "RANGE"}}), kKeysOnly)) +
                  "," +
                  GlobalIndexes(Index("of_c", Keys({{"c", "HASH"}}),
                                      R"("Projection":{"ProjectionType":"INCLUDE",)"
                                      R"("NonKeyAttributes":["x","y"]})"))));
  ExpectHas(made, R"("AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"},)"
                  R"({"AttributeName":"b","AttributeType":"S"},)"
                  R"({"AttributeName":"c","AttributeType":"N"}],)");
  ExpectHas(made,
            R"("LocalSecondaryIndexes":[{"IndexName":"by_c","KeySchema":[)"
            R"({"AttributeName":"a","KeyType":"HASH"},{"AttributeName":"c","KeyType":"RANGE"}],)"
            R"("Projection":{"ProjectionType":"KEYS_ONLY"},"IndexSizeBytes":0,"ItemCount":0,)"
            R"("IndexArn":"arn:aws:dynamodb:us-east-1:000000000000:table/table/index/by_c"}],)");
  ExpectHas(made,
            R"("GlobalSecondaryIndexes":[{"IndexName":"of_c","KeySchema":[)"
            R"({"AttributeName":"c","KeyType":"HASH"}],)"
            R"("Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["x","y"]},)"
            R"("IndexStatus":"ACTIVE",)"
            R"("ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,)"
            R"("WriteCapacityUnits":0},"IndexSizeBytes":0,"ItemCount":0,)"
            R"("IndexArn":"arn:aws:dynamodb:us-east-1:000000000000:table/table/index/of_c"}],)");
}

TEST_F(CreateTableTest, DescribeTableAddsOnlyWarmThroughputAndTheTimeOfTheMode) {
  const std::string made =
      Body("CreateTable", WithIndexes(GlobalIndexes(Index("of_c", Keys({{"c", "HASH"}})))));
  constexpr std::string_view kWarm =
      R"(,"WarmThroughput":{"ReadUnitsPerSecond":12000,"Status":"ACTIVE","WriteUnitsPerSecond":4000})";
  constexpr std::string_view kTime = R"(,"LastUpdateToPayPerRequestDateTime":0)";
  std::string described = Describe();
  for (const std::string_view added : {kWarm, kWarm, kTime}) {  // of the table and of the index
    ExpectHas(described, added);
    if (const std::size_t at = described.find(added); at != described.npos) {
      described.erase(at, added.size());
    }
  }
  EXPECT_EQ(described, R"({"Table":)" + made.substr(made.find(':') + 1));
}

TEST_F(CreateTableTest, AcceptsGlobalIndexesWithMultiAttributeKeys) {
  const std::string keys = Keys({{"c", "HASH"}, {"b", "HASH"}, {"a", "RANGE"}, {"d", "RANGE"}});
  const std::string made =
      Body("CreateTable",
           Object({kTable, Definitions({{"a", "S"}, {"b", "B"}, {"c", "N"}, {"d", "S"}}),
                   Keys({{"a", "HASH"}}), kOnDemand, GlobalIndexes(Index("many", keys))}));
  ExpectHas(made, keys);
  ExpectHas(made, R"({"AttributeName":"b","AttributeType":"B"})");
}

TEST_F(CreateTableTest, RemembersProvisionedThroughput) {
  const std::string made =
      Body("CreateTable",
           WithIndexes(GlobalIndexes(Index("of_c", Keys({{"c", "HASH"}}), kAll, Units(3, 4))),
                       Units(1, 2)));
  ExpectHas(made, R"("CreationDateTime":0,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,)"
                  R"("ReadCapacityUnits":1,"WriteCapacityUnits":2},)");
  ExpectHas(made, R"("IndexStatus":"ACTIVE","ProvisionedThroughput":{"NumberOfDecreasesToday":0,)"
                  R"("ReadCapacityUnits":3,"WriteCapacityUnits":4},)");
  ExpectHasNot(made, "BillingModeSummary");
}

TEST_F(CreateTableTest, RemembersOnDemandAndWarmThroughput) {
  const std::string made =
      Body("CreateTable", TableWith(R"("BillingMode":"PAY_PER_REQUEST",)"
                                    R"("OnDemandThroughput":{"MaxReadRequestUnits":10},)"
                                    R"("WarmThroughput":{"ReadUnitsPerSecond":12000,)"
                                    R"("WriteUnitsPerSecond":4000})"));
  ExpectHas(made, R"("OnDemandThroughput":{"MaxReadRequestUnits":10},"WarmThroughput":{)"
                  R"("ReadUnitsPerSecond":12000,"Status":"UPDATING","WriteUnitsPerSecond":4000},)");
  ExpectHas(Describe(),
            R"("ReadUnitsPerSecond":12000,"Status":"ACTIVE","WriteUnitsPerSecond":4000},)");
}

TEST_F(CreateTableTest, RejectsAWarmThroughputBelowThatOfTheBillingMode) {
  const std::string on_demand =
      "initial throughput for OnDemand. See: https://docs.aws.amazon.com/amazondynamodb/latest/"
      "developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial";
  const auto warm = [](std::string_view units) {
    return R"("WarmThroughput":{")" + std::string(units) + "}";
  };
  const std::string reads = warm(R"(ReadUnitsPerSecond":11999)");
  const std::string writes = warm(R"(WriteUnitsPerSecond":3999)");
  const std::string two = warm(R"(ReadUnitsPerSecond":2)");
  const auto requested = [](const std::string& units, const std::string& rest) {
    return "Requested " + units + " for WarmThroughput for " + rest;
  };
  ExpectWrongValue(TableWith(std::string(kOnDemand) + "," + reads),
                   requested("ReadUnitsPerSecond", "table is lower than " + on_demand));
  ExpectWrongValue(TableWith(std::string(kOnDemand) + "," + writes),
                   requested("WriteUnitsPerSecond", "table is lower than " + on_demand));
  ExpectWrongValue(TableWith(Units(3, 3) + "," + two),
                   requested("ReadUnitsPerSecond",
                             "table is lower than ReadCapacityUnits of ProvisionedThroughput"));
  ExpectWrongValue(TableWith(Units(3, 3) + "," + warm(R"(WriteUnitsPerSecond":2)")),
                   requested("WriteUnitsPerSecond",
                             "table is lower than WriteCapacityUnits of ProvisionedThroughput"));
  const std::string keys = Keys({{"c", "HASH"}});
  ExpectWrongValue(WithIndexes(GlobalIndexes(Index("of_c", keys, kAll, writes))),
                   requested("WriteUnitsPerSecond", "index of_c is lower than " + on_demand));
}

TEST_F(CreateTableTest, RejectsMaximaOfAProvisionedTable) {
  const std::string maximum = R"("OnDemandThroughput":{"MaxReadRequestUnits":0})";
  ExpectWrongValue(TableWith(Units(1, 1) + "," + maximum),
                   "MaxReadRequestUnits for OnDemandThroughput cannot be specified when table "
                   "BillingMode is PROVISIONED.");
  const std::string index = Index("of_c", Keys({{"c", "HASH"}}), kAll, Units(1, 1) + "," + maximum);
  ExpectWrongValue(WithIndexes(GlobalIndexes(index), Units(1, 1)),
                   "MaxReadRequestUnits for OnDemandThroughput for index: of_c cannot be specified "
                   "when table BillingMode is PROVISIONED.");
  ExpectHasNot(Body("CreateTable", TableWith(Units(1, 1) + R"(,"OnDemandThroughput":{})")),
               "OnDemandThroughput");
}

TEST_F(CreateTableTest, RejectsMaximaThatAreNotPositive) {
  for (const std::string maximum : {"0", "-1", "-2"}) {
    ExpectWrongValue(TableWith(std::string(kOnDemand) +
                               R"(,"OnDemandThroughput":{"MaxReadRequestUnits":)" + maximum + "}"),
                     "Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of "
                     "valid range");
  }
  ExpectWrongValue(
      WithIndexes(GlobalIndexes(Index("of_c", Keys({{"c", "HASH"}}), kAll,
                                      R"("OnDemandThroughput":{"MaxWriteRequestUnits":0})"))),
      "Requested MaxWriteRequestUnits for OnDemandThroughput for index : of_c is "
      "outside of valid range");
}

TEST_F(CreateTableTest, RemembersClassEncryptionAndProtection) {
  const std::string made =
      Body("CreateTable", TableWith(R"("BillingMode":"PAY_PER_REQUEST",)"
                                    R"("TableClass":"STANDARD_INFREQUENT_ACCESS",)"
                                    R"("SSESpecification":{"Enabled":true,"KMSMasterKeyId":"k"},)"
                                    R"("DeletionProtectionEnabled":true)"));
  ExpectHas(made,
            R"("SSEDescription":{"KMSMasterKeyArn":"arn:aws:kms:us-east-1:000000000000:key/k",)"
            R"("SSEType":"KMS","Status":"ENABLED"},)"
            R"("TableClassSummary":{"TableClass":"STANDARD_INFREQUENT_ACCESS"},)"
            R"("DeletionProtectionEnabled":true}})");
}

TEST_F(CreateTableTest, EnablesAStream) {
  const std::string made =
      Body("CreateTable", TableWith(R"("BillingMode":"PAY_PER_REQUEST","StreamSpecification":)"
                                    R"({"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"})"));
  ExpectHas(
      made,
      R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},)"
      R"("LatestStreamLabel":"1970-01-01T00:00:00.000","LatestStreamArn":)"
      R"("arn:aws:dynamodb:us-east-1:000000000000:table/table/stream/1970-01-01T00:00:00.000")");
}

TEST_F(CreateTableTest, RejectsAContradictoryStream) {
  const auto with = [](std::string_view stream) {
    return TableWith(std::string(kOnDemand) + R"(,"StreamSpecification":{)" + std::string(stream) +
                     "}");
  };
  ExpectWrongValue(with(R"("StreamEnabled":true)"),
                   "Table is being created with a stream enabled, UpdateViewType is required");
  ExpectWrongValue(
      with(R"("StreamEnabled":false,"StreamViewType":"KEYS_ONLY")"),
      "Table is being created with a stream disabled, UpdateViewType should not be specified");
}

TEST_F(CreateTableTest, CreatesNoStreamIfStreamEnabledIsFalse) {
  ExpectHasNot(Body("CreateTable", TableWith(R"("BillingMode":"PAY_PER_REQUEST",)"
                                             R"("StreamSpecification":{"StreamEnabled":false})")),
               "Stream");
}

TEST_F(CreateTableTest, RejectsARepeatedNonKeyAttribute) {
  ExpectWrongValue(WithIndexes(GlobalIndexes(Index("of_c", Keys({{"c", "HASH"}}),
                                                   R"("Projection":{"ProjectionType":"INCLUDE",)"
                                                   R"("NonKeyAttributes":["x","x"]})"))),
                   "Duplicate attribute in NonKeyAttributes: x");
}

TEST_F(CreateTableTest, RejectsTheNameOfAnExistingTable) {
  Body("CreateTable", TableWith(kOnDemand));
  EXPECT_EQ(Body("CreateTable", TableWith(kOnDemand), 400),
            ErrorBody("com.amazonaws.dynamodb.v20120810#ResourceInUseException",
                      "Table already exists: table"));
}

// --- invalid members of the request ---

TEST_F(CreateTableTest, ReportsEveryMissingMember) {
  ExpectRefused(R"({"TableName":"a;b"})",
                "3 validation errors detected: Value null at 'attributeDefinitions' failed to "
                "satisfy constraint: Member must not be null; Value 'a;b' at 'tableName' failed to "
                "satisfy constraint: Member must satisfy regular expression pattern: "
                "[a-zA-Z0-9_.-]+; Value null at 'keySchema' failed to satisfy constraint: Member "
                "must not be null");
}

TEST_F(CreateTableTest, ReportsAnAbsentNameAfterTheConstraintsOfOtherMembers) {
  ExpectRefused(
      "{}",
      "2 validation errors detected: Value null at 'attributeDefinitions' failed to satisfy "
      "constraint: Member must not be null; Value null at 'keySchema' failed to satisfy "
      "constraint: Member must not be null");
  ExpectRefused(Object({Definitions({{"a", "S"}, {"a", "S"}}), Keys({{"b", "HASH"}})}),
                "The parameter 'TableName' is required but was not present in the request");
}

TEST_F(CreateTableTest, RejectsInvalidTableNames) {
  const auto named = [](const std::string& name) {
    return Object({R"("TableName":")" + name + "\"", Definitions({{"a", "S"}}),
                   Keys({{"a", "HASH"}}), kOnDemand});
  };
  const auto violation = [](const std::string& name) {
    return "Value '" + name + "' at 'tableName' failed to satisfy constraint: Member must ";
  };
  ExpectRefused(named("zz"), "1 validation error detected: " + violation("zz") +
                                 "have length greater than or equal to 3");
  ExpectRefused(named(""), "2 validation errors detected: " + violation("") +
                               "satisfy regular expression pattern: [a-zA-Z0-9_.-]+; " +
                               violation("") + "have length greater than or equal to 3");
  const std::string longest(256, 'x');
  ExpectRefused(named(longest), "1 validation error detected: " + violation(longest) +
                                    "have length less than or equal to 255");
  ExpectRefused(
      Object({R"("TableName":"a;b")", Definitions({{"a", "S"}}), Keys({{"a", "HASH"}}), kOnDemand}),
      "1 validation error detected: Value 'a;b' at 'tableName' failed to satisfy "
      "constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
}

TEST_F(CreateTableTest, ErrorsListEnumValuesInDynamoDbsOrder) {
  ExpectRefused(
      Object({kTable, Definitions({{"a", "X"}}), Keys({{"a", "SORT"}}), R"("BillingMode":"FREE")"}),
      "3 validation errors detected: Value 'X' at 'attributeDefinitions.1.member.attributeType' "
      "failed to satisfy constraint: Member must satisfy enum value set: [B, N, S]; Value 'FREE' "
      "at 'billingMode' failed to satisfy constraint: Member must satisfy enum value set: "
      "[PROVISIONED, PAY_PER_REQUEST]; Value 'SORT' at 'keySchema.1.member.keyType' failed to "
      "satisfy constraint: Member must satisfy enum value set: [HASH, RANGE]");
  ExpectRefused(WithIndexes(GlobalIndexes(Index("of_c", Keys({{"c", "HASH"}}),
                                                R"("Projection":{"ProjectionType":"SOME"})"))),
                "1 validation error detected: Value 'SOME' at "
                "'globalSecondaryIndexes.1.member.projection.projectionType' failed to satisfy "
                "constraint: Member must satisfy enum value set: [ALL, INCLUDE, KEYS_ONLY]");
}

TEST_F(CreateTableTest, NamesTheFaultsOfGlobalIndexesBeforeThoseOfLocalIndexes) {
  const std::string index =
      Index("some", Keys({{"a", "HASH"}}), R"("Projection":{"ProjectionType":"SOME"})");
  const auto violation = [](const std::string& indexes) {
    return "Value 'SOME' at '" + indexes +
           ".1.member.projection.projectionType' failed to satisfy constraint: Member must satisfy "
           "enum value set: [ALL, INCLUDE, KEYS_ONLY]";
  };
  const std::string message =
      "2 validation errors detected: " + violation("globalSecondaryIndexes") + "; " +
      violation("localSecondaryIndexes");
  ExpectRefused(WithIndexes(LocalIndexes(index) + "," + GlobalIndexes(index)), message);
  ExpectRefused(WithIndexes(GlobalIndexes(index) + "," + LocalIndexes(index)), message);
}

TEST_F(CreateTableTest, RejectsKeySchemasOfInvalidLength) {
  ExpectRefused(
      Object({kTable, Definitions({{"a", "S"}}),
              Keys({{"a", "HASH"}, {"a", "HASH"}, {"a", "HASH"}}), kOnDemand}),
      "1 validation error detected: Value '[KeySchemaElement(attributeName=a, keyType=HASH), "
      "KeySchemaElement(attributeName=a, keyType=HASH), KeySchemaElement(attributeName=a, "
      "keyType=HASH)]' at 'keySchema' failed to satisfy constraint: Member must have length less "
      "than or equal to 2");
  const std::string local = Index("loc", Keys({{"a", "HASH"}, {"b", "RANGE"}, {"c", "RANGE"}}));
  ExpectRefused(
      WithIndexes(LocalIndexes(local)),
      "1 validation error detected: Value '[KeySchemaElement(attributeName=a, keyType=HASH), "
      "KeySchemaElement(attributeName=b, keyType=RANGE), KeySchemaElement(attributeName=c, "
      "keyType=RANGE)]' at 'localSecondaryIndexes.1.member.keySchema' failed to satisfy "
      "constraint: Member must have length less than or equal to 2");
  ExpectRefused(Object({kTable, Definitions({{"a", "S"}}), Keys({}), kOnDemand}),
                "1 validation error detected: Value '[]' at 'keySchema' failed to satisfy "
                "constraint: Member must have length greater than or equal to 1");
}

TEST_F(CreateTableTest, RejectsInvalidCapacityUnits) {
  ExpectRefused(TableWith(R"("ProvisionedThroughput":{"ReadCapacityUnits":0})"),
                "2 validation errors detected: Value null at "
                "'provisionedThroughput.writeCapacityUnits' failed to satisfy constraint: Member "
                "must not be null; Value '0' at 'provisionedThroughput.readCapacityUnits' failed "
                "to satisfy constraint: Member must have value greater than or equal to 1");
  ExpectRefused(TableWith(R"("ProvisionedThroughput":{"ReadCapacityUnits":1000000000001,)"
                          R"("WriteCapacityUnits":1})"),
                "Given value 1000000000001 for ReadCapacityUnits is out of bounds");
  ExpectRefused(TableWith(R"("ProvisionedThroughput":{"ReadCapacityUnits":1,)"
                          R"("WriteCapacityUnits":1000000000001})"),
                "Given value 1000000000001 for WriteCapacityUnits is out of bounds");
}

// --- billing ---

TEST_F(CreateTableTest, RejectsUnitsThatContradictTheBillingMode) {
  ExpectWrongValue(TableWith(""),
                   "ReadCapacityUnits and WriteCapacityUnits must both be specified when "
                   "BillingMode is PROVISIONED");
  ExpectWrongValue(TableWith(std::string(kOnDemand) + "," + Units(1, 1)),
                   "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when "
                   "BillingMode is PAY_PER_REQUEST");
  const std::string keys = Keys({{"c", "HASH"}});
  ExpectWrongValue(WithIndexes(GlobalIndexes(Index("of_c", keys, kAll, Units(1, 1)))),
                   "ProvisionedThroughput should not be specified for index: of_c when BillingMode "
                   "is PAY_PER_REQUEST");
  ExpectWrongValue(WithIndexes(GlobalIndexes(Index("of_c", keys)), Units(1, 1)),
                   "ProvisionedThroughput must be specified for index: of_c");
}

// --- keys of the table ---

TEST_F(CreateTableTest, RejectsAKeySchemaThatIsNotHashThenRange) {
  const std::string definitions = Definitions({{"a", "S"}, {"b", "S"}});
  ExpectRefused(Object({kTable, definitions, Keys({{"a", "RANGE"}, {"b", "RANGE"}}), kOnDemand}),
                "Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  ExpectRefused(Object({kTable, definitions, Keys({{"a", "HASH"}, {"b", "HASH"}}), kOnDemand}),
                "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
  ExpectRefused(Object({kTable, definitions, Keys({{"a", "HASH"}, {"a", "RANGE"}}), kOnDemand}),
                "Both the Hash Key and the Range Key element in the KeySchema have the same name");
}

TEST_F(CreateTableTest, RejectsKeyAttributesWithoutADefinition) {
  ExpectRefused(
      Object({kTable, Definitions({{"a", "S"}}), Keys({{"a", "HASH"}, {"b", "RANGE"}}), kOnDemand}),
      "Invalid KeySchema: Some index key attribute have no definition");
  ExpectWrongValue(
      Object({kTable, Definitions({{"a", "S"}, {"b", "S"}}), Keys({{"c", "HASH"}}), kOnDemand}),
      "Some index key attributes are not defined in AttributeDefinitions. Keys: [c], "
      "AttributeDefinitions: [a, b]");
}

TEST_F(CreateTableTest, RejectsDefinitionsThatNoKeyUses) {
  ExpectWrongValue(
      Object({kTable, Definitions({{"a", "S"}, {"b", "S"}}), Keys({{"a", "HASH"}}), kOnDemand}),
      "Number of attributes in KeySchema does not exactly match number of attributes defined in "
      "AttributeDefinitions");
  ExpectWrongValue(WithIndexes(GlobalIndexes(Index("of_b", Keys({{"b", "HASH"}})))),
                   "Some AttributeDefinitions are not used. AttributeDefinitions: [a, b, c], keys "
                   "used: [a, b]");
}

TEST_F(CreateTableTest, RejectsDuplicateDefinitions) {
  ExpectRefused(
      Object({kTable, Definitions({{"a", "S"}, {"b", "S"}, {"b", "N"}}), Keys({{"a", "HASH"}}),
              kOnDemand, GlobalIndexes(Index("of_b", Keys({{"b", "HASH"}})))}),
      "Attribute Name is duplicated: b");
  ExpectRefused(Object({kTable, Definitions({{"a", "S"}, {"a", "N"}}), Keys({{"a", "HASH"}})}),
                "Attribute Name is duplicated: a");
}

// The request has no throughput, and its index has no type of projection.
TEST_F(CreateTableTest, AnUnusedDefinitionHidesTheFaultsOfIndexesAndThroughput) {
  ExpectWrongValue(
      WithIndexes(GlobalIndexes(Index("of_b", Keys({{"b", "HASH"}}), R"("Projection":{})")), ""),
      "Some AttributeDefinitions are not used. AttributeDefinitions: [a, b, c], keys used: [a, b]");
}

// DynamoDB checks billing, then the table's keys, then local indexes, then global indexes.
TEST_F(CreateTableTest, ReportsFaultsInDynamoDbsOrder) {
  const std::string bad_keys = Keys({{"a", "RANGE"}});
  const std::string no_indexes = LocalIndexes("") + "," + GlobalIndexes("");
  const std::string definitions = Definitions({{"a", "S"}});
  ExpectWrongValue(Object({kTable, definitions, bad_keys, no_indexes}),
                   "ReadCapacityUnits and WriteCapacityUnits must both be specified when "
                   "BillingMode is PROVISIONED");
  ExpectRefused(Object({kTable, definitions, bad_keys, no_indexes, kOnDemand}),
                "Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  ExpectWrongValue(TableWith(no_indexes + "," + std::string(kOnDemand)),
                   "List of LocalSecondaryIndexes is empty");
  ExpectWrongValue(TableWith(GlobalIndexes("") + "," + std::string(kOnDemand)),
                   "List of GlobalSecondaryIndexes is empty");
}

// --- indexes ---

TEST_F(CreateTableTest, LocalIndexesNeedARangeKeyAndTheTablesPartitionKey) {
  const std::string by_c = Keys({{"a", "HASH"}, {"c", "RANGE"}});
  ExpectWrongValue(Object({kTable, Definitions({{"a", "S"}, {"c", "S"}}), Keys({{"a", "HASH"}}),
                           kOnDemand, LocalIndexes(Index("by_c", by_c))}),
                   "Table KeySchema does not have a range key, which is required when specifying a "
                   "LocalSecondaryIndex");
  ExpectWrongValue(WithIndexes(LocalIndexes(Index("by_c", Keys({{"a", "HASH"}}))) + "," +
                               GlobalIndexes(Index("of_c", Keys({{"c", "HASH"}})))),
                   "Index KeySchema does not have a range key for index: by_c");
  ExpectWrongValue(
      WithIndexes(LocalIndexes(Index("by_c", Keys({{"c", "HASH"}, {"a", "RANGE"}})))),
      "Index KeySchema does not have the same leading hash key as table KeySchema for index: by_c. "
      "index hash key: c, table hash key: a");
}

TEST_F(CreateTableTest, RejectsInvalidKeysOfIndexes) {
  const auto global = [](const std::string& keys) {
    return WithIndexes(GlobalIndexes(Index("some", keys)));
  };
  ExpectWrongValue(global(Keys({{"d", "HASH"}})),
                   "Some index key attributes are not defined in AttributeDefinitions. Keys: [d], "
                   "AttributeDefinitions: [a, b, c]");
  ExpectRefused(global(Keys({{"c", "HASH"}, {"c", "RANGE"}})),
                "The KeySchema contains multiple key attributes with the same name");
  ExpectRefused(WithIndexes(LocalIndexes(Index("some", Keys({{"c", "HASH"}, {"c", "RANGE"}})))),
                "Both the Hash Key and the Range Key element in the KeySchema have the same name");
  ExpectRefused(global(Keys({{"c", "RANGE"}})),
                "Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  ExpectWrongValue(global(Keys({{"c", "HASH"}, {"a", "RANGE"}, {"b", "HASH"}})),
                   "All HASH key attributes must precede RANGE key attributes in the KeySchema");
  ExpectRefused(WithIndexes(LocalIndexes(Index("some", Keys({{"a", "HASH"}, {"c", "HASH"}})))),
                "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
}

TEST_F(CreateTableTest, RejectsInvalidProjections) {
  const auto with = [](std::string_view projection) {
    return WithIndexes(GlobalIndexes(Index("of_c", Keys({{"c", "HASH"}}), projection)));
  };
  ExpectWrongValue(with(R"("Projection":{})"), "Unknown ProjectionType: null");
  ExpectWrongValue(with(R"("Projection":{"ProjectionType":"ALL","NonKeyAttributes":["x"]})"),
                   "ProjectionType is ALL, but NonKeyAttributes is specified");
  ExpectWrongValue(with(R"("Projection":{"ProjectionType":"KEYS_ONLY","NonKeyAttributes":["x"]})"),
                   "ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified");
  ExpectWrongValue(with(R"("Projection":{"ProjectionType":"INCLUDE"})"),
                   "ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
}

TEST_F(CreateTableTest, RejectsTooManyIndexesAndDuplicateIndexNames) {
  const auto many = [](int count, const std::string& keys) {
    std::string indexes;
    for (int i = 0; i < count; ++i) {
      indexes += (i > 0 ? "," : "") + Index("index" + std::to_string(i), keys);
    }
    return indexes;
  };
  const std::string local = Keys({{"a", "HASH"}, {"c", "RANGE"}});
  const std::string global = Keys({{"c", "HASH"}});
  ExpectWrongValue(WithIndexes(LocalIndexes(many(6, local))),
                   "Number of LocalSecondaryIndexes exceeds per-table limit of 5");
  ExpectWrongValue(WithIndexes(GlobalIndexes(many(21, global))),
                   "GlobalSecondaryIndex count exceeds the per-table limit of 20");
  ExpectWrongValue(
      WithIndexes(LocalIndexes(Index("same", local)) + "," + GlobalIndexes(Index("same", global))),
      "Duplicate index name: same");
}

}  // namespace
}  // namespace dolmen
