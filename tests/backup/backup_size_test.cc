// A test of the bytes that further backups copy. DOLMEN_BACKUP_MB selects the size of the
// database; `make campaign CHECKS=backup` takes 1 GB.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

#include "dolmen/dolmen.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::backup {
namespace {

using test::IsOk;
using test::Value;

constexpr std::size_t kItemBytes = 4'000;
constexpr std::size_t kItemsPerBatch = 25;
constexpr std::size_t kMegabyte = 1'000'000;

std::size_t MegabytesOfTheTest() {
  const char* variable = std::getenv("DOLMEN_BACKUP_MB");
  return variable != nullptr ? std::stoul(variable) : 32;
}

class BackupSizeTest : public test::SeededTest {
 protected:
  // Puts `bytes` bytes of items with random contents under random keys.
  void PutRandom(const Table& table, std::size_t bytes) {
    for (std::size_t written = 0; written < bytes; written += kItemBytes * kItemsPerBatch) {
      BatchWriteItemInput input;
      std::vector<WriteRequest> requests;
      for (std::size_t i = 0; i < kItemsPerBatch; ++i) {
        std::string filler(kItemBytes, '\0');
        for (std::size_t at = 0; at + 8 <= filler.size(); at += 8) {
          const std::uint64_t bits = random_.Next();
          filler.replace(at, 8, reinterpret_cast<const char*>(&bits), 8);
        }
        requests.emplace_back(PutRequest{{{"PK", std::to_string(random_.Next())},
                                          {"SK", std::to_string(i)},
                                          {"filler", Binary(std::move(filler))}}});
      }
      ASSERT_THAT(db_.BatchWriteItem({.requests = {{.table = table, .requests = requests}}}),
                  IsOk());
    }
  }

  // Waits for compactions that are due, and backs the database up.
  CopyOutput Backup() {
    while (Value(db_.Stats()).pending_compaction_bytes > 0) {
    }
    const auto begin = std::chrono::steady_clock::now();
    const CopyOutput output = Value(db_.Backup(directory_ / "backup"));
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    std::cout << output.bytes_copied << " bytes copied in " << elapsed.count() << " s\n";
    return output;
  }

  const test::TempDirectory directory_;
  // Buffers in proportion to the data: at the default size of a buffer, 32 MB, 1 GB.
  const std::size_t megabytes_ = MegabytesOfTheTest();
  Database db_ =
      Value(Database::Open(directory_ / "db", {.durability = Durability::kBuffered,
                                               .write_buffer_bytes = megabytes_ * kMegabyte / 32}));
};

// A backup that follows a compaction copies the compacted files again. A compaction begins at the
// fourth new file at the latest, and each backup makes one, so at least one of kFurtherBackups does
// not follow a compaction.
TEST_F(BackupSizeTest, ABackupAfterFewChangesCopiesLittle) {
  constexpr int kFurtherBackups = 4;
  const Table table = Value(db_.CreateTable({.name = "app"}));
  PutRandom(table, megabytes_ * kMegabyte);
  const CopyOutput first = Backup();
  EXPECT_GT(first.bytes, megabytes_ * kMegabyte);
  std::uint64_t least = first.bytes_copied;
  for (int i = 0; i < kFurtherBackups; ++i) {
    PutRandom(table, megabytes_ * kMegabyte / 1'000);
    least = std::min(least, Backup().bytes_copied);
  }
  EXPECT_LT(least, megabytes_ * kMegabyte / 16);
  ASSERT_THAT(Database::Restore(directory_ / "backup", directory_ / "restored"), IsOk());
  const Database restored = Value(Database::Open(directory_ / "restored"));
  const VerifyOutput verified = Value(restored.Verify());
  EXPECT_EQ(verified.finding_count, 0u);
  EXPECT_EQ(verified.items, Value(db_.Verify()).items);
}

}  // namespace
}  // namespace dolmen::backup
