// Tests of the store alone: batches, snapshots, failed writes, files and estimates.

#include "engine/storage/store.h"

#include <gmock/gmock.h>
#include <rocksdb/perf_level.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/storage/encryption/encrypted_files.h"
#include "tests/engine/faulty_disk.h"
#include "tests/support/encrypted_run.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::engine {
namespace {

using test::IsOk;
using test::IsOkAndHolds;
using test::StatusIs;
using testing::HasSubstr;
using testing::Optional;

class StoreTest : public test::SeededTest {
 protected:
  StoreTest() { Open(); }

  StoreOptions OptionsOnDisk() const {
    return {.directory = path_.string(),
            .sync = false,
            .write_buffer_bytes = 8 << 20,
            .file_system = std::make_shared<FaultyDisk>(faults_)};
  }
  StoreOptions ReadOnlyOptions() const {
    StoreOptions options = OptionsOnDisk();
    options.read_only = true;
    return options;
  }

  void Open() { Open(OptionsOnDisk()); }
  void Open(const StoreOptions& options) {
    store_.reset();
    auto store = OpenPrepared(options);
    EXPECT_THAT(store, IsOk());
    store_ = *std::move(store);
  }
  void Close() { store_.reset(); }

  // Returns the key with this name in the keyspace of the test.
  static EncodedKey NamedKey(const std::string& name) {
    EncodedKey key(KeyspaceId::kFirst);
    key.AppendRaw(name);
    return key;
  }
  static KeyRange AllKeys() { return PrefixRange(EncodedKey(KeyspaceId::kFirst)); }

  Status Put(const std::string& name, const std::string& value,
             WriteDurability durability = WriteDurability::kAsOpened) {
    WriteBatch batch;
    batch.Put(NamedKey(name), value);
    return store_->Write(std::move(batch), durability);
  }

  // Returns the value of the key, or nothing if the key does not exist.
  std::optional<std::string> ValueOf(const std::string& name, const ReadOptions& options = {}) {
    PinnedValue value;
    const Result<bool> found = store_->Get(NamedKey(name), &value, options);
    EXPECT_THAT(found, IsOk());
    return found.ok() && *found ? std::optional(value.ToString()) : std::nullopt;
  }

