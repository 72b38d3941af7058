// Tests of the lists and descriptions of streams: ListStreams and DescribeStream. The rule numbers
// are those of tests/behaviour/README.md.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Operations_Amazon_DynamoDB_Streams.html

#include <string>
#include <vector>

#include "tests/behaviour/stream_fixture.h"

namespace dolmen::behaviour {
namespace {

using testing::MatchesRegex;

constexpr const char* kShardIdForm =
    "shardId-[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]"
    "[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]-"
    "[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]";

auto IsUnknownStream(const std::string& arn) {
  return StatusIs(kNotFound, "Requested resource not found: Stream: " + arn + " not found");
}

class StreamDescriptionTest : public StreamFixture {
 protected:
  void SetUp() override {
    StreamFixture::SetUp();
    CreateThings();
  }

  std::vector<std::string> ArnsOf(ListStreamsInput input) {
    std::vector<std::string> arns;
    do {
      const auto page = database().ListStreams(input);
      EXPECT_THAT(page, IsOk());
      if (!page.ok()) break;
      EXPECT_LE(page->streams.size(), input.limit);
      for (const StreamSummary& stream : page->streams) arns.push_back(stream.stream_arn);
      input.exclusive_start_stream_arn = page->last_evaluated_stream_arn;
    } while (!input.exclusive_start_stream_arn.empty());
    return arns;
  }
};

TEST_F(StreamDescriptionTest, ListStreamsReturnsTheStreamsOfAllTables) {
  ASSERT_THAT(Create("plain", std::nullopt), IsOk());
  ASSERT_THAT(Create("others", Showing(StreamViewType::kKeysOnly)), IsOk());
  const auto list = database().ListStreams();
  ASSERT_THAT(list, IsOk());
  EXPECT_EQ(list->last_evaluated_stream_arn, "");
  std::vector<std::string> tables;
  for (const StreamSummary& stream : list->streams) {
    tables.push_back(stream.table_name);
    const auto table = database().DescribeTable(stream.table_name);
    ASSERT_THAT(table, IsOk());
    EXPECT_EQ(stream.stream_arn, table->latest_stream_arn);
    EXPECT_EQ(stream.stream_label, table->latest_stream_label);
  }
  EXPECT_THAT(tables, testing::UnorderedElementsAre("things", "others"));
}

TEST_F(StreamDescriptionTest, ListStreamsReturnsATablesStreamsInTheOrderOfTheirCreation) {
  std::vector<std::string> arns{Arn()};
  ASSERT_THAT(Create("others", Showing(StreamViewType::kKeysOnly)), IsOk());
  for (const int delay : {0, 10, -20}) {
    Disable();
    clock().Advance(std::chrono::seconds(delay));
    Enable();
    arns.push_back(Arn());
  }
  EXPECT_EQ(ArnsOf({.table_name = "things"}), arns);
  EXPECT_EQ(ArnsOf({.table_name = "things", .limit = 1}), arns);
  EXPECT_EQ(ArnsOf({.table_name = "others"}).size(), 1u);
}

TEST_F(StreamDescriptionTest, ListStreamsReturnsEachStreamOnceOverAllPages) {
  for (int i = 0; i < 4; ++i) {
    Disable();
    Enable();
    ASSERT_THAT(Create("table" + std::to_string(i), Showing(StreamViewType::kKeysOnly)), IsOk());
  }
  for (const std::string table : {"", "things", "table2"}) {
    const std::vector<std::string> all = ArnsOf({.table_name = table});
    EXPECT_EQ(all.size(), table.empty() ? 9u : table == "things" ? 5u : 1u);
    for (const std::uint32_t limit : {1u, 2u, 9u}) {
      EXPECT_EQ(ArnsOf({.table_name = table, .limit = limit}), all) << table << " by " << limit;
    }
  }
}

TEST_F(StreamDescriptionTest, ListStreamsRejectsUnknownTablesAndLimitsOutsideOneToAHundred) {
  EXPECT_THAT(database().ListStreams({.table_name = "none"}),
              StatusIs(kNotFound, "Requested resource not found: Table: none not found"));
  EXPECT_THAT(database().ListStreams({.limit = 0}), IsRefused());
  EXPECT_THAT(database().ListStreams({.limit = 101}), IsRefused());
}

TEST_F(StreamDescriptionTest, DescribeStreamReturnsAStreamAndItsShard) {
  const auto stream = database().DescribeStream({.stream_arn = Arn()});
  ASSERT_THAT(stream, IsOk());
  EXPECT_EQ(stream->stream_arn, Arn());
  EXPECT_EQ(stream->stream_label, database().DescribeTable("things")->latest_stream_label);
  EXPECT_EQ(stream->stream_status, StreamStatus::kEnabled);
  EXPECT_EQ(stream->stream_view_type, StreamViewType::kNewAndOldImages);
  EXPECT_EQ(stream->creation_request_date_time, clock().Now());
  EXPECT_EQ(stream->table_name, "things");
  EXPECT_EQ(stream->partition_key, KeyAttribute{"PK"});
  EXPECT_EQ(stream->sort_key, KeyAttribute{"SK"});
  ASSERT_EQ(stream->shards.size(), 1u);
  EXPECT_THAT(stream->shards[0].shard_id, MatchesRegex(kShardIdForm));
  EXPECT_EQ(stream->shards[0].starting_sequence_number.size(), 21u);
  EXPECT_EQ(stream->shards[0].ending_sequence_number, "");
}

// The shard's range contains the sequence numbers of all its records. The range has no
// end until the stream is disabled.
TEST_F(StreamDescriptionTest, AShardHasARangeOfSequenceNumbers) {
  PutAll({"a", "b", "c"});
  const std::string first = Arn();
  const Shard open = ShardOf(first);
  EXPECT_LT(open.starting_sequence_number, Records(first).front().sequence_number);
  Disable();
  const Shard closed = ShardOf(first);
  EXPECT_EQ(closed.shard_id, open.shard_id);
  EXPECT_EQ(closed.starting_sequence_number, open.starting_sequence_number);
  EXPECT_EQ(closed.ending_sequence_number.size(), 21u);
  EXPECT_GE(closed.ending_sequence_number, Records(first).back().sequence_number);
  EXPECT_EQ(database().DescribeStream({.stream_arn = first})->stream_status,
            StreamStatus::kDisabled);
  Enable();
  EXPECT_GE(ShardOf(Arn()).starting_sequence_number, closed.ending_sequence_number);
  EXPECT_NE(ShardOf(Arn()).shard_id, closed.shard_id);
}

TEST_F(StreamDescriptionTest, AnEmptyDisabledStreamHasAClosedShard) {
  Disable();
  EXPECT_NE(ShardOf(Arn()).ending_sequence_number, "");
  EXPECT_THAT(Records(), IsEmpty());
}

TEST_F(StreamDescriptionTest, DescribeStreamReturnsShardsByPages) {
  const std::string arn = Arn();
  const std::string shard_id = ShardOf(arn).shard_id;
  for (const std::string& start : {shard_id, shard_id + "0", std::string("shardId-1")}) {
    const auto behind =
        database().DescribeStream({.stream_arn = arn, .exclusive_start_shard_id = start});
    ASSERT_THAT(behind, IsOk()) << start;
    EXPECT_THAT(behind->shards, IsEmpty()) << start;
  }
  EXPECT_THAT(database().DescribeStream({.stream_arn = arn, .limit = 1}), IsOk());
  EXPECT_THAT(database().DescribeStream({.stream_arn = arn, .limit = 0}), IsRefused());
  EXPECT_THAT(database().DescribeStream({.stream_arn = arn, .limit = 101}), IsRefused());
}

TEST_F(StreamDescriptionTest, UnknownStreamsAndShardsAreNotFound) {
  const std::string arn = Arn();
  const std::string shard_id = ShardOf(arn).shard_id;
  std::string label = arn;
  label.back() = '7';
  for (const std::string& unknown : {label, arn + "0", arn.substr(0, arn.size() - 1),
                                     std::string("arn:aws:dynamodb:us-east-1:000000000000:table/"
                                                 "others/stream/2026-04-15T12:00:00.000")}) {
    EXPECT_THAT(database().DescribeStream({.stream_arn = unknown}), IsUnknownStream(unknown));
    EXPECT_THAT(database().GetShardIterator({.stream_arn = unknown, .shard_id = shard_id}),
                IsUnknownStream(unknown));
  }
  for (const std::string& unknown :
       {shard_id + "0", shard_id.substr(1), std::string("shardId-1")}) {
    EXPECT_THAT(database().GetShardIterator({.stream_arn = arn, .shard_id = unknown}),
                StatusIs(kNotFound, testing::_));
  }
}

TEST_F(StreamDescriptionTest, AnArnOfAnyRegionNamesTheStream) {
  Put("a");
  const std::string arn = Arn();
  const std::string elsewhere = std::string(arn).replace(arn.find("us-east-1"), 9, "eu-north-1");
  EXPECT_THAT(database().DescribeStream({.stream_arn = elsewhere}), IsOk());
  const auto iterator = IteratorOf(elsewhere, kTrimHorizon);
  ASSERT_THAT(iterator, IsOk());
  EXPECT_THAT(SortKeysOf(ReadFrom(*iterator)), ElementsAre("a"));
}

TEST_F(StreamDescriptionTest, AMalformedArnIsRejected) {
  for (const std::string& malformed : {std::string(), std::string("things"), Arn().substr(1),
                                       Arn().substr(0, Arn().find("/stream"))}) {
    EXPECT_THAT(database().DescribeStream({.stream_arn = malformed}), IsRefused()) << malformed;
    EXPECT_THAT(database().GetShardIterator({.stream_arn = malformed}), IsRefused()) << malformed;
    if (malformed.empty()) continue;  // the first page
    EXPECT_THAT(database().ListStreams({.exclusive_start_stream_arn = malformed}), IsRefused())
        << malformed;
  }
}

}  // namespace
}  // namespace dolmen::behaviour
