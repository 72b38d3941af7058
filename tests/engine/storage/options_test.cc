// Tests that RocksDB keeps the place of the last insertion for busy prefixes only, and writes no table
// file when it closes a database in memory.

#include "engine/storage/options.h"

#include <gmock/gmock.h>
#include <rocksdb/slice_transform.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/key/encoded_key.h"
#include "engine/storage/files/memory_files.h"
#include "engine/storage/store.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::engine {
namespace {

std::string Row(const std::string& partition, const std::string& sort) {
  EncodedKey key(KeyspaceId::kFirst);
  key.AppendTerminated(partition);
  key.AppendRaw(sort);
  return std::string(key.bytes());
}

class BusyPrefixesTest : public testing::Test {
 protected:
  // Tells the transform of `count` insertions. Returns whether the last one had a hint.
  bool Insert(const std::string& key, int count) {
    bool hinted = false;
    for (int i = 0; i < count; ++i) hinted = hints_->InDomain(key);
    return hinted;
  }

  const std::shared_ptr<const rocksdb::SliceTransform> hints_ =
      RocksOptions({}, nullptr).memtable_insert_with_hint_prefix_extractor;
};

TEST_F(BusyPrefixesTest, TheFifthInsertionOfAKindHasAHint) {
  EXPECT_FALSE(Insert(Row("chat#1", "MSG#1"), 4));
  EXPECT_TRUE(Insert(Row("chat#1", "MSG#2"), 1));
  EXPECT_TRUE(Insert(Row("chat#1", "MSG#0"), 100));
}

TEST_F(BusyPrefixesTest, EachPartitionAndEachKindIsCountedAlone) {
  EXPECT_TRUE(Insert(Row("chat#1", "MSG#1"), 5));
  EXPECT_FALSE(Insert(Row("chat#2", "MSG#1"), 4));
  EXPECT_FALSE(Insert(Row("chat#1", "PARTICIPANT#1"), 4));
  EXPECT_TRUE(Insert(Row("chat#1", "MSG#2"), 1));
}

TEST_F(BusyPrefixesTest, PartitionsWithFewRowsHaveNoHints) {
  int hinted = 0;
  for (int i = 0; i < 100000; ++i) hinted += Insert(Row("user#" + std::to_string(i), ""), 4);
  EXPECT_EQ(hinted, 0);
}

TEST_F(BusyPrefixesTest, ThePrefixIsThePartitionAndTheBeginOfTheSortKey) {
  EXPECT_EQ(hints_->Transform(Row("chat#1", "MSG#1")).ToString(), Row("chat#1", "MSG#"));
  EXPECT_EQ(hints_->Transform(Row("chat#1", "1")).ToString(), Row("chat#1", ""));
}

TEST_F(BusyPrefixesTest, TheBeginOfARangeDeletionHasNoHint) {
  EncodedKey begin(KeyspaceId::kFirst);
  begin.AppendBigEndian(1);
  ASSERT_EQ(begin.bytes().size(), kRangeBeginBytesMax);
  EXPECT_FALSE(Insert(std::string(begin.bytes()), 10));
}

TEST(OptionsInMemoryTest, ClosingWritesNoTableFile) {
  const auto directory = std::make_shared<const MemoryDirectory>(MemoryFiles::Create());
  auto store = test::Value(
      Store::Open({.in_memory = true, .memory = directory, .write_buffer_bytes = 8 << 20}));
  WriteBatch batch;
  batch.Put(EncodedKey(KeyspaceId::kFirst), "value");
  ASSERT_THAT(store->Write(std::move(batch)), test::IsOk());
  store.reset();
  std::vector<std::string> names;
  ASSERT_TRUE(directory->files()->GetChildren(directory->path(), {}, &names, nullptr).ok());
  EXPECT_THAT(names, testing::Not(testing::Contains(testing::EndsWith(".sst"))));
}

}  // namespace
}  // namespace dolmen::engine
