// Tests that a program that uses RocksDB itself keeps the priorities of its threads.

#include <gmock/gmock.h>
#include <rocksdb/db.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "dolmen/dolmen.h"
#include "engine/storage/rocks_versions.h"
#include "tests/host/process_state.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

using testing::Contains;
using testing::StartsWith;

// A RocksDB of the program, which flushes and compacts in the background.
class OwnRocks {
 public:
  explicit OwnRocks(const std::string& directory) {
    rocksdb::Options options;
    options.create_if_missing = true;
    options.write_buffer_size = 64 << 10;
    options.level0_file_num_compaction_trigger = 2;
    db_ = test::Value(engine::OpenRocks(options, directory));
  }

  void Write(int rows) {
    const std::string value(1000, 'x');
    for (int i = 0; i < rows; ++i) EXPECT_TRUE(db_->Put({}, std::to_string(i), value).ok());
  }
  void Finish() {
    EXPECT_TRUE(db_->Flush({}).ok());
    EXPECT_TRUE(db_->CompactRange({}, nullptr, nullptr).ok());
  }

 private:
  std::unique_ptr<rocksdb::DB> db_;
};

// Returns the numbers of all threads, each once.
std::vector<std::string> DifferentNumbers(const std::vector<std::string>& threads) {
  std::vector<std::string> numbers;
  for (const std::string& thread : threads) numbers.push_back(thread.substr(thread.rfind(':')));
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

void WriteToDolmen(const Database& db, OwnRocks* own) {
  const Table table = Value(db.CreateTable({.name = "app"}));
  const std::string text(10'000, 'x');
  for (int i = 0; i < 1000; ++i) {
    ASSERT_THAT(table.PutItem({.item = {{"PK", "p"}, {"SK", std::to_string(i)}, {"t", text}}}),
                IsOk());
    if (i % 10 == 0) own->Write(10);
  }
}

TEST(ThreadPriorityTest, DatabasesOfDolmenLeaveTheThreadsOfRocksDbAlone) {
  const TempDirectory directory;
  OwnRocks own((directory / "own").string());
  own.Write(1000);
  own.Finish();
  const std::vector<std::string> before = ReadThreadPriorities();
  ASSERT_THAT(before, Contains(StartsWith("rocksdb"))) << "RocksDB has no threads to look at";
  ASSERT_EQ(DifferentNumbers(before).size(), 1u);
  {
    const Database on_disk = Value(Database::Open(
        directory / "db", {.durability = Durability::kBuffered, .write_buffer_bytes = 64 << 10}));
    const Database in_memory = Value(Database::InMemory({.write_buffer_bytes = 64 << 10}));
    WriteToDolmen(on_disk, &own);
    WriteToDolmen(in_memory, &own);
    ASSERT_GT(Value(on_disk.Stats()).table_files, 0u) << "Dolmen has flushed nothing";
    own.Finish();
    EXPECT_EQ(DifferentNumbers(ReadThreadPriorities()), DifferentNumbers(before));
  }
  EXPECT_EQ(DifferentNumbers(ReadThreadPriorities()), DifferentNumbers(before));
}

}  // namespace
}  // namespace dolmen::test