  // Writes rows of 1 KB that cannot be compressed, and moves them to a table file.
  void WriteTableFile(int rows) {
    for (int i = 0; i < rows; ++i) {
      std::string value;
      while (value.size() < 1024) value.push_back(static_cast<char>(random_.Below(256)));
      ASSERT_THAT(Put(std::to_string(10'000 + i), value), IsOk());
    }
    ASSERT_THAT(store_->Compact(), IsOk());
  }

  const test::TempDirectory directory_;
  const std::filesystem::path path_ = directory_ / "db";
  const std::shared_ptr<DiskFaults> faults_ = std::make_shared<DiskFaults>();
  std::unique_ptr<Store> store_;
};

TEST_F(StoreTest, ABatchAppliesItsOperationsInTheirOrder) {
  WriteBatch batch;
  EXPECT_TRUE(batch.empty());
  batch.Put(NamedKey("a"), "first");
  batch.Delete(NamedKey("a"));
  batch.Put(NamedKey("b"), "in the range");
  batch.Put(NamedKey("c"), "after the range");
  batch.DeleteRange({NamedKey("a"), NamedKey("c")});
  batch.Put(NamedKey("a"), "last");
  EXPECT_EQ(batch.count(), 6u);
  const std::uint64_t before = store_->LatestSequence();
  ASSERT_THAT(store_->Write(std::move(batch)), IsOk());
  EXPECT_EQ(store_->LatestSequence(), before + 6);
  EXPECT_THAT(ValueOf("a"), Optional(std::string("last")));
  EXPECT_EQ(ValueOf("b"), std::nullopt);
  EXPECT_THAT(ValueOf("c"), Optional(std::string("after the range")));
}

TEST_F(StoreTest, MultiGetReturnsTheValuesInTheOrderOfTheKeys) {
  ASSERT_THAT(Put("a", "1"), IsOk());
  ASSERT_THAT(Put("c", "3"), IsOk());
  const EncodedKey keys[] = {NamedKey("c"), NamedKey("b"), NamedKey("a"), NamedKey("c")};
  PinnedValue values[4];
  std::vector<bool> found;
  ASSERT_THAT(store_->MultiGet(keys, values, &found), IsOk());
  EXPECT_THAT(found, testing::ElementsAre(true, false, true, true));
  EXPECT_EQ(values[0].ToString(), "3");
  EXPECT_EQ(values[2].ToString(), "1");
  EXPECT_EQ(values[3].ToString(), "3");
}

TEST_F(StoreTest, ASnapshotKeepsTheStateOfItsCreation) {
  ASSERT_THAT(Put("changed", "old"), IsOk());
  ASSERT_THAT(Put("deleted", "old"), IsOk());
  const Snapshot snapshot(*store_);
  WriteBatch batch;
  batch.Put(NamedKey("changed"), "new");
  batch.Delete(NamedKey("deleted"));
  batch.Put(NamedKey("added"), "new");
  ASSERT_THAT(store_->Write(std::move(batch)), IsOk());
  ASSERT_THAT(store_->Compact(), IsOk());
  const ReadOptions then{.snapshot = &snapshot};
  EXPECT_THAT(ValueOf("changed", then), Optional(std::string("old")));
  EXPECT_THAT(ValueOf("deleted", then), Optional(std::string("old")));
  EXPECT_EQ(ValueOf("added", then), std::nullopt);
  EXPECT_THAT(ValueOf("changed"), Optional(std::string("new")));

  const EncodedKey keys[] = {NamedKey("changed"), NamedKey("added")};
  PinnedValue values[2];
  std::vector<bool> found;
  ASSERT_THAT(store_->MultiGet(keys, values, &found, &snapshot), IsOk());
  EXPECT_THAT(found, testing::ElementsAre(true, false));
  EXPECT_EQ(values[0].ToString(), "old");
}

// The table files form one sorted run, and the newest write is only in the log. RocksDB has a
// shortcut for such a database that ignores the log.
TEST_F(StoreTest, AReadOnlyStoreReadsTheFilesAndTheLog) {
  ASSERT_THAT(Put("in a file", "1"), IsOk());
  ASSERT_THAT(store_->Compact(), IsOk());
  ASSERT_THAT(Put("in the log", "2"), IsOk());
  Open(ReadOnlyOptions());
  EXPECT_THAT(ValueOf("in a file"), Optional(std::string("1")));
  EXPECT_THAT(ValueOf("in the log"), Optional(std::string("2")));
}

TEST_F(StoreTest, AReadOnlyStoreRejectsEveryWrite) {
  Open(ReadOnlyOptions());
  EXPECT_THAT(store_->CheckWritable(), StatusIs(StatusCode::kValidation, HasSubstr("read_only")));
  EXPECT_THAT(Put("a", "1"), StatusIs(StatusCode::kValidation, HasSubstr("read_only")));
  EXPECT_THAT(store_->Write({}), StatusIs(StatusCode::kValidation, HasSubstr("read_only")));
  EXPECT_THAT(store_->CheckFiles(), StatusIs(StatusCode::kValidation, HasSubstr("read_only")));
  EXPECT_EQ(ValueOf("a"), std::nullopt);
  EXPECT_THAT(store_->WriteFailure(), IsOk());
}

TEST_F(StoreTest, AReadOnlyStoreIsNotCreated) {
  StoreOptions options = ReadOnlyOptions();
  options.directory = (directory_ / "absent").string();
  EXPECT_FALSE(Store::Open(options).ok());
  EXPECT_FALSE(std::filesystem::exists(directory_ / "absent"));
}

TEST_F(StoreTest, AnOpenStoreCannotBeOpenedAgain) {
  for (const StoreOptions& first : {OptionsOnDisk(), ReadOnlyOptions()}) {
    Open(first);
    for (const StoreOptions& second : {OptionsOnDisk(), ReadOnlyOptions()}) {
      EXPECT_THAT(Store::Open(second), StatusIs(StatusCode::kResourceInUse, HasSubstr("db")));
    }
  }
}

TEST_F(StoreTest, OpenReportsAbsentAndUnreadableFiles) {
  WriteTableFile(10);
  const std::string file = store_->TableFiles().at(0).name;
  Close();
  faults_->reads_fail = true;
  EXPECT_THAT(OpenPrepared(OptionsOnDisk()),
              StatusIs(StatusCode::kStorage, HasSubstr("opening " + path_.string())));
  faults_->reads_fail = false;
  Open();
  Close();
  std::filesystem::remove(path_.string() + file);
  EXPECT_THAT(OpenPrepared(OptionsOnDisk()),
              StatusIs(StatusCode::kCorruption, HasSubstr("opening " + path_.string())));
}

TEST_F(StoreTest, ReadsReportAFileThatCannotBeRead) {
  WriteTableFile(10);
  faults_->reads_fail = true;
  const EncodedKey key = NamedKey("10003");
  PinnedValue value;
  EXPECT_THAT(store_->Get(key, &value), StatusIs(StatusCode::kStorage, HasSubstr("reading")));
  std::vector<bool> found;
  EXPECT_THAT(store_->MultiGet({&key, 1}, {&value, 1}, &found),
              StatusIs(StatusCode::kStorage, HasSubstr("reading")));
}

TEST_F(StoreTest, AfterAFailedWriteTheStoreIsReadOnlyUntilItIsReopened) {
  ASSERT_THAT(Put("before", "1"), IsOk());
  faults_->writes_fail = true;
  const Status failure = Put("failed", "1");
  EXPECT_THAT(failure, StatusIs(StatusCode::kStorage, HasSubstr("Input/output error")));
  EXPECT_EQ(ValueOf("failed"), std::nullopt);
  faults_->writes_fail = false;
  EXPECT_THAT(Put("later", "1"), StatusIs(StatusCode::kStorage, HasSubstr("open it again")));
  EXPECT_EQ(ValueOf("later"), std::nullopt);
  EXPECT_THAT(ValueOf("before"), Optional(std::string("1")));
  EXPECT_EQ(store_->WriteFailure().ToString(), failure.ToString());
  EXPECT_EQ(store_->CheckFiles().ToString(), failure.ToString());
  EXPECT_THAT(store_->CheckWritable(), IsOk());

  Open();
  EXPECT_THAT(store_->WriteFailure(), IsOk());
  EXPECT_THAT(ValueOf("before"), Optional(std::string("1")));
  EXPECT_EQ(ValueOf("failed"), std::nullopt);
  EXPECT_THAT(Put("later", "1"), IsOk());
}

TEST_F(StoreTest, AFailedCompactionIsReportedBeforeTheNextWrite) {
  WriteTableFile(10);
  EXPECT_THAT(store_->CheckFiles(), IsOk());
  faults_->reads_fail = true;
  EXPECT_THAT(store_->Compact(), StatusIs(StatusCode::kStorage, testing::_));
  EXPECT_THAT(store_->CheckFiles(), StatusIs(StatusCode::kStorage, HasSubstr("background")));
  faults_->reads_fail = false;
  Open();
  EXPECT_THAT(store_->CheckFiles(), IsOk());
}

TEST_F(StoreTest, AnAlmostFullDiskRejectsWritesUntilSpaceIsFree) {
  faults_->free_bytes = 2 * OptionsOnDisk().write_buffer_bytes;
  EXPECT_THAT(Put("a", "1"), StatusIs(StatusCode::kStorage, HasSubstr("the disk is full")));
  EXPECT_EQ(ValueOf("a"), std::nullopt);
  EXPECT_THAT(store_->WriteFailure(), IsOk());
  EXPECT_THAT(store_->CheckFiles(), StatusIs(StatusCode::kStorage, HasSubstr("the disk is full")));
  faults_->free_bytes = std::uint64_t{1} << 40;
  EXPECT_THAT(Put("a", "1"), IsOk());
  EXPECT_THAT(store_->CheckFiles(), IsOk());
}

TEST_F(StoreTest, AMovedOrReplacedDirectoryIsReported) {
  const std::filesystem::path moved = directory_ / "moved";
  std::filesystem::rename(path_, moved);
  const auto is_moved = StatusIs(StatusCode::kStorage, HasSubstr("was deleted or moved"));
  EXPECT_THAT(store_->CheckFiles(), is_moved);
  std::filesystem::create_directory(path_);
  std::filesystem::copy(moved / "DOLMEN", path_ / "DOLMEN");
  EXPECT_THAT(store_->CheckFiles(), is_moved);
  std::filesystem::remove_all(path_);
  std::filesystem::rename(moved, path_);
  EXPECT_THAT(store_->CheckFiles(), IsOk());
}

TEST_F(StoreTest, AWriteSyncsTheLogAsTheOptionsAsk) {
  const struct {
    bool sync;
    WriteDurability durability;
    int log_syncs;
  } cases[] = {{true, WriteDurability::kAsOpened, 1},
               {true, WriteDurability::kLater, 0},
               {false, WriteDurability::kAsOpened, 0},
               {false, WriteDurability::kLater, 0}};
  for (const auto& [sync, durability, log_syncs] : cases) {
    StoreOptions options = OptionsOnDisk();
    options.sync = sync;
    Open(options);
    faults_->log_syncs = 0;
    ASSERT_THAT(Put("a", "1", durability), IsOk());
    EXPECT_EQ(faults_->log_syncs, log_syncs) << sync << static_cast<int>(durability);
  }
}

TEST_F(StoreTest, CheckFileReadsTheDiskAndNotTheCache) {
  EXPECT_THAT(store_->TableFiles(), testing::IsEmpty());
  WriteTableFile(100);
  const std::vector<TableFile> files = store_->TableFiles();
  ASSERT_EQ(files.size(), 1u);
  const std::string file = path_.string() + files[0].name;
  const std::size_t prefix = test::KeyInThisRun(path_) ? kEncryptedPrefixBytes : 0;
  EXPECT_EQ(files[0].bytes + prefix, std::filesystem::file_size(file));
  EXPECT_THAT(store_->CheckFile(files[0]), IsOk());
  test::FlipBit(file, 0.5);
  EXPECT_THAT(store_->CheckFile(files[0]),
              StatusIs(StatusCode::kCorruption, HasSubstr(files[0].name.substr(1))));
  std::filesystem::remove(file);
  EXPECT_THAT(store_->CheckFile(files[0]), StatusIs(StatusCode::kCorruption, testing::_));
}

TEST_F(StoreTest, CheckFileAcceptsAFileThatACompactionHasDeleted) {
  WriteTableFile(1);
  const TableFile replaced = store_->TableFiles().at(0);
  WriteTableFile(1);
  ASSERT_FALSE(std::filesystem::exists(path_.string() + replaced.name));
  EXPECT_THAT(store_->CheckFile(replaced), IsOk());
}

TEST_F(StoreTest, EstimatesCountTheBytesAndEntriesOfTheRange) {
  const KeyRange elsewhere = PrefixRange(EncodedKey(static_cast<KeyspaceId>(17)));
  for (int i = 0; i < 500; ++i) {
    ASSERT_THAT(Put(std::to_string(10'000 + i % 20), std::string(1024, 'x')), IsOk());
  }
  // RocksDB estimates the entries in memory at random: half or twice their number is usual.
  EXPECT_EQ(store_->FileBytes(AllKeys()), 0u);
  EXPECT_GT(store_->ApproximateBytes(AllKeys()), 50u << 10);
  EXPECT_GT(store_->EntriesInMemory(AllKeys()), 50u) << "overwritten values count, too";
  EXPECT_LE(store_->EntriesInMemory(AllKeys()), 500u);
  EXPECT_EQ(store_->EntriesInMemory(elsewhere), 0u);

  WriteTableFile(250);
  const std::uint64_t bytes = store_->FileBytes(AllKeys());
  EXPECT_NEAR(static_cast<double>(bytes), 250 * 1024, 40 << 10);
  EXPECT_EQ(store_->ApproximateBytes(AllKeys()), bytes);
  EXPECT_EQ(store_->EntriesInMemory(AllKeys()), 0u);
  EXPECT_EQ(store_->FileBytes(elsewhere), 0u);
}

// A block has 32 KB, so 200 rows of 1 KB take 7 blocks.
TEST_F(StoreTest, StartOfNextBlockFindsEachBlock) {
  WriteTableFile(200);
  KeyRange rest = AllKeys();
  std::size_t borders = 0;
  while (const std::optional<EncodedKey> next = store_->StartOfNextBlock(rest)) {
    ASSERT_LT(rest.lower, *next);
    ASSERT_TRUE(*next < rest.upper || borders > 0);
    rest.lower = *next;
    ++borders;
  }
  EXPECT_GE(borders, 6u);
  EXPECT_LE(borders, 8u);
  EXPECT_EQ(store_->StartOfNextBlock({NamedKey("10000"), NamedKey("10001")}), std::nullopt);
}

TEST_F(StoreTest, StatsReportFilesAndLogs) {
  WriteTableFile(100);
  ASSERT_THAT(Put("in the log", std::string(1000, 'x')), IsOk());
  const auto stats = store_->Stats();
  ASSERT_THAT(stats, IsOk());
  EXPECT_EQ(stats->tables, 0u);
  EXPECT_EQ(stats->table_files, 1u);
  EXPECT_EQ(stats->table_file_bytes, store_->TableFiles().at(0).bytes);
  EXPECT_GE(stats->log_bytes, 1000u);
  EXPECT_GE(stats->write_buffer_bytes, 1000u);
  EXPECT_EQ(stats->memory_table_bytes, 0u);
}

TEST_F(StoreTest, AStoreInMemoryTouchesNoDisk) {
  const auto files = test::FilesBelow(directory_.path());
  Open({.directory = (directory_ / "memory").string(),
        .in_memory = true,
        .write_buffer_bytes = 8 << 20});
  WriteTableFile(100);
  const auto stats = store_->Stats();
  ASSERT_THAT(stats, IsOk());
  EXPECT_EQ(stats->table_files, 0u);
  EXPECT_EQ(stats->log_bytes, 0u);
  EXPECT_GE(stats->memory_table_bytes, 100u << 10);
  Close();
  EXPECT_FALSE(std::filesystem::exists(directory_ / "memory"));
}

TEST_F(StoreTest, ReadsAndWritesKeepThePerfLevelOfTheThread) {
  const rocksdb::PerfLevel before = rocksdb::GetPerfLevel();
  ASSERT_NE(before, rocksdb::PerfLevel::kDisable);
  WriteBatch batch;
  batch.Put(NamedKey("a"), "value");
  ASSERT_THAT(store_->Write(std::move(batch)), IsOk());
  ASSERT_THAT(ValueOf("a"), Optional(std::string("value")));
  EXPECT_EQ(rocksdb::GetPerfLevel(), before);
}

TEST_F(StoreTest, CompactRemovesOverwrittenAndDeletedData) {
  WriteTableFile(200);
  const std::uint64_t bytes = store_->FileBytes(AllKeys());
  WriteTableFile(200);
  EXPECT_NEAR(static_cast<double>(store_->FileBytes(AllKeys())), static_cast<double>(bytes),
              40 << 10);
  WriteBatch batch;
  batch.DeleteRange(AllKeys());
  ASSERT_THAT(store_->Write(std::move(batch)), IsOk());
  ASSERT_THAT(store_->Compact(), IsOk());
  EXPECT_THAT(store_->TableFiles(), testing::IsEmpty());
}

}  // namespace
}  // namespace dolmen::engine
