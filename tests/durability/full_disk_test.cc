// Tests of a disk that becomes full. Every write then fails, and no write is visible in part. Reads
// still work. Writes succeed again after space is freed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/file_system.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "dolmen/dolmen.h"
#include "engine/engine.h"
#include "engine/read/query.h"
#include "engine/read/read_context.h"
#include "engine/storage/directory.h"
#include "engine/write/atomic_write.h"
#include "engine/write/prepare.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::engine {
namespace {

using rocksdb::FSWritableFile;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;
using test::IsOk;
using testing::HasSubstr;

constexpr std::int64_t kPlenty = std::int64_t{1} << 40;
constexpr std::size_t kWriteBufferBytes = 64 << 10;  // small, so that there are many files
// A number of bytes that is greater than the space that the store keeps free.
constexpr std::int64_t kReserve = 2 * static_cast<std::int64_t>(kWriteBufferBytes) + (1 << 20);

// The free bytes of the disk, shared by all its files.
using Space = std::shared_ptr<std::atomic<std::int64_t>>;

// A file that writes as much of the data as fits on the disk, like a file on a real disk.
class BoundedFile : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  BoundedFile(std::unique_ptr<FSWritableFile> file, Space space)
      : FSWritableFileOwnerWrapper(std::move(file)), space_(std::move(space)) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    const auto size = static_cast<std::int64_t>(data.size());
    const std::int64_t left = space_->fetch_sub(size);
    if (left >= size) return FSWritableFileOwnerWrapper::Append(data, options, debug);
    space_->store(0);
    if (left > 0) {
      const Slice part(data.data(), static_cast<std::size_t>(left));
      FSWritableFileOwnerWrapper::Append(part, options, debug).PermitUncheckedError();
    }
    return IOStatus::NoSpace("No space left on device");
  }
  IOStatus Append(const Slice& data, const IOOptions& options, const rocksdb::DataVerificationInfo&,
                  IODebugContext* debug) override {
    return Append(data, options, debug);
  }

 private:
  Space space_;
};

// A file system with limited space.
class BoundedDisk : public rocksdb::FileSystemWrapper {
 public:
  // If `honest` is false, GetFreeSpace always reports plenty of space. The disk then becomes full
  // without a warning, as if other programs filled it.
  BoundedDisk(Space space, bool honest)
      : FileSystemWrapper(rocksdb::FileSystem::Default()),
        space_(std::move(space)),
        honest_(honest) {}

  const char* Name() const override { return "BoundedDisk"; }

  IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                           std::unique_ptr<FSWritableFile>* file, IODebugContext* debug) override {
    IOStatus made = FileSystemWrapper::NewWritableFile(name, options, file, debug);
    if (made.ok()) *file = std::make_unique<BoundedFile>(std::move(*file), space_);
    return made;
  }

  IOStatus GetFreeSpace(const std::string&, const IOOptions&, std::uint64_t* free,
                        IODebugContext*) override {
    *free = static_cast<std::uint64_t>(honest_ ? space_->load() : kPlenty);
    return IOStatus::OK();
  }

 private:
  Space space_;
  const bool honest_;
};

// Returns a put of an item. The item and its index entry hold the number `i`, so that a partly
// applied write is visible.
PutItemInput PutOf(const std::string& sort_key, std::int64_t i, std::size_t bytes) {
  return {.item = {{"PK", "p"},
                   {"SK", sort_key},
                   {"GSI1PK", "all"},
                   {"GSI1SK", sort_key},
                   {"i", i},
                   {"filler", std::string(bytes, 'x')}}};
}

