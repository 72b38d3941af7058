// Tests of the rows that a store knows to be absent. RowCache::checks_reads compares this knowledge
// with RocksDB.

#include "engine/storage/absence/absent_rows.h"

#include <gmock/gmock.h>
#include <rocksdb/env.h>

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "engine/storage/store.h"
#include "tests/engine/faulty_disk.h"
#include "tests/engine/keyspaces.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"
#include "tests/support/volatile_disk.h"

namespace dolmen::engine {
namespace {

using test::IsOk;
using test::IsOkAndHolds;

EncodedKey Message(const std::string& number) {
  const std::string sort_key = "MSG#" + number;
  return RowKey(kTable, {"chat#1", sort_key});
}

class AbsentRowsTest : public test::SeededTest {
 protected:
  AbsentRowsTest() { RowCache::checks_reads = true; }
  ~AbsentRowsTest() override { RowCache::checks_reads = false; }

  void SetUp() override { Open("db"); }

  // Opens the database with this name or this path.
  void Open(std::filesystem::path name) {
    store_.reset();
    disk_ = std::make_shared<test::VolatileDisk>();
    auto store = OpenPrepared({.directory = (directory_ / name).string(),
                               .sync = false,
                               .row_cache_bytes = 1 << 20,
                               .write_buffer_bytes = 64 << 10,
                               .file_system = disk_});
    ASSERT_THAT(store, IsOk());
    store_ = *std::move(store);
  }

  // Opens a copy of the open database, as a program that was killed leaves it.
  void OpenAfterKill(const std::string& name) {
    disk_->CutPower();  // keeps the files as they are
    std::filesystem::copy(store_->directory(), directory_ / name);
    Open(name);
  }

  void Put(const EncodedKey& row, const std::string& value = "item") {
    WriteBatch batch;
    batch.Put(row, value);
    ASSERT_THAT(store_->Write(std::move(batch)), IsOk());
  }

  void Delete(const EncodedKey& row) {
    WriteBatch batch;
    batch.Delete(row);
    ASSERT_THAT(store_->Write(std::move(batch)), IsOk());
  }

  void Compact() { ASSERT_THAT(store_->Compact(), IsOk()); }

  Result<bool> Exists(const EncodedKey& row) {
    PinnedValue value;
    return store_->GetBeforeWrite(row, &value);
  }

  // Returns true if the store knows without a read that the row is absent.
  bool IsKnownAbsent(const EncodedKey& row) {
    const std::uint64_t misses = store_->Stats()->row_cache_misses;
    EXPECT_THAT(Exists(row), IsOkAndHolds(false));
    return store_->Stats()->row_cache_misses == misses;
  }

  void ExpectOnlyNewerRowsKnownAbsent() {
    EXPECT_THAT(Exists(Message("5")), IsOkAndHolds(true));
    EXPECT_FALSE(IsKnownAbsent(Message("4")));
    EXPECT_TRUE(IsKnownAbsent(Message("6")));
  }

