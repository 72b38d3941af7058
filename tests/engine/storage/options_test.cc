// Tests that RocksDB writes no table file when it closes a database in memory, and reads table files with
// unknown properties.

#include "engine/storage/options.h"

#include <gmock/gmock.h>
#include <rocksdb/table_properties.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/key/encoded_key.h"
#include "engine/storage/files/directory.h"
#include "engine/storage/files/memory_files.h"
#include "engine/storage/rocks_versions.h"
#include "engine/storage/store.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::engine {
namespace {

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

class CollectorOfUnknownProperty : public rocksdb::TablePropertiesCollector {
 public:
  rocksdb::Status Finish(rocksdb::UserCollectedProperties* properties) override {
    (*properties)["dolmen.greatest_sort_keys"] = "MSG#5";
    return {};
  }
  rocksdb::UserCollectedProperties GetReadableProperties() const override { return {}; }
  const char* Name() const override { return "unknown"; }
};

class FactoryOfUnknownProperty : public rocksdb::TablePropertiesCollectorFactory {
 public:
  rocksdb::TablePropertiesCollector* CreateTablePropertiesCollector(Context) override {
    return new CollectorOfUnknownProperty();
  }
  const char* Name() const override { return "unknown"; }
};

TEST(OptionsTest, ATableFileWithAnUnknownPropertyIsRead) {
  const test::TempDirectory directory;
  const StoreOptions options{.directory = directory / "db"};
  ASSERT_THAT(PrepareDirectory(options.directory, true), test::IsOk());
  rocksdb::Options rocks = RocksOptions(options, nullptr);
  rocks.table_properties_collector_factories.push_back(
      std::make_shared<FactoryOfUnknownProperty>());
  const EncodedKey key(KeyspaceId::kFirst);
  {
    const std::unique_ptr<rocksdb::DB> db = test::Value(OpenRocks(rocks, options.directory));
    ASSERT_TRUE(db->Put({}, std::string(key.bytes()), "value").ok());
    ASSERT_TRUE(db->Flush({}).ok());
  }
  const auto store = test::Value(Store::Open(options));
  PinnedValue value;
  EXPECT_THAT(store->Get(key, &value), test::IsOkAndHolds(true));
  EXPECT_EQ(value.ToString(), "value");
  for (const TableFile& file : store->TableFiles())
    EXPECT_THAT(store->CheckFile(file), test::IsOk());
  EXPECT_THAT(store->Compact(), test::IsOk());
}

}  // namespace
}  // namespace dolmen::engine
