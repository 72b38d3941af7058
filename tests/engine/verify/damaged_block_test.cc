// Tests of how much of a database Verify checks if a block of a table file cannot be read.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "engine/verify/verify.h"
#include "engine/write/atomic_write.h"
#include "tests/support/encrypted_run.h"
#include "tests/support/files.h"
#include "tests/support/intercepted_disk.h"
#include "tests/support/items.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::engine {
namespace {

namespace fs = std::filesystem;
using test::IsOk;
using test::Value;
using testing::ContainsRegex;
using testing::HasSubstr;

constexpr std::uint64_t kStoredItems = 2'000;
constexpr std::uint64_t kItemsPerBlock = 150;  // the maximum: a block has 32 KB, an item 250 bytes

// A file system that cannot read one byte of a file.
class DiskWithBadByte : public test::InterceptedDisk {
 public:
  DiskWithBadByte(fs::path file, std::uint64_t at) : file_(std::move(file)), at_(at) {}

  rocksdb::IOStatus Intercept(const test::DiskCall& call,
                              const test::PerformCall& perform) override {
    const bool is_bad = call.kind == test::DiskCall::Kind::kRead && call.offset <= at_ &&
                        at_ < call.offset + call.bytes &&
                        fs::path(call.path).filename() == file_.filename();
    return is_bad ? rocksdb::IOStatus::IOError("Input/output error") : perform(call.bytes);
  }

 private:
  const fs::path file_;
  const std::uint64_t at_;
};

class DamagedBlockTest : public test::SeededTest {
 protected:
  Engine& OpenToWrite() {
    engine_ = Value(test::OpenEngine(path_, {.durability = Durability::kBuffered}));
    return *engine_;
  }

