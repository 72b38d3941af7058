// Tests of randomly damaged requests. Every response is JSON with a status that DynamoDB uses, and
// a table that no request names keeps its contents.

#include <cstddef>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/wire_response.h"
#include "tests/wire/damaged_json.h"
#include "tests/wire/fixture.h"

namespace dolmen {
namespace {

using test::Random;
using test::TestSeed;
using test::TestSteps;

struct Request {
  std::string_view operation;
  std::string_view json;
};

// Valid requests. Together they use most members that a request can have.
constexpr Request kGoodRequests[] = {
    {"PutItem",
     R"~({"TableName":"app","Item":{"PK":{"S":"p"},"SK":{"S":"3"},"age":{"N":"7"},"b":{"B":"AQID"},
           "t":{"BOOL":true},"z":{"NULL":true},"ns":{"NS":["1","2"]},"bs":{"BS":["AQ=="]},
           "m":{"M":{"k":{"L":[{"S":"x"},{"SS":["y"]}]}}}},"ConditionExpression":
           "attribute_not_exists(q)","ReturnValues":"ALL_OLD","ReturnConsumedCapacity":"INDEXES",
           "ReturnItemCollectionMetrics":"SIZE"})~"},
    {"PutItem",
     R"~({"TableName":"app","Item":{"PK":{"S":"p"},"SK":{"S":"9"}},"ConditionalOperator":"OR",
           "Expected":{"n":{"Value":{"N":"1"}},"q":{"Exists":false},"age":{"ComparisonOperator":
           "BETWEEN","AttributeValueList":[{"N":"1"},{"N":"9"}]}}})~"},
    {"GetItem",
     R"~({"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"1"}},"ProjectionExpression":
           "m.k[0], #b","ExpressionAttributeNames":{"#b":"b"},"ConsistentRead":true})~"},
    {"UpdateItem",
     R"~({"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"1"}},"UpdateExpression":
           "SET n = if_not_exists(n, :one) + :one, #l[1] = :x REMOVE m.k ADD ss :ss DELETE s2 :ss",
           "ExpressionAttributeNames":{"#l":"l"},"ExpressionAttributeValues":{":one":{"N":"1"},
           ":x":{"S":"x"},":ss":{"SS":["c"]}},"ReturnValues":"UPDATED_NEW"})~"},
    {"UpdateItem",
     R"~({"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"1"}},"AttributeUpdates":{"n":{
           "Action":"ADD","Value":{"N":"1"}},"ss":{"Action":"DELETE","Value":{"SS":["a"]}},"l":{
           "Action":"ADD","Value":{"L":[{"S":"x"}]}},"q":{"Value":{"S":"x"}}}})~"},
    {"DeleteItem",
     R"~({"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"2"}},"ConditionExpression":"n > :a",
           "ExpressionAttributeValues":{":a":{"N":"3"}},"ReturnValues":"ALL_OLD",
           "ReturnValuesOnConditionCheckFailure":"ALL_OLD"})~"},
    {"Query",
     R"~({"TableName":"app","IndexName":"GSI1","KeyConditionExpression":"GSI1PK = :p",
           "FilterExpression":"size(l) > :n AND n IN (:n)","ExpressionAttributeValues":{":p":{
           "S":"g"},":n":{"N":"1"}},"ExclusiveStartKey":{"PK":{"S":"p"},"SK":{"S":"1"},"GSI1PK":{
           "S":"g"},"GSI1SK":{"S":"s"}},"Select":"COUNT","Limit":3,"ScanIndexForward":false,"ReturnConsumedCapacity":"TOTAL",
           "Dolmen":{"ReturnScannedBytes":true}})~"},
    {"Query",
     R"~({"TableName":"app","KeyConditions":{"PK":{"ComparisonOperator":"EQ",
           "AttributeValueList":[{"S":"p"}]},"SK":{"ComparisonOperator":"BEGINS_WITH",
           "AttributeValueList":[{"S":"1"}]}},"QueryFilter":{"n":{"ComparisonOperator":"IN",
           "AttributeValueList":[{"N":"1"},{"N":"2"}]}},"AttributesToGet":["n","SK"]})~"},
    {"Scan",
     R"~({"TableName":"app","IndexName":"by_age","Segment":0,"TotalSegments":2,
           "ReturnConsumedCapacity":"TOTAL","ScanFilter":{"n":{"ComparisonOperator":"NOT_NULL"}}})~"},
    {"BatchWriteItem",
     R"~({"RequestItems":{"app":[{"PutRequest":{"Item":{"PK":{"S":"p"},"SK":{"S":"4"}}}},{
           "DeleteRequest":{"Key":{"PK":{"S":"p"},"SK":{"S":"9"}}}}]}})~"},
    {"BatchGetItem",
     R"~({"RequestItems":{"app":{"Keys":[{"PK":{"S":"p"},"SK":{"S":"4"}},{"PK":{"S":"p"},"SK":{
           "S":"2"}}],"ProjectionExpression":"SK,#l[0]","ExpressionAttributeNames":{"#l":"l"}}}})~"},
    {"TransactWriteItems",
     R"~({"TransactItems":[{"ConditionCheck":{"TableName":"app","Key":{"PK":{"S":"p"},"SK":{
           "S":"1"}},"ConditionExpression":"attribute_exists(n)"}},{"Put":{"TableName":"app",
           "Item":{"PK":{"S":"p"},"SK":{"S":"5"}}}},{"Update":{"TableName":"app","Key":{"PK":{
           "S":"p"},"SK":{"S":"2"}},"UpdateExpression":"SET n = :n","ExpressionAttributeValues":{
           ":n":{"N":"2"}}}}],"ClientRequestToken":"t1"})~"},
    {"TransactGetItems",
     R"~({"TransactItems":[{"Get":{"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"5"}}}},{
           "Get":{"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"2"}},
           "ProjectionExpression":"n"}}]})~"},
    {"CreateTable",
     R"~({"TableName":"two","AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"},{
           "AttributeName":"b","AttributeType":"N"}],"KeySchema":[{"AttributeName":"a","KeyType":
           "HASH"},{"AttributeName":"b","KeyType":"RANGE"}],"GlobalSecondaryIndexes":[{
           "IndexName":"glo","KeySchema":[{"AttributeName":"b","KeyType":"HASH"}],"Projection":{
           "ProjectionType":"INCLUDE","NonKeyAttributes":["x"]}}],"BillingMode":
           "PAY_PER_REQUEST","StreamSpecification":{"StreamEnabled":true,"StreamViewType":
           "KEYS_ONLY"},"Dolmen":{"StreamRetentionMilliseconds":60000},
           "Tags":[{"Key":"k","Value":"v"}]})~"},
    {"DescribeTable", R"({"TableName":"app"})"},
    {"UpdateTable",
     R"~({"TableName":"two","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"glo"}}]})~"},
    {"DeleteTable", R"({"TableName":"two"})"},
    {"ListTables", R"({"Limit":1,"ExclusiveStartTableName":"app"})"},
    {"TagResource",
     R"~({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app",
           "Tags":[{"Key":"k","Value":"v"}]})~"},
    {"UntagResource",
     R"~({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app","TagKeys":["k"]})~"},
    {"ListTagsOfResource",
     R"~({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app"})~"},
    {"UpdateTimeToLive",
     R"~({"TableName":"app","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}})~"},
    {"DescribeTimeToLive", R"({"TableName":"app"})"},
    {"DescribeContinuousBackups", R"({"TableName":"app"})"},
    {"UpdateContinuousBackups",
     R"~({"TableName":"app","PointInTimeRecoverySpecification":
           {"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":7}})~"},
    {"CreateBackup", R"({"TableName":"app","BackupName":"backup"})"},
    {"DescribeBackup",
     R"~({"BackupArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app/backup/1-1"})~"},
    {"ListBackups", R"~({"TableName":"app","Limit":2,"BackupType":"ALL","TimeRangeLowerBound":0.5,
                         "TimeRangeUpperBound":9})~"},
    {"DeleteBackup",
     R"~({"BackupArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app/backup/1-1"})~"},
    {"RestoreTableFromBackup",
     R"~({"BackupArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app/backup/1-1",
           "TargetTableName":"restored","BillingModeOverride":"PAY_PER_REQUEST"})~"},
    {"RestoreTableToPointInTime",
     R"~({"SourceTableName":"app","TargetTableName":"restored","UseLatestRestorableTime":true,
           "LocalSecondaryIndexOverride":[]})~"},
    {"ListStreams", R"({"TableName":"app","Limit":10})"},
    {"DescribeStream",
     R"~({"StreamArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app/stream/x","Limit":1})~"},
    {"GetShardIterator",
     R"~({"StreamArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app/stream/x","ShardId":
           "shardId-00000000000000000001-00000000","ShardIteratorType":"AT_SEQUENCE_NUMBER",
           "SequenceNumber":"000000000000000000001"})~"},
    {"GetRecords", R"({"ShardIterator":"arn:aws:dynamodb:x|1|AAAA","Limit":10})"},
    {"DescribeLimits", "{}"},
    {"DescribeEndpoints", "{}"},
};

