// Tests of a disk that becomes full. Every write then fails, and no write is visible in part. Reads
// still work. Writes succeed again after space is freed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "dolmen/dolmen.h"
#include "tests/durability/pair_database.h"
#include "tests/support/intercepted_disk.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::engine {
namespace {

using rocksdb::IOStatus;
using test::IsOk;
using testing::HasSubstr;

constexpr std::int64_t kPlenty = std::int64_t{1} << 40;
constexpr std::size_t kWriteBufferBytes = 64 << 10;  // small, so that there are many files
// A number of bytes that is greater than the space that the store keeps free.
constexpr std::int64_t kReserve = 2 * static_cast<std::int64_t>(kWriteBufferBytes) + (2 << 20);

// The free bytes of the disk, shared by all its files.
using Space = std::shared_ptr<std::atomic<std::int64_t>>;

// A disk with limited space. It writes as much of the data as fits, like a real disk. A sync does nothing, so that tests
// are fast.
class BoundedDisk : public test::InterceptedDisk {
 public:
  // If `honest` is false, GetFreeSpace always reports plenty of space. The disk then becomes full
  // without a warning, as if other programs filled it.
  BoundedDisk(Space space, bool honest) : space_(std::move(space)), honest_(honest) {}

  IOStatus Intercept(const test::DiskCall& call, const test::PerformCall& perform) override {
    if (call.kind == test::DiskCall::Kind::kDelete && frees) {
      std::error_code absent;
      const std::uintmax_t size = std::filesystem::file_size(call.path, absent);
      if (!absent) *space_ += static_cast<std::int64_t>(size);
    }
    const bool syncs = call.kind == test::DiskCall::Kind::kSync ||
                       call.kind == test::DiskCall::Kind::kSyncDirectory;
    if (syncs) return IOStatus::OK();
    if (call.kind != test::DiskCall::Kind::kWrite) return perform(call.bytes);
    const auto size = static_cast<std::int64_t>(call.bytes);
    const std::int64_t left = space_->fetch_sub(size);
    if (left >= size) return perform(call.bytes);
    space_->store(0);
    if (left > 0) perform(static_cast<std::size_t>(left)).PermitUncheckedError();
    return IOStatus::NoSpace("No space left on device");
  }

  std::atomic<bool> frees = false;  // a deleted file gives its space back

  IOStatus GetFreeSpace(const std::string&, const rocksdb::IOOptions&, std::uint64_t* free,
                        rocksdb::IODebugContext*) override {
    *free = static_cast<std::uint64_t>(honest_ ? space_->load() : kPlenty);
    return IOStatus::OK();
  }

 private:
  const Space space_;
  const bool honest_;
};

class FullDiskTest : public test::SeededTest {
 protected:
  void SetUp() override { ASSERT_THAT(TryOpen(), IsOk()); }

  Status TryOpen() {
    OpenOptions options;
    options.durability = random_.OneIn(4) ? Durability::kSync : Durability::kBuffered;
    options.write_buffer_bytes = kWriteBufferBytes;
    return db_.Open(path_, std::make_shared<BoundedDisk>(space_, honest_), options);
  }

  void Reopen() {
    db_.Close();
    ASSERT_THAT(TryOpen(), IsOk());
  }

  Status WritePair(std::int64_t number) { return db_.Write(number, random_.Below(900)); }

  void ExpectHolds(const PairDatabase::Contents& expected) {
    EXPECT_EQ(db_.Read(), expected);
    EXPECT_EQ(db_.Read("GSI1"), expected);
  }

