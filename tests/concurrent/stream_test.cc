// Tests of reads of a table's stream while threads write. Each reader gets every record, once and
// in order. The images, applied in order, give the table's contents. All this holds, too, if the
// stream is disabled and enabled while the threads write.

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/concurrent/threads.h"
#include "tests/support/items.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {
namespace {

constexpr std::size_t kStreamWriters = 8;
constexpr std::size_t kDeliverers = 2;
constexpr std::size_t kStreamCounters = 6;
constexpr std::size_t kThings = 10;
constexpr std::size_t kRecordsPerWriter = 800;

// Returns the key of a counter, which only increases. The nth record of a counter has version n.
Item Counter(std::size_t i) { return {{"PK", "counter"}, {"SK", std::to_string(i)}}; }
// Returns the key of an item that the writers create, change and delete. Each write gives the item
// different content, so no write repeats the stored item. A repeated item would add no record.
Item Thing(std::size_t i) { return {{"PK", "thing"}, {"SK", std::to_string(i)}}; }

UpdateItemInput Count(std::size_t i) {
  return {.key = Counter(i), .update = Update().Add("version", 1)};
}

using Replica = std::map<std::pair<std::string, std::string>, Item>;

// The records that one reader received. A test waits with WaitFor() for the records of a
// subscription in the background.
class Records {
 public:
  void Add(const StreamRecord& record) {
    const std::lock_guard lock(mutex_);
    records_.push_back(record);
    changed_.notify_all();
  }
  RecordHandler Handler() {
    return [this](const StreamRecord& record) {
      Add(record);
      return Status();
    };
  }

  // Waits until `count` records have arrived. Returns false after five minutes.
  bool WaitFor(std::size_t count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::minutes(5),
                             [&] { return records_.size() >= count; });
  }

  // Returns the records.
  // REQUIRES: no thread adds records any more
  const std::vector<StreamRecord>& all() const { return records_; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<StreamRecord> records_;
};

class StreamTest : public SeededTest {
 protected:
  static CreateTableInput Items() {
    CreateTableInput input;
    input.name = "items";
    input.global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")};
    input.stream_specification = StreamSpecification{.view_type = StreamViewType::kNewAndOldImages};
    return input;
  }

  // Does one write. Returns the number of stream records that the write adds.
  std::size_t Write(const Table& table, Random& random, std::uint64_t unique) {
    const auto thing = [&](std::size_t i) {
      Item item = Thing(i);
      item.emplace("unique", unique);
      item.emplace("filler", std::string(unique % 300, 'x'));
      return item;
    };
    const std::size_t i = random.Below(kThings);
    switch (random.Below(6)) {
      case 0: {
        const auto deleted =
            table.DeleteItem({.key = Thing(i), .return_values = ReturnValues::kAllOld});
        EXPECT_THAT(deleted, IsOk());
        return deleted.ok() && deleted->attributes ? 1 : 0;
      }
      case 1:
        EXPECT_THAT(table.PutItem({.item = thing(i)}), IsOk());
        return 1;
      case 2: {
        WriteRequests batch{.table = table};
        for (std::size_t n = 0; n < 3; ++n) {
          batch.requests.emplace_back(PutRequest{thing((i + n) % kThings)});
        }
        EXPECT_THAT(db_->BatchWriteItem({.requests = {batch}}), IsOk());
        return 3;
      }
      case 3: {
        const std::size_t counter = random.Below(kStreamCounters);
        const Status done =
            db_->TransactWriteItems(
                   {.actions = {{table, Count(counter)},
                                {table, PutItemInput{.item = thing(i)}},
                                {table, ConditionCheckInput{.key = Thing((i + 1) % kThings),
                                                            .condition = "attribute_exists(PK)"}},
                                {table, Count((counter + 1) % kStreamCounters)}}})
                .status();
        EXPECT_TRUE(done.ok() || done.code() == StatusCode::kTransactionCanceled)
            << done.ToString();
        return done.ok() ? 3 : 0;
      }
      default:
        EXPECT_THAT(table.UpdateItem(Count(random.Below(kStreamCounters))), IsOk());
        return 1;
    }
  }