class BadRequestsTest : public WireItemTest {
 protected:
  BadRequestsTest() {
    // The seed is printed first because a crash prints nothing afterwards.
    std::cout << "DOLMEN_SEED=" << TestSeed() << std::endl;
    CreateTableInput kept;
    kept.name = "kept-apart";
    EXPECT_TRUE(db_.CreateTable(kept).ok());
    for (const std::string_view sort : {"1", "2"}) {
      Put(R"({"PK":{"S":"p"},"SK":{"S":")" + std::string(sort) +
          R"("},"n":{"N":"4"},"l":{"L":[]},"ss":{"SS":["a","b"]},"m":{"M":{}}})");
    }
    Body("PutItem", R"({"TableName":"kept-apart","Item":{"PK":{"S":"p"},"SK":{"S":"s"}}})");
  }

  std::string Kept() { return Body("Scan", R"({"TableName":"kept-apart"})"); }
};

TEST_F(BadRequestsTest, EveryDamagedRequestGetsAWellFormedResponse) {
  Random random(TestSeed());
  const std::string before = Kept();
  const std::vector<Request> good(std::begin(kGoodRequests), std::end(kGoodRequests));
  for (std::size_t step = TestSteps(5'000); step > 0; --step) {
    const Request& request = random.Pick(good);
    const std::string json = Damaged(request.json, &random);
    const std::string_view operation =
        random.OneIn(20) ? random.Pick(good).operation : request.operation;
    const EndpointResponse response = endpoint_.Execute(operation, json);
    ASSERT_EQ(test::FaultOf(operation, response), "") << operation << ' ' << json.substr(0, 4000);
  }
  EXPECT_EQ(Kept(), before);
}

// Truncated JSON cannot be parsed. So the only error that the server can find is the
// SerializationException.
TEST_F(BadRequestsTest, ATruncatedBodyIsASerializationException) {
  for (const Request& request : kGoodRequests) {
    for (std::size_t size = 0; size < request.json.size(); ++size) {
      const EndpointResponse response =
          endpoint_.Execute(request.operation, request.json.substr(0, size));
      ASSERT_EQ(response.body, R"({"__type":"com.amazon.coral.service#SerializationException"})")
          << request.json.substr(0, size);
    }
  }
}

// The tests of damaged requests are useful only if each request is valid before the damage.
TEST_F(BadRequestsTest, TheUndamagedRequestsSucceed) {
  for (const Request& request : kGoodRequests) {
    const bool of_a_stream = request.operation.find("Stream") != std::string_view::npos ||
                             request.operation.starts_with("GetShard") ||
                             request.operation == "GetRecords";
    const bool of_a_backup = request.json.find("\"BackupArn\"") != std::string_view::npos;
    // The requests name streams and backups that do not exist.
    if (of_a_stream || of_a_backup) continue;
    EXPECT_EQ(endpoint_.Execute(request.operation, request.json).status, 200)
        << request.operation << ' ' << endpoint_.Execute(request.operation, request.json).body;
  }
}

}  // namespace
}  // namespace dolmen
