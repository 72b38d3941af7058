#include "engine/storage/files/table_tail.h"

#include <gmock/gmock.h>
#include <rocksdb/sst_file_writer.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "engine/storage/options.h"
#include "tests/support/temp_directory.h"

namespace dolmen::engine {
namespace {

class TableTailTest : public testing::Test {
 protected:
  TableTailTest() {
    rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), RocksOptions({}, nullptr));
    EXPECT_TRUE(writer.Open(path_).ok());
    for (int i = 1000; i < 1100; ++i) EXPECT_TRUE(writer.Put(std::to_string(i), "value").ok());
    EXPECT_TRUE(writer.Finish().ok());
    std::ifstream file(path_, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }

  // Checks the tail of a file with these bytes.
  rocksdb::IOStatus Check(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary) << bytes;
    std::unique_ptr<rocksdb::FSRandomAccessFile> file;
    EXPECT_TRUE(
        rocksdb::FileSystem::Default()->NewRandomAccessFile(path_, {}, &file, nullptr).ok());
    return CheckTableTail(*file, bytes.size());
  }

  test::TempDirectory directory_;
  const std::string path_ = directory_ / "1.sst";
  std::string bytes_;
};

TEST_F(TableTailTest, ASoundFileIsAccepted) { EXPECT_TRUE(Check(bytes_).ok()); }

TEST_F(TableTailTest, EachFlippedBitOfTheFooterTheMetaindexAndThePropertiesIsFound) {
  // The bytes from the first property on: the properties, the metaindex and the footer.
  const std::size_t start = bytes_.find("rocksdb.block.based.table");
  ASSERT_NE(start, bytes_.npos);
  // The second place in the footer is that of the index block. RocksDB checks the checksum of the
  // block that it finds there.
  const std::size_t footer = bytes_.size() - 53;
  std::size_t missed = 0;
  for (std::size_t bit = 8 * start; bit < 8 * bytes_.size(); ++bit) {
    std::string damaged = bytes_;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    const rocksdb::IOStatus found = Check(damaged);
    if (found.IsCorruption()) continue;
    ++missed;
    EXPECT_GT(bit / 8, footer) << "bit " << bit << ": " << found.ToString();
    EXPECT_LT(bit / 8, footer + 9) << "bit " << bit << ": " << found.ToString();
  }
  EXPECT_LT(missed, 8u * 4u);
}

TEST_F(TableTailTest, AFileThatLostItsEndOrItsMiddleIsDamaged) {
  for (std::size_t left = 0; left < bytes_.size(); ++left) {
    EXPECT_TRUE(Check(bytes_.substr(0, left)).IsCorruption()) << left;
  }
  EXPECT_TRUE(Check(bytes_.substr(1)).IsCorruption());
}

}  // namespace
}  // namespace dolmen::engine
