// Tests of the row cache between a store and its readers. Two threads take part in each case, but
// the test calls their steps one after the other, in the order that the case needs.

#include "engine/storage/cache/row_cache.h"

#include <gmock/gmock.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/items.h"

namespace dolmen::engine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

constexpr std::size_t kCacheBytes = std::size_t{1} << 20;

std::string ItemOf(const std::string& text) {
  return test::StoreItem({{"v", AttributeValue(text)}}).TakeBytes();
}

EncodedKey PartitionKey(const std::string& partition) {
  EncodedKey key(KeyspaceId::kFirst);
  key.AppendTerminated(partition);
  return key;
}

EncodedKey RowOf(const std::string& partition, const std::string& sort) {
  EncodedKey key = PartitionKey(partition);
  key.AppendRaw(sort);
  return key;
}

class RowCacheTest : public testing::Test {
 protected:
  // Returns the texts of the cached rows at the start of the range, and "..." if more rows follow.
  // Returns nothing if the cache does not know them.
  std::optional<std::vector<std::string>> Find(const KeyRange& range, bool forward = true) {
    RowCache::Reader reader(cache_);
    const auto found = reader.Find(range, forward);
    if (!found) return std::nullopt;
    std::vector<std::string> texts;
    for (RowPosition at = found->begin; at != found->end; found->stretch->Next(&at)) {
      const auto item = ItemView::Parse(found->stretch->value(at));
      texts.emplace_back((*item)["v"].AsString().value_or("?"));
    }
    if (!found->is_whole) texts.emplace_back("...");
    return texts;
  }

  // Returns true if the cache knows that the row exists, false if it knows that the row does not
  // exist, and nothing if it does not know.
  std::optional<bool> Exists(const EncodedKey& row) {
    RowCache::Reader reader(cache_);
    rocksdb::PinnableSlice value;
    return reader.Get(row.bytes(), &value);
  }

  // Begins a fill of a range that was read before.
  std::unique_ptr<RowCache::Fill> BeginFill(const KeyRange& range) {
    auto fill = std::make_unique<RowCache::Fill>(cache_, range, true);
    return fill->active() ? std::move(fill) : std::make_unique<RowCache::Fill>(cache_, range, true);
  }

  // Ends the fill of a whole partition with rows whose sort keys and texts are equal.
  static void Finish(RowCache::Fill& fill, const std::vector<std::string>& sorts) {
    std::vector<std::string> items;
    for (const std::string& sort : sorts) items.push_back(ItemOf(sort));
    std::vector<CachedRow> rows;
    for (std::size_t i = 0; i < sorts.size(); ++i) rows.push_back({sorts[i], items[i]});
    fill.Finish({"", std::nullopt}, rows);
  }

  void FillPartition(const std::vector<std::string>& sorts) { Finish(*BeginFill(range_), sorts); }

  // A write of one row. Nothing for `text` deletes the row.
  struct Writing {
    Writing(RowCache& cache, const std::string& sort, const std::optional<std::string>& text)
        : batch(RowOf("p", sort).bytes()), row{.key_start = 0, .key_bytes = batch.size()} {
      if (text) {
        row.value_start = batch.size();
        row.value_bytes = ItemOf(*text).size();
        batch += ItemOf(*text);
      }
      write.emplace(&cache, batch, std::span(&row, 1), std::span<const KeyRange>());
    }
    std::string batch;
    WrittenRow row;
    std::optional<RowCache::Write> write;
  };

  DatabaseStats Stats() const {
    DatabaseStats stats;
    cache_.AddTo(&stats);
    return stats;
  }

  std::uint64_t sequence_ = 1;  // the number of RocksDB's latest visible write
  RowCache cache_{kCacheBytes, [this] { return sequence_; }};
  const KeyRange range_ = PrefixRange(PartitionKey("p"));
};

TEST_F(RowCacheTest, ARangeIsFilledWhenItIsReadTheSecondTime) {
  EXPECT_EQ(Find(range_), std::nullopt);
  EXPECT_FALSE(RowCache::Fill(cache_, range_, true).active());
  RowCache::Fill fill(cache_, range_, true);
  ASSERT_TRUE(fill.active());
  Finish(fill, {"a", "b"});
  EXPECT_THAT(Find(range_), Optional(ElementsAre("a", "b")));
  EXPECT_THAT(Find(PrefixRange(RowOf("p", "b"))), Optional(ElementsAre("b")));
}

TEST_F(RowCacheTest, AnEmptyPartitionAndAnAbsentRowAreKnown) {
  FillPartition({});
  EXPECT_THAT(Find(range_), Optional(IsEmpty()));
  EXPECT_EQ(Exists(RowOf("p", "a")), false);
  EXPECT_EQ(Exists(RowOf("q", "a")), std::nullopt);
}

// RocksDB shows the write from some moment of its commit on. The greater number tells that moment.
TEST_F(RowCacheTest, RowsAreHiddenFromTheMomentAtWhichAWriteMayBeVisible) {
  FillPartition({"a", "b"});
  Writing writing(cache_, "aa", "new");
  EXPECT_THAT(Find(range_), Optional(ElementsAre("a", "b")))
      << "for example while the log is synced";
  ++sequence_;
  EXPECT_EQ(Find(range_), std::nullopt);
  EXPECT_EQ(Exists(RowOf("p", "a")), std::nullopt);
  writing.write->Commit();
  EXPECT_THAT(Find(range_), Optional(ElementsAre("a", "new", "b")));
  Writing(cache_, "a", std::nullopt).write->Commit();
  EXPECT_THAT(Find(range_), Optional(ElementsAre("new", "b")));
}

