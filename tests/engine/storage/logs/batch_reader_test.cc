// Tests of the reader of batches. It agrees with RocksDB's WriteBatch, and refuses everything that
// Dolmen does not write.

#include "engine/storage/logs/batch_reader.h"

#include <gmock/gmock.h>
#include <rocksdb/write_batch.h>

#include <cstddef>
#include <string>
#include <vector>

namespace dolmen::engine {
namespace {

using testing::ElementsAre;

constexpr std::size_t kCountOffset = 8;
constexpr std::size_t kBatchHeaderBytes = 12;

// Returns a record of four entries, three of which are writes. The first write has the number 7.
std::string Record() {
  rocksdb::WriteBatch batch;
  EXPECT_TRUE(batch.Put("put", std::string(300, 'v')).ok());
  EXPECT_TRUE(batch.Delete("delete").ok());
  EXPECT_TRUE(batch.PutLogData("data").ok());
  EXPECT_TRUE(batch.DeleteRange("begin", "end").ok());
  std::string record = batch.Data();
  record[0] = 7;
  return record;
}

bool IsBatch(const std::string& record) {
  return ReadBatch(record, [](const BatchEntry&) {});
}

TEST(BatchReaderTest, ReadsTheEntriesOfABatch) {
  const std::string record = Record();
  std::vector<std::string> entries;
  EXPECT_TRUE(ReadBatch(record, [&](const BatchEntry& entry) {
    entries.push_back(std::to_string(static_cast<int>(entry.type)) + " " + std::string(entry.key) +
                      " " + std::string(entry.value.substr(0, 3)));
  }));
  EXPECT_THAT(entries, ElementsAre("1 put vvv", "0 delete ", "3 data ", "15 begin end"));
}

TEST(BatchReaderTest, ReadsTheNumbersOfABatch) {
  EXPECT_EQ(NumbersOf(Record())->first, 7);
  EXPECT_EQ(NumbersOf(Record())->count, 3);
  EXPECT_EQ(NumbersOf("short"), std::nullopt);
}

TEST(BatchReaderTest, RefusesABatchThatIsCutOff) {
  const std::string record = Record();
  for (std::size_t size = 0; size < record.size(); ++size) {
    EXPECT_FALSE(IsBatch(record.substr(0, size))) << size;
  }
}

TEST(BatchReaderTest, RefusesAWrongCount) {
  for (const char count : {'\0', '\2', '\4'}) {
    std::string record = Record();
    record[kCountOffset] = count;
    EXPECT_FALSE(IsBatch(record)) << static_cast<int>(count);
  }
}

TEST(BatchReaderTest, RefusesANumberThatRocksDbCannotStore) {
  std::string record = Record();
  record[kCountOffset - 1] = 1;
  EXPECT_FALSE(IsBatch(record));
}

// RocksDB's assertions end the process at the marks of prepared transactions.
TEST(BatchReaderTest, RefusesEntriesThatDolmenDoesNotWrite) {
  for (int type = 0; type <= 0xFF; ++type) {
    if (type == 0 || type == 1 || type == 3 || type == 15) continue;
    std::string record = Record();
    record[kBatchHeaderBytes] = static_cast<char>(type);
    EXPECT_FALSE(IsBatch(record)) << type;
  }
}

}  // namespace
}  // namespace dolmen::engine
