// Tests of retention: how long a stream's records can be read. The rule numbers are those of
// tests/behaviour/README.md.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html

#include <string>
#include <vector>

#include "tests/behaviour/stream_fixture.h"

namespace dolmen::behaviour {
namespace {

class StreamRetentionTest : public StreamFixture {
 protected:
  // Writes one record every hour, with the sort keys "0", "1", ... Leaves the clock at the time of
  // the last record.
  void PutHourly(int count) {
    for (int i = 0; i < count; ++i) {
      if (i > 0) clock().Advance(hours(1));
      Put(std::to_string(i));
    }
  }
};

TEST_F(StreamRetentionTest, RecordsAreRetainedForADay) {
  CreateThings();
  PutHourly(3);
  clock().Advance(hours(22) - milliseconds(1));
  EXPECT_THAT(SortKeysOf(Records()), ElementsAre("0", "1", "2"));
  clock().Advance(milliseconds(1));
  EXPECT_THAT(SortKeysOf(Records()), ElementsAre("1", "2"));
  clock().Advance(hours(2));
  EXPECT_THAT(Records(), IsEmpty());
  Put("new");
  EXPECT_THAT(SortKeysOf(Records()), ElementsAre("new"));
}

TEST_F(StreamRetentionTest, RetentionIsThatOfTheStreamSpecification) {
  CreateThings(Showing(StreamViewType::kKeysOnly, hours(72)));
  Put("a");
  clock().Advance(hours(72) - milliseconds(1));
  EXPECT_THAT(SortKeysOf(Records()), ElementsAre("a"));
  clock().Advance(milliseconds(1));
  EXPECT_THAT(Records(), IsEmpty());
}

TEST_F(StreamRetentionTest, EachStreamHasItsOwnRetention) {
  CreateThings(Showing(StreamViewType::kKeysOnly, hours(1)));
  const std::string first = Arn();
  Put("a");
  Disable();
  ASSERT_THAT(SetStream(Showing(StreamViewType::kKeysOnly, hours(3))), IsOk());
  Put("b");
  clock().Advance(hours(1) - milliseconds(1));
  EXPECT_THAT(SortKeysOf(Records(first)), ElementsAre("a"));
  clock().Advance(hours(2));
  EXPECT_THAT(SortKeysOf(Records()), ElementsAre("b"));
  clock().Advance(milliseconds(1));
  EXPECT_THAT(Records(), IsEmpty());
}

TEST_F(StreamRetentionTest, AnIteratorOfTrimmedRecordsIsRejected) {
  CreateThings();
  PutHourly(3);
  const std::vector<std::string> numbers = NumbersOf(Records());
  clock().Advance(hours(23) + milliseconds(1));
  ASSERT_THAT(SortKeysOf(Records()), ElementsAre("2"));
  const std::string arn = Arn();
  EXPECT_THAT(IteratorOf(arn, kAtNumber, numbers[0]), IsTrimmed());
  EXPECT_THAT(IteratorOf(arn, kAtNumber, numbers[1]), IsTrimmed());
  EXPECT_THAT(IteratorOf(arn, kAfterNumber, numbers[0]), IsTrimmed());
  EXPECT_THAT(SortKeysOf(ReadFrom(Iterator(kAtNumber, numbers[2]))), ElementsAre("2"));
  EXPECT_THAT(ReadFrom(Iterator(kAfterNumber, numbers[2])), IsEmpty());
}

// A reader resumes after a record that has been trimmed. If all later records are retained, the
// reader has missed no record, and the read succeeds.
TEST_F(StreamRetentionTest, AReaderResumesAfterTheLastTrimmedRecord) {
  CreateThings();
  PutHourly(3);
  const std::vector<std::string> numbers = NumbersOf(Records());
  clock().Advance(hours(23) + milliseconds(1));
  EXPECT_THAT(SortKeysOf(ReadFrom(Iterator(kAfterNumber, numbers[1]))), ElementsAre("2"));
}

TEST_F(StreamRetentionTest, AnIteratorFailsIfItsRecordIsTrimmedMeanwhile) {
  CreateThings();
  PutHourly(2);
  const std::vector<std::string> numbers = NumbersOf(Records());
  clock().Advance(hours(23) - minutes(5));
  const std::string at_first = Iterator(kAtNumber, numbers[0]);
  const std::string behind_first = Iterator(kAfterNumber, numbers[0]);
  clock().Advance(minutes(6));
  EXPECT_THAT(database().GetRecords({.shard_iterator = at_first}), IsTrimmed());
  EXPECT_THAT(SortKeysOf(ReadFrom(behind_first)), ElementsAre("1"));
}

TEST_F(StreamRetentionTest, ADisabledStreamCanBeReadUntilItsRetentionEnds) {
  CreateThings();
  PutHourly(2);
  const std::string arn = Arn();
  Disable();
  clock().Advance(hours(24) - milliseconds(1));
  EXPECT_THAT(SortKeysOf(Records(arn)), ElementsAre("1"));
  EXPECT_EQ(database().ListStreams()->streams.size(), 1u);
  clock().Advance(milliseconds(1));
  EXPECT_THAT(database().ListStreams()->streams, IsEmpty());
  EXPECT_THAT(database().DescribeStream({.stream_arn = arn}),
              StatusIs(kNotFound, "Requested resource not found: Stream: " + arn + " not found"));
}

TEST_F(StreamRetentionTest, AnEnabledStreamExistsHoweverOldItIs) {
  CreateThings();
  Put("a");
  clock().Advance(hours(24 * 365));
  EXPECT_EQ(database().ListStreams()->streams.size(), 1u);
  EXPECT_THAT(Records(), IsEmpty());
  Put("b");
  EXPECT_THAT(SortKeysOf(Records()), ElementsAre("b"));
}

TEST_F(StreamRetentionTest, RetentionEndsWhileTheDatabaseIsClosed) {
  UseDisk();
  CreateThings();
  PutHourly(2);
  const std::vector<std::string> numbers = NumbersOf(Records());
  clock().Advance(hours(23) + milliseconds(1));
  Reopen();
  EXPECT_THAT(SortKeysOf(Records()), ElementsAre("1"));
  EXPECT_THAT(IteratorOf(Arn(), kAtNumber, numbers[0]), IsTrimmed());
  Reopen();
  EXPECT_THAT(IteratorOf(Arn(), kAtNumber, numbers[0]), IsTrimmed());
}

// All records are trimmed, so the stream's last sequence number cannot be read from a record.
// Dolmen must still know the number after the database is reopened.
TEST_F(StreamRetentionTest, TrimmedRecordsOfAnEmptyStreamAreRejectedAfterReopening) {
  UseDisk();
  CreateThings();
  PutAll({"a", "b"});
  const std::vector<std::string> numbers = NumbersOf(Records());
  clock().Advance(hours(25));
  EXPECT_THAT(Records(), IsEmpty());
  Reopen();
  EXPECT_THAT(IteratorOf(Arn(), kAtNumber, numbers[1]), IsTrimmed());
  EXPECT_THAT(IteratorOf(Arn(), kAfterNumber, numbers[0]), IsTrimmed());
  EXPECT_THAT(ReadFrom(Iterator(kAfterNumber, numbers[1])), IsEmpty());
}

// A record that is written after the clock went back has the time of the previous record. Its
// retention begins at that time.
TEST_F(StreamRetentionTest, AClockThatGoesBackTrimsNoRecord) {
  CreateThings();
  PutHourly(3);
  clock().Advance(-hours(48));
  EXPECT_THAT(SortKeysOf(Records()), ElementsAre("0", "1", "2"));
  Put("3");
  clock().Advance(hours(48 + 24) - milliseconds(1));
  EXPECT_THAT(SortKeysOf(Records()), ElementsAre("2", "3"));
  clock().Advance(milliseconds(1));
  EXPECT_THAT(Records(), IsEmpty());
}

// A disabled stream is kept and can be read as long as its records are retained, even if the clock
// goes back.
TEST_F(StreamRetentionTest, AClockThatGoesBackDeletesNoDisabledStream) {
  UseDisk();
  CreateThings();
  Put("a");
  const std::string arn = Arn();
  clock().Advance(-hours(48));
  Disable();
  clock().Advance(hours(30));
  EXPECT_THAT(SortKeysOf(Records(arn)), ElementsAre("a"));
  Reopen();
  EXPECT_THAT(SortKeysOf(Records(arn)), ElementsAre("a"));
}

// This test trims 2,500 records. Dolmen deletes such a large number of records with one range
// deletion, not with one deletion per record.
TEST_F(StreamRetentionTest, ManyRecordsAreTrimmedAtOnce) {
  CreateThings(Showing(StreamViewType::kKeysOnly));
  constexpr int kOld = 2'500;
  for (int i = 0; i < kOld; ++i) Put(std::to_string(i));
  const std::vector<std::string> numbers = NumbersOf(Records());
  clock().Advance(hours(1));
  PutAll({"x", "y", "z"});
  clock().Advance(hours(23));
  EXPECT_THAT(SortKeysOf(Records()), ElementsAre("x", "y", "z"));
  EXPECT_THAT(SortKeysOf(Records()), ElementsAre("x", "y", "z"));
  EXPECT_THAT(IteratorOf(Arn(), kAtNumber, numbers.back()), IsTrimmed());
  EXPECT_THAT(SortKeysOf(ReadFrom(Iterator(kAfterNumber, numbers.back()))),
              ElementsAre("x", "y", "z"));
  clock().Advance(hours(1));
  EXPECT_THAT(Records(), IsEmpty());
}

TEST_F(StreamRetentionTest, TheLongestRetentionKeepsRecordsWithoutLimit) {
  CreateThings(Showing(StreamViewType::kKeysOnly, milliseconds::max()));
  Put("a");
  clock().Advance(hours(24 * 365 * 50));
  EXPECT_THAT(SortKeysOf(Records()), ElementsAre("a"));
  Disable();
  clock().Advance(hours(24 * 365 * 50));
  EXPECT_THAT(SortKeysOf(Records()), ElementsAre("a"));
}

TEST_F(StreamRetentionTest, CreateTableRejectsARetentionOfZeroOrLess) {
  for (const milliseconds none : {milliseconds(0), milliseconds(-1)}) {
    EXPECT_THAT(Create("things", Showing(StreamViewType::kKeysOnly, none)),
                StatusIs(kValidation, testing::_));
  }
}

}  // namespace
}  // namespace dolmen::behaviour
