// Tests of the names of streams: labels, ARNs and shard ids.

#include "engine/stream/stream_arn.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace dolmen::engine {
namespace {

StreamSchema StreamCreatedAt(std::int64_t time_ms, std::uint32_t keyspace = 18) {
  StreamSchema stream{.keyspace = static_cast<KeyspaceId>(keyspace)};
  stream.created_at = Timestamp(std::chrono::milliseconds(time_ms));
  return stream;
}

TEST(StreamArnTest, ALabelIsTheCreationTimeWithMilliseconds) {
  EXPECT_EQ(StreamLabel(StreamCreatedAt(1431379293291)), "2015-05-11T21:21:33.291");
  EXPECT_EQ(StreamLabel(StreamCreatedAt(1431379293000)), "2015-05-11T21:21:33.000");
  EXPECT_EQ(StreamLabel(StreamCreatedAt(0)), "1970-01-01T00:00:00.000");
  EXPECT_EQ(StreamLabel(StreamCreatedAt(-1)), "1969-12-31T23:59:59.999");
}

TEST(StreamArnTest, ALabelIsWithinTheYears0To9999) {
  EXPECT_EQ(StreamLabel(StreamCreatedAt(INT64_MIN / 2)), "0000-01-01T00:00:00.000");
  EXPECT_EQ(StreamLabel(StreamCreatedAt(INT64_MAX / 2)).substr(0, 10), "9999-12-31");
}

TEST(StreamArnTest, AnArnIsSplitIntoTableAndLabel) {
  const std::string arn = StreamArn("app", "2015-05-11T21:21:33.291");
  EXPECT_EQ(arn,
            "arn:aws:dynamodb:us-east-1:000000000000:table/app/stream/2015-05-11T21:21:33.291");
  const std::optional<StreamName> name = ParseStreamArn(arn);
  ASSERT_TRUE(name.has_value());
  EXPECT_EQ(name->table, "app");
  EXPECT_EQ(name->label, "2015-05-11T21:21:33.291");
}

TEST(StreamArnTest, AnArnMayHaveAnyPartitionRegionAndAccount) {
  const auto name =
      ParseStreamArn("arn:aws-cn:dynamodb:cn-north-1:123456789012:table/app/stream/l");
  ASSERT_TRUE(name.has_value());
  EXPECT_EQ(name->table, "app");
  EXPECT_EQ(name->label, "l");
}

TEST(StreamArnTest, OtherArnsAreRejected) {
  for (const char* const arn : {"", "app", "arn:aws:dynamodb:us-east-1:000000000000:table/app",
                                "arn:aws:dynamodb:us-east-1:000000000000:table/app/stream",
                                "arn:aws:dynamodb:us-east-1:000000000000:table/app/stream/",
                                "arn:aws:dynamodb:us-east-1:000000000000:table//stream/label",
                                "arn:aws:dynamodb:us-east-1:000000000000:table/app/index/i",
                                "arn:aws:dynamodb:us-east-1:000000000000:index/app/stream/label",
                                "arn:aws:dynamodb:us-east-1::table/app/stream/label",
                                "arn:aws:dynamodb::000000000000:table/app/stream/label",
                                "arn:aws:dynamodb:us east:000000000000:table/app/stream/label",
                                "arn::dynamodb:us-east-1:000000000000:table/app/stream/label",
                                "arn:aws:kinesis:us-east-1:000000000000:table/app/stream/label"}) {
    EXPECT_FALSE(ParseStreamArn(arn).has_value()) << arn;
  }
}

// A shard id in DynamoDB has 28 to 65 characters, and Dolmen's shard ids must have a length in this
// range.
TEST(StreamArnTest, AShardIdDiffersByTimeAndKeyspace) {
  EXPECT_EQ(ShardId(StreamCreatedAt(1431379293291)), "shardId-00000001431379293291-00000012");
  EXPECT_NE(ShardId(StreamCreatedAt(1, 18)), ShardId(StreamCreatedAt(2, 18)));
  EXPECT_NE(ShardId(StreamCreatedAt(1, 18)), ShardId(StreamCreatedAt(1, 19)));
  EXPECT_EQ(ShardId(StreamCreatedAt(-1)), "shardId-00000000000000000000-00000012");
  EXPECT_LE(ShardId(StreamCreatedAt(INT64_MAX, UINT32_MAX)).size(), 65U);
}

}  // namespace
}  // namespace dolmen::engine
