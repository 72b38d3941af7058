// Tests of the sequence numbers, event IDs, sizes and times of stream records. The rule numbers are
// those of tests/behaviour/README.md.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_StreamRecord.html

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tests/behaviour/stream_record.h"

namespace dolmen::behaviour {
namespace {

using testing::Each;
using testing::MatchesRegex;

constexpr const char* kNumberForm =
    "[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]"
    "[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]";

// In Dolmen each record has a larger sequence number than all earlier records of all tables.
TEST_F(StreamRecordTest, SequenceNumbersHave21DigitsAndGrow) {
  CreateThings();
  const auto other = Create("others", Showing(StreamViewType::kKeysOnly));
  ASSERT_THAT(other, IsOk());
  const std::string other_arn = database().DescribeTable("others")->latest_stream_arn;
  std::vector<std::string> numbers;
  for (int i = 0; i < 20; ++i) {
    Put(std::to_string(i));
    numbers.push_back(Records().back().sequence_number);
    ASSERT_THAT(other->PutItem({.item = Key(std::to_string(i))}), IsOk());
    numbers.push_back(Records(other_arn).back().sequence_number);
    clock().Advance(milliseconds(i % 3));
  }
  EXPECT_THAT(numbers, Each(MatchesRegex(kNumberForm)));
  EXPECT_THAT(numbers, testing::WhenSorted(testing::ElementsAreArray(numbers)));
  EXPECT_EQ(std::set(numbers.begin(), numbers.end()).size(), 40u);
}

// Sequence numbers also grow if the clock goes back, if the database is reopened, and if a new
// stream is enabled.
TEST_F(StreamRecordTest, SequenceNumbersNeverGoBack) {
  UseDisk();
  CreateThings();
  std::string last;
  const auto expect_more = [&](const std::string& when) {
    SCOPED_TRACE(when);
    Put("a", {{"when", when}});
    const std::string number = Records().back().sequence_number;
    EXPECT_LT(last, number);
    last = number;
  };
  expect_more("at first");
  Reopen();
  expect_more("opened again within the same millisecond");
  clock().Advance(-hours(24 * 365));
  expect_more("after the clock went back");
  Reopen();
  expect_more("opened again, with the clock behind the last record");
  Disable();
  Enable();
  expect_more("another stream");
  Disable();
  Reopen();
  Enable();
  expect_more("another stream, enabled after reopening");
  clock().Advance(hours(24 * 365 * 2));
  Reopen();
  expect_more("after the clock moved ahead");
}

TEST_F(StreamRecordTest, SequenceNumbersGrowAfterTheirTableIsDeleted) {
  UseDisk();
  CreateThings();
  Put("a");
  const std::string last = Records().back().sequence_number;
  ASSERT_THAT(database().DeleteTable("things"), IsOk());
  clock().Advance(-hours(1));
  Reopen();
  CreateThings();
  Put("a");
  EXPECT_LT(last, Records().back().sequence_number);
}

TEST_F(StreamRecordTest, EachRecordHasAnEventIdOfItsOwn) {
  UseDisk();
  CreateThings();
  std::set<std::string> ids;
  for (int round = 0; round < 3; ++round) {
    ASSERT_THAT(Batch({PutRequest{With("a", {{"n", round}})}, PutRequest{With("b", {{"n", round}})},
                       PutRequest{With("c", {{"n", round}})}}),
                IsOk());
    for (const StreamRecord& record : Records()) {
      EXPECT_EQ(record.event_id.size(), 32u);
      EXPECT_EQ(record.event_id.find_first_not_of("0123456789abcdef"), std::string::npos);
      ids.insert(record.event_id);
    }
    Disable();
    Reopen();
    Enable();
  }
  EXPECT_EQ(ids.size(), 9u);
}

TEST_F(StreamRecordTest, ARecordKeepsItsEventIdOnEveryRead) {
  CreateThings();
  Put("a");
  EXPECT_EQ(Records()[0].event_id, Records()[0].event_id);
}

// Keys and images have the sizes that items have (item_size_rules_test.cc).
TEST_F(StreamRecordTest, TheSizeOfARecordIsThatOfItsKeyAndImages) {
  struct Row {
    StreamViewType view_type;
    std::vector<std::uint32_t> sizes;
  };
  constexpr std::uint32_t kKeys = 6;        // PK, p, SK, a
  constexpr std::uint32_t kFirst = 6 + 3;   // n, 1
  constexpr std::uint32_t kSecond = 6 + 8;  // text, four
  CreateThings(std::nullopt);
  for (const auto& [view_type, sizes] :
       std::vector<Row>{{StreamViewType::kKeysOnly, {kKeys, kKeys, kKeys}},
                        {StreamViewType::kNewImage, {kKeys + kFirst, kKeys + kSecond, kKeys}},
                        {StreamViewType::kOldImage, {kKeys, kKeys + kFirst, kKeys + kSecond}},
                        {StreamViewType::kNewAndOldImages,
                         {kKeys + kFirst, kKeys + kFirst + kSecond, kKeys + kSecond}}}) {
    Enable(view_type);
    Put("a", {{"n", 1}});
    Put("a", {{"text", "four"}});
    Delete("a");
    std::vector<std::uint32_t> found;
    for (const StreamRecord& record : Records()) found.push_back(record.size_bytes);
    EXPECT_EQ(found, sizes) << static_cast<int>(view_type);
    Disable();
  }
}

TEST_F(StreamRecordTest, ARecordHasTheClocksTimeAndIsNotOlderThanTheRecordBefore) {
  CreateThings();
  const Timestamp start = clock().Now();
  Put("a");
  clock().Advance(milliseconds(1234));
  Put("b");
  clock().Advance(-hours(1));
  Put("c");
  Put("d");
  clock().Set(start + milliseconds(1235));
  Put("e");
  std::vector<Timestamp> times;
  for (const StreamRecord& record : Records()) {
    times.push_back(record.approximate_creation_date_time);
  }
  const Timestamp latest = start + milliseconds(1234);
  EXPECT_THAT(times, ElementsAre(start, latest, latest, latest, latest + milliseconds(1)));
}

TEST_F(StreamRecordTest, ARecordWrittenAfterReopeningIsNotOlderThanTheLastRecord) {
  UseDisk();
  CreateThings();
  Put("a");
  clock().Advance(-hours(1));
  Reopen();
  Put("b");
  const std::vector<StreamRecord> records = Records();
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].approximate_creation_date_time, clock().Now() + hours(1));
  EXPECT_EQ(records[1].approximate_creation_date_time, clock().Now() + hours(1));
}

}  // namespace
}  // namespace dolmen::behaviour
