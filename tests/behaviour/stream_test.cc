// Tests of a table's streams: enabled, disabled, described and deleted. The rule numbers are those
// of tests/behaviour/README.md.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html#Streams.Enabling

#include <set>
#include <string>

#include "tests/behaviour/stream_fixture.h"

namespace dolmen::behaviour {
namespace {

using testing::EndsWith;
using testing::MatchesRegex;

constexpr auto kKeysOnly = StreamViewType::kKeysOnly;
constexpr auto kNewImage = StreamViewType::kNewImage;
constexpr const char* kLabelForm =
    "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]\\.[0-9][0-9][0-9]";

class StreamTest : public StreamFixture {
 protected:
  TableDescription Describe() {
    const auto description = database().DescribeTable("things");
    EXPECT_THAT(description, IsOk());
    return description.ok() ? *description : TableDescription{};
  }
  StreamDescription DescribeStream(const std::string& arn) {
    const auto description = database().DescribeStream({.stream_arn = arn});
    EXPECT_THAT(description, IsOk());
    return description.ok() ? *description : StreamDescription{};
  }
};

TEST_F(StreamTest, ATableHasNoStreamByDefault) {
  CreateThings(std::nullopt);
  Put("a");
  EXPECT_EQ(Describe().stream_specification, std::nullopt);
  EXPECT_EQ(Describe().latest_stream_arn, "");
  EXPECT_EQ(Describe().latest_stream_label, "");
  EXPECT_THAT(database().ListStreams()->streams, IsEmpty());
}

TEST_F(StreamTest, CreateTableEnablesAStream) {
  CreateThings(Showing(kNewImage));
  Put("a");
  EXPECT_EQ(Describe().stream_specification, Showing(kNewImage));
  EXPECT_THAT(SortKeysOf(Records()), ElementsAre("a"));
}

// Writes before the stream was enabled have no record.
TEST_F(StreamTest, UpdateTableEnablesAStream) {
  CreateThings(std::nullopt);
  Put("before");
  const auto changed = SetStream(Showing(kKeysOnly));
  ASSERT_THAT(changed, IsOk());
  EXPECT_EQ(changed->stream_specification, Showing(kKeysOnly));
  EXPECT_EQ(changed->latest_stream_arn, Arn());
  EXPECT_EQ(Describe().stream_specification, Showing(kKeysOnly));
  Put("after");
  EXPECT_THAT(SortKeysOf(Records()), ElementsAre("after"));
}

TEST_F(StreamTest, ADisabledStreamCanStillBeRead) {
  CreateThings();
  const std::string arn = Arn();
  EXPECT_EQ(DescribeStream(arn).stream_status, StreamStatus::kEnabled);
  Put("before");
  const auto changed = SetStream({.enabled = false});
  ASSERT_THAT(changed, IsOk());
  EXPECT_EQ(changed->stream_specification, std::nullopt);
  EXPECT_EQ(changed->latest_stream_arn, arn);
  Put("after");
  EXPECT_EQ(Describe().stream_specification, std::nullopt);
  EXPECT_EQ(Describe().latest_stream_arn, arn);
  EXPECT_EQ(DescribeStream(arn).stream_status, StreamStatus::kDisabled);
  EXPECT_THAT(SortKeysOf(Records(arn)), ElementsAre("before"));
}

TEST_F(StreamTest, AnEnabledStreamCannotBeEnabledAgain) {
  CreateThings(Showing(kNewImage));
  const std::string arn = Arn();
  for (const StreamViewType view_type : {kNewImage, kKeysOnly}) {
    EXPECT_THAT(SetStream(Showing(view_type)),
                StatusIs(kValidation, "Table already has an enabled stream: TableName: things"));
  }
  EXPECT_EQ(Arn(), arn);
  EXPECT_EQ(Describe().stream_specification, Showing(kNewImage));
}

// It is unverified that DynamoDB returns this message for a table without an enabled stream.
TEST_F(StreamTest, ADisabledStreamCannotBeDisabledAgain) {
  const auto refused = StatusIs(kValidation, "Table has no stream to disable: TableName: things");
  CreateThings(std::nullopt);
  EXPECT_THAT(SetStream({.enabled = false}), refused);
  Enable();
  Disable();
  EXPECT_THAT(SetStream({.enabled = false}), refused);
}

TEST_F(StreamTest, EnablingAStreamNeedsAViewType) {
  EXPECT_THAT(Create("things", StreamSpecification{}), StatusIs(kValidation, testing::_));
  EXPECT_THAT(database().ListTables()->table_names, IsEmpty());
  CreateThings(std::nullopt);
  EXPECT_THAT(SetStream({}), StatusIs(kValidation, testing::_));
  EXPECT_EQ(Arn(), "");
}

// It is unverified that DynamoDB rejects such a request.
TEST_F(StreamTest, DisablingAStreamRejectsAViewType) {
  const StreamSpecification both{.enabled = false, .view_type = kKeysOnly};
  EXPECT_THAT(Create("things", both), StatusIs(kValidation, testing::_));
  CreateThings();
  EXPECT_THAT(SetStream(both), StatusIs(kValidation, testing::_));
  EXPECT_TRUE(Describe().stream_specification.has_value());
}

TEST_F(StreamTest, CreateTableAcceptsADisabledStream) {
  CreateThings(StreamSpecification{.enabled = false});
  EXPECT_EQ(Describe().stream_specification, std::nullopt);
  EXPECT_EQ(Arn(), "");
}

TEST_F(StreamTest, UpdateTableRejectsAChangeOfAStreamAndAnIndexTogether) {
  CreateThings(std::nullopt);
  UpdateTableInput making;
  making.name = "things";
  making.create_index = GlobalSecondaryIndex::Overloaded("GSI1");
  UpdateTableInput deleting;
  deleting.name = "things";
  deleting.delete_index = "GSI2";
  UpdateTableInput make_other = making;
  make_other.create_index = GlobalSecondaryIndex::Overloaded("GSI2");
  ASSERT_THAT(database().UpdateTable(make_other), IsOk());
  ASSERT_THAT(table().WaitForIndexes(), IsOk());
  for (UpdateTableInput input : {making, deleting}) {
    input.stream_specification = Showing(kKeysOnly);
    EXPECT_THAT(database().UpdateTable(input), StatusIs(kValidation, testing::_));
  }
  EXPECT_EQ(Arn(), "");
  const auto indexes = Describe().global_secondary_indexes;
  ASSERT_EQ(indexes.size(), 1u);
  EXPECT_EQ(indexes[0].index.name, "GSI2");
}

TEST_F(StreamTest, UpdateTableRejectsAStreamOfAnUnknownTable) {
  EXPECT_THAT(SetStream(Showing(kKeysOnly)),
              StatusIs(kNotFound, "Requested resource not found: Table: things not found"));
}

TEST_F(StreamTest, AStreamsLabelIsItsCreationTimeAndEndsItsArn) {
  CreateThings();
  EXPECT_EQ(Describe().latest_stream_label, "2026-04-15T12:00:00.000");
  EXPECT_EQ(Describe().latest_stream_arn,
            "arn:aws:dynamodb:us-east-1:000000000000:table/things/stream/2026-04-15T12:00:00.000");
}

// Each stream has its own ARN, even if two are enabled within one millisecond or the clock goes
// back.
TEST_F(StreamTest, EachEnablingCreatesANewStream) {
  CreateThings(Showing(kKeysOnly));
  std::set<std::string> arns{Arn()};
  for (const milliseconds by : {milliseconds(0), milliseconds(0), milliseconds(-1), milliseconds(7),
                                -milliseconds(hours(1))}) {
    Disable();
    clock().Advance(by);
    Enable();
    const TableDescription description = Describe();
    EXPECT_TRUE(arns.insert(description.latest_stream_arn).second) << description.latest_stream_arn;
    EXPECT_THAT(description.latest_stream_label, MatchesRegex(kLabelForm));
    EXPECT_THAT(description.latest_stream_arn,
                EndsWith(":table/things/stream/" + description.latest_stream_label));
  }
  EXPECT_EQ(database().ListStreams()->streams.size(), arns.size());
}

TEST_F(StreamTest, AStreamKeepsItsRecordsAndViewTypeWhenTheNextIsEnabled) {
  CreateThings(Showing(kKeysOnly));
  const std::string first = Arn();
  Put("a", {{"n", 1}});
  Disable();
  Enable(kNewImage);
  Put("b", {{"n", 2}});
  const std::string second = Arn();
  EXPECT_EQ(DescribeStream(first).stream_view_type, kKeysOnly);
  EXPECT_EQ(DescribeStream(second).stream_view_type, kNewImage);
  EXPECT_THAT(ChangesOf(Records(first)), ElementsAre(Change{EventName::kInsert, Key("a")}));
  EXPECT_THAT(ChangesOf(Records(second)),
              ElementsAre(Change{EventName::kInsert, Key("b"), With("b", {{"n", 2}})}));
}

TEST_F(StreamTest, AStreamHasTheRecordsOfItsTableOnly) {
  CreateThings();
  const auto other = Create("others", Showing(kKeysOnly));
  ASSERT_THAT(other, IsOk());
  Put("a");
  ASSERT_THAT(other->PutItem({.item = Key("b")}), IsOk());
  EXPECT_THAT(SortKeysOf(Records()), ElementsAre("a"));
  EXPECT_THAT(SortKeysOf(Records(database().DescribeTable("others")->latest_stream_arn)),
              ElementsAre("b"));
}

// A consumer reads the last records of a table that is deleted. The stream is disabled for 24 hours,
// and then it does not exist any more.
TEST_F(StreamTest, DeleteTableKeepsTheStreamDisabled) {
  UseDisk();
  CreateThings();
  Put("a");
  const std::string arn = Arn();
  const std::string iterator = Iterator(ShardIteratorType::kTrimHorizon);
  ASSERT_THAT(database().DeleteTable("things"), IsOk());
  const auto expect_readable = [&] {
    const StreamDescription stream = DescribeStream(arn);
    EXPECT_EQ(stream.stream_status, StreamStatus::kDisabled);
    EXPECT_EQ(stream.table_name, "things");
    ASSERT_EQ(stream.shards.size(), 1u);
    EXPECT_NE(stream.shards[0].ending_sequence_number, "");
    EXPECT_THAT(SortKeysOf(Records(arn)), ElementsAre("a"));
    for (const char* name : {"", "things"}) {
      const auto listed = database().ListStreams({.table_name = name});
      ASSERT_THAT(listed, IsOk());
      ASSERT_EQ(listed->streams.size(), 1u);
      EXPECT_EQ(listed->streams[0].stream_arn, arn);
    }
    EXPECT_THAT(database().Verify()->findings, IsEmpty());
  };
  expect_readable();
  const auto page = database().GetRecords({.shard_iterator = iterator});
  ASSERT_THAT(page, IsOk());
  EXPECT_THAT(SortKeysOf(page->records), ElementsAre("a"));
  EXPECT_EQ(page->next_shard_iterator, "");
  clock().Advance(hours(24) - milliseconds(1));
  Reopen();
  expect_readable();
  clock().Advance(milliseconds(1));
  const auto missing =
      StatusIs(kNotFound, "Requested resource not found: Stream: " + arn + " not found");
  for (const char* when : {"before the stream is dropped", "after the stream is dropped"}) {
    SCOPED_TRACE(when);
    EXPECT_THAT(database().DescribeStream({.stream_arn = arn}), missing);
    EXPECT_THAT(database().ListStreams()->streams, IsEmpty());
    Reopen();
  }
  EXPECT_THAT(database().ListStreams({.table_name = "things"}),
              StatusIs(kNotFound, "Requested resource not found: Table: things not found"));
}

// The clock stands still, so no identity may come from the time alone.
TEST_F(StreamTest, ATableCreatedAgainHasANewIdentity) {
  std::set<std::string> table_ids;
  std::set<std::string> arns;
  std::string first_iterator;
  for (const char* item : {"a", "b", "c"}) {
    CreateThings();
    Put(item);
    table_ids.insert(Describe().table_id);
    arns.insert(Arn());
    EXPECT_THAT(SortKeysOf(Records()), ElementsAre(item));
    if (first_iterator.empty()) first_iterator = Iterator(ShardIteratorType::kTrimHorizon);
    ASSERT_THAT(database().DeleteTable("things"), IsOk());
  }
  EXPECT_EQ(table_ids.size(), 3u);
  EXPECT_EQ(arns.size(), 3u);
  EXPECT_EQ(database().ListStreams({.table_name = "things"})->streams.size(), 3u);
  const auto page = database().GetRecords({.shard_iterator = first_iterator});
  ASSERT_THAT(page, IsOk());
  EXPECT_THAT(SortKeysOf(page->records), ElementsAre("a"));

  // A stream of a new table has a new label even if the table begins without a stream.
  CreateThings(std::nullopt);
  EXPECT_EQ(Describe().latest_stream_arn, "");
  Enable();
  EXPECT_FALSE(arns.contains(Arn()));
  EXPECT_THAT(Records(), IsEmpty());
}

TEST_F(StreamTest, StreamsAndRecordsSurviveReopening) {
  UseDisk();
  CreateThings(Showing(kKeysOnly));
  Put("a");
  const std::string disabled = Arn();
  Disable();
  ASSERT_THAT(SetStream(Showing(kNewImage, hours(72))), IsOk());
  PutAll({"b", "c"});
  const TableDescription before = Describe();
  const StreamDescription stream_before = DescribeStream(Arn());
  const std::vector<StreamRecord> records_before = Records();
  Reopen();
  EXPECT_EQ(Describe().stream_specification, Showing(kNewImage, hours(72)));
  EXPECT_EQ(Describe().latest_stream_arn, before.latest_stream_arn);
  EXPECT_EQ(Describe().latest_stream_label, before.latest_stream_label);
  const StreamDescription stream = DescribeStream(Arn());
  EXPECT_EQ(stream.stream_status, StreamStatus::kEnabled);
  EXPECT_EQ(stream.creation_request_date_time, stream_before.creation_request_date_time);
  ASSERT_EQ(stream.shards.size(), 1u);
  EXPECT_EQ(stream.shards[0].shard_id, stream_before.shards[0].shard_id);
  EXPECT_EQ(NumbersOf(Records()), NumbersOf(records_before));
  EXPECT_EQ(ChangesOf(Records()), ChangesOf(records_before));
  EXPECT_EQ(DescribeStream(disabled).stream_status, StreamStatus::kDisabled);
  EXPECT_THAT(SortKeysOf(Records(disabled)), ElementsAre("a"));
  Put("d");
  EXPECT_THAT(SortKeysOf(Records()), ElementsAre("b", "c", "d"));
}

}  // namespace
}  // namespace dolmen::behaviour
