#include "engine/stream/change_log.h"

#include <chrono>
#include <string>
#include <vector>

#include "engine/storage/cursor.h"
#include "engine/stream/positions.h"
#include "engine/value/codec.h"
#include "tests/engine/engine_tables.h"

namespace dolmen::engine {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using testing::ElementsAre;

class ChangeLogTest : public EngineTableTest {
 protected:
  void SetUp() override {
    EngineTableTest::SetUp();
    StreamSpecification specification;
    specification.view_type = StreamViewType::kKeysOnly;
    UpdateTableInput input;
    input.name = "app";
    input.stream_specification = specification;
    ASSERT_THAT(engine().UpdateTable(input), IsOk());
    first_ = stream().first;
  }

  ChangeLog& log() { return engine().write_context().changes; }
  const StreamSchema& stream() { return schema().streams.back(); }

  // Writes `count` stream records, but not the items that they describe. Each record takes one
  // sequence number.
  void Record(std::size_t count) {
    std::string bytes;
    ASSERT_THAT(EncodeItem(Key("a"), &bytes), IsOk());
    ChangeLog::ReservedNumbers numbers = log().ReserveNumbers(count, clock_->Now());
    WriteBatch batch;
    for (std::size_t i = 0; i < count; ++i) {
      const Change change{{}, *ItemView::Parse(bytes)};
      ASSERT_THAT(ChangeLog::Append(stream(), schema().keys, change, numbers.Next(), numbers.time(),
                                    &batch),
                  IsOk());
    }
    ASSERT_THAT(engine().store().Write(std::move(batch)), IsOk());
  }

  // Returns the numbers of the visible records after `after`, minus the stream's first number.
  std::vector<SequenceNumber> Readable(SequenceNumber after = 0) {
    const auto page = log().Read(stream(), schema().keys, after, 5000);
    EXPECT_THAT(page, IsOk());
    std::vector<SequenceNumber> numbers;
    for (const StreamRecord& record : page->records) {
      numbers.push_back(*ParseSequenceNumber(record.sequence_number) - first_);
    }
    return numbers;
  }

  std::size_t Stored() { return StoredIn(stream()); }
  std::size_t StoredIn(const StreamSchema& some_stream) {
    Cursor cursor(engine().store(), PrefixRange(EncodedKey(some_stream.keyspace)));
    std::size_t count = 0;
    for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) ++count;
    EXPECT_THAT(cursor.status(), IsOk());
    return count;
  }

  SequenceNumber first_ = 0;
};

// Each write reserves a number for its record. While a write is in flight, the log hides from
// readers all records with greater numbers. Otherwise a reader could pass the number of that write
// and would never see its record.
TEST_F(ChangeLogTest, HidesRecordsAfterAWriteInFlight) {
  Record(1);
  {
    const ChangeLog::ReservedNumbers slow = log().ReserveNumbers(2, clock_->Now());
    Record(1);
    EXPECT_THAT(Readable(), ElementsAre(0));
    EXPECT_EQ(log().visible_end(), first_ + 1);
  }
  EXPECT_THAT(Readable(), ElementsAre(0, 3));
  EXPECT_EQ(log().visible_end(), log().next_number());
}

TEST_F(ChangeLogTest, ReadsRecordsAfterANumber) {
  Record(3);
  EXPECT_THAT(Readable(first_), ElementsAre(1, 2));
  EXPECT_THAT(Readable(first_ + 2), ElementsAre());
}

TEST_F(ChangeLogTest, TimesDoNotGoBackWithTheClock) {
  const Timestamp before = log().ReserveNumbers(1, clock_->Now()).time();
  clock_->Advance(-hours(1));
  EXPECT_EQ(log().ReserveNumbers(1, clock_->Now()).time(), before);
  clock_->Advance(hours(2));
  EXPECT_EQ(log().ReserveNumbers(1, clock_->Now()).time(), before + hours(1));
}

TEST_F(ChangeLogTest, TrimsExactlyTheRecordsPastTheirRetention) {
  Record(3);
  clock_->Advance(hours(23));
  Record(2);
  EXPECT_THAT(log().Trim(stream()), IsOkAndHolds(0u));
  clock_->Advance(hours(1));
  EXPECT_THAT(log().Trim(stream()), IsOkAndHolds(first_ + 2));
  EXPECT_THAT(Readable(), ElementsAre(3, 4));
  EXPECT_EQ(Stored(), 2u);
  clock_->Advance(hours(23));
  EXPECT_THAT(log().Trim(stream()), IsOkAndHolds(first_ + 4));
  EXPECT_EQ(Stored(), 0u);
}

