// Tests of indexes that are created and deleted while threads write and read. After the threads
// end, each index holds exactly the entries that follow from its table.

#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "dolmen/dolmen.h"
#include "tests/concurrent/threads.h"
#include "tests/support/contents.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {
namespace {

constexpr std::size_t kIndexWriters = 4;
constexpr std::size_t kIndexReaders = 2;
constexpr std::size_t kIndexedItems = 2'000;
constexpr std::size_t kIndexesMade = 12;

const GlobalSecondaryIndex kIndex{.name = "by_colour",
                                  .partition_key = {{"colour"}},
                                  .projection = ProjectionType::kInclude,
                                  .non_key_attributes = {"turn"}};

Item KeyOf(std::size_t i) {
  return {{"PK", "p" + std::to_string(i % 11)}, {"SK", std::to_string(i)}};
}

class BackfillTest : public SeededTest {
 protected:
  // Puts, changes and deletes items until `stop` is true.
  static void Write(const Table& table, Random random, const std::atomic<bool>& stop) {
    for (std::int64_t turn = 0; !stop; ++turn) {
      const Item key = KeyOf(random.Below(kIndexedItems));
      const std::string colour = "colour" + std::to_string(random.Below(4));
      Status done;
      if (random.OneIn(4)) {
        done = table.DeleteItem({.key = key}).status();
      } else if (random.OneIn(4)) {
        done = table.UpdateItem({.key = key, .update = Update().Remove("colour")}).status();
      } else {
        done =
            table
                .UpdateItem(
                    {.key = key,
                     .update = Update().Set("colour", colour).Set("turn", turn).Set("rest", turn)})
                .status();
      }
      ASSERT_THAT(done, IsOk());
    }
  }

  // Checks that every visible index entry is complete. The check passes, too, if the index does not
  // exist or is still being built.
  static void Read(const Table& table, Random random, const std::atomic<bool>& stop) {
    QueryOutput page;
    while (!stop) {
      const std::string colour = "colour" + std::to_string(random.Below(4));
      const Status read =
          table.Query({.index = "by_colour", .key_condition = Partition(colour)}, &page);
      if (!read.ok()) {
        ASSERT_EQ(read.code(), StatusCode::kValidation) << read.ToString();
        continue;
      }
      for (const ItemView entry : page) {
        ASSERT_EQ(entry["colour"].AsString(), colour);
        ASSERT_TRUE(entry["turn"].exists() && !entry["rest"].exists()) << entry.ToString();
      }
    }
  }

  static void ExpectIndexHoldsWhatTheTableImplies(const Table& table) {
    const Contents expected =
        Projected(ReadContents(table), "colour", {"PK", "SK", "colour", "turn"});
    EXPECT_GT(expected.size(), 0u);
    EXPECT_EQ(ReadContents(table, "by_colour"), expected);
  }

  void MakeIndexesUnderLoad(const Result<Database>& db) {
    ASSERT_THAT(db, IsOk());
    const auto table = db->CreateTable({.name = "things"});
    ASSERT_THAT(table, IsOk());
    for (std::size_t i = 0; i < kIndexedItems; ++i) {
      Item item = KeyOf(i);
      item.emplace("colour", "colour0");
      item.emplace("turn", -1);
      ASSERT_THAT(table->PutItem({.item = item}), IsOk());
    }
    for (std::size_t made = 0; made < kIndexesMade && !HasFailure(); ++made) {
      std::atomic<bool> stop = false;
      RunTogether(kIndexWriters + kIndexReaders + 1, [&](std::size_t thread) {
        Random random(TestSeed() + 100 * made + thread);
        if (thread < kIndexWriters) return Write(*table, random, stop);
        if (thread < kIndexWriters + kIndexReaders) return Read(*table, random, stop);
        EXPECT_THAT(db->UpdateTable({.name = "things", .create_index = kIndex}), IsOk());
        EXPECT_THAT(table->WaitForIndexes(), IsOk());
        stop = true;
      });
      ExpectIndexHoldsWhatTheTableImplies(*table);
      ASSERT_THAT(db->UpdateTable({.name = "things", .delete_index = "by_colour"}), IsOk());
    }
  }

  TempDirectory directory_;
};

TEST_F(BackfillTest, IndexesBuiltUnderLoadAreCompleteInMemory) {
  MakeIndexesUnderLoad(Database::InMemory());
}

TEST_F(BackfillTest, IndexesBuiltUnderLoadAreCompleteOnDisk) {
  MakeIndexesUnderLoad(Database::Open(
      directory_ / "db", {.durability = Durability::kBuffered, .write_buffer_bytes = 256 << 10}));
}

}  // namespace
}  // namespace dolmen::test