  void Put(Engine& engine, std::size_t number) {
    std::string text;  // random, so that it cannot be compressed
    while (text.size() < 200) text.push_back(static_cast<char>('!' + random_.Below(90)));
    const std::string sort = std::to_string(10'000 + number);
    const LiveTableRef table = Value(engine.catalog().Find("things"));
    const Item item = {{"PK", "p"}, {"SK", sort}, {"g", "G"}, {"text", text}};
    ASSERT_THAT(WriteItem(engine.write_context(), *table, PutItemInput{.item = item}), IsOk());
  }

  // Creates a database in one table file. The file holds rows, then the entries of an index, then
  // the records of a stream, each about as large as the others.
  void CreateDatabase() {
    Engine& engine = OpenToWrite();
    CreateTableInput input{.name = "things"};
    input.global_secondary_indexes = {{.name = "by_g", .partition_key = {{"g"}}}};
    input.stream_specification = StreamSpecification{.view_type = StreamViewType::kNewImage};
    ASSERT_THAT(engine.catalog().Create(input), IsOk());
    for (std::size_t i = 0; i < kStoredItems; ++i) Put(engine, i);
    ASSERT_THAT(engine.store().Compact(), IsOk());
    engine_.reset();
    file_ = test::LargestFile(path_, ".sst");
    ASSERT_FALSE(file_.empty());
  }

  Result<VerifyOutput> RunVerify(const VerifyProgressHandler& progress = {}) {
    engine_.reset();
    const OpenOptions options{.read_only = true};
    StoreOptions store = Engine::StoreOptionsFor(path_, options);
    store.encryption_key = test::KeyInThisRun(path_);
    store.file_system = disk_;
    Result<std::shared_ptr<Engine>> engine = Engine::OpenStore(store, options);
    if (!engine.ok()) return engine.status();
    engine_ = *std::move(engine);
    return Verify(engine_->store(), engine_->catalog().Tables(), {}, progress);
  }

  static void ExpectAllButOneBlockOfItems(const VerifyOutput& output) {
    EXPECT_LT(output.items, kStoredItems);
    EXPECT_GE(output.items, kStoredItems - kItemsPerBlock);
    EXPECT_EQ(output.index_entries, kStoredItems);
    EXPECT_EQ(output.stream_records, kStoredItems);
  }

  static std::size_t CountGaps(const VerifyOutput& output) {
    return static_cast<std::size_t>(
        std::ranges::count_if(output.findings, [](const VerifyFinding& finding) {
          return finding.message.find("checksum mismatch") != std::string::npos &&
                 finding.message.find("can't be read") != std::string::npos;
        }));
  }

  const test::TempDirectory directory_;
  const fs::path path_ = directory_ / "db";
  fs::path file_;
  std::shared_ptr<rocksdb::FileSystem> disk_;  // null: the operating system's
  std::shared_ptr<Engine> engine_;
};

TEST_F(DamagedBlockTest, OneBadBlockHidesOnlyItsOwnItems) {
  CreateDatabase();
  test::FlipBit(file_, 0.15);
  const VerifyOutput output = Value(RunVerify());
  ExpectAllButOneBlockOfItems(output);
  ASSERT_EQ(output.finding_count, 2u);
  EXPECT_THAT(output.findings[0].message, HasSubstr(".sst"));
  EXPECT_EQ(output.findings[1].table, "things");
  EXPECT_THAT(output.findings[1].message,
              ContainsRegex(R"(^items between \{PK: "p", SK: "1[0-9]+"\} and )"
                            R"(\{PK: "p", SK: "1[0-9]+"\} can't be read: .*\.sst)"));
}

TEST_F(DamagedBlockTest, EachBadBlockIsFound) {
  CreateDatabase();
  for (const double part : {0.1, 0.2, 0.3}) test::FlipBit(file_, part);
  const VerifyOutput output = Value(RunVerify());
  EXPECT_EQ(CountGaps(output), 3u);
  EXPECT_LT(output.items, kStoredItems);
  EXPECT_GE(output.items, kStoredItems - 3 * kItemsPerBlock);
}

// The test flips one bit at a time, at positions in the whole file. Some of the damaged blocks hold
// rows and index entries, or index entries and stream records.
TEST_F(DamagedBlockTest, AFlippedBitHidesAtMostItsBlock) {
  CreateDatabase();
  std::size_t opened = 0;
  for (double part = 0.01; part < 0.98; part += 0.03) {
    test::FlipBit(file_, part);
    const Result<VerifyOutput> output = RunVerify();
    test::FlipBit(file_, part);
    if (!output.ok()) continue;  // the catalog is in that block
    ++opened;
    EXPECT_GE(output->items + output->index_entries + output->stream_records,
              3 * kStoredItems - kItemsPerBlock)
        << part;
    EXPECT_GE(CountGaps(*output), 1u) << part;
  }
  EXPECT_GE(opened, 28u);
  const VerifyOutput sound = Value(RunVerify());
  EXPECT_EQ(sound.finding_count, 0u);
}

// A gap is a range of keys that Verify cannot read. Here one block is unreadable. Other files hold
// newer rows, and some of their blocks begin within the key range of the unreadable block. Verify
// must still report one gap, not several.
TEST_F(DamagedBlockTest, ABadBlockBeneathNewerFilesIsOneGap) {
  CreateDatabase();
  std::uint64_t newer = 0;
  for (std::size_t number = 5; number < kStoredItems; number += 7) {
    if (engine_ == nullptr) OpenToWrite();
    Put(*engine_, number);
    // Closes the engine. When the test opens it again, RocksDB writes the new rows to a table file.
    if (++newer % 100 == 0) engine_.reset();
  }
  engine_.reset();
  test::FlipBit(file_, 0.15);
  const VerifyOutput output = Value(RunVerify());
  EXPECT_EQ(CountGaps(output), 1u);
  EXPECT_GE(output.items, kStoredItems - kItemsPerBlock);
}

TEST_F(DamagedBlockTest, AnUnreadableByteIsFoundAndHidesOnlyItsBlock) {
  CreateDatabase();
  disk_ = std::make_shared<DiskWithBadByte>(file_, fs::file_size(file_) / 7);
  const VerifyOutput output = Value(RunVerify());
  ExpectAllButOneBlockOfItems(output);
  ASSERT_EQ(output.finding_count, 2u);
  EXPECT_THAT(output.findings[0].message,
              ContainsRegex(R"(^reading .*\.sst: .*Input/output error)"));
  EXPECT_EQ(output.findings[1].table, "things");
  EXPECT_THAT(output.findings[1].message,
              ContainsRegex("^items between .* can't be read: .*Input/output error"));
}

// Verify needs much time to skip very many unreadable blocks. So Verify also calls the progress
// handler while it skips them.
TEST_F(DamagedBlockTest, StopsWithinAGapWhenTheHandlerReturnsFalse) {
  CreateDatabase();
  for (double part = 0.05; part < 0.3; part += 0.01) test::FlipBit(file_, part);
  int told = 0;
  const VerifyOutput output = Value(RunVerify(
      [&](const VerifyProgress& progress) { return progress.table.empty() || ++told < 5; }));
  EXPECT_FALSE(output.complete);
  EXPECT_LT(output.items, 1000u) << "the handler is called after 1000 items even without a gap";
  EXPECT_EQ(output.index_entries, 0u);
  EXPECT_EQ(CountGaps(output), 1u);
}

TEST_F(DamagedBlockTest, VerifyDoesNotFillTheCache) {
  CreateDatabase();
  const VerifyOutput output = Value(RunVerify());
  EXPECT_EQ(output.finding_count, 0u);
  // Verify has read more than 1 MB of data. None of this data may stay in the cache. The cache
  // holds only the filters and index blocks that RocksDB loads when it opens the files.
  EXPECT_LT(Value(engine_->Stats()).cache_bytes, 200'000u);
}

}  // namespace
}  // namespace dolmen::engine
