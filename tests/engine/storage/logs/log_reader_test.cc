// Tests of logs with unreadable records. Values in these logs contain bytes that look like records.

#include "engine/storage/logs/log_reader.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/storage/logs/log_batch.h"
#include "tests/support/log_bytes.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::engine {
namespace {

using test::DeletionOfEverything;
using test::IsOk;
using test::IsOkAndHolds;
using test::LogRecord;
using test::PutBatch;
using test::StatusIs;
using testing::ElementsAre;

constexpr std::size_t kPage = 4096;
constexpr std::size_t kLengthAt = 4;  // in the header of a record

class LogReaderTest : public testing::Test {
 protected:
  // The log's records have the numbers from 1 on.
  std::uint64_t next() const { return records_.size() + 1; }

  void Add(const std::string& value, bool is_synced = false) {
    records_.push_back({log_.size(), value});
    log_ += LogRecord(PutBatch(records_.size(), "key of a row", value, is_synced));
  }

  // Makes a log of four records. The third one begins `left` bytes before the end of a page.
  void AddBeforeEndOfPage(std::size_t left) {
    log_.clear();
    records_.clear();
    Add("first");
    const std::size_t overhead =
        LogRecord(PutBatch(2, "key of a row", std::string(1000, 'x'), false)).size() - 1000;
    Add(std::string(kPage - left - log_.size() - overhead, 'x'));
    ASSERT_EQ(log_.size(), kPage - left);
    Add(std::string(1000, 'y'));
    Add("fourth");
  }

  // Returns a value with some padding before and after `planted`.
  static std::string ValueWith(const std::string& planted) {
    return std::string(100, 'x') + planted + std::string(100, 'y');
  }

  // Returns the position of the record with this number.
  std::size_t PositionOf(std::uint64_t number) const { return records_[number - 1].first; }

  std::string Write() const {
    std::ofstream(directory_ / "log", std::ios::binary) << log_;
    return directory_ / "log";
  }

  // Returns the numbers of the records before the first unreadable one.
  Result<std::vector<std::uint64_t>> ReadNumbers() {
    std::vector<std::uint64_t> numbers;
    const auto on_record = [&](std::string_view record) {
      numbers.push_back(NumbersOf(record)->first);
    };
    const auto is_possible = [&](const FoundRecord& found) {
      return CanFollow(found, numbers.empty() ? 1 : numbers.back() + 1);
    };
    const auto read = ReadLog(files_, Write(), on_record, WasSynced, is_possible, is_encrypted_);
    if (!read.ok()) return read.status();
    torn_at_ = *read;
    return numbers;
  }

  // Returns the numbers of the records that a repair reads.
  std::vector<std::uint64_t> SalvageNumbers() {
    std::vector<std::uint64_t> numbers;
    gaps_.clear();
    const auto on_record = [&](const SalvagedRecord& record) {
      numbers.push_back(NumbersOf(record.bytes)->first);
    };
    const auto is_possible = [&](const FoundRecord& found) {
      return CanFollow(found, numbers.empty() ? 1 : numbers.back() + 1);
    };
    const auto on_gap = [&](std::uint64_t begin, std::uint64_t end) {
      gaps_.emplace_back(begin, end);
    };
    EXPECT_THAT(SalvageLog(files_, Write(), on_record, on_gap, is_possible), IsOk());
    return numbers;
  }

