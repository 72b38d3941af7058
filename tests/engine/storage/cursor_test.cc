// Tests of cursors. A cursor reads the state of the store at its construction, even if its RocksDB
// iterator was used before.

#include "engine/storage/cursor.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/status_matchers.h"

namespace dolmen::engine {
namespace {

using test::IsOk;

using Rows = std::map<std::string, std::string>;

// A cursor, and all rows of its range at the time of its construction.
struct Walk {
  std::unique_ptr<Cursor> cursor;
  std::vector<std::pair<std::string, std::string>> expected;
};

class CursorTest : public test::SeededTest {
 protected:
  void SetUp() override {
    // The write buffer is small, so that rows are in memory, in new files and in compacted files.
    auto store = Store::Open({.directory = "/cursors",
                              .in_memory = true,
                              .cache_bytes = 1 << 20,
                              .write_buffer_bytes = 64 << 10});
    ASSERT_THAT(store, IsOk());
    store_ = *std::move(store);
  }

  Store& store() { return *store_; }
  const Rows& rows() const { return rows_; }

  // Returns a short key. Some keys are prefixes of others, and many share blocks.
  std::string RandomKey() {
    std::string key("\0\0\0\x10", 4);
    for (std::size_t size = random_.Below(4) + 1; size > 0; --size) {
      key += static_cast<char>('a' + random_.Below(6));
    }
    return key;
  }

  KeyRange RandomRange() {
    std::string lower = RandomKey();
    std::string upper = RandomKey();
    if (upper < lower) std::swap(lower, upper);
    return {EncodedKey::FromBytes(lower), EncodedKey::FromBytes(upper)};
  }

  void WriteSome() {
    WriteBatch batch;
    for (std::size_t i = random_.Below(50); i > 0; --i) {
      const std::string key = RandomKey();
      if (random_.OneIn(3)) {
        batch.Delete(EncodedKey::FromBytes(key));
        rows_.erase(key);
      } else {
        const std::string value(random_.Below(600), static_cast<char>('a' + random_.Below(26)));
        batch.Put(EncodedKey::FromBytes(key), value);
        rows_[key] = value;
      }
    }
    if (random_.OneIn(20)) {
      const KeyRange range = RandomRange();
      batch.DeleteRange(range);
      rows_.erase(rows_.lower_bound(std::string(range.lower.bytes())),
                  rows_.lower_bound(std::string(range.upper.bytes())));
    }
    ASSERT_THAT(store().Write(std::move(batch)), IsOk());
  }

  void CompactAll() { ASSERT_THAT(store().Compact(), IsOk()); }

  std::vector<std::pair<std::string, std::string>> RowsOf(const KeyRange& range) const {
    return {rows_.lower_bound(std::string(range.lower.bytes())),
            rows_.lower_bound(std::string(range.upper.bytes()))};
  }

  // Returns a new cursor over a random range, and the rows of the range.
  Walk Begin() {
    const KeyRange range = RandomRange();
    return {std::make_unique<Cursor>(store(), range), RowsOf(range)};
  }

  // Reads some rows, beginning with the first row of the range.
  void CheckForward(const Walk& walk) {
    const std::size_t size = walk.expected.size();
    std::size_t steps = random_.Below(2 * size + 1);
    walk.cursor->SeekToFirst();
    for (std::size_t i = 0; i < size && steps > 0; ++i, --steps, walk.cursor->Next()) {
      ExpectAt(*walk.cursor, walk.expected[i]);
    }
    ExpectEnd(*walk.cursor, steps > 0);
  }

  // Reads some rows backward, beginning with the last row of the range.
  void CheckBackward(const Walk& walk) {
    std::size_t steps = random_.Below(2 * walk.expected.size() + 1);
    walk.cursor->SeekToLast();
    for (std::size_t i = walk.expected.size(); i > 0 && steps > 0;
         --i, --steps, walk.cursor->Previous()) {
      ExpectAt(*walk.cursor, walk.expected[i - 1]);
    }
    ExpectEnd(*walk.cursor, steps > 0);
  }

 private:
  static void ExpectEnd(const Cursor& cursor, bool at_end) {
    EXPECT_TRUE(!at_end || !cursor.Valid());
    EXPECT_THAT(cursor.status(), IsOk());
  }

  static void ExpectAt(const Cursor& cursor, const std::pair<std::string, std::string>& row) {
    ASSERT_TRUE(cursor.Valid()) << "instead of " << row.first;
    EXPECT_EQ(cursor.key(), row.first);
    EXPECT_EQ(cursor.value(), row.second);
  }