  // Reads through shard iterators until it has all records of the writers.
  void Poll(const std::atomic<std::size_t>& writing, Records* records) {
    std::string iterator = TrimHorizon();
    for (bool last = false;;) {
      const auto page = db_->GetRecords({.shard_iterator = iterator, .limit = 50});
      ASSERT_THAT(page, IsOk());
      for (const StreamRecord& record : page->records) records->Add(record);
      iterator = page->next_shard_iterator;
      if (last && page->records.empty()) return;
      last = writing == 0;
    }
  }

  std::string TrimHorizon() const {
    return TrimHorizonOf(db_->DescribeTable("items")->latest_stream_arn);
  }
  std::string TrimHorizonOf(const std::string& arn) const {
    const auto stream = db_->DescribeStream({.stream_arn = arn});
    EXPECT_THAT(stream, IsOk());
    const auto iterator =
        db_->GetShardIterator({.stream_arn = arn, .shard_id = stream->shards[0].shard_id});
    EXPECT_THAT(iterator, IsOk());
    return *iterator;
  }

  // Applies the records to an empty table and returns the contents of that table. Checks that the
  // old image of each record is the item that the earlier records have left.
  static Replica Replay(const std::vector<StreamRecord>& records) {
    Replica contents;
    std::map<std::string, std::int64_t> versions;
    std::string last;
    for (const StreamRecord& record : records) {
      EXPECT_LT(last, record.sequence_number);
      last = record.sequence_number;
      const std::string sort(*record.keys["SK"].AsString());
      const std::pair key(std::string(*record.keys["PK"].AsString()), sort);
      const auto before = contents.find(key);
      const bool was_there = before != contents.end();
      EXPECT_EQ(record.old_image.has_value(), was_there) << record.sequence_number;
      if (was_there && record.old_image) {
        EXPECT_EQ(*record.old_image->Copy(), before->second);
      }
      EXPECT_EQ(record.event_name, !record.new_image ? EventName::kRemove
                                   : was_there       ? EventName::kModify
                                                     : EventName::kInsert);
      if (record.new_image) {
        contents.insert_or_assign(key, *record.new_image->Copy());
      } else {
        contents.erase(key);
      }
      if (key.first == "counter" && record.new_image) {
        EXPECT_EQ((*record.new_image)["version"].AsInt64(), ++versions[sort]) << sort;
      }
    }
    return contents;
  }

  Replica ReadTable(const Table& table) const {
    Replica contents;
    for (const std::string partition : {"counter", "thing"}) {
      const auto page = table.Query({.key_condition = Partition(partition)});
      EXPECT_THAT(page, IsOk());
      for (const ItemView item : *page) {
        contents.emplace(std::pair(partition, *item["SK"].AsString()), *item.Copy());
      }
    }
    return contents;
  }

  // Runs writers and three readers, each of which must get all records. The first reader uses shard
  // iterators. The second reader is a subscription in the background. The third reader is a
  // subscription whose Deliver() several threads call.
  void WriteAndRead(Result<Database> db) {
    ASSERT_THAT(db, IsOk());
    db_ = *std::move(db);
    const auto table = db_->CreateTable(Items());
    ASSERT_THAT(table, IsOk());
    std::array<Records, 3> readers;
    auto& [polled, in_background, delivered] = readers;
    SubscribeInput background;
    background.name = "background";
    SubscribeInput by_hand;
    by_hand.name = "by_hand";
    by_hand.in_background = false;
    std::size_t written = 0;
    {
      const auto first = table->Subscribe(background, in_background.Handler());
      ASSERT_THAT(first, IsOk());
      auto second = table->Subscribe(by_hand, delivered.Handler());
      ASSERT_THAT(second, IsOk());
      written = RunAll(*table, &*second, &polled);
      EXPECT_TRUE(in_background.WaitFor(written));
    }
    const Replica contents = ReadTable(*table);
    for (const Records& reader : readers) {
      SCOPED_TRACE(&reader - readers.data());
      EXPECT_EQ(reader.all().size(), written);
      EXPECT_TRUE(Replay(reader.all()) == contents);
    }
  }

