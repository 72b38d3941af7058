// Tests of ListStreams, DescribeStream, GetShardIterator and GetRecords in DynamoDB's JSON.

#include <chrono>
#include <string>

#include "dolmen/testing/simulate.h"
#include "tests/wire/tables.h"

namespace dolmen {
namespace {

constexpr std::string_view kUnknownArn =
    "arn:aws:dynamodb:us-east-1:000000000000:table/never/stream/1970-01-01T00:00:00.000";
constexpr std::string_view kShardOfNobody = "shardId-00000000000000000000-00000000";

// Returns the text of the first member with this name.
std::string TextIn(const std::string& body, const std::string& name) {
  const std::string before = "\"" + name + "\":\"";
  const std::size_t begin = body.find(before);
  EXPECT_NE(begin, body.npos) << "no " << name << " in " << body;
  if (begin == body.npos) return {};
  const std::size_t from = begin + before.size();
  return body.substr(from, body.find('"', from) - from);
}

class StreamOperationsTest : public WireTableTest {
 protected:
  StreamOperationsTest() { MakeTable("table"); }

  // Creates the table 1.5 seconds after the previous one, so that each stream's label differs.
  void MakeTable(const std::string& name) {
    clock_->Advance(std::chrono::milliseconds(1500));
    EXPECT_TRUE(
        db_.CreateTable({.name = name,
                         .sort_key = std::nullopt,
                         .stream_specification =
                             StreamSpecification{.view_type = StreamViewType::kNewAndOldImages}})
            .ok());
  }
  void Write(std::string_view operation, std::string_view rest) {
    Body(operation, Object({R"("TableName":"table")", rest}));
  }
  void Put(std::string_view value) {
    Write("PutItem", R"("Item":{"PK":{"S":"k"},"n":{"N":")" + std::string(value) + "\"}}");
  }
  std::string Arn() { return TextIn(Body("ListStreams", R"({"TableName":"table"})"), "StreamArn"); }
  std::string StreamArn() { return R"("StreamArn":")" + Arn() + "\""; }
  std::string DescribeStream() { return Body("DescribeStream", Object({StreamArn()})); }
  std::string Position(std::string_view type, std::string_view number = "") {
    std::string json =
        Object({StreamArn(), R"("ShardId":")" + TextIn(DescribeStream(), "ShardId") + "\"",
                R"("ShardIteratorType":")" + std::string(type) + "\""});
    if (number.empty()) return json;
    json.back() = ',';
    return json + R"("SequenceNumber":")" + std::string(number) + "\"}";
  }
  std::string Records(std::string_view type, std::string_view number = "") {
    const std::string iterator =
        TextIn(Body("GetShardIterator", Position(type, number)), "ShardIterator");
    return Body("GetRecords", R"({"ShardIterator":")" + iterator + "\"}");
  }
};

TEST_F(StreamOperationsTest, ListsStreams) {
  MakeTable("tables");
  const std::string first =
      R"({"StreamArn":"arn:aws:dynamodb:us-east-1:000000000000:table/table/stream/)"
      R"(1970-01-01T00:00:01.500","TableName":"table","StreamLabel":"1970-01-01T00:00:01.500"})";
  EXPECT_EQ(Body("ListStreams", R"({"TableName":"table"})"), R"({"Streams":[)" + first + "]}");
  const std::string page = Body("ListStreams", R"({"Limit":1})");
  EXPECT_EQ(page, R"({"Streams":[)" + first + R"(],"LastEvaluatedStreamArn":")" + Arn() + "\"}");
  const std::string rest =
      Body("ListStreams", R"({"Limit":1,"ExclusiveStartStreamArn":")" + Arn() + "\"}");
  EXPECT_EQ(TextIn(rest, "TableName"), "tables");
  ExpectHasNot(rest, "LastEvaluatedStreamArn");
}

TEST_F(StreamOperationsTest, DescribesAStream) {
  const std::string described = DescribeStream();
  EXPECT_EQ(described,
            R"({"StreamDescription":{"StreamArn":")" + Arn() +
                R"(","StreamLabel":"1970-01-01T00:00:01.500","StreamStatus":"ENABLED",)"
                R"("StreamViewType":"NEW_AND_OLD_IMAGES","CreationRequestDateTime":1.500,)"
                R"("TableName":"table","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}],)"
                R"("Shards":[{"ShardId":")" +
                TextIn(described, "ShardId") +
                R"(","SequenceNumberRange":{"StartingSequenceNumber":")" +
                TextIn(described, "StartingSequenceNumber") + R"("}}]}})");
}

TEST_F(StreamOperationsTest, AStreamHasNoShardsAfterAShardThatDoesNotExist) {
  ExpectHas(Body("DescribeStream", Object({StreamArn(), R"("ExclusiveStartShardId":")" +
                                                            std::string(kShardOfNobody) + "\""})),
            R"("Shards":[])");
}

