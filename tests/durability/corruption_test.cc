// Tests of damaged files. A crash can cut off the end of a log. The database then opens with all
// writes before the cut. Only a fault of the disk causes other damage. The database reports other
// damage as an error, and it neither crashes nor loses data silently.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "dolmen/dolmen.h"
#include "engine/storage/encryption/encrypted_files.h"
#include "tests/durability/workload.h"
#include "tests/support/encrypted_run.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kWrites = 40;
constexpr std::size_t kDamages = 150;  // for each kind of file
// https://github.com/facebook/rocksdb/wiki/Write-Ahead-Log-File-Format
constexpr std::size_t kLogBlockBytes = 32 << 10;
constexpr std::size_t kLogHeaderBytes = 7;
constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kCipherBlockBytes = 16;

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void WriteFile(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// Returns the file whose name starts with `start` and ends with `end`. If several files match,
// returns the file with the greatest name, which is the newest file.
fs::path FindFile(const fs::path& directory, const std::string& start, const std::string& end) {
  fs::path found;
  for (const auto& entry : fs::directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(start) && name.ends_with(end)) found = std::max(found, entry.path());
  }
  EXPECT_FALSE(found.empty()) << "no file " << start << "..." << end;
  return found;
}

class CorruptionTest : public SeededTest {
 protected:
  // Creates a database with its data only in the write-ahead log. It looks as after a crash, because
  // a log that was closed may not lose its end. Sets `log_ends_` to the positions in the log at
  // which the writes end.
  void MakeDatabaseInLog() {
    const fs::path open = directory_ / "open";
    auto db = Database::Open(open);
    ASSERT_THAT(db, IsOk());
    const auto table = db->CreateTable(Workload::TableInput());
    ASSERT_THAT(table, IsOk());
    const fs::path log = FindFile(open, "", ".log");
    log_ends_ = {fs::file_size(log)};
    for (std::uint64_t number = 1; number <= kWrites; ++number) {
      ASSERT_THAT(workload_.Do(number, *db, *table), IsOk());
      log_ends_.push_back(fs::file_size(log));
    }
    fs::copy(open, original_, fs::copy_options::recursive);
  }

  // Creates a database with its data in a table file. The function opens the database once more,
  // because RocksDB then moves the data of the log to a table file.
  void MakeDatabaseInTableFile() {
    MakeDatabaseInLog();
    ASSERT_THAT(Database::Open(original_), IsOk());
    ASSERT_TRUE(fs::file_size(FindFile(original_, "", ".sst")) > 0);
  }

  // Returns a fresh copy of the database for the test to damage.
  const fs::path& Copy() {
    fs::remove_all(copy_);
    fs::copy(original_, copy_, fs::copy_options::recursive);
    return copy_;
  }

  // Returns all items of the copy, or the error of opening or reading it.
  Result<Contents> ReadCopy() const {
    const auto db = Database::Open(copy_, {.create_if_missing = false});
    if (!db.ok()) return db.status();
    const auto table = db->OpenTable("workload");
    if (!table.ok()) return table.status();
    return ReadAll(*table);
  }

  // Flips a random bit of byte `at` of the file in a fresh copy. Returns a description of the bit.
  std::string Damage(const std::string& start, const std::string& end, std::size_t at) {
    const fs::path file = FindFile(Copy(), start, end);
    std::string bytes = ReadFile(file);
    const std::size_t bit = random_.Below(8);
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
    WriteFile(file, bytes);
    return "bit " + std::to_string(bit) + " of byte " + std::to_string(at) + " of " +
           std::to_string(bytes.size()) + " in " + file.filename().string();
  }