class FullDiskTest : public test::SeededTest {
 protected:
  void SetUp() override {
    ASSERT_THAT(PrepareDirectory(path_, true), IsOk());
    Open();
    const auto table = engine_->catalog().Create(
        {.name = "table", .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")}});
    ASSERT_THAT(table, IsOk());
    table_ = *table;
  }

  Result<std::shared_ptr<Engine>> TryOpen() {
    OpenOptions options;
    options.durability = random_.OneIn(4) ? Durability::kSync : Durability::kBuffered;
    options.write_buffer_bytes = kWriteBufferBytes;
    StoreOptions store = Engine::StoreOptionsFor(path_, options);
    store.file_system = std::make_shared<BoundedDisk>(space_, honest_);
    return Engine::OpenStore(store, options);
  }

  void Open() {
    auto engine = TryOpen();
    ASSERT_THAT(engine, IsOk());
    engine_ = *std::move(engine);
  }

  void Reopen() {
    engine_.reset();
    Open();
    if (HasFatalFailure()) return;
    const auto table = engine_->catalog().Find("table");
    ASSERT_THAT(table, IsOk());
    table_ = *table;
  }

  // Writes two items atomically.
  Status WritePair(std::int64_t i) {
    const std::size_t bytes = random_.Below(900);
    const std::array inputs = {PutOf("a" + std::to_string(i % 5), i, bytes),
                               PutOf("b" + std::to_string(i % 5), i, bytes)};
    std::array<WriteAction, 2> actions;
    std::array<const WriteAction*, 2> pointers{};
    for (std::size_t k = 0; k < 2; ++k) {
      if (Status made = Prepare(*table_->schema(), inputs[k], &actions[k]); !made.ok()) return made;
      pointers[k] = &actions[k];
    }
    std::array<ActionOutcome, 2> outcomes;
    return WriteAtomically(engine_->write_context(), pointers, outcomes).status();
  }

  // Reads the table, or the index with the name `index`. Returns a map from each item's sort key to
  // the value of its attribute "i".
  std::map<std::string, std::int64_t> Read(const std::string& index) {
    QueryOutput page;
    const QueryInput input{.index = index, .key_condition = Partition(index.empty() ? "p" : "all")};
    EXPECT_THAT(Query(engine_->read_context(), *table_->schema(), input, &page), IsOk());
    std::map<std::string, std::int64_t> found;
    for (const ItemView item : page) {
      EXPECT_THAT(item.Check(), IsOk());
      found.emplace(*item["SK"].AsString(), item["i"].AsInt64().value_or(-1));
    }
    return found;
  }

  void ExpectHolds(const std::map<std::string, std::int64_t>& expected) {
    EXPECT_EQ(Read(""), expected);
    EXPECT_EQ(Read("GSI1"), expected);
  }

  static void Note(std::int64_t i, std::map<std::string, std::int64_t>* expected) {
    (*expected)["a" + std::to_string(i % 5)] = i;
    (*expected)["b" + std::to_string(i % 5)] = i;
  }

  // Writes until the disk is full. Expects that the next writes fail and that reads still work.
  void FillDisk(std::int64_t space, std::int64_t* i,
                std::map<std::string, std::int64_t>* expected) {
    space_->store(space);
    Status written = WritePair(*i);
    for (; written.ok(); written = WritePair(*i)) Note((*i)++, expected);
    for (int again = 0; again < 5; ++again) {
      EXPECT_EQ(written.code(), StatusCode::kStorage) << written.ToString();
      ExpectHolds(*expected);
      written = WritePair(++*i);
    }
  }

  test::TempDirectory directory_;
  const std::filesystem::path path_ = directory_ / "db";
  bool honest_ = true;
  const Space space_ = std::make_shared<std::atomic<std::int64_t>>(kPlenty);
  std::shared_ptr<Engine> engine_;
  LiveTableRef table_;
};

// The store's own writes fill the disk. The store rejects writes while it still has space to flush
// the writes that it accepted. The store can therefore resume as soon as space is freed.
TEST_F(FullDiskTest, WritesResumeWhenSpaceIsFreed) {
  std::map<std::string, std::int64_t> expected;
  std::int64_t i = 1;
  for (int round = 0; round < 8; ++round) {
    FillDisk(kReserve + random_.Between(0, 400'000), &i, &expected);
    EXPECT_GT(space_->load(), 0) << "round " << round;
    EXPECT_THAT(engine_->store().WriteFailure(), IsOk()) << "round " << round;
    space_->store(kPlenty);
    for (int again = 0; again < 20; ++again, ++i) {
      ASSERT_THAT(WritePair(i), IsOk()) << "round " << round;
      Note(i, &expected);
    }
    ExpectHolds(expected);
    if (random_.OneIn(3)) Reopen();
    ExpectHolds(expected);
  }
}

// The disk becomes full without a warning. The failing file may be a log, a table file or the
// manifest. After reopening, the acknowledged writes are visible. A failed write is visible as a
// whole or not at all.
TEST_F(FullDiskTest, SuddenlyFullDiskLosesNoAcknowledgedWrite) {
  honest_ = false;
  Reopen();
  std::map<std::string, std::int64_t> expected;
  std::int64_t i = 1;
  for (int round = 0; round < 8; ++round) {
    FillDisk(random_.Between(0, 200'000), &i, &expected);
    space_->store(kPlenty);
    Reopen();
    ASSERT_FALSE(HasFatalFailure());
    const auto found = Read("");
    ExpectHolds(found);
    for (const auto& [key, number] : expected) {
      ASSERT_TRUE(found.contains(key)) << key;
      EXPECT_GE(found.at(key), number) << key;
    }
    for (const auto& [key, number] : found) {
      const std::string twin = (key[0] == 'a' ? "b" : "a") + key.substr(1);
      ASSERT_TRUE(found.contains(twin)) << key;
      EXPECT_EQ(number, found.at(twin)) << key;
    }
    expected = found;
  }
}

// Open must write some bytes, so it fails on the full disk. The failure must not change the data.
TEST_F(FullDiskTest, FailedOpenOnAFullDiskChangesNoData) {
  std::map<std::string, std::int64_t> expected;
  for (std::int64_t i = 1; i < 50; ++i) {
    ASSERT_THAT(WritePair(i), IsOk());
    Note(i, &expected);
  }
  int refused = 0;
  for (int round = 0; round < 10; ++round) {
    engine_.reset();
    space_->store(random_.Between(0, 2'000));
    if (const auto opened = TryOpen(); !opened.ok()) {
      ++refused;
      EXPECT_EQ(opened.status().code(), StatusCode::kStorage) << opened.status().ToString();
    }
    space_->store(kPlenty);
    Reopen();
    ASSERT_FALSE(HasFatalFailure());
    ExpectHolds(expected);
  }
  EXPECT_GT(refused, 0);
}

TEST_F(FullDiskTest, WriteErrorSaysHowToRecover) {
  space_->store(0);
  EXPECT_THAT(WritePair(1),
              test::StatusIs(StatusCode::kStorage, HasSubstr("free some space and retry")));
  honest_ = false;
  space_->store(kPlenty);
  Reopen();
  space_->store(0);
  const Status first = WritePair(1);
  EXPECT_THAT(first, test::StatusIs(StatusCode::kStorage, HasSubstr("free some space and retry")));
  EXPECT_THAT(WritePair(1), test::StatusIs(StatusCode::kStorage,
                                           HasSubstr("close the database and open it again")));
  EXPECT_EQ(engine_->store().WriteFailure().message(), first.message());
}

}  // namespace
}  // namespace dolmen::engine
