// Tests of the pool of RocksDB iterators, on a RocksDB database in memory.

#include "engine/storage/iterator_pool.h"

#include <gmock/gmock.h>
#include <rocksdb/env.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/storage/rocks_versions.h"
#include "tests/support/random.h"
#include "tests/support/value.h"

namespace dolmen::engine {
namespace {

class IteratorPoolTest : public testing::Test {
 protected:
  void SetUp() override {
    rocksdb::Options options;
    options.create_if_missing = true;
    options.env = files_.get();
    options.listeners = {pool_};
    options.compression = rocksdb::kNoCompression;
    options.target_file_size_base = 16 << 10;  // small, so that there are several files
    db_ = test::Value(OpenRocks(options, "/db"));
  }
  void TearDown() override { pool_->DropIdle(); }

  void Put(const std::string& value) {
    ASSERT_TRUE(db_->Put(rocksdb::WriteOptions(), "key", value).ok());
  }

  std::uint64_t Versions() {
    std::uint64_t versions = 0;
    EXPECT_TRUE(db_->GetIntProperty(rocksdb::DB::Properties::kNumLiveVersions, &versions));
    return versions;
  }

  rocksdb::DB& db() { return *db_; }
  IteratorPool& pool() { return *pool_; }

 private:
  std::unique_ptr<rocksdb::Env> files_{rocksdb::NewMemEnv(rocksdb::Env::Default())};
  std::shared_ptr<IteratorPool> pool_ = std::make_shared<IteratorPool>();
  std::unique_ptr<rocksdb::DB> db_;
};

TEST_F(IteratorPoolTest, ReusesAnIdleIterator) {
  Put("old");
  auto iterator = pool().Acquire(db());
  const BoundedIterator* const first = iterator.get();
  pool().Release(std::move(iterator));
  Put("new");
  iterator = pool().Acquire(db());
  EXPECT_EQ(iterator.get(), first);
  iterator->SetRange({EncodedKey::FromBytes("a"), EncodedKey::FromBytes("z")});
  iterator->iterator().SeekToFirst();
  ASSERT_TRUE(iterator->iterator().Valid());
  EXPECT_EQ(iterator->iterator().value().ToStringView(), "new");
}

// At a seek, a RocksDB iterator compares the files with its bounds and remembers the results. When
// the pool hands out the same iterator again, the iterator gets new bounds. It must not use the
// results for the old bounds.
TEST_F(IteratorPoolTest, ReusedIteratorsReadRangesInOtherFiles) {
  const auto key = [](std::size_t i) { return "key" + std::to_string(10'000 + i); };
  constexpr std::size_t kRows = 3000;
  for (std::size_t i = 0; i < kRows; ++i) {
    ASSERT_TRUE(db().Put(rocksdb::WriteOptions(), key(i), std::string(100, 'x')).ok());
  }
  rocksdb::CompactRangeOptions rewrite;
  rewrite.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForce;
  ASSERT_TRUE(db().CompactRange(rewrite, nullptr, nullptr).ok());
  std::vector<rocksdb::LiveFileMetaData> files;
  db().GetLiveFilesMetaData(&files);
  ASSERT_GT(files.size(), 10U);
  test::Random random(test::TestSeed());
  for (int i = 0; i < 2000; ++i) {
    const std::size_t first = random.Below(kRows);
    const std::size_t last = first + random.Below(std::min<std::size_t>(kRows - first, 100));
    auto bounded = pool().Acquire(db());
    bounded->SetRange({EncodedKey::FromBytes(key(first)), EncodedKey::FromBytes(key(last) + "+")});
    rocksdb::Iterator& iterator = bounded->iterator();
    std::size_t rows = 0;
    if (random.OneIn(2)) {
      for (iterator.SeekToFirst(); iterator.Valid(); iterator.Next()) {
        ASSERT_EQ(iterator.key().ToStringView(), key(first + rows++));
      }
    } else {
      for (iterator.SeekToLast(); iterator.Valid(); iterator.Prev()) {
        ASSERT_EQ(iterator.key().ToStringView(), key(last - rows++));
      }
    }
    ASSERT_EQ(rows, last - first + 1);
    pool().Release(std::move(bounded));
  }
}

// RocksDB cannot free the files and memtables that an iterator pins, even after it has replaced
// them by a compaction or a flush. So the pool must destroy its idle iterators when RocksDB
// replaces files.
TEST_F(IteratorPoolTest, DropsIteratorsThatPinReplacedFiles) {
  Put("old");
  ASSERT_TRUE(db().Flush(rocksdb::FlushOptions()).ok());
  pool().Release(pool().Acquire(db()));
  auto in_use = pool().Acquire(db());
  pool().Release(pool().Acquire(db()));
  Put("new");
  ASSERT_TRUE(db().Flush(rocksdb::FlushOptions()).ok());
  ASSERT_TRUE(db().CompactRange(rocksdb::CompactRangeOptions(), nullptr, nullptr).ok());
  EXPECT_EQ(Versions(), 2U);  // the latest version, and that of the iterator in use
  pool().Release(std::move(in_use));
  EXPECT_EQ(Versions(), 1U);
}

}  // namespace
}  // namespace dolmen::engine