TEST_F(StreamOperationsTest, TheOnlyShardHasNoChildren) {
  const std::string shard = R"("ShardId":")" + TextIn(DescribeStream(), "ShardId") + "\"";
  ExpectHas(Body("DescribeStream",
                 Object({StreamArn(),
                         R"("ShardFilter":)" + Object({R"("Type":"CHILD_SHARDS")", shard})})),
            R"("Shards":[])");
}

TEST_F(StreamOperationsTest, AShardFilterHasATypeAndAShard) {
  const std::string shard = R"("ShardId":")" + TextIn(DescribeStream(), "ShardId") + "\"";
  constexpr std::string_view kType = R"("Type":"CHILD_SHARDS")";
  const std::pair<std::string, std::string> cases[] = {
      {shard,
       "Value null at 'shardFilter.type' failed to satisfy constraint: Member must not be null"},
      {std::string(kType),
       "Value null at 'shardFilter.shardId' failed to satisfy constraint: Member must not be null"},
      {R"("Type":"PARENT_SHARDS",)" + shard,
       "Value 'PARENT_SHARDS' at 'shardFilter.type' failed to satisfy constraint: Member must "
       "satisfy "
       "enum value set: [CHILD_SHARDS]"},
      {std::string(kType) + R"(,"ShardId":"box-1")",
       "Value 'box-1' at 'shardFilter.shardId' failed to satisfy constraint: Member must have "
       "length "
       "greater than or equal to 28"},
  };
  for (const auto& [filter, violation] : cases) {
    ExpectInvalid("DescribeStream", Object({StreamArn(), R"("ShardFilter":{)" + filter + "}"}),
                  "1 validation error detected: " + violation);
  }
}

TEST_F(StreamOperationsTest, TheShardsOfASimulationHaveParentsAndPages) {
  db_ = test::Value(Database::InMemory({.clock = clock_, .simulate = Simulate({})}));
  endpoint_ = Endpoint(db_);
  ASSERT_TRUE(test::Value(Simulation::Of(db_))
                  .Restart({.stream_shards = 2, .shard_lifetime = std::chrono::minutes(1)})
                  .ok());
  MakeTable("table");
  Put("1");
  const std::string parent = TextIn(DescribeStream(), "ShardId");
  clock_->Advance(std::chrono::minutes(1));
  Put("2");
  const auto describe = [this](std::string_view rest) {
    return Body("DescribeStream", Object({StreamArn(), rest}));
  };
  EXPECT_EQ(TextIn(describe(R"("Limit":1)"), "LastEvaluatedShardId"), parent);
  const std::string children =
      describe(R"("ShardFilter":{"Type":"CHILD_SHARDS","ShardId":")" + parent + R"("})");
  EXPECT_EQ(TextIn(children, "ParentShardId"), parent);
  EXPECT_NE(TextIn(children, "ShardId"), parent);
}

TEST_F(StreamOperationsTest, AMalformedArnIsInvalid) {
  const std::string arn(40, 'x');
  ExpectInvalid("DescribeStream", R"({"StreamArn":")" + arn + "\"}", "Invalid StreamArn: " + arn);
}

TEST_F(StreamOperationsTest, ADisabledStreamHasAnEnd) {
  Write("UpdateTable", R"("StreamSpecification":{"StreamEnabled":false})");
  const std::string described = DescribeStream();
  ExpectHas(described, R"("StreamStatus":"DISABLED")");
  ExpectHas(described, R"("EndingSequenceNumber":")");
  // The response has no NextShardIterator, because the shard is closed and read to its end.
  EXPECT_EQ(Records("TRIM_HORIZON"), R"({"Records":[]})");
}

TEST_F(StreamOperationsTest, RecordsHaveKeysAndImages) {
  clock_->Set(Timestamp(std::chrono::milliseconds(1480642020999)));
  Put("1");
  const std::string records = Records("TRIM_HORIZON");
  EXPECT_EQ(records,
            R"({"Records":[{"eventID":")" + TextIn(records, "eventID") +
                R"(","eventName":"INSERT","eventVersion":"1.1","eventSource":"aws:dynamodb",)"
                R"("awsRegion":"us-east-1","dynamodb":{)"
                R"("ApproximateCreationDateTime":1480642020,"Keys":{"PK":{"S":"k"}},)"
                R"("NewImage":{"PK":{"S":"k"},"n":{"N":"1"}},"SequenceNumber":")" +
                TextIn(records, "SequenceNumber") +
                R"(","SizeBytes":9,"StreamViewType":"NEW_AND_OLD_IMAGES"}}],)"
                R"("NextShardIterator":")" +
                TextIn(records, "NextShardIterator") + R"("})");
}