// If a trim deletes more than 1000 records, it deletes their range of keys as a whole.
TEST_F(ChangeLogTest, TrimsManyRecordsByTheirRange) {
  for (const std::size_t kept : {0, 1, 700}) {
    SCOPED_TRACE(kept);
    const SequenceNumber begin = log().next_number();
    Record(2500);
    clock_->Advance(hours(12));
    if (kept > 0) Record(kept);
    clock_->Advance(hours(12));
    EXPECT_THAT(log().Trim(stream()), IsOkAndHolds(begin + 2499));
    EXPECT_EQ(Stored(), kept);
    clock_->Advance(hours(24));
    EXPECT_THAT(log().Trim(stream()), IsOk());
    EXPECT_EQ(Stored(), 0u);
  }
}

// Writers trim old records from their stream, so a stream stays small even if it has no reader.
// This test writes to two streams alternately. Both streams share one sequence of numbers.
TEST_F(ChangeLogTest, WritersTrimTheirStreams) {
  CreateTableInput input;
  input.name = "other";
  input.stream_specification.emplace().view_type = StreamViewType::kKeysOnly;
  const auto other = engine().catalog().Create(input);
  ASSERT_THAT(other, IsOk());
  const auto context = engine().write_context();
  for (int i = 0; i < 1000; ++i) {
    Item item = Key("a");
    item.emplace("i", i);
    ASSERT_THAT(WriteItem(context, live(), PutItemInput{.item = item}), IsOk());
    ASSERT_THAT(WriteItem(context, **other, PutItemInput{.item = item}), IsOk());
    clock_->Advance(hours(1));
  }
  EXPECT_LE(StoredIn(stream()), 24u + 64u);
  EXPECT_LE(StoredIn((*other)->schema()->streams.back()), 24u + 64u);
}

// The log derives the numbers of new records from the clock. If the clock is set back, the derived
// numbers can be less than the stored position of a subscription. So after a reopening, the log
// begins with the number after that position.
TEST_F(ChangeLogTest, NumbersContinueAfterThePositionsOfSubscriptions) {
  const SequenceNumber position = log().next_number() + 1000;
  WriteBatch batch;
  PutPosition(schema().keyspace, "a subscription", position, &batch);
  ASSERT_THAT(engine().store().Write(std::move(batch)), IsOk());
  clock_->Set(Timestamp());
  ChangeLog opened(&engine().store(), clock_.get());
  ASSERT_THAT(opened.Load({}), IsOk());
  EXPECT_EQ(opened.next_number(), position + 1);
}

TEST_F(ChangeLogTest, ReadReturnsCorruptionForADamagedRecord) {
  EncodedKey key(stream().keyspace);
  key.AppendBigEndian(log().ReserveNumbers(1, clock_->Now()).Next());
  for (const std::string& bytes :
       {std::string(), std::string("\1\0", 2), std::string(12, '\1'), "\1" + std::string(11, '\0'),
        std::string("\1\7") + std::string(12, '\0')}) {
    WriteBatch batch;
    batch.Put(key, bytes);
    ASSERT_THAT(engine().store().Write(std::move(batch)), IsOk());
    EXPECT_THAT(log().Read(stream(), schema().keys, 0, 10),
                StatusIs(StatusCode::kCorruption, testing::_));
  }
}

TEST(SequenceNumberTest, ConvertsToTextAndBack) {
  EXPECT_EQ(ToText(0), "100000000000000000000");
  EXPECT_EQ(ToText(42), "100000000000000000042");
  EXPECT_EQ(ParseSequenceNumber(ToText(42)), 42u);
  EXPECT_EQ(ParseSequenceNumber("118446744073709551615"), 18446744073709551615u);
  for (const char* const wrong : {"", "42", "200000000000000000042", "118446744073709551616",
                                  "10000000000000000004x", "1000000000000000000042"}) {
    EXPECT_EQ(ParseSequenceNumber(wrong), std::nullopt) << wrong;
  }
}

}  // namespace
}  // namespace dolmen::engine