  test::TempDirectory directory_;
  std::shared_ptr<test::VolatileDisk> disk_;
  std::unique_ptr<Store> store_;
};

TEST_F(AbsentRowsTest, ARowAboveAllWrittenRowsOfItsKindIsAbsent) {
  Put(Message("5"));
  ExpectOnlyNewerRowsKnownAbsent();
}

TEST_F(AbsentRowsTest, TableFilesTellTheirGreatestSortKeys) {
  Put(Message("5"));
  Compact();
  Open("db");
  ExpectOnlyNewerRowsKnownAbsent();
}

TEST_F(AbsentRowsTest, TheRowsOfTheLogAreKnownAfterAKill) {
  Put(Message("5"));
  OpenAfterKill("killed");
  ExpectOnlyNewerRowsKnownAbsent();
}

TEST_F(AbsentRowsTest, ADeletedRowIsRead) {
  Put(Message("5"));
  Delete(Message("5"));
  EXPECT_FALSE(IsKnownAbsent(Message("5")));
}

TEST_F(AbsentRowsTest, ARowOfAFailedWriteIsRead) {
  EXPECT_TRUE(IsKnownAbsent(Message("5")));
  disk_->CutPower();
  WriteBatch batch;
  batch.Put(Message("5"), "item");
  ASSERT_FALSE(store_->Write(std::move(batch)).ok());
  EXPECT_FALSE(IsKnownAbsent(Message("5")));
}

TEST_F(AbsentRowsTest, ATableFileWhoseRowsHaveNoMarksTellsSo) {
  Put(RowKey(kTable, {"user#1"}));
  Compact();
  Open("db");
  EXPECT_TRUE(IsKnownAbsent(Message("1")));
}

TEST_F(AbsentRowsTest, CopiesOfAStoreKnowItsRows) {
  Put(Message("5"));
  ASSERT_THAT(store_->ForkTo((directory_ / "fork").string()), IsOk());
  const auto image = store_->Image();
  ASSERT_THAT(image, IsOk());
  Open("fork");
  ExpectOnlyNewerRowsKnownAbsent();

  const auto in_memory = [&](std::shared_ptr<const MemoryDirectory> memory) {
    auto store = Store::Open({.in_memory = true, .memory = memory, .row_cache_bytes = 1 << 20});
    ASSERT_THAT(store, IsOk());
    store_ = *std::move(store);
  };
  in_memory(*image);
  ExpectOnlyNewerRowsKnownAbsent();
  const auto fork = store_->Image();
  ASSERT_THAT(fork, IsOk());
  in_memory(*fork);
  ExpectOnlyNewerRowsKnownAbsent();
}

// Earlier releases wrote table files without the property.
TEST_F(AbsentRowsTest, TheStoreKnowsNothingIfOneFileLacksTheProperty) {
  const std::unique_ptr<rocksdb::Env> env(rocksdb::NewMemEnv(rocksdb::Env::Default()));
  const auto open = [&](bool collects) {
    rocksdb::Options options = RocksOptions({}, env.get());
    if (!collects) options.table_properties_collector_factories.clear();
    rocksdb::DB* db = nullptr;
    EXPECT_TRUE(rocksdb::DB::Open(options, "/db", &db).ok());
    return std::unique_ptr<rocksdb::DB>(db);
  };
  const auto knows = [](rocksdb::DB* db) { return AbsentRows().Knows(Message("6").bytes(), db); };
  const auto put = [](rocksdb::DB* db, const EncodedKey& row) {
    ASSERT_TRUE(db->Put({}, std::string(row.bytes()), "item").ok());
    ASSERT_TRUE(db->Flush({}).ok());
  };

  std::unique_ptr<rocksdb::DB> db = open(true);
  put(db.get(), Message("1"));
  EXPECT_TRUE(knows(db.get()));
  db.reset();
  db = open(false);
  put(db.get(), Message("2"));
  EXPECT_FALSE(knows(db.get()));
  db.reset();
  db = open(true);
  EXPECT_FALSE(knows(db.get()));
  rocksdb::CompactRangeOptions rewrite;
  rewrite.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
  ASSERT_TRUE(db->CompactRange(rewrite, nullptr, nullptr).ok());
  EXPECT_TRUE(knows(db.get()));
}

// Writes and deletes rows with growing and with random sort keys, and opens the database again after
// kills, closings and compactions. The store must find each row that exists.
TEST_F(AbsentRowsTest, ARowThatExistsIsFound) {
  std::set<EncodedKey> rows;
  int newest = 12'000;
  int opened = 0;
  int known = 0;
  for (std::size_t step = 0; step < test::TestSteps(4'000); ++step) {
    const int number = random_.OneIn(2) ? ++newest : static_cast<int>(10'000 + random_.Below(2000));
    const std::string chat = std::to_string(random_.Below(3));
    const std::string sort = (random_.OneIn(2) ? "MSG#" : "") + std::to_string(number);
    const EncodedKey row = RowKey(kTable, {chat, sort});
    const std::uint64_t misses = store_->Stats()->row_cache_misses;
    ASSERT_THAT(Exists(row), IsOkAndHolds(rows.contains(row)));
    known += store_->Stats()->row_cache_misses == misses;
    if (random_.OneIn(4)) {
      Delete(row);
      rows.erase(row);
    } else {
      Put(row, std::string(random_.Below(200), 'x'));
      rows.insert(row);
    }
    if (random_.OneIn(500)) Compact();
    if (random_.OneIn(200)) {
      random_.OneIn(2) ? OpenAfterKill(std::to_string(++opened)) : Open(store_->directory());
    }
  }
  EXPECT_GT(known, 100);
}

}  // namespace
}  // namespace dolmen::engine
