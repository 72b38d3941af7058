// Tests of readers during concurrent writes. A reader gets each item, from the table or from an
// index, in a state that the item really had. All states on one page existed at the same moment.

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

#include "dolmen/dolmen.h"
#include "tests/concurrent/threads.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"

namespace dolmen::test {
namespace {

constexpr std::size_t kVersionedItems = 6;
constexpr std::size_t kVersionWriters = 3;
constexpr std::size_t kVersionReaders = 4;
constexpr std::size_t kVersionsPerWriter = 2'000;

// Returns the item with the number `item` in the version with the number `version`. The attributes
// "version" and "again" hold the number of the version. The length of "text" and the partition of
// GSI1, "even" or "odd", follow from it. A mix of two versions is therefore detected.
Item Version(std::size_t item, std::int64_t version) {
  return {{"PK", "items"},
          {"SK", std::to_string(item)},
          {"GSI1PK", version % 2 == 0 ? "even" : "odd"},
          {"GSI1SK", std::to_string(item)},
          {"version", version},
          {"again", version},
          // The text is long enough that a partly written item is detected.
          {"text", std::string(static_cast<std::size_t>(version % 50) * 20, 'x')}};
}

void ExpectWholeVersion(const ItemView& item) {
  const std::int64_t version = item["version"].AsInt64().value_or(-1);
  EXPECT_EQ(item["again"].AsInt64(), version) << item.ToString();
  EXPECT_EQ(item["GSI1PK"].AsString(), version % 2 == 0 ? "even" : "odd") << item.ToString();
  EXPECT_EQ(item["text"].AsString()->size(), static_cast<std::size_t>(version % 50) * 20);
  EXPECT_THAT(item.Check(), IsOk());
}

class ReadersTest : public SeededTest {
 protected:
  void SetUp() override {
    auto table = db_->CreateTable(
        {.name = "items",
         .global_secondary_indexes = {
             GlobalSecondaryIndex::Overloaded("GSI1"),
             // All items have the same PK, which is the partition key of this index. So one Query
             // reads all items, and must return each item exactly once.
             {.name = "all",
              .partition_key = {{.name = "PK"}},
              .sort_key = {{.name = "GSI1SK"}}}}});
    ASSERT_THAT(table, IsOk());
    for (std::size_t i = 0; i < kVersionedItems; ++i) {
      ASSERT_THAT(table->PutItem({.item = Version(i, 0)}), IsOk());
    }
  }

  // Runs writers and readers. Each writer increases the versions of its own items. Readers call
  // `read` until the writers end.
  template <typename Read>
  void WriteWhile(Read read) {
    const auto table = db_->OpenTable("items");
    ASSERT_THAT(table, IsOk());
    std::atomic<std::size_t> writing = kVersionWriters;
    RunTogether(kVersionWriters + kVersionReaders, [&](std::size_t thread) {
      if (thread >= kVersionWriters) {
        QueryOutput page;
        while (writing > 0 && !HasFailure()) read(*table, &page);
        return;
      }
      Random random(TestSeed() + thread);
      for (std::size_t i = 1; i <= kVersionsPerWriter; ++i) {
        const std::size_t item =
            thread + kVersionWriters * random.Below(kVersionedItems / kVersionWriters);
        const Item next = Version(item, static_cast<std::int64_t>(i));
        EXPECT_THAT(table->PutItem({.item = next}), IsOk());
      }
      --writing;
    });
  }

  Result<Database> db_ = Database::InMemory();
};

// The writers overwrite every item continuously. Every page must contain each item exactly once.
TEST_F(ReadersTest, QueryReturnsEveryItemOnceInWholeVersions) {
  for (const std::string index : {"", "all"}) {
    WriteWhile([&](const Table& table, QueryOutput* page) {
      ASSERT_THAT(table.Query({.index = index, .key_condition = Partition("items")}, page), IsOk());
      ASSERT_EQ(page->size(), kVersionedItems) << index;
      for (std::size_t i = 0; i < kVersionedItems; ++i) {
        EXPECT_EQ((*page)[i]["SK"].AsString(), std::to_string(i));
        ExpectWholeVersion((*page)[i]);
      }
    });
  }
}

// Each index entry holds a version of its item, and this version belongs to the partition of the
// entry. A partition has at most one entry of an item at any moment.
TEST_F(ReadersTest, IndexEntriesAreWholeVersionsInTheirPartition) {
  WriteWhile([](const Table& table, QueryOutput* page) {
    for (const std::string partition : {"even", "odd"}) {
      ASSERT_THAT(table.Query({.index = "GSI1", .key_condition = Partition(partition)}, page),
                  IsOk());
      std::string last;
      for (const ItemView entry : *page) {
        EXPECT_EQ(entry["GSI1PK"].AsString(), partition) << entry.ToString();
        EXPECT_LT(last, *entry["SK"].AsString());
        last = std::string(*entry["SK"].AsString());
        ExpectWholeVersion(entry);
      }
    }
  });
}

}  // namespace
}  // namespace dolmen::test