TEST_F(RowCacheTest, RowsAreHiddenUntilAllOverlappingWritesAreCommitted) {
  FillPartition({"a"});
  Writing one(cache_, "b", "b");
  Writing two(cache_, "c", "c");
  EXPECT_EQ(Find(range_), std::nullopt);
  two.write->Commit();
  EXPECT_EQ(Find(range_), std::nullopt);
  one.write->Commit();
  EXPECT_THAT(Find(range_), Optional(ElementsAre("a", "b", "c")));
}

TEST_F(RowCacheTest, AFailedWriteForgetsTheRows) {
  FillPartition({"a"});
  Writing(cache_, "a", "new").write.reset();
  EXPECT_EQ(Find(range_), std::nullopt);
}

TEST_F(RowCacheTest, AFillGetsTheWritesThatAreCommittedMeanwhile) {
  const auto fill = BeginFill(range_);
  Writing(cache_, "b", "new").write->Commit();
  Writing(cache_, "c", std::nullopt).write->Commit();
  Finish(*fill, {"a", "c"});  // rows that were read before the writes
  EXPECT_THAT(Find(range_), Optional(ElementsAre("a", "new")));
}

TEST_F(RowCacheTest, AFillThatEndsDuringAWriteStaysHidden) {
  const auto fill = BeginFill(range_);
  Writing writing(cache_, "b", "new");
  Finish(*fill, {"a"});
  EXPECT_EQ(Find(range_), std::nullopt);
  writing.write->Commit();
  EXPECT_THAT(Find(range_), Optional(ElementsAre("a", "new")));
}

// The write does not know the entry, so the fill would not get its row.
TEST_F(RowCacheTest, NoFillBeginsDuringAWriteThatFoundNoEntry) {
  Writing writing(cache_, "b", "new");
  EXPECT_FALSE(BeginFill(range_)->active());
  writing.write->Commit();
  EXPECT_TRUE(BeginFill(range_)->active());
}

TEST_F(RowCacheTest, ADeletedRangeIsForgotten) {
  FillPartition({"a"});
  const auto fill = BeginFill(PrefixRange(PartitionKey("other")));
  const KeyRange keyspace = PrefixRange(EncodedKey(KeyspaceId::kFirst));
  {
    RowCache::Write deletion(&cache_, "", {}, std::span(&keyspace, 1));
    EXPECT_FALSE(BeginFill(range_)->active()) << "the fill might read rows before the deletion";
    deletion.Commit();
  }
  EXPECT_EQ(Find(range_), std::nullopt);
  Finish(*fill, {"x"});
  EXPECT_EQ(Find(PrefixRange(PartitionKey("other"))), std::nullopt);
}

TEST_F(RowCacheTest, ARangeInsideAStretchIsKnown) {
  const auto fill = BeginFill(range_);
  const std::string item = ItemOf("m");
  const CachedRow row{"m", item};
  fill->Finish({"f", "p"}, std::span(&row, 1));
  const KeyRange from_g{RowOf("p", "g"), range_.upper};
  EXPECT_THAT(Find(from_g), Optional(ElementsAre("m", "..."))) << "the cache ends at p";
  EXPECT_EQ(Find(from_g, false), std::nullopt);
  EXPECT_THAT(Find({RowOf("p", "n"), RowOf("p", "o")}), Optional(IsEmpty()));
  EXPECT_THAT(Find({RowOf("p", "a"), RowOf("p", "o")}, false), Optional(ElementsAre("m", "...")));
}

TEST_F(RowCacheTest, ARangeOfSeveralPartitionsIsNeverCached) {
  const KeyRange keyspace = PrefixRange(EncodedKey(KeyspaceId::kFirst));
  EXPECT_FALSE(BeginFill(keyspace)->active());
  EXPECT_FALSE(BeginFill({RowOf("p", "a"), RowOf("q", "a")})->active());
}

TEST_F(RowCacheTest, MemoryIsBounded) {
  const std::string item = ItemOf(std::string(3000, 'x'));
  for (int i = 0; i < 2000; ++i) {
    const std::string partition = "p" + std::to_string(i);
    const auto fill = BeginFill(PrefixRange(PartitionKey(partition)));
    ASSERT_TRUE(fill->active());
    const CachedRow row{"a", item};
    fill->Finish({"", std::nullopt}, std::span(&row, 1));
    ASSERT_LE(Stats().row_cache_bytes, kCacheBytes);
  }
  EXPECT_GT(Stats().row_cache_bytes, kCacheBytes / 2);
  EXPECT_GT(Stats().row_cache_evictions, 1000u);
}

TEST_F(RowCacheTest, AnEntryThatGrowsTooLargeIsForgotten) {
  FillPartition({});
  const std::string text(10'000, 'x');
  for (int i = 0; i < 100; ++i) Writing(cache_, std::to_string(i), text).write->Commit();
  EXPECT_EQ(Find(range_), std::nullopt);
  EXPECT_LT(Stats().row_cache_bytes, kCacheBytes / 4);
}

TEST_F(RowCacheTest, EntriesThatAreReadAreNotEvicted) {
  FillPartition({"hot"});
  const std::string item = ItemOf(std::string(10'000, 'x'));
  for (int i = 0; i < 500; ++i) {
    const auto fill = BeginFill(PrefixRange(PartitionKey("cold" + std::to_string(i))));
    const CachedRow row{"a", item};
    fill->Finish({"", std::nullopt}, std::span(&row, 1));
    ASSERT_THAT(Find(range_), Optional(ElementsAre("hot"))) << i;
  }
}

}  // namespace
}  // namespace dolmen::engine