  // Flips a random bit of byte `at` of the file in a fresh copy. Returns true if the database
  // reports the damage.
  bool FlipBit(const std::string& start, const std::string& end, std::size_t at) {
    const std::string damage = Damage(start, end, at);
    const Result<Contents> found = ReadCopy();
    if (!found.ok()) {
      EXPECT_EQ(found.status().code(), StatusCode::kCorruption)
          << damage << ": " << found.status().ToString();
      return true;
    }
    EXPECT_TRUE(*found == workload_.After(kWrites))
        << "the database opens without an error but lacks data: " << damage;
    return false;
  }

  TempDirectory directory_;
  const fs::path original_ = directory_ / "original";
  const fs::path copy_ = directory_ / "copy";
  const Workload workload_{TestSeed()};
  std::vector<std::size_t> log_ends_;  // [n]: the end of write n; [0]: the end of CreateTable
};

TEST_F(CorruptionTest, TornLogHoldsEverythingBeforeTheTear) {
  MakeDatabaseInLog();
  for (std::size_t i = 0; i < TestSteps(kDamages); ++i) {
    const std::size_t size = log_ends_[0] + random_.Below(log_ends_.back() - log_ends_[0] + 1);
    fs::resize_file(FindFile(Copy(), "", ".log"), size);
    // Finds the last write whose bytes are all in the shortened log.
    const auto whole = std::upper_bound(log_ends_.begin(), log_ends_.end(), size);
    const auto number = static_cast<std::uint64_t>(whole - log_ends_.begin()) - 1;
    const Result<Contents> found = ReadCopy();
    ASSERT_THAT(found, IsOk()) << size << " bytes of " << log_ends_.back();
    ASSERT_TRUE(*found == workload_.After(number)) << size << " bytes of " << log_ends_.back();
  }
}

// The header of a log record holds the record's checksum, length and type. If a bit of the length
// or the type is flipped, the record looks like a record that a crash cut off. Dolmen must still
// report the damage.
TEST_F(CorruptionTest, FlippedBitInTheHeaderOfALogRecordIsAnError) {
  MakeDatabaseInLog();
  const bool is_encrypted = KeyInThisRun(original_).has_value();
  const std::size_t begin = is_encrypted ? engine::kEncryptedPrefixBytes : 0;  // of the log
  for (std::size_t i = 0; i < TestSteps(kDamages); ++i) {
    const std::size_t record = random_.OneIn(4) ? kWrites - 1 : random_.Below(kWrites);
    const std::size_t header = log_ends_[record];
    // `header` is the end of a write in the log. The next record begins there, unless all later
    // writes delete items that do not exist: such a delete adds nothing to the log.
    if (header == log_ends_.back()) continue;
    // The log consists of blocks, and the header of a record lies in one block. If the end of a
    // block is too short for a header, RocksDB fills it with padding and never reads the padding.
    if (kLogBlockBytes - (header - begin) % kLogBlockBytes < kLogHeaderBytes) continue;
    // The decryption may make such a header of zeros, which are the work of a power cut.
    if (is_encrypted && kPageBytes - header % kPageBytes < kCipherBlockBytes) continue;
    EXPECT_TRUE(FlipBit("", ".log", header + random_.Below(kLogHeaderBytes)))
        << "record " << record;
  }
}

// The marker (the file DOLMEN) holds the format version. A flipped bit may change the format
// version to a newer version, which gives the error kUnsupportedFormat.
TEST_F(CorruptionTest, FlippedBitInTheMarkerIsAnError) {
  MakeDatabaseInTableFile();
  const std::size_t size = fs::file_size(original_ / "DOLMEN");
  for (std::size_t bit = 0; bit < 8 * size; ++bit) {
    std::string bytes = ReadFile(original_ / "DOLMEN");
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    WriteFile(Copy() / "DOLMEN", bytes);
    const StatusCode code = ReadCopy().status().code();
    EXPECT_TRUE(code == StatusCode::kCorruption || code == StatusCode::kUnsupportedFormat)
        << "bit " << bit << ": " << StatusCodeName(code);
  }
}

}  // namespace
}  // namespace dolmen::test
