// Streams with several shards that split.

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "tests/simulate/fixture.h"

namespace dolmen::simulate {
namespace {

using test::Value;
using testing::Each;
using testing::Field;
using testing::SizeIs;

constexpr auto kLifetime = std::chrono::hours(4);

class StreamShardsTest : public SimulateTest {
 protected:
  StreamShardsTest() {
    const StreamSpecification enabled{.view_type = StreamViewType::kKeysOnly};
    EXPECT_THAT(db_.UpdateTable({.name = "app", .stream_specification = enabled}), IsOk());
    arn_ = Value(db_.ListStreams({.table_name = "app"})).streams.at(0).stream_arn;
    Simulate(SimulateOptions{.stream_shards = 4, .shard_lifetime = kLifetime});
  }

  // Puts a new item with each of 20 partition keys.
  void PutAll() {
    ++puts_;
    for (char pk = 'A'; pk < 'A' + 20; ++pk) {
      EXPECT_THAT(Put(std::string(1, pk), std::to_string(puts_)), IsOk());
    }
  }

  std::vector<Shard> Shards(DescribeStreamInput input = {}) const {
    input.stream_arn = arn_;
    return Value(db_.DescribeStream(input)).shards;
  }

  // The records of a shard in order, as "A1" and so on, and the end of the shard.
  struct Records {
    std::vector<std::string> keys;
    bool ended = false;
  };
  Records Read(const std::string& shard, std::uint32_t limit = 1000) const {
    Records all;
    std::string iterator = Value(db_.GetShardIterator({.stream_arn = arn_, .shard_id = shard}));
    while (true) {
      const auto page = Value(db_.GetRecords({.shard_iterator = iterator, .limit = limit}));
      for (const StreamRecord& record : page.records) {
        const ItemView keys = record.keys.view();
        all.keys.push_back(std::string(*keys["PK"].AsString()).append(*keys["SK"].AsString()));
      }
      iterator = page.next_shard_iterator;
      all.ended = iterator.empty();
      if (all.ended || page.records.empty()) return all;
    }
  }

  // Returns the number of records of a shard that has ended and of all shards that descend from it.
  // Reads a shard after its parent.
  std::size_t CountFrom(const std::string& shard) const {
    const Records records = Read(shard);
    std::size_t count = records.keys.size();
    if (!records.ended) return count;
    const auto children = Shards({.parent_shard_id = shard});
    EXPECT_THAT(children, testing::Not(IsEmpty())) << shard;
    for (const Shard& child : children) count += CountFrom(child.shard_id);
    return count;
  }

