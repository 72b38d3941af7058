// Tests of the member "Dolmen", with which Dolmen's client and server extend DynamoDB's API.

#include "wire/extensions.h"

#include <chrono>
#include <string>

#include "tests/wire/tables.h"

namespace dolmen {
namespace {

constexpr std::string_view kStream =
    R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"})";
constexpr std::string_view kThreeDays = R"("Dolmen":{"StreamRetentionMilliseconds":259200000})";
constexpr std::string_view kOneDay = R"("Dolmen":{"StreamRetentionMilliseconds":86400000})";

std::string Retention(std::string_view value) {
  return R"("Dolmen":{"StreamRetentionMilliseconds":)" + std::string(value) + "}";
}

class TableExtensionsTest : public WireTableTest {
 protected:
  static std::string Table(std::string_view stream, std::string_view extensions) {
    return Object({R"("TableName":"table")", Definitions({{"a", "S"}}), Keys({{"a", "HASH"}}),
                   kOnDemand, stream, extensions});
  }
  static std::string Update(std::string_view stream, std::string_view extensions) {
    return Object({R"("TableName":"table")", stream, extensions});
  }
};

TEST_F(TableExtensionsTest, CreateTableSetsTheRetentionOfTheStream) {
  ExpectHas(Body("CreateTable", Table(kStream, kThreeDays)), kThreeDays);
  ExpectHas(Describe(), kThreeDays);
  const TableDescription table = test::Value(db_.DescribeTable("table"));
  EXPECT_EQ(table.stream_specification->retention, std::chrono::hours(72));
}

TEST_F(TableExtensionsTest, UpdateTableSetsTheRetentionOfANewStream) {
  Body("CreateTable", Table("", ""));
  ExpectHas(Body("UpdateTable", Update(kStream, kThreeDays)), kThreeDays);
  ExpectHas(Describe(), kThreeDays);
  Body("UpdateTable", Update(R"("StreamSpecification":{"StreamEnabled":false})", ""));
  ExpectHasNot(Describe(), "Dolmen");
}

// Other clients compare descriptions with those of DynamoDB.
TEST_F(TableExtensionsTest, ADescriptionHasNoExtensionForTheRetentionOfDynamoDb) {
  ExpectHasNot(Body("CreateTable", Table(kStream, "")), "Dolmen");
  ExpectHasNot(Describe(), "Dolmen");
  Body("DeleteTable", R"({"TableName":"table"})");
  ExpectHasNot(Body("CreateTable", Table(kStream, kOneDay)), "Dolmen");
}

TEST_F(TableExtensionsTest, ARetentionWithoutAStreamIsIgnored) {
  ExpectHasNot(Body("CreateTable", Table("", kThreeDays)), "Dolmen");
  ExpectInvalid(
      "UpdateTable", Update("", kThreeDays),
      "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
      "GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, "
      "ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, "
      "OnDemandThroughput, WarmThroughput or TableClass is required");
}

TEST_F(TableExtensionsTest, UnknownExtensionsAreIgnored) {
  Body("CreateTable", Table(kStream, R"("Dolmen":{"HideExpired":7,"Later":[]})"));
  ExpectHasNot(Describe(), "Dolmen");
}

TEST_F(TableExtensionsTest, TheRetentionIsAPositiveInteger) {
  for (const std::string value : {"0", "-1", "-9223372036854775808"}) {
    ExpectInvalid("CreateTable", Table(kStream, Retention(value)),
                  "1 validation error detected: Value '" + value +
                      "' at 'dolmen.streamRetentionMilliseconds' failed to satisfy constraint: "
                      "Member must have value greater than or equal to 1");
  }
  for (const char* operation : {"CreateTable", "UpdateTable"}) {
    const auto expect_wrong_type = [&](std::string_view extensions, std::string_view message) {
      ExpectUnserializable(operation, Update(kStream, extensions), message);
    };
    expect_wrong_type(Retention(R"("1")"), "STRING_VALUE cannot be converted to Long");
    expect_wrong_type(Retention("{}"), "Start of structure or map found where not expected");
    expect_wrong_type(R"("Dolmen":[])",
                      "Unrecognized collection type class "
                      "com.amazonaws.dynamodb.v20120810.TableExtensions");
  }
}

TEST_F(TableExtensionsTest, TheLongestRetentionIsKept) {
  const std::string longest = Retention("9223372036854775807");
  ExpectHas(Body("CreateTable", Table(kStream, longest)), longest);
  ExpectHas(Body("PutItem", R"({"TableName":"table","Item":{"a":{"S":"1"}}})"), "{}");
}

class ReadExtensionsTest : public WireItemTest {
 protected:
  static constexpr std::string_view kAsk =
      R"("ReturnConsumedCapacity":"TOTAL","Dolmen":{"ReturnScannedBytes":true})";

  // Stores two items of 9 bytes each.
  ReadExtensionsTest() {
    Put(R"({"PK":{"S":"p"},"SK":{"S":"1"},"n":{"N":"1"}})");
    Put(R"({"PK":{"S":"p"},"SK":{"S":"2"},"n":{"N":"2"}})");
  }
  static std::string Query(std::string_view more) {
    return Object({R"("TableName":"app","KeyConditionExpression":"PK = :p","FilterExpression":)"
                   R"("n > :one","ExpressionAttributeValues":{":p":{"S":"p"},":one":{"N":"1"}})"
                   R"(,"ProjectionExpression":"PK")",
                   more});
  }
  static std::string Scan(std::string_view more) {
    return Object({R"("TableName":"app","Select":"COUNT")", more});
  }
};

TEST_F(ReadExtensionsTest, APageHasTheSizesOfItsItemsBeforeTheFilterAndTheProjection) {
  EXPECT_EQ(Body("Query", Query(kAsk)),
            R"({"Count":1,"ScannedCount":2,"Items":[{"PK":{"S":"p"}}],"ConsumedCapacity":)"
            R"({"TableName":"app","CapacityUnits":0.5},"Dolmen":{"ScannedBytes":18}})");
  EXPECT_EQ(Body("Scan", Scan(kAsk)),
            R"({"Count":2,"ScannedCount":2,"ConsumedCapacity":)"
            R"({"TableName":"app","CapacityUnits":0.5},"Dolmen":{"ScannedBytes":18}})");
}

TEST_F(ReadExtensionsTest, AResponseHasNoExtensionUnlessTheRequestAsksForIt) {
  for (const std::string_view more :
       {R"("ReturnConsumedCapacity":"TOTAL")", R"("Dolmen":{"ReturnScannedBytes":true})",
        R"("ReturnConsumedCapacity":"NONE","Dolmen":{"ReturnScannedBytes":true})",
        R"("ReturnConsumedCapacity":"TOTAL","Dolmen":{"ReturnScannedBytes":false})",
        R"("ReturnConsumedCapacity":"TOTAL","Dolmen":{"Later":1})",
        R"("ReturnConsumedCapacity":"TOTAL","Dolmen":null)"}) {
    for (const std::string& body : {Body("Query", Query(more)), Body("Scan", Scan(more))}) {
      EXPECT_EQ(body.find("Dolmen"), body.npos) << more << ' ' << body;
    }
  }
}

TEST_F(ReadExtensionsTest, AWrongTypeIsRejected) {
  ExpectUnserializable("Query", Query(R"("Dolmen":{"ReturnScannedBytes":1})"),
                       "NUMBER_VALUE cannot be converted to Boolean");
  ExpectUnserializable("Scan", Scan(R"("Dolmen":"yes")"), "Unexpected field type");
}

}  // namespace
}  // namespace dolmen
