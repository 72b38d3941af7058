#include "engine/repair/table_source.h"

#include <gtest/gtest.h>
#include <rocksdb/sst_file_writer.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "engine/storage/options.h"
#include "tests/support/random.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::engine {
namespace {

constexpr int kTableKeys = 3000;
constexpr std::size_t kBytesBeforeTail = 200;  // the footer, the metaindex and a part of the index

// A table file whose values can be compressed to a part of their size.
class TableSourceTest : public test::SeededTest {
 protected:
  TableSourceTest() {
    rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), RocksOptions({}, nullptr));
    EXPECT_TRUE(writer.Open(path_).ok());
    for (int i = 0; i < kTableKeys; ++i) {
      std::string value;
      while (value.size() < 100) value.push_back(static_cast<char>('a' + random_.Below(20)));
      keys_.push_back(std::string("\0\0\0\x10key", 7) + std::to_string(10'000 + i));
      EXPECT_TRUE(writer.Put(keys_.back(), value).ok());
    }
    EXPECT_TRUE(writer.DeleteRange("range begin", "range end").ok());
    EXPECT_TRUE(writer.Finish().ok());
    std::ifstream file(path_, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    const auto source = OpenSource();
    places_ = source->places();
    EXPECT_GT(places_.size(), 3u);
  }

  std::unique_ptr<TableSource> OpenSource() {
    gaps_.clear();
    return TableSource::Open(&files_, {.path = path_, .first = "", .last = "zzz"},
                             [&](const FileGap& gap) { gaps_.push_back(gap); });
  }

  // Reads the file with these bytes. Returns the keys that can be read.
  std::vector<std::string> ReadKeys(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary) << bytes;
    const auto source = OpenSource();
    std::vector<std::string> keys;
    for (; source->current() != nullptr; source->Next()) keys.push_back(source->current()->key);
    deleted_ = source->deleted().size();
    return keys;
  }

  test::TempDirectory directory_;
  RepairFiles files_{rocksdb::FileSystem::Default(), {}};
  const std::string path_ = directory_ / "1.sst";
  std::string bytes_;
  std::vector<std::string> keys_;
  std::vector<BlockPlace> places_;
  std::vector<FileGap> gaps_;
  std::size_t deleted_ = 0;
};

TEST_F(TableSourceTest, ASoundFileIsReadAsAWhole) {
  EXPECT_EQ(ReadKeys(bytes_), keys_);
  EXPECT_EQ(deleted_, 1u);
  EXPECT_TRUE(gaps_.empty());
}

TEST_F(TableSourceTest, TheFileIsOpenOnlyDuringARead) {
  const auto open_files = [] {
    const std::filesystem::directory_iterator files("/proc/self/fd");
    return std::distance(begin(files), end(files));
  };
  const auto before = open_files();
  const auto source = OpenSource();
  ASSERT_NE(source->current(), nullptr);
  EXPECT_EQ(open_files(), before);
}

TEST_F(TableSourceTest, AFileWithoutItsEndHasAllBlocksBeforeThat) {
  std::string damaged = bytes_;
  damaged.resize(bytes_.size() - kBytesBeforeTail);
  EXPECT_EQ(ReadKeys(damaged), keys_);
  EXPECT_EQ(gaps_.size(), 1u);
}

TEST_F(TableSourceTest, ADamagedBlockIsAGapBetweenItsNeighbours) {
  // Case 0 has the index. In case 1 the footer is lost, and the blocks are found by their
  // checksums.
  for (const bool has_lost_footer : {false, true}) {
    std::string damaged = bytes_;
    const BlockPlace& block = places_[1];
    damaged[block.offset + block.size / 2] ^= 1;
    if (has_lost_footer) damaged.pop_back();
    const std::vector<std::string> found = ReadKeys(damaged);
    ASSERT_EQ(gaps_.size(), has_lost_footer ? 2u : 1u);
    std::vector<std::string> expected;
    for (const std::string& key : keys_) {
      if (key <= gaps_[0].first || key >= *gaps_[0].last) expected.push_back(key);
    }
    EXPECT_EQ(found, expected);
    EXPECT_LT(found.size(), keys_.size());
    EXPECT_GT(found.size(), keys_.size() / 2);
    EXPECT_EQ(deleted_, 1u);
  }
}

// The blocks lie before and behind a hole that is larger than the part of the file that is read at
// once.
TEST_F(TableSourceTest, ALargeFileWithoutItsIndexIsReadInParts) {
  const std::string blocks = bytes_.substr(0, places_[1].offset);
  const std::string hole(2 * kFoundBytesMax + 1000, '\0');
  const std::string rest = bytes_.substr(places_[1].offset);
  EXPECT_EQ(ReadKeys(blocks + hole + rest.substr(0, rest.size() - 1)), keys_);
}

TEST_F(TableSourceTest, ASearchForBlocksEndsWithTheRepair) {
  int asked = 0;
  RepairFiles ended(rocksdb::FileSystem::Default(), [&] { return ++asked < 5; });
  std::ofstream(path_, std::ios::binary) << "no table file";
  std::filesystem::resize_file(path_, std::uintmax_t{1} << 40);
  const auto source = TableSource::Open(&ended, {.path = path_}, [](const FileGap&) {});
  EXPECT_EQ(source->current(), nullptr);
  EXPECT_TRUE(ended.ended());
}

TEST_F(TableSourceTest, AnyDamageLeavesTheOtherBlocks) {
  for (std::size_t i = 0; i < test::TestSteps(30); ++i) {
    std::string damaged = bytes_;
    const std::size_t begin = random_.Below(bytes_.size());
    const std::size_t end = std::min(bytes_.size(), begin + random_.Below(5000) + 1);
    const bool zeros = random_.OneIn(2);
    for (std::size_t at = begin; at < end; ++at) {
      damaged[at] = zeros ? '\0' : static_cast<char>(random_.Next());
    }
    std::size_t lost_blocks = 0;
    for (const BlockPlace& place : places_) {
      lost_blocks += begin < place.end() && place.offset < end ? 1 : 0;
    }
    const std::size_t found = ReadKeys(damaged).size();
    // Each block but the last has about the same number of keys.
    const std::size_t in_block = keys_.size() / (places_.size() - 1) + 50;
    EXPECT_GE(found + lost_blocks * in_block, keys_.size()) << begin << " to " << end;
    EXPECT_TRUE(found == keys_.size() || !gaps_.empty()) << begin << " to " << end;
  }
}

}  // namespace
}  // namespace dolmen::engine