  std::string arn_;
  int puts_ = 0;
};

TEST_F(StreamShardsTest, AStreamBeginsWithOneShard) {
  PutAll();
  const auto shards = Shards();
  ASSERT_THAT(shards, SizeIs(1));
  EXPECT_EQ(shards[0].parent_shard_id, "");
  EXPECT_EQ(shards[0].ending_sequence_number, "");
  const Records records = Read(shards[0].shard_id);
  EXPECT_THAT(records.keys, SizeIs(20));
  EXPECT_FALSE(records.ended);
}

TEST_F(StreamShardsTest, ShardsSplitUntilThereAreAllOfThem) {
  for (int i = 0; i < 4; ++i) {
    PutAll();
    clock_->Advance(kLifetime);
  }
  std::map<std::string, int> children;
  std::vector<int> counts;
  for (const Shard& shard : Shards()) ++children[shard.parent_shard_id];
  for (const auto& [parent, count] : children) counts.push_back(count);
  EXPECT_THAT(counts, ElementsAre(1, 2, 2, 2, 1, 1, 1, 1))
      << "one shard without a parent, its 2 children, their 4 children, and one child of each";
}

TEST_F(StreamShardsTest, TheIdOfAShardHasTheTimeAtWhichTheShardBegins) {
  PutAll();
  clock_->Advance(kLifetime);
  PutAll();
  const Timestamp begin =
      Value(db_.DescribeStream({.stream_arn = arn_})).creation_request_date_time;
  std::vector<Timestamp> times;
  for (const Shard& shard : Shards()) {
    times.emplace_back(std::chrono::milliseconds(std::stoll(shard.shard_id.substr(8, 20))));
  }
  EXPECT_THAT(times, ElementsAre(begin, begin + kLifetime, begin + kLifetime));
}

TEST_F(StreamShardsTest, EachRecordIsInOneShardAndAfterItsParentsRecords) {
  for (int i = 0; i < 4; ++i) {
    PutAll();
    clock_->Advance(kLifetime);
  }
  std::map<std::string, std::vector<int>> numbers;  // the sort keys by partition key
  std::size_t records = 0;
  for (const Shard& shard : Shards()) {
    for (const std::string& key : Read(shard.shard_id).keys) {
      numbers[key.substr(0, 1)].push_back(std::stoi(key.substr(1)));
      ++records;
    }
  }
  EXPECT_EQ(records, 80U);
  EXPECT_THAT(numbers, SizeIs(20));
  for (const auto& [pk, sks] : numbers) {
    EXPECT_THAT(sks, SizeIs(4)) << pk;
    EXPECT_TRUE(std::ranges::is_sorted(sks)) << pk;
  }
}

TEST_F(StreamShardsTest, AShardEndsWithTheFirstRecordAfterItsTime) {
  PutAll();
  const std::string parent = Shards().at(0).shard_id;
  clock_->Advance(kLifetime);
  EXPECT_FALSE(Read(parent).ended);
  ASSERT_THAT(Put("A", "after"), IsOk());
  const auto shards = Shards();
  ASSERT_THAT(shards, SizeIs(3));
  EXPECT_NE(shards[0].ending_sequence_number, "");
  EXPECT_EQ(shards[1].starting_sequence_number, shards[0].ending_sequence_number);
  const Records records = Read(parent);
  EXPECT_TRUE(records.ended);
  EXPECT_THAT(records.keys, SizeIs(20));
  EXPECT_THAT(Shards({.parent_shard_id = parent}),
              testing::AllOf(SizeIs(2), Each(Field(&Shard::parent_shard_id, parent))));
}

TEST_F(StreamShardsTest, AShardHasChildrenEvenIfItsLifetimeHasNoRecord) {
  const std::string first = Shards().at(0).shard_id;
  clock_->Advance(2 * kLifetime);
  EXPECT_FALSE(Read(first).ended);
  PutAll();
  EXPECT_THAT(Shards(), SizeIs(1 + 2 + 4));
  EXPECT_EQ(Shards().at(0).shard_id, first);
  EXPECT_EQ(CountFrom(first), 20U);
}

TEST_F(StreamShardsTest, AReaderFindsTheNewestShardsAfterAllRecordsAreTrimmed) {
  PutAll();
  const std::string first = Shards().at(0).shard_id;
  clock_->Advance(10 * kLifetime);
  const auto newest = Shards();
  EXPECT_THAT(newest, SizeIs(4));
  EXPECT_EQ(newest.at(0).ending_sequence_number, "");
  EXPECT_EQ(CountFrom(first), 0U);
  for (const Shard& shard : newest) EXPECT_FALSE(Read(shard.shard_id).ended);
  PutAll();
  EXPECT_EQ(Shards().at(0).shard_id, newest.at(0).shard_id);
  EXPECT_EQ(CountFrom(first), 20U);
  for (const Shard& shard : newest) EXPECT_TRUE(Read(shard.shard_id).ended);
}

TEST_F(StreamShardsTest, TheNewestShardsExistAfterTheClockWentBack) {
  clock_->Advance(kLifetime);
  PutAll();
  clock_->Advance(-kLifetime);
  std::size_t records = 0;
  for (const Shard& shard : Shards()) records += Read(shard.shard_id).keys.size();
  EXPECT_EQ(records, 20U);
}

TEST_F(StreamShardsTest, PagesOfAnyLengthHaveAllShardsAndRecords) {
  for (int i = 0; i < 3; ++i) {
    PutAll();
    clock_->Advance(kLifetime);
  }
  std::vector<std::string> ids;
  DescribeStreamInput input{.stream_arn = arn_, .limit = 2};
  do {
    const auto page = Value(db_.DescribeStream(input));
    for (const Shard& shard : page.shards) ids.push_back(shard.shard_id);
    input.exclusive_start_shard_id = page.last_evaluated_shard_id;
  } while (!input.exclusive_start_shard_id.empty());
  std::vector<std::string> all;
  for (const Shard& shard : Shards()) all.push_back(shard.shard_id);
  EXPECT_EQ(ids, all);
  EXPECT_THAT(all, SizeIs(7));
  for (const std::string& shard : all) {
    EXPECT_EQ(Read(shard, 3).keys, Read(shard).keys);
  }
}

TEST_F(StreamShardsTest, TheShardsOfADisabledStreamEnd) {
  PutAll();
  const std::string shard = Shards().at(0).shard_id;
  const StreamSpecification disabled{.enabled = false};
  ASSERT_THAT(db_.UpdateTable({.name = "app", .stream_specification = disabled}), IsOk());
  EXPECT_TRUE(Read(shard).ended);
  EXPECT_NE(Shards().at(0).ending_sequence_number, "");
}

TEST_F(StreamShardsTest, AllShardsBeginAtOnceIfShardsHaveNoLifetime) {
  Simulate(SimulateOptions{.stream_shards = 8});
  PutAll();
  clock_->Advance(kLifetime);
  PutAll();
  std::size_t records = 0;
  const auto shards = Shards();
  ASSERT_THAT(shards, SizeIs(8));
  for (const Shard& shard : shards) records += Read(shard.shard_id).keys.size();
  EXPECT_EQ(records, 40U);
}

TEST_F(StreamShardsTest, UnknownShardsAndIteratorsAreRejected) {
  EXPECT_THAT(db_.GetShardIterator({.stream_arn = arn_, .shard_id = "shardId-1"}),
              StatusIs(StatusCode::kResourceNotFound, _));
  const std::string shard = Shards().at(0).shard_id;
  EXPECT_THAT(Shards({.exclusive_start_shard_id = "shardId-1"}), IsEmpty());
  EXPECT_THAT(Shards({.parent_shard_id = "shardId-1"}), IsEmpty());
  std::string second = shard;
  second.back() = '1';
  EXPECT_THAT(db_.GetShardIterator({.stream_arn = arn_, .shard_id = second}),
              StatusIs(StatusCode::kResourceNotFound, _));
  for (const std::string& iterator :
       std::vector<std::string>{"", "#", "x#" + shard, arn_ + "#" + shard}) {
    EXPECT_THAT(db_.GetRecords({.shard_iterator = iterator}), StatusIs(StatusCode::kValidation, _))
        << iterator;
  }
}

TEST_F(StreamShardsTest, OtherNumbersOfShardsAndShortLifetimesAreRejected) {
  for (const SimulateOptions& options :
       {SimulateOptions{.stream_shards = 0}, SimulateOptions{.stream_shards = 3},
        SimulateOptions{.stream_shards = 128},
        SimulateOptions{.shard_lifetime = std::chrono::seconds(59)},
        SimulateOptions{.shard_lifetime = std::chrono::milliseconds(-1)}}) {
    EXPECT_THAT(simulation_.Restart(options), StatusIs(StatusCode::kValidation, _));
  }
}

}  // namespace
}  // namespace dolmen::simulate