TEST_F(StreamOperationsTest, RecordsNameTheEventAndHaveTheImages) {
  Put("1");
  Put("2");
  Write("DeleteItem", R"("Key":{"PK":{"S":"k"}})");
  const std::string records = Records("TRIM_HORIZON");
  ExpectHas(records, R"("eventName":"MODIFY")");
  ExpectHas(records, R"("NewImage":{"PK":{"S":"k"},"n":{"N":"2"}},"OldImage":{"PK":{"S":"k"},)"
                     R"("n":{"N":"1"}},)");
  ExpectHas(records, R"("eventName":"REMOVE")");
  ExpectHas(records, R"("Keys":{"PK":{"S":"k"}},"OldImage":{"PK":{"S":"k"},"n":{"N":"2"}},)");
  ExpectHasNot(records, "userIdentity");
}

TEST_F(StreamOperationsTest, AnExpiredItemIsRemovedByTheService) {
  Write("UpdateTimeToLive", R"("TimeToLiveSpecification":{"Enabled":true,"AttributeName":"n"})");
  Put("2");
  clock_->Advance(std::chrono::seconds(10));
  EXPECT_EQ(test::Value(test::Value(db_.OpenTable("table")).ExpireNow()), 1U);
  ExpectHas(Records("TRIM_HORIZON"),
            R"("userIdentity":{"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"}}],)");
}

TEST_F(StreamOperationsTest, ReadsFromEachTypeOfIterator) {
  Put("1");
  const std::string number = TextIn(Records("TRIM_HORIZON"), "SequenceNumber");
  Put("2");
  EXPECT_EQ(TextIn(Records("AT_SEQUENCE_NUMBER", number), "eventName"), "INSERT");
  EXPECT_EQ(TextIn(Records("AFTER_SEQUENCE_NUMBER", number), "eventName"), "MODIFY");
  ExpectHas(Records("LATEST"), R"({"Records":[],"NextShardIterator":")");
}

TEST_F(StreamOperationsTest, ReadsPageByPage) {
  Put("1");
  Put("2");
  const std::string iterator =
      TextIn(Body("GetShardIterator", Position("TRIM_HORIZON")), "ShardIterator");
  const std::string first =
      Body("GetRecords", R"({"Limit":1,"ShardIterator":")" + iterator + "\"}");
  ExpectHasNot(first, "MODIFY");
  const std::string second =
      Body("GetRecords", R"({"ShardIterator":")" + TextIn(first, "NextShardIterator") + "\"}");
  ExpectHasNot(second, "INSERT");
  ExpectHas(second, "MODIFY");
}

TEST_F(StreamOperationsTest, AnIteratorExpiresAfter15Minutes) {
  const std::string iterator =
      TextIn(Body("GetShardIterator", Position("LATEST")), "ShardIterator");
  clock_->Advance(std::chrono::minutes(15) + std::chrono::milliseconds(1));
  EXPECT_EQ(TextIn(Body("GetRecords", R"({"ShardIterator":")" + iterator + "\"}", 400), "__type"),
            "com.amazonaws.dynamodb.v20120810#ExpiredIteratorException");
}

TEST_F(StreamOperationsTest, NamesTheStreamOrTableThatDoesNotExist) {
  const std::string arn = R"("StreamArn":")" + std::string(kUnknownArn) + "\"";
  const std::string message =
      "Requested resource not found: Stream: " + std::string(kUnknownArn) + " not found";
  ExpectNotFound("DescribeStream", Object({arn}), message);
  ExpectNotFound("GetShardIterator",
                 Object({arn, R"("ShardIteratorType":"LATEST")",
                         R"("ShardId":")" + std::string(kShardOfNobody) + "\""}),
                 message);
  ExpectNotFound("ListStreams", R"({"TableName":"never"})",
                 "Requested resource not found: Table: never not found");
}

TEST_F(StreamOperationsTest, RejectsInvalidMembers) {
  ExpectInvalid("GetShardIterator", Object({StreamArn(), R"("ShardIteratorType":"FIRST")"}),
                "2 validation errors detected: Value null at 'shardId' failed to satisfy "
                "constraint: Member must not be null; Value 'FIRST' at 'shardIteratorType' failed "
                "to satisfy constraint: Member must satisfy enum value set: [TRIM_HORIZON, LATEST, "
                "AT_SEQUENCE_NUMBER, AFTER_SEQUENCE_NUMBER]");
  ExpectInvalid("GetRecords", R"({"ShardIterator":"x","Limit":1001})",
                "1 validation error detected: Value '1001' at 'limit' failed to satisfy "
                "constraint: Member must have value less than or equal to 1000");
  ExpectInvalid("GetRecords", R"({"ShardIterator":"x"})", "Invalid ShardIterator");
  ExpectInvalid("DescribeStream", R"({"StreamArn":"short"})",
                "1 validation error detected: Value 'short' at 'streamArn' failed to satisfy "
                "constraint: Member must have length greater than or equal to 37");
  ExpectInvalid("ListStreams", R"({"Limit":101})",
                "1 validation error detected: Value '101' at 'limit' failed to satisfy constraint: "
                "Member must have value less than or equal to 100");
  ExpectInvalid("ListStreams", R"({"Limit":0})",
                "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: "
                "Member must have value greater than or equal to 1");
}

}  // namespace
}  // namespace dolmen
