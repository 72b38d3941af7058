// Tests that RocksDB writes no table file when it closes a database in memory.

#include "engine/storage/options.h"

#include <gmock/gmock.h>

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