  // Writes while a thread repeatedly disables and enables the stream. Each time, the table gets a
  // new stream. One subscription must get the records of all these streams.
  void WriteAndChangeStreams(Result<Database> db) {
    constexpr std::size_t kStreams = 20;
    ASSERT_THAT(db, IsOk());
    db_ = *std::move(db);
    const auto table = db_->CreateTable(Items());
    ASSERT_THAT(table, IsOk());
    Records given;
    SubscribeInput background;
    background.name = "background";
    std::vector<std::string> numbers;
    {
      const auto subscription = table->Subscribe(background, given.Handler());
      ASSERT_THAT(subscription, IsOk());
      std::atomic<std::size_t> writes = 0;
      RunTogether(kStreamWriters + 1, [&](std::size_t thread) {
        if (thread == kStreamWriters) return ChangeStreams(kStreams, writes);
        Random random(TestSeed() + thread);
        for (std::size_t i = 0; i < kRecordsPerWriter; ++i, ++writes) {
          Write(*table, random, thread * kRecordsPerWriter + i);
        }
      });
      numbers = NumbersOfAllStreams();
      EXPECT_TRUE(given.WaitFor(numbers.size()));
    }
    std::vector<std::string> given_numbers;
    for (const StreamRecord& record : given.all()) given_numbers.push_back(record.sequence_number);
    EXPECT_TRUE(given_numbers == numbers) << given_numbers.size() << " of " << numbers.size();
    EXPECT_EQ(db_->ListStreams()->streams.size(), kStreams);
    std::cout << numbers.size() << " records in " << kStreams << " streams\n";
  }

  // Disables and enables the stream at times spread over all writes. Each enabling creates a new
  // stream.
  void ChangeStreams(std::size_t streams, const std::atomic<std::size_t>& writes) {
    for (std::size_t i = 1; i < streams; ++i) {
      while (writes < i * kStreamWriters * kRecordsPerWriter / streams) std::this_thread::yield();
      UpdateTableInput input;
      input.name = "items";
      input.stream_specification = StreamSpecification{.enabled = false};
      EXPECT_THAT(db_->UpdateTable(input), IsOk());
      input.stream_specification = Items().stream_specification;
      EXPECT_THAT(db_->UpdateTable(input), IsOk());
    }
  }

  std::vector<std::string> NumbersOfAllStreams() const {
    std::vector<std::string> numbers;
    const auto streams = db_->ListStreams();
    EXPECT_THAT(streams, IsOk());
    for (const StreamSummary& stream : streams->streams) {
      for (std::string iterator = TrimHorizonOf(stream.stream_arn); !iterator.empty();) {
        const auto page = db_->GetRecords({.shard_iterator = iterator});
        EXPECT_THAT(page, IsOk());
        if (!page.ok()) break;
        for (const StreamRecord& record : page->records) numbers.push_back(record.sequence_number);
        iterator = page->next_shard_iterator;
        if (page->records.empty()) break;  // an enabled stream never ends
      }
    }
    return numbers;
  }

  // Runs writers and readers. Returns the number of records.
  std::size_t RunAll(const Table& table, Subscription* subscription, Records* polled) {
    std::atomic<std::size_t> writing = kStreamWriters;
    std::atomic<std::size_t> written = 0;
    RunTogether(kStreamWriters + kDeliverers + 1, [&](std::size_t thread) {
      if (thread == kStreamWriters) return Poll(writing, polled);
      if (thread > kStreamWriters) {
        while (writing > 0) EXPECT_THAT(subscription->Deliver(), IsOk());
        return;
      }
      Random random(TestSeed() + thread);
      for (std::size_t i = 0; i < kRecordsPerWriter; ++i) {
        written += Write(table, random, thread * kRecordsPerWriter + i);
      }
      --writing;
    });
    EXPECT_THAT(subscription->Deliver(), IsOk());
    return written;
  }

  TempDirectory directory_;
  std::optional<Database> db_;
};

TEST_F(StreamTest, EveryReaderGetsEveryRecordOnceAndInOrder) { WriteAndRead(Database::InMemory()); }

TEST_F(StreamTest, EveryReaderGetsEveryRecordOnceAndInOrderOnDisk) {
  WriteAndRead(Database::Open(
      directory_ / "db", {.durability = Durability::kBuffered, .write_buffer_bytes = 256 << 10}));
}

TEST_F(StreamTest, ASubscriptionGetsTheRecordsOfOneStreamAfterTheOther) {
  WriteAndChangeStreams(Database::InMemory());
}

TEST_F(StreamTest, ASubscriptionGetsTheRecordsOfOneStreamAfterTheOtherOnDisk) {
  WriteAndChangeStreams(Database::Open(directory_ / "db", {.durability = Durability::kBuffered}));
}

}  // namespace
}  // namespace dolmen::test