  // Writes until the disk is full. Expects that the next writes fail and that reads still work.
  void FillDisk(std::int64_t space, std::int64_t* i, PairDatabase::Contents* expected) {
    space_->store(space);
    Status written = WritePair(*i);
    for (; written.ok(); written = WritePair(*i)) PairDatabase::Apply((*i)++, expected);
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
  // Has no stream, so that the table stays small: the reserve does not cover the compaction of a large
  // one.
  PairDatabase db_{/*has_stream=*/false};
};

// The store's own writes fill the disk. The store rejects writes while it still has space to flush
// the writes that it accepted. The store can therefore resume as soon as space is freed.
TEST_F(FullDiskTest, WritesResumeWhenSpaceIsFreed) {
  PairDatabase::Contents expected;
  std::int64_t i = 1;
  for (int round = 0; round < 8; ++round) {
    FillDisk(kReserve + random_.Between(0, 400'000), &i, &expected);
    EXPECT_GT(space_->load(), 0) << "round " << round;
    EXPECT_THAT(db_.engine().store().WriteFailure(), IsOk()) << "round " << round;
    space_->store(kPlenty);
    for (int again = 0; again < 20; ++again, ++i) {
      ASSERT_THAT(WritePair(i), IsOk()) << "round " << round;
      PairDatabase::Apply(i, &expected);
    }
    ExpectHolds(expected);
    if (random_.OneIn(3)) Reopen();
    ExpectHolds(expected);
  }
}

// A write that only deletes needs less free space, so that a user can make room on a full disk.
TEST_F(FullDiskTest, ItemsAndTablesCanBeDeletedOnAFullDisk) {
  PairDatabase::Contents expected;
  std::int64_t i = 1;
  FillDisk(kReserve + 400'000, &i, &expected);
  const std::int64_t left = space_->load();
  ASSERT_THAT(db_.Delete(i), IsOk());
  PairDatabase::ApplyDelete(i, &expected);
  ExpectHolds(expected);
  EXPECT_THAT(WritePair(++i), test::StatusIs(StatusCode::kStorage, HasSubstr("be deleted")));
  space_->store(1 << 20);
  EXPECT_THAT(db_.Delete(i), test::StatusIs(StatusCode::kStorage, HasSubstr("free some space")));
  ExpectHolds(expected);
  space_->store(left);
  EXPECT_THAT(db_.engine().DeleteTable("table"), IsOk());
  EXPECT_THAT(db_.engine().CreateTable({.name = "another"}).status(),
              test::StatusIs(StatusCode::kStorage, HasSubstr("disk is full")));
}

// With the buffers' default size the reserve alone would be larger than the volume.
TEST_F(FullDiskTest, ASmallVolumeHasSmallBuffersAndASmallReserve) {
  db_.Close();
  space_->store(24 << 20);
  ASSERT_THAT(db_.Open(path_, std::make_shared<BoundedDisk>(space_, honest_), {}), IsOk());
  PairDatabase::Contents expected;
  std::int64_t i = 1;
  const auto write = [&] { return db_.Write(i, 20'000); };
  Status written = write();
  for (; written.ok(); written = write()) PairDatabase::Apply(i++, &expected);
  EXPECT_THAT(written, test::StatusIs(StatusCode::kStorage, HasSubstr("be deleted")));
  // The reserve is two buffers of a 16th of the volume, 1 MB for small files, and 1 MB that may be
  // written between two checks. The refused row with its index entry may be free on top of it.
  EXPECT_LT(space_->load(), 2 * (24 << 20) / 16 + (2 << 20) + 50'000);
  EXPECT_THAT(db_.engine().store().WriteFailure(), IsOk());
  ExpectHolds(expected);
}

// All rows are deleted. Deletions in memory free no space, and neither do
// deletions in a table file until a compaction, so the store has to start both.
TEST_F(FullDiskTest, DeletedDataFreesItsSpace) {
  db_.Close();
  space_->store(24 << 20);
  const auto disk = std::make_shared<BoundedDisk>(space_, honest_);
  disk->frees = true;
  ASSERT_THAT(db_.Open(path_, disk, {.durability = Durability::kBuffered}), IsOk());
  std::string value;
  while (value.size() < 10'000) value.push_back(static_cast<char>(random_.Below(256)));
  const auto write = [&](int row, bool deletes) {
    EncodedKey key(KeyspaceId{1'000});
    key.AppendRaw(std::to_string(row));
    WriteBatch batch;
    deletes ? batch.Delete(key) : batch.Put(key, value);
    if (deletes) batch.OnlyDeletes();
    return db_.engine().store().Write(std::move(batch));
  };
  constexpr int kRows = 300;
  for (int row = 0; row < kRows; ++row) ASSERT_THAT(write(row, false), IsOk());
  space_->store(4'900'000);  // less than the reserve of the volume, and enough to compact the rows
  while (write(0, false).ok()) {  // the store asks for the free space once in a megabyte
  }
  for (int row = 0; row < kRows; ++row) ASSERT_THAT(write(row, true), IsOk());
  while (!write(0, false).ok()) {
    ASSERT_THAT(db_.engine().store().WriteFailure(), IsOk());
    std::this_thread::yield();
  }
}

// The disk becomes full without a warning. The failing file may be a log, a table file or the
// manifest. After reopening, the acknowledged writes are visible. A failed write is visible as a
// whole or not at all.
TEST_F(FullDiskTest, SuddenlyFullDiskLosesNoAcknowledgedWrite) {
  honest_ = false;
  Reopen();
  PairDatabase::Contents expected;
  std::int64_t i = 1;
  for (int round = 0; round < 8; ++round) {
    FillDisk(random_.Between(0, 200'000), &i, &expected);
    space_->store(kPlenty);
    Reopen();
    ASSERT_FALSE(HasFatalFailure());
    const auto found = db_.Read();
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
  PairDatabase::Contents expected;
  for (std::int64_t i = 1; i < 50; ++i) {
    ASSERT_THAT(WritePair(i), IsOk());
    PairDatabase::Apply(i, &expected);
  }
  int refused = 0;
  for (int round = 0; round < 10; ++round) {
    db_.Close();
    space_->store(random_.Between(0, 2'000));
    if (const Status opened = TryOpen(); !opened.ok()) {
      ++refused;
      EXPECT_EQ(opened.code(), StatusCode::kStorage) << opened.ToString();
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
  EXPECT_EQ(db_.engine().store().WriteFailure().message(), first.message());
}

}  // namespace
}  // namespace dolmen::engine
