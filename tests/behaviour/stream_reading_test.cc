// Tests of reads of a stream: GetShardIterator and GetRecords. The rule numbers are those of
// tests/behaviour/README.md.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Operations_Amazon_DynamoDB_Streams.html

#include <algorithm>
#include <string>
#include <vector>

#include "tests/behaviour/stream_fixture.h"

namespace dolmen::behaviour {
namespace {

class StreamReadingTest : public StreamFixture {
 protected:
  void SetUp() override {
    StreamFixture::SetUp();
    CreateThings();
  }

  Result<GetRecordsOutput> Page(const std::string& iterator, std::uint32_t limit = 1000) {
    return database().GetRecords({.shard_iterator = iterator, .limit = limit});
  }

  // Reads one page, moves the iterator to the next page, and returns the page's sort keys.
  std::vector<std::string> ReadOn(std::string* iterator, std::uint32_t limit = 1000) {
    const auto page = Page(*iterator, limit);
    EXPECT_THAT(page, IsOk());
    if (!page.ok()) return {};
    *iterator = page->next_shard_iterator;
    return SortKeysOf(page->records);
  }

  void PutMany(int count) {
    for (int i = 0; i < count; i += 25) {
      WriteRequests writes{.table = table()};
      for (int n = i; n < std::min(i + 25, count); ++n) {
        writes.requests.emplace_back(PutRequest{Key(std::to_string(n))});
      }
      ASSERT_THAT(database().BatchWriteItem({.requests = {writes}}), IsOk());
    }
  }
};

// The position stays valid after the shard has got its first record.
TEST_F(StreamReadingTest, AReaderCanBeginAtTheStartOfAnEmptyShard) {
  const std::string start = ShardOf(Arn()).starting_sequence_number;
  const std::vector<std::string> iterators{Iterator(kAtNumber, start),
                                           Iterator(kAfterNumber, start)};
  for (const std::string& iterator : iterators) EXPECT_THAT(ReadFrom(iterator), IsEmpty());
  PutAll({"a", "b"});
  for (const std::string& iterator : iterators) {
    EXPECT_THAT(SortKeysOf(ReadFrom(iterator)), ElementsAre("a", "b"));
  }
  EXPECT_THAT(SortKeysOf(ReadFrom(Iterator(kAtNumber, start))), ElementsAre("a", "b"));
  EXPECT_THAT(SortKeysOf(ReadFrom(Iterator(kAfterNumber, start))), ElementsAre("a", "b"));
}

TEST_F(StreamReadingTest, AnIteratorBeginsWhereItsTypeSays) {
  PutAll({"a", "b", "c"});
  const std::vector<std::string> numbers = NumbersOf(Records());
  const std::string latest = Iterator(kLatest);
  const std::string behind_the_last = Iterator(kAfterNumber, numbers[2]);
  Put("d");
  EXPECT_THAT(SortKeysOf(ReadFrom(Iterator(kTrimHorizon))), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(SortKeysOf(ReadFrom(latest)), ElementsAre("d"));
  EXPECT_THAT(SortKeysOf(ReadFrom(Iterator(kAtNumber, numbers[1]))), ElementsAre("b", "c", "d"));
  EXPECT_THAT(SortKeysOf(ReadFrom(Iterator(kAfterNumber, numbers[1]))), ElementsAre("c", "d"));
  EXPECT_THAT(SortKeysOf(ReadFrom(behind_the_last)), ElementsAre("d"));
  EXPECT_THAT(ReadFrom(Iterator(kLatest)), IsEmpty());
}

TEST_F(StreamReadingTest, AnIteratorHasASequenceNumberOfItsShardIfItsTypeNeedsOne) {
  PutAll({"a", "b"});
  const std::string arn = Arn();
  const std::string number = Records()[0].sequence_number;
  for (const ShardIteratorType type : {kTrimHorizon, kLatest}) {
    EXPECT_THAT(IteratorOf(arn, type, number), IsRefused());
  }
  for (const ShardIteratorType type : {kAtNumber, kAfterNumber}) {
    for (const std::string& wrong :
         {std::string(), std::string("first"), number + "x", " " + number, "-" + number.substr(1),
          number.substr(1), number + "0", "0" + number.substr(1), std::string(21, '9')}) {
      EXPECT_THAT(IteratorOf(arn, type, wrong), IsRefused()) << "\"" << wrong << "\"";
    }
  }
}

// An iterator names a fixed position in the stream. A second read with the same iterator returns
// the same records.
TEST_F(StreamReadingTest, AnIteratorCanBeUsedAgain) {
  PutAll({"a", "b"});
  const std::string iterator = Iterator(kTrimHorizon);
  EXPECT_THAT(SortKeysOf(ReadFrom(iterator)), ElementsAre("a", "b"));
  EXPECT_THAT(SortKeysOf(ReadFrom(iterator)), ElementsAre("a", "b"));
}

TEST_F(StreamReadingTest, TheRecordsOfAllPagesAreReturnedOnce) {
  PutMany(2'500);
  std::vector<std::string> all;
  for (int i = 0; i < 2'500; ++i) all.push_back(std::to_string(i));
  for (const std::uint32_t limit : {1000u, 999u, 7u}) {
    std::vector<std::string> read;
    std::size_t pages = 0;
    for (std::string iterator = Iterator(kTrimHorizon); read.size() < all.size(); ++pages) {
      const std::vector<std::string> page = ReadOn(&iterator, limit);
      ASSERT_FALSE(page.empty()) << "after " << read.size();
      ASSERT_LE(page.size(), limit);
      read.insert(read.end(), page.begin(), page.end());
    }
    EXPECT_TRUE(std::is_permutation(read.begin(), read.end(), all.begin(), all.end()));
    EXPECT_EQ(pages, (all.size() + limit - 1) / limit);
  }
}

TEST_F(StreamReadingTest, APageHasOneToAThousandRecords) {
  Put("a");
  const std::string iterator = Iterator(kTrimHorizon);
  EXPECT_THAT(Page(iterator, 0), IsRefused());
  EXPECT_THAT(Page(iterator, 1001), IsRefused());
  EXPECT_THAT(Page(iterator, 1), IsOk());
  EXPECT_THAT(Page(iterator, 1000), IsOk());
}

TEST_F(StreamReadingTest, APageEndsBeforeOneMegabyteIsExceeded) {
  constexpr std::size_t kRecords = 12;
  for (std::size_t i = 0; i < kRecords; ++i) {
    Put(std::to_string(10 + i), {{"filler", std::string(390'000, 'x')}});
  }
  std::size_t read = 0;
  std::size_t pages = 0;
  for (std::string iterator = Iterator(kTrimHorizon); read < kRecords; ++pages) {
    const auto page = Page(iterator);
    ASSERT_THAT(page, IsOk());
    ASSERT_FALSE(page->records.empty());
    std::size_t bytes = 0;
    for (const StreamRecord& record : page->records) {
      EXPECT_EQ(SortKeyOf(record), std::to_string(10 + read++));
      bytes += record.size_bytes;
    }
    EXPECT_LE(bytes, 1u << 20);
    iterator = page->next_shard_iterator;
  }
  EXPECT_EQ(pages, kRecords / 2);
}

// A record of a change may hold two images of 400 KB each. Two records of this size do not fit into
// one page. GetRecords then returns a page with one record, so that the reader makes progress.
TEST_F(StreamReadingTest, APageOfLargestImagesHasAtLeastOneRecord) {
  const std::string filler(409'000, 'x');
  for (const int n : {1, 2, 3}) Put("a", {{"filler", filler}, {"n", n}});
  EXPECT_THAT(SortKeysOf(Records()), ElementsAre("a", "a", "a"));
}

TEST_F(StreamReadingTest, AnOpenShardAlwaysReturnsANextIterator) {
  std::string iterator = Iterator(kTrimHorizon);
  EXPECT_THAT(ReadOn(&iterator), IsEmpty());
  ASSERT_NE(iterator, "");
  Put("a");
  EXPECT_THAT(ReadOn(&iterator), ElementsAre("a"));
  ASSERT_NE(iterator, "");
  EXPECT_THAT(ReadOn(&iterator), IsEmpty());
  ASSERT_NE(iterator, "");
  Put("b");
  EXPECT_THAT(ReadOn(&iterator), ElementsAre("b"));
}

TEST_F(StreamReadingTest, AClosedShardReturnsNoIteratorAfterItsLastRecord) {
  PutAll({"a", "b"});
  std::string iterator = Iterator(kTrimHorizon);
  const std::string at_the_end = Iterator(kLatest);
  Disable();
  EXPECT_THAT(ReadOn(&iterator, 1), ElementsAre("a"));
  ASSERT_NE(iterator, "");
  EXPECT_THAT(ReadOn(&iterator, 1), ElementsAre("b"));
  if (!iterator.empty()) {
    EXPECT_THAT(ReadOn(&iterator, 1), IsEmpty());
  }
  EXPECT_EQ(iterator, "");
  for (std::string end : {at_the_end, Iterator(kLatest)}) {
    EXPECT_THAT(ReadOn(&end), IsEmpty());
    EXPECT_EQ(end, "");
  }
}

TEST_F(StreamReadingTest, AnIteratorExpiresAfterFifteenMinutes) {
  Put("a");
  const std::string iterator = Iterator(kTrimHorizon);
  clock().Advance(minutes(15));
  const auto page = Page(iterator);
  ASSERT_THAT(page, IsOk());
  EXPECT_THAT(SortKeysOf(page->records), ElementsAre("a"));
  clock().Advance(milliseconds(1));
  EXPECT_THAT(Page(iterator), StatusIs(StatusCode::kExpiredIterator, testing::_));
  // NextShardIterator is valid for fifteen minutes from the moment when the page that contains it
  // is returned.
  Put("b");
  EXPECT_THAT(SortKeysOf(ReadFrom(page->next_shard_iterator)), ElementsAre("b"));
  clock().Advance(minutes(15));
  EXPECT_THAT(Page(page->next_shard_iterator), StatusIs(StatusCode::kExpiredIterator, testing::_));
}

TEST_F(StreamReadingTest, ADamagedIteratorIsRejected) {
  Put("a");
  const std::string iterator = Iterator(kTrimHorizon);
  for (const std::string& damaged :
       {std::string(), std::string("x"), std::string(1000, '|'), std::string("||"),
        iterator.substr(0, iterator.size() / 2), iterator.substr(0, iterator.size() - 1),
        iterator + "0", Arn(), Arn() + "|1|", Arn() + "|1|!!!!"}) {
    EXPECT_THAT(Page(damaged), IsRefused()) << "\"" << damaged << "\"";
  }
  // In each of these iterators, the ARN of the stream is damaged.
  for (const std::string& damaged : {iterator.substr(1), iterator + iterator}) {
    EXPECT_THAT(Page(damaged), testing::Not(IsOk())) << "\"" << damaged << "\"";
  }
  for (std::size_t i = 0; i < iterator.size(); ++i) {
    std::string damaged = iterator;
    damaged[i] = '\x80';
    EXPECT_THAT(Page(damaged), testing::Not(IsOk())) << i;
  }
}

// This test changes the digits at the end of a valid iterator. The changed iterators contain a
// sequence number that no record has, and an impossible time.
TEST_F(StreamReadingTest, AnInventedIteratorIsRejected) {
  Put("a");
  const std::string iterator = Iterator(kTrimHorizon);
  const std::size_t numbers = iterator.rfind('|') + 1;
  for (const char digit : {'f', '7', '8'}) {
    std::string made_up = iterator;
    for (std::size_t i = numbers; i < made_up.size(); ++i) made_up[i] = digit;
    EXPECT_THAT(Page(made_up), testing::Not(IsOk())) << made_up;
  }
}

}  // namespace
}  // namespace dolmen::behaviour
