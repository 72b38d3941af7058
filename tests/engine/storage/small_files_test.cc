// Tests of the merges of small table files: the number of files, the bytes that are written again, and the merges that
// must not happen.

#include "engine/storage/small_files.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/storage/cursor.h"
#include "engine/storage/store.h"
#include "tests/engine/faulty_disk.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::engine {
namespace {

using test::IsOk;

constexpr std::uint64_t kLarge = std::uint64_t{64} << 20;

// The files of one level, in the order of their keys.
class SimulatedLevel {
 public:
  void Insert(std::size_t position, std::uint64_t bytes) {
    sizes_.insert(sizes_.begin() + static_cast<std::ptrdiff_t>(position), bytes);
    inserted_ += bytes;
    while (const auto run = RunToMerge(Files(), kLarge)) Replace(*run);
  }

  std::size_t size() const { return sizes_.size(); }
  std::uint64_t inserted() const { return inserted_; }
  std::uint64_t rewritten() const { return rewritten_; }

 private:
  // The name of a file is its position.
  rocksdb::ColumnFamilyMetaData Files() const {
    std::vector<rocksdb::SstFileMetaData> files;
    std::uint64_t bytes = 0;
    for (const std::uint64_t size : sizes_) {
      rocksdb::SstFileMetaData& file = files.emplace_back();
      file.name = std::to_string(files.size() - 1);
      file.size = size;
      bytes += size;
    }
    rocksdb::ColumnFamilyMetaData all;
    all.levels.emplace_back(0, bytes, std::vector(files));  // which RunToMerge leaves alone
    all.levels.emplace_back(6, bytes, std::move(files));
    return all;
  }

  void Replace(const FileRun& run) {
    ASSERT_EQ(run.level, 6);
    ASSERT_GE(run.names.size(), 2);
    const std::size_t begin = std::stoul(run.names.front());
    for (std::size_t i = 0; i < run.names.size(); ++i) {
      ASSERT_EQ(run.names[i], std::to_string(begin + i));
    }
    const auto first = sizes_.begin() + static_cast<std::ptrdiff_t>(begin);
    *first = run.bytes;
    sizes_.erase(first + 1, first + static_cast<std::ptrdiff_t>(run.names.size()));
    rewritten_ += run.bytes;
  }

  std::vector<std::uint64_t> sizes_;
  std::uint64_t inserted_ = 0;
  std::uint64_t rewritten_ = 0;
};

// The sizes of files from 1 KB up to the size from which a file is large.
class RunToMergeTest : public test::SeededTest {
 protected:
  std::uint64_t AnySize() { return (std::uint64_t{1} << 10) << random_.Below(15); }

  // Inserts files at the positions that `position` chooses.
  template <typename Size, typename Position>
  void InsertMany(const Size& size, const Position& position) {
    SimulatedLevel level;
    std::uint64_t smallest = kLarge;
    for (int i = 0; i < 700; ++i) {
      const std::uint64_t bytes = size(i);
      smallest = std::min(smallest, bytes);
      level.Insert(position(level), bytes);
      const double larges = Ratio(level.inserted(), kLarge);
      ASSERT_LE(static_cast<double>(level.size()), 64 + 12 * larges) << i << " files";
    }
    const double growths = std::log2(Ratio(kLarge, smallest)) / std::log2(3);
    EXPECT_LE(Ratio(level.rewritten(), level.inserted()), growths);
  }

  static double Ratio(std::uint64_t bytes, std::uint64_t divisor) {
    return static_cast<double>(bytes) / static_cast<double>(divisor);
  }
  static std::size_t AtEnd(const SimulatedLevel& level) { return level.size(); }
};

TEST_F(RunToMergeTest, FewFilesStayOfAscendingKeysAndFewBytesAreWrittenAgain) {
  for (const std::uint64_t bytes : {1 << 10, 64 << 10, 1 << 20, 8 << 20, 30 << 20, 64 << 20}) {
    SCOPED_TRACE(bytes);
    InsertMany([bytes](int) { return bytes; }, AtEnd);
  }
  InsertMany([this](int) { return AnySize(); }, AtEnd);
  InsertMany([](int i) { return std::uint64_t{1} << (i % 2 == 0 ? 10 : 20); }, AtEnd);
}

TEST_F(RunToMergeTest, FewFilesStayAtAnyKeys) {
  const auto anywhere = [this](const SimulatedLevel& level) {
    return random_.Below(level.size() + 1);
  };
  InsertMany([](int) { return std::uint64_t{1} << 10; }, anywhere);
  InsertMany([this](int) { return AnySize(); }, anywhere);
}

class SmallFilesTest : public test::SeededTest {
 protected:
  StoreOptions Options() const {
    return {.directory = directory_ / "db",
            .sync = false,
            .write_buffer_bytes = 64 << 10,
            .file_system = std::make_shared<FaultyDisk>(faults_)};
  }

  void Open() {
    store_.reset();
    auto store = OpenPrepared(Options());
    ASSERT_THAT(store, IsOk());
    store_ = *std::move(store);
  }

