// Tests that RocksDB's threads give way to those of the program.

#include "engine/storage/thread_priority.h"

#ifdef __linux__
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "engine/key/encoded_key.h"
#include "engine/storage/files/memory_files.h"
#include "engine/storage/store.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::engine {
namespace {

// Returns the largest nice value of RocksDB's threads in this process.
int NicenessOfRocksDb() {
  int niceness = -20;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::getline(std::ifstream(task.path() / "comm"), name);
    if (!name.starts_with("rocksdb")) continue;
    const int thread = std::stoi(task.path().filename());
    niceness = std::max(niceness, getpriority(PRIO_PROCESS, static_cast<id_t>(thread)));
  }
  return niceness;
}

TEST(ThreadPriorityTest, RocksDbFlushesAtALowerPriorityThanTheProgram) {
  const auto directory = std::make_shared<const MemoryDirectory>(MemoryFiles::Create());
  auto store = test::Value(Store::Open({.in_memory = true, .memory = directory}));
  WriteBatch batch;
  batch.Put(EncodedKey(KeyspaceId::kFirst), "value");
  ASSERT_THAT(store->Write(std::move(batch)), test::IsOk());
  ASSERT_THAT(store->Compact(), test::IsOk());
  const int own = getpriority(PRIO_PROCESS, 0);
  EXPECT_EQ(NicenessOfRocksDb(), std::min(own + 10, 19));
}

}  // namespace
}  // namespace dolmen::engine
#endif
