// Tests of the content that DescribeTable reports for tables that are too large to be counted, or
// that are damaged.

#include "engine/schema/content_size.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "engine/key/key_codec.h"
#include "engine/storage/cursor.h"
#include "engine/value/codec.h"
#include "tests/engine/engine_tables.h"
#include "tests/support/encrypted_run.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/temp_directory.h"

namespace dolmen::engine {
namespace {

class ContentSizeTest : public test::SeededTest {
 protected:
  void Open(const OpenOptions& options = {}) {
    auto engine = Engine::InMemory(options);
    ASSERT_THAT(engine, IsOk());
    UseEngine(*std::move(engine));
  }

  void UseEngine(std::shared_ptr<Engine> engine) {
    engine_ = std::move(engine);
    auto live = engine_->catalog().Create({.name = "app"});
    ASSERT_THAT(live, IsOk());
    live_ = *std::move(live);
  }

  Engine& engine() { return *engine_; }
  Store& store() { return engine_->store(); }
  const TableSchema& schema() { return *live_->schema(); }

  static Item KeyOf(const std::string& partition, std::uint64_t number) {
    return {{"PK", partition}, {"SK", std::to_string(1'000'000 + number)}};
  }
  EncodedKey RowOf(const Item& key) { return *RowOfRequest(schema(), key); }