  // Puts rows with ascending keys.
  void PutRows(int rows) {
    for (int i = 0; i < rows; ++i) {
      WriteBatch batch;
      batch.Put(KeyOf(rows_++), std::string(1000, 'x'));
      ASSERT_THAT(store_->Write(std::move(batch)), IsOk());
    }
  }
  void ExpectAllRows() {
    for (int i = 0; i < rows_; ++i) {
      PinnedValue value;
      ASSERT_THAT(store_->Get(KeyOf(i), &value), test::IsOkAndHolds(true)) << i;
      ASSERT_EQ(value, std::string(1000, 'x'));
    }
  }
  // Returns all rows of the store by their names.
  std::map<std::string, std::string> AllRows() {
    const EncodedKey all(KeyspaceId::kFirst);
    std::map<std::string, std::string> rows;
    Cursor cursor(*store_, PrefixRange(all));
    for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
      rows.emplace(cursor.key().substr(all.bytes().size()), cursor.value());
    }
    EXPECT_THAT(cursor.status(), IsOk());
    return rows;
  }
  static EncodedKey NamedKey(const std::string& name) {
    EncodedKey key(KeyspaceId::kFirst);
    key.AppendRaw(name);
    return key;
  }
  static EncodedKey KeyOf(int row) { return NamedKey(std::to_string(1'000'000 + row)); }

  const test::TempDirectory directory_;
  const std::shared_ptr<DiskFaults> faults_ = std::make_shared<DiskFaults>();
  std::unique_ptr<Store> store_;
  int rows_ = 0;
};

TEST_F(SmallFilesTest, ManySessionsLeaveFewFiles) {
  for (int session = 0; session < 120; ++session) {
    ASSERT_NO_FATAL_FAILURE(Open());
    ASSERT_NO_FATAL_FAILURE(PutRows(1));
  }
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_LE(store_->TableFiles().size(), 64);
  ExpectAllRows();
}

TEST_F(SmallFilesTest, ALongSessionLeavesFewFiles) {
  ASSERT_NO_FATAL_FAILURE(Open());
  for (int i = 0; i < 300; ++i) ASSERT_NO_FATAL_FAILURE(PutRows(60));
  while (store_->TableFiles().size() > 64) ASSERT_NO_FATAL_FAILURE(PutRows(60));
  ExpectAllRows();
}

// Ascending keys of several prefixes, one after the other, so that files come between older ones while others are
// merged. Some keys are overwritten and deleted, and some whole ranges.
TEST_F(SmallFilesTest, NoRowIsLostOrComesBack) {
  std::map<std::string, std::string> expected;
  std::array<int, 8> next = {};
  const auto name_of = [](std::size_t prefix, int number) {
    return std::string(1, static_cast<char>('a' + prefix)) + std::to_string(1'000'000 + number);
  };
  for (int session = 0; session < 4; ++session) {
    ASSERT_NO_FATAL_FAILURE(Open());
    for (int phase = 0; phase < 40; ++phase) {
      const std::size_t prefix = random_.Below(next.size());
      for (int i = 0; i < 100; ++i) {
        WriteBatch batch;
        const std::string name = name_of(prefix, next[prefix]++);
        const std::string value(500 + random_.Below(1000),
                                static_cast<char>('a' + random_.Below(26)));
        batch.Put(NamedKey(name), value);
        expected[name] = value;
        if (random_.OneIn(10)) {
          const std::string old = name_of(
              prefix, static_cast<int>(random_.Below(static_cast<std::size_t>(next[prefix]))));
          batch.Delete(NamedKey(old));
          expected.erase(old);
        }
        ASSERT_THAT(store_->Write(std::move(batch)), IsOk());
      }
      if (random_.OneIn(20)) {
        const std::string begin = name_of(prefix, 0);
        const std::string end = name_of(prefix, next[prefix] / 2);
        WriteBatch batch;
        batch.DeleteRange({NamedKey(begin), NamedKey(end)});
        ASSERT_THAT(store_->Write(std::move(batch)), IsOk());
        expected.erase(expected.lower_bound(begin), expected.lower_bound(end));
      }
    }
    EXPECT_EQ(AllRows(), expected);
  }
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_EQ(AllRows(), expected);
}

// RocksDB accepts no write any more after a compaction that meets damage. Nobody has asked for a merge.
TEST_F(SmallFilesTest, ADamagedFileIsNotMerged) {
  for (int session = 0; session < 60; ++session) {
    ASSERT_NO_FATAL_FAILURE(Open());
    ASSERT_NO_FATAL_FAILURE(PutRows(1));
    const std::vector<TableFile> files = store_->TableFiles();
    if (session != 20) continue;
    ASSERT_FALSE(files.empty());
    store_.reset();
    test::FlipBit((directory_ / "db").string() + files.front().name, 0.01);
  }
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_THAT(store_->CheckFiles(), IsOk());
  EXPECT_LE(store_->TableFiles().size(), 40);
}

}  // namespace
}  // namespace dolmen::engine