  std::unique_ptr<Store> store_;
  Rows rows_;
};

TEST_F(CursorTest, ReadsTheStateAtItsConstruction) {
  const std::size_t steps = test::TestSteps(1000);
  std::vector<Walk> walks(3);
  for (std::size_t i = 0; i < steps && !HasFailure(); ++i) {
    if (random_.OneIn(2)) WriteSome();
    if (random_.OneIn(100)) CompactAll();
    Walk& walk = walks[random_.Below(walks.size())];
    if (walk.cursor == nullptr || random_.OneIn(2)) {
      walk.cursor.reset();  // returns its iterator, so that the next cursor may get it
      walk = Begin();
    }
    random_.OneIn(2) ? CheckForward(walk) : CheckBackward(walk);
  }
}

TEST_F(CursorTest, SeeksWithinItsRange) {
  for (int i = 0; i < 10; ++i) WriteSome();
  for (int i = 0; i < 200 && !HasFailure(); ++i) {
    const Walk walk = Begin();
    if (walk.expected.empty()) continue;
    const auto& row = random_.Pick(walk.expected);
    walk.cursor->Seek(EncodedKey::FromBytes(row.first));
    ASSERT_TRUE(walk.cursor->Valid());
    EXPECT_EQ(walk.cursor->key(), row.first);
  }
}

// A cursor puts the blocks that it reads into the cache, unless fills_cache is false.
TEST_F(CursorTest, LeavesTheCacheUnchangedIfFillsCacheIsFalse) {
  const auto cache_bytes = [&] {
    const Result<DatabaseStats> stats = store().Stats();
    EXPECT_THAT(stats, IsOk());
    return stats.ok() ? stats->cache_bytes : 0;
  };
  for (int i = 0; i < 10; ++i) WriteSome();
  ASSERT_THAT(store().Compact(), IsOk());
  const std::uint64_t before = cache_bytes();
  const auto walk = [&](const ReadOptions& options) {
    std::size_t count = 0;
    Cursor cursor(store(), PrefixRange(EncodedKey::FromBytes(std::string("\0\0\0\x10", 4))),
                  options);
    for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) ++count;
    EXPECT_THAT(cursor.status(), IsOk());
    EXPECT_EQ(count, rows().size());
  };
  const Snapshot snapshot(store());
  walk({.fills_cache = false});
  walk({.snapshot = &snapshot, .fills_cache = false});
  EXPECT_EQ(cache_bytes(), before);
  walk({});
  EXPECT_GT(cache_bytes(), before);
}

TEST_F(CursorTest, ReadsOnlyMemoryIfMemoryOnlyIsTrue) {
  const auto key = [](char last) {
    return EncodedKey::FromBytes(std::string("\0\0\0\x10", 4) + last);
  };
  const auto put = [&](char last) {
    WriteBatch batch;
    batch.Put(key(last), "value");
    ASSERT_THAT(store().Write(std::move(batch)), IsOk());
  };
  put('a');
  ASSERT_THAT(store().Compact(), IsOk());
  put('b');
  Cursor cursor(store(), {key('a'), key('z')}, {.memory_only = true});
  cursor.SeekToFirst();
  ASSERT_TRUE(cursor.Valid());
  EXPECT_EQ(cursor.key(), key('b').bytes());
  cursor.Next();
  EXPECT_FALSE(cursor.Valid());
  EXPECT_THAT(cursor.status(), IsOk());
}

TEST_F(CursorTest, EndsWithAnErrorAfterTooManyDeletedKeys) {
  constexpr std::size_t kDeleted = 100;
  const auto key = [](std::size_t i) {
    return EncodedKey::FromBytes(std::string("\0\0\0\x10", 4) + std::to_string(1000 + i));
  };
  for (std::size_t i = 0; i <= kDeleted; ++i) {
    WriteBatch batch;
    batch.Put(key(i), "value");
    if (i < kDeleted) batch.Delete(key(i));
    ASSERT_THAT(store().Write(std::move(batch)), IsOk());
  }
  const auto finds = [&](std::size_t passed_over_max) {
    Cursor cursor(store(), {key(0), key(kDeleted + 1)}, {.passed_over_max = passed_over_max});
    cursor.SeekToFirst();
    EXPECT_EQ(cursor.status().ok(), cursor.Valid());
    return cursor.Valid();
  };
  const std::uint64_t before = Cursor::KeysPassedOver();
  EXPECT_TRUE(finds(0));
  EXPECT_GE(Cursor::KeysPassedOver() - before, kDeleted);
  EXPECT_TRUE(finds(10 * kDeleted));
  EXPECT_FALSE(finds(kDeleted / 2));
}

}  // namespace
}  // namespace dolmen::engine
