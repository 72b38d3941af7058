// Tests of the region in responses, which is the region that the client signs for.

#include <string>
#include <utility>
#include <vector>

#include "tests/wire/tables.h"

namespace dolmen {
namespace {

class RegionsTest : public WireTableTest {
 protected:
  std::string BodyIn(std::string_view region, std::string_view operation, const std::string& json) {
    const EndpointResponse response = endpoint_.Execute(operation, json, region);
    EXPECT_EQ(response.status, 200) << operation << ' ' << json << '\n' << response.body;
    return response.body;
  }

  // Creates a table with an index of each kind, a stream and an encryption key.
  std::string CreateIn(std::string_view region) {
    const std::string keys = Keys({{"a", "HASH"}, {"b", "RANGE"}});
    return BodyIn(
        region, "CreateTable",
        Object({R"("TableName":"table")", kOnDemand, Definitions({{"a", "S"}, {"b", "S"}}), keys,
                LocalIndexes(Index("local", keys)), GlobalIndexes(Index("global", keys)),
                R"("SSESpecification":{"Enabled":true})",
                R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"})"}));
  }

  // Returns the text from `prefix` to the next quotation mark.
  static std::string Found(const std::string& body, const std::string& prefix) {
    const std::size_t begin = body.find(prefix);
    EXPECT_NE(begin, body.npos) << prefix << " in " << body;
    return begin == body.npos ? "" : body.substr(begin, body.find('"', begin) - begin);
  }
};

TEST_F(RegionsTest, AllArnsHaveTheRegionOfTheClient) {
  CreateIn("us-east-1");
  const std::string described = BodyIn("eu-west-1", "DescribeTable", R"({"TableName":"table"})");
  for (const std::string arn : {"table/table\"", "table/table/index/local\"",
                                "table/table/index/global\"", "table/table/stream/1970"}) {
    ExpectHas(described, "\"arn:aws:dynamodb:eu-west-1:000000000000:" + arn);
  }
  ExpectHas(described, "\"arn:aws:kms:eu-west-1:000000000000:alias/aws/dynamodb\"");
  ExpectHasNot(described, "us-east-1");
}

TEST_F(RegionsTest, StreamsAndTheirRecordsHaveTheRegionOfTheClient) {
  ExpectHasNot(CreateIn("eu-west-1"), "us-east-1");
  Body("PutItem", R"({"TableName":"table","Item":{"a":{"S":"1"},"b":{"S":"1"}}})");
  const std::string listed = BodyIn("eu-west-1", "ListStreams", "{}");
  const std::string arn = Found(listed, "arn:aws:dynamodb:eu-west-1:000000000000:table/table/");
  const std::string stream =
      BodyIn("eu-west-1", "DescribeStream", R"({"StreamArn":")" + arn + "\"}");
  ExpectHas(stream, R"("StreamArn":"arn:aws:dynamodb:eu-west-1:)");
  const std::string iterator =
      BodyIn("eu-west-1", "GetShardIterator",
             R"({"ShardIteratorType":"TRIM_HORIZON","ShardId":")" + Found(stream, "shardId-") +
                 R"(","StreamArn":")" + arn + "\"}");
  const std::string records =
      BodyIn("eu-west-1", "GetRecords",
             R"({"ShardIterator":")" + Found(iterator, "arn:aws:dynamodb") + "\"}");
  ExpectHas(records, R"("awsRegion":"eu-west-1")");
}

TEST_F(RegionsTest, APageOfStreamsEndsWithAnArnInTheRegionOfTheClient) {
  CreateIn("us-east-1");
  const StreamSpecification stream{.view_type = StreamViewType::kKeysOnly};
  ASSERT_TRUE(db_.CreateTable({.name = "table2", .stream_specification = stream}).ok());
  ExpectHas(BodyIn("eu-west-1", "ListStreams", R"({"Limit":1})"),
            R"("LastEvaluatedStreamArn":"arn:aws:dynamodb:eu-west-1:000000000000:table/table/)");
}

TEST_F(RegionsTest, TheOptionsSetTheRegionAndTheAccount) {
  CreateIn("us-east-1");
  const Endpoint endpoint(db_, {.region = "eu-west-1", .account = "123456789012"});
  const std::string described = endpoint.Execute("DescribeTable", R"({"TableName":"table"})").body;
  for (const std::string arn : {"dynamodb:eu-west-1:123456789012:table/table\"",
                                "dynamodb:eu-west-1:123456789012:table/table/index/local\"",
                                "dynamodb:eu-west-1:123456789012:table/table/stream/1970",
                                "kms:eu-west-1:123456789012:alias/aws/dynamodb\""}) {
    ExpectHas(described, "\"arn:aws:" + arn);
  }
  ExpectHasNot(described, "000000000000");
}

}  // namespace
}  // namespace dolmen