  // Returns text that cannot be compressed.
  std::string RandomText(std::size_t size) {
    while (text_.size() < 200'000) text_ += static_cast<char>('0' + random_.Below(64));
    return text_.substr(random_.Below(text_.size() - size), size);
  }

  // Puts items of one size under one partition key, so that their rows are consecutive.
  void Put(const std::string& partition, std::uint64_t count, std::size_t body_bytes) {
    for (std::uint64_t i = 0; i < count; ++i) {
      Item item = KeyOf(partition, i);
      const Item key = item;
      item.emplace("body", RandomText(body_bytes));
      std::string bytes;
      ASSERT_THAT(EncodeItem(item, &bytes), IsOk());
      WriteRow(key, bytes);
    }
  }
  // Deletes the items number `first`, `first` + `step`, `first` + 2 * `step` and so on of the
  // partition. Stops before number `end`.
  void Delete(const std::string& partition, std::uint64_t first, std::uint64_t step,
              std::uint64_t end) {
    for (std::uint64_t i = first; i < end; i += step) {
      WriteBatch batch;
      batch.Delete(RowOf(KeyOf(partition, i)));
      ASSERT_THAT(store().Write(std::move(batch)), IsOk());
    }
  }
  // Writes the bytes as the value of the row. The bytes can be an invalid item.
  void WriteRow(const Item& key, std::string_view bytes) {
    WriteBatch batch;
    batch.Put(RowOf(key), bytes);
    ASSERT_THAT(store().Write(std::move(batch)), IsOk());
  }

  // Puts 12,000 small rows and 2,000 large ones. The large ones have 90 % of the bytes.
  void PutSkewed(const std::string& small, const std::string& large) {
    Put(small, 12'000, 10);
    Put(large, 2000, 3000);
  }

  ContentSize Count(const CountLimits& limits) {
    TableDescription description = Describe(schema());
    DescribeContent(store(), schema(), limits, &description);
    return description.content;
  }
  ContentSize CountAll() { return Count({.keys = 10'000'000, .bytes = std::size_t{1} << 40}); }

  // Counts only `keys` keys and estimates the rest. Expects that the result differs from the exact
  // content by a factor of at most 1.5.
  void ExpectNear(std::size_t keys) {
    const ContentSize exact = CountAll();
    const ContentSize estimated = Count({.keys = keys});
    ExpectNear(estimated.item_count, exact.item_count);
    ExpectNear(estimated.size_bytes, exact.size_bytes);
  }
  static void ExpectNear(std::uint64_t value, std::uint64_t expected) {
    EXPECT_GT(static_cast<double>(value), static_cast<double>(expected) / 1.5);
    EXPECT_LT(static_cast<double>(value), static_cast<double>(expected) * 1.5);
  }

 private:
  std::shared_ptr<Engine> engine_;
  LiveTableRef live_;
  std::string text_;
};

// Options with a small write buffer. Most rows are soon in files, some of which overlap. The
// other rows stay in memory.
OpenOptions SmallBuffer() { return {.write_buffer_bytes = 256 << 10}; }

TEST_F(ContentSizeTest, IsCountedUpToTheLimits) {
  Open();
  Put("p", 3000, 500);
  const ContentSize counted = Count({.keys = 3001});
  EXPECT_EQ(counted.item_count, 3000U);
  EXPECT_GT(counted.size_bytes, 3000U * 500);
  EXPECT_LT(counted.size_bytes, 3000U * 600);
}

TEST_F(ContentSizeTest, IndexesAreCountedWithinTheLimitsThatTheTableLeaves) {
  constexpr std::uint64_t kItems = 1000;
  Open();
  auto live = engine().catalog().Create(
      {.name = "indexed", .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")}});
  ASSERT_THAT(live, IsOk());
  for (std::uint64_t i = 0; i < kItems; ++i) {
    Item item = KeyOf("p", i);
    if (i % 4 == 0) item.insert({{"GSI1PK", std::to_string(i)}, {"GSI1SK", "-"}});
    ASSERT_THAT(WriteItem(engine().write_context(), **live, PutItemInput{.item = item}), IsOk());
  }
  const auto count = [&](std::size_t keys) {
    TableDescription description = Describe(*(*live)->schema());
    DescribeContent(store(), *(*live)->schema(), {.keys = keys}, &description);
    return description;
  };
  const TableDescription all = count(2 * kItems + 1);
  EXPECT_EQ(all.content.item_count, kItems);
  EXPECT_EQ(all.global_secondary_indexes[0].content.item_count, kItems / 4);
  ASSERT_THAT(store().Compact(), IsOk());
  const TableDescription some = count(kItems / 4);
  ExpectNear(some.content.item_count, kItems);
  ExpectNear(some.global_secondary_indexes[0].content.item_count, kItems / 4);
}

TEST_F(ContentSizeTest, IsEstimatedInFiles) {
  Open();
  PutSkewed("a", "b");
  ASSERT_THAT(store().Compact(), IsOk());
  ExpectNear(1000);
  ExpectNear(10'000);
}

TEST_F(ContentSizeTest, IsEstimatedInFilesThatBeginWithLargeItems) {
  Open();
  PutSkewed("b", "a");
  ASSERT_THAT(store().Compact(), IsOk());
  ExpectNear(1000);
}

// The first count stops at the limit of 8,000 rows. Dolmen then counts the remaining rows that are
// in memory, again up to 8,000 rows.
TEST_F(ContentSizeTest, RowsInMemoryAreCountedUpToTheLimitsOnceMore) {
  Open();
  PutSkewed("a", "b");
  EXPECT_EQ(Count({.keys = 8000}).item_count, 14'000U);
  EXPECT_EQ(Count({.keys = 8000}).size_bytes, CountAll().size_bytes);
}

// For rows in memory that are not counted, RocksDB gives only a rough estimate of their number.
TEST_F(ContentSizeTest, IsEstimatedInMemory) {
  Open();
  Put("a", 14'000, 100);
  ExpectNear(5000);
}

TEST_F(ContentSizeTest, IsEstimatedInFilesAndMemory) {
  Open(SmallBuffer());
  PutSkewed("a", "b");
  ExpectNear(5000);
}

TEST_F(ContentSizeTest, IsEstimatedForOverwrittenItems) {
  Open(SmallBuffer());
  for (int i = 0; i < 3; ++i) PutSkewed("a", "b");
  ExpectNear(5000);
}

TEST_F(ContentSizeTest, IsEstimatedIfMemoryOverwritesRowsOfFiles) {
  Open();
  PutSkewed("a", "b");
  ASSERT_THAT(store().Compact(), IsOk());
  Put("a", 6000, 10);
  Delete("b", 0, 4, 2000);
  ExpectNear(3000);
}

TEST_F(ContentSizeTest, IsEstimatedIfEveryOtherItemIsDeleted) {
  for (const OpenOptions& options : {OpenOptions{}, SmallBuffer()}) {
    Open(options);
    PutSkewed("a", "b");
    ASSERT_THAT(store().Compact(), IsOk());
    Delete("a", 0, 2, 12'000);
    Delete("b", 0, 2, 2000);
    ExpectNear(4000);
  }
}

TEST_F(ContentSizeTest, IsEstimatedIfOneHalfIsDeleted) {
  for (const OpenOptions& options : {OpenOptions{}, SmallBuffer()}) {
    Open(options);
    Put("a", 10'000, 300);
    ASSERT_THAT(store().Compact(), IsOk());
    Delete("a", 0, 1, 5000);
    ExpectNear(4000);
  }
}

// Deleted rows stay in the store for a while, and a scan past them takes time. So the count of the
// rows must pass over only a limited number of deleted rows.
TEST_F(ContentSizeTest, PassesOverFewDeletedRows) {
  constexpr std::uint64_t kRows = 60'000;
  Open();
  Put("a", kRows, 10);
  Delete("a", 0, 1, kRows - 1);
  const std::uint64_t before = Cursor::KeysPassedOver();
  const ContentSize content = Count({.keys = 1000});
  EXPECT_LT(Cursor::KeysPassedOver() - before, kRows);
  EXPECT_LE(content.item_count, 1U);
}

TEST_F(ContentSizeTest, ADamagedItemCountsAsItsBytes) {
  Open();
  Put("a", 10, 10);
  const std::uint64_t size_bytes = CountAll().size_bytes;
  WriteRow(KeyOf("b", 1), "damaged");
  const auto described = engine().DescribeTable("app", ContentSizes::kCount);
  ASSERT_THAT(described, IsOk());
  EXPECT_EQ(described->content.item_count, 11U);
  EXPECT_EQ(described->content.size_bytes, size_bytes + 7);
}

class ContentOfFilesTest : public ContentSizeTest {
 protected:
  void OpenDirectory() {
    auto engine = test::OpenEngine(directory_ / "db", {.durability = Durability::kBuffered});
    ASSERT_THAT(engine, IsOk());
    UseEngine(*std::move(engine));
  }

  // Returns the status of reading all rows.
  Status ReadToTheEnd() {
    Cursor cursor(store(), PrefixRange(EncodedKey(schema().keyspace)), {.fills_cache = false});
    cursor.SeekToFirst();
    while (cursor.Valid()) cursor.Next();
    return cursor.status();
  }

  const test::TempDirectory directory_;
};

TEST_F(ContentOfFilesTest, IsEstimatedForRowsThatCannotBeRead) {
  OpenDirectory();
  Put("a", 10'000, 300);
  ASSERT_THAT(store().Compact(), IsOk());
  test::FlipBit(test::LargestFile(directory_ / "db", ".sst"), 0.5);
  ASSERT_THAT(ReadToTheEnd(), StatusIs(StatusCode::kCorruption, testing::_));
  const auto described = engine().DescribeTable("app", ContentSizes::kCount);
  ASSERT_THAT(described, IsOk());
  ExpectNear(described->content.item_count, 10'000);
}

}  // namespace
}  // namespace dolmen::engine