  rocksdb::FileSystem* const files_ = rocksdb::FileSystem::Default().get();
  test::TempDirectory directory_;
  bool is_encrypted_ = false;
  std::string log_;
  std::vector<std::pair<std::size_t, std::string>> records_;  // positions and values
  std::optional<std::uint64_t> torn_at_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> gaps_;
};

TEST_F(LogReaderTest, ARecordThatIsCutOffMayContainBytesOfARecord) {
  Add("first");
  const std::string planted = LogRecord(DeletionOfEverything(3));
  Add(ValueWith(planted));
  const std::string whole = log_;
  for (std::size_t size = PositionOf(2); size < whole.size(); size += 5) {
    log_ = whole.substr(0, size);
    EXPECT_THAT(ReadNumbers(), IsOkAndHolds(ElementsAre(1))) << size;
    EXPECT_THAT(SalvageNumbers(), ElementsAre(1)) << size;
  }
}

TEST_F(LogReaderTest, ADamagedRecordMayContainBytesOfARecord) {
  Add("first");
  Add(ValueWith(LogRecord(DeletionOfEverything(3))));
  Add("third");
  Add("fourth");
  const std::string whole = log_;
  // Flips a bit of each byte of the second record.
  for (std::size_t at = PositionOf(2); at < PositionOf(3); ++at) {
    log_ = whole;
    log_[at] = static_cast<char>(log_[at] ^ 16);
    EXPECT_THAT(ReadNumbers(), StatusIs(StatusCode::kCorruption, testing::_)) << at;
    EXPECT_THAT(SalvageNumbers(), ElementsAre(1, 3, 4)) << at;
    EXPECT_THAT(gaps_, ElementsAre(std::pair(PositionOf(2), PositionOf(3)))) << at;
  }
}

TEST_F(LogReaderTest, ARecordWithoutItsHeaderMayContainBytesOfARecordWithAnImpossibleNumber) {
  Add("first");
  Add(ValueWith(LogRecord(DeletionOfEverything(1)) + LogRecord(DeletionOfEverything(1'000'000)) +
                LogRecord("not a batch")));
  Add("third");
  log_.replace(PositionOf(2), 30, 30, '#');
  EXPECT_THAT(ReadNumbers(), StatusIs(StatusCode::kCorruption, testing::_));
  EXPECT_THAT(SalvageNumbers(), ElementsAre(1, 3));
}

TEST_F(LogReaderTest, ADamagedLengthInTheLastRecordIsDamage) {
  Add("first");
  Add("second");
  for (int bit = 0; bit < 16; ++bit) {
    const std::string whole = log_;
    char& byte = log_[PositionOf(2) + kLengthAt + static_cast<std::size_t>(bit / 8)];
    byte = static_cast<char>(byte ^ (1 << bit % 8));
    EXPECT_THAT(ReadNumbers(), StatusIs(StatusCode::kCorruption, testing::_)) << bit;
    log_ = whole;
  }
}

// Synced records behind a lost page prove that the page was on the disk. Bytes of a value prove
// nothing.
TEST_F(LogReaderTest, BytesOfAValueBehindALostPageAreNoSyncedRecords) {
  Add("first");
  std::string planted;
  for (std::uint64_t number = 3; number < 6; ++number) {
    planted += LogRecord(DeletionOfEverything(number, true));
  }
  Add(std::string(2 * kPage, 'x') + planted);
  std::fill_n(log_.begin() + kPage, kPage, '\0');
  EXPECT_THAT(ReadNumbers(), IsOkAndHolds(ElementsAre(1)));
  EXPECT_EQ(torn_at_, PositionOf(2));
  Add("third", true);
  EXPECT_THAT(ReadNumbers(), IsOkAndHolds(ElementsAre(1)));
  Add("fourth");
  EXPECT_THAT(ReadNumbers(), StatusIs(StatusCode::kCorruption, testing::_));
}

TEST_F(LogReaderTest, BytesOfAValueBehindALostHeaderAreNoSyncedRecords) {
  Add(std::string(kPage, 'x'));
  std::string planted;
  for (std::uint64_t number = 5000; number < 5003; ++number) {
    planted += LogRecord(DeletionOfEverything(number, true));
  }
  Add(std::string(2 * kPage, 'x') + planted);
  std::fill_n(log_.begin() + kPage, kPage, '\0');
  EXPECT_THAT(ReadNumbers(), IsOkAndHolds(ElementsAre()));
  EXPECT_EQ(torn_at_, 0u);
}

// A disk writes sectors of 512 bytes.
TEST_F(LogReaderTest, ALostSectorIsTheWorkOfAPowerCut) {
  Add("first");
  Add(std::string(kPage, 'x'));
  std::fill_n(log_.begin() + 1024, 512, '\0');
  Add("third");
  EXPECT_THAT(ReadNumbers(), IsOkAndHolds(ElementsAre(1)));
  EXPECT_EQ(torn_at_, PositionOf(2));
}

// A page that was written twice may be as it was after the first time.
TEST_F(LogReaderTest, AnEarlierStateOfAPageIsTheWorkOfAPowerCut) {
  Add("first");
  Add(std::string(2 * kPage, 'x'));
  std::fill(log_.begin() + kPage - 100, log_.begin() + kPage, '\0');
  Add("third");
  EXPECT_THAT(ReadNumbers(), IsOkAndHolds(ElementsAre(1)));
  EXPECT_EQ(torn_at_, PositionOf(2));
}

// A record that begins shortly before the end of a page loses a part of its header with this page.
TEST_F(LogReaderTest, AnEarlierStateOfAPageMayEndWithinAHeader) {
  for (std::size_t lost = 1; lost <= 16; ++lost) {
    AddBeforeEndOfPage(lost);
    std::fill_n(log_.begin() + static_cast<std::ptrdiff_t>(kPage - lost), lost, '\0');
    EXPECT_THAT(ReadNumbers(), IsOkAndHolds(ElementsAre(1, 2))) << lost;
    EXPECT_EQ(torn_at_, kPage - lost);
  }
}

// In a plain log a page without zeros has lost nothing. The decryption may have made other bytes of zeros.
TEST_F(LogReaderTest, AChangedBitShortlyBeforeTheEndOfAPageIsDamageOfAPlainLog) {
  for (std::size_t left = 1; left <= 16; ++left) {
    AddBeforeEndOfPage(left);
    log_[kPage - left] ^= 1;
    is_encrypted_ = false;
    EXPECT_THAT(ReadNumbers(), StatusIs(StatusCode::kCorruption, testing::_)) << left;
    is_encrypted_ = left < 16;
    if (!is_encrypted_) continue;
    EXPECT_THAT(ReadNumbers(), IsOkAndHolds(ElementsAre(1, 2))) << left;
  }
}

// The decryption makes arbitrary bytes of those that were never written in the block of the cipher in which the log ends.
TEST_F(LogReaderTest, ArbitraryBytesUpToTheEndOfABlockOfTheCipherAreTheWorkOfAPowerCut) {
  is_encrypted_ = true;
  for (std::size_t begin = 0; begin < 512; ++begin) {
    log_.clear();
    records_.clear();
    Add(std::string(100 + begin, 'x'));
    const std::size_t end = log_.size();
    log_.resize(kPage, '\0');
    for (std::size_t at = end; at % 16 != 0; ++at) log_[at] = static_cast<char>(at * 37 + 1);
    EXPECT_THAT(ReadNumbers(), IsOkAndHolds(ElementsAre(1)));
    EXPECT_EQ(torn_at_, end);
  }
}

// A disk that changes a bit is damaged, whatever zeros the healthy records have.
TEST_F(LogReaderTest, ZerosOfOtherRecordsAreNotTheWorkOfAPowerCut) {
  Add("first");
  Add("second");
  Add(std::string(2000, '\0'));
  Add("fourth");
  const std::string whole = log_;
  log_[PositionOf(2) + 20] ^= 1;
  EXPECT_THAT(ReadNumbers(), StatusIs(StatusCode::kCorruption, testing::_)) << "in a value";
  log_ = whole;
  log_[PositionOf(2) + kLengthAt + 1] ^= 1 << 4;  // the length now reaches into the third record
  EXPECT_THAT(ReadNumbers(), StatusIs(StatusCode::kCorruption, testing::_)) << "in a length";
}

}  // namespace
}  // namespace dolmen::engine
