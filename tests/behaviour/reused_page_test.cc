// Tests of outputs that a caller passes to several reads. The next read reuses the memory of the
// output. So a Query into a reused page needs the same number of allocations for a thousand items
// as for ten items. If the database is on disk, the tests allow some more allocations: RocksDB
// allocates memory for each block that it reads into its block cache.

#include <filesystem>
#include <optional>

#include "engine/engine.h"
#include "tests/behaviour/fixture.h"
#include "tests/support/allocations.h"
#include "tests/support/encrypted_run.h"
#include "tests/support/temp_directory.h"

namespace dolmen::behaviour {
namespace {

constexpr int kItems = 2000;

Item Message(int i) {
  return {{"PK", "p"}, {"SK", i}, {"body", std::string(200, 'x')}, {"n", i % 10}};
}

CreateTableInput NumberedTable() {
  return {.name = "app", .sort_key = KeyAttribute{"SK", AttributeType::kN}};
}

void Fill(const Table& table) {
  for (int i = 0; i < kItems; ++i) ASSERT_THAT(table.PutItem({.item = Message(i)}), IsOk());
}

class ReusedPageTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::kCountsAllocations)
      GTEST_SKIP() << "the sanitizers' operator new counts no allocations";
  }

  // Runs the same Query of `limit` items three times into one page. Returns the number of
  // allocations of the third run.
  static std::size_t Allocations(const Table& table, QueryInput input, std::uint32_t limit) {
    input.key_condition = Partition("p");
    input.limit = limit;
    QueryOutput page;
    EXPECT_THAT(table.Query(input, &page), IsOk());
    EXPECT_THAT(table.Query(input, &page), IsOk());
    const std::size_t before = test::AllocationCount();
    const Status read = table.Query(input, &page);
    const std::size_t count = test::AllocationCount() - before;
    EXPECT_THAT(read, IsOk());
    EXPECT_EQ(page.scanned_count(), limit);
    return count;
  }

  static constexpr std::size_t kRowBytes = 250;
  static constexpr std::size_t kBlockBytes = 32 << 10;

  static void ExpectConstant(const Table& table, std::size_t allocations_per_block) {
    const QueryInput whole;
    const QueryInput backward = {.forward = false};
    const QueryInput filtered = {.filter = "n = :n", .values = {{":n", 3}}};
    const QueryInput projected = {.projection = "body"};
    for (const QueryInput& input : {whole, backward, filtered, projected}) {
      const std::size_t few = Allocations(table, input, 10);
      EXPECT_LT(few, 30U);
      for (const std::uint32_t limit : {100U, 1000U}) {
        const std::size_t blocks = limit * kRowBytes / kBlockBytes + 2;
        EXPECT_LE(Allocations(table, input, limit), few + blocks * allocations_per_block);
      }
    }
  }
};

TEST_F(ReusedPageTest, AQueryInMemoryTakesAConstantNumberOfAllocations) {
  auto database = Database::InMemory();
  ASSERT_THAT(database, IsOk());
  const auto table = database->CreateTable(NumberedTable());
  ASSERT_THAT(table, IsOk());
  Fill(*table);
  ExpectConstant(*table, 0);
}

TEST_F(ReusedPageTest, AQueryOfFilesTakesAConstantNumberOfAllocationsPerBlock) {
  const test::TempDirectory directory;
  const OpenOptions options = {.durability = Durability::kBuffered};
  {
    auto database = Database::Open(directory / "db", options);
    ASSERT_THAT(database, IsOk());
    const auto table = database->CreateTable(NumberedTable());
    ASSERT_THAT(table, IsOk());
    Fill(*table);
  }
  {
    auto engine = test::OpenEngine(directory / "db", options);
    ASSERT_THAT(engine, IsOk());
    ASSERT_THAT((*engine)->store().Compact(), IsOk());
  }
  auto database = Database::Open(directory / "db", options);
  ASSERT_THAT(database, IsOk());
  const auto table = database->OpenTable("app");
  ASSERT_THAT(table, IsOk());
  constexpr std::size_t kRocksDbsOwn = 2;
  ExpectConstant(*table, kRocksDbsOwn);
}

// A GetItem into a reused output overwrites the previous item.
TEST_F(ReusedPageTest, GetItemIntoAReusedOutputTakesAtMostTwoAllocations) {
  auto database = Database::InMemory();
  ASSERT_THAT(database, IsOk());
  const auto table = database->CreateTable(NumberedTable());
  ASSERT_THAT(table, IsOk());
  Fill(*table);
  GetItemInput input = {.key = {{"PK", "p"}, {"SK", 0}}};
  GetItemOutput output;
  // The second read adds the item to the row cache.
  for (int i = 0; i < 3; ++i) ASSERT_THAT(table->GetItem(input, &output), IsOk());
  const std::size_t first = test::AllocationCount();
  const Status read = table->GetItem(input, &output);
  const std::size_t allocations = test::AllocationCount() - first;
  EXPECT_THAT(read, IsOk());
  EXPECT_LE(allocations, 2U);
  EXPECT_EQ(*output.item->Copy(), Message(0));
}

using ReusedOutputTest = TableTest;

// Each read replaces the item of the output. A read that fails or finds no item clears the output.
TEST_F(ReusedOutputTest, GetItemReplacesTheItem) {
  const Item key = {{"PK", UniqueKey()}, {"SK", "s"}};
  Item item = key;
  item["a"] = "long enough to need memory of its own";
  Put(item);
  GetItemOutput output;
  ASSERT_THAT(table().GetItem({.key = key}, &output), IsOk());
  EXPECT_EQ(*output.item->Copy(), item);
  ASSERT_THAT(table().GetItem({.key = key, .projection = "SK"}, &output), IsOk());
  EXPECT_EQ(*output.item->Copy(), (Item{{"SK", "s"}}));
  ASSERT_THAT(table().GetItem({.key = key}, &output), IsOk());
  ASSERT_THAT(table().GetItem({.key = {{"PK", UniqueKey()}, {"SK", "s"}}}, &output), IsOk());
  EXPECT_FALSE(output.item);
  ASSERT_THAT(table().GetItem({.key = key}, &output), IsOk());
  EXPECT_THAT(table().GetItem({.key = {}}, &output), StatusIs(kValidation, kKeyMismatch));
  EXPECT_FALSE(output.item);
}

// If a caller passes a filled page to Query, the page afterwards holds only the items of the new
// Query. After an error the page is empty.
TEST_F(ReusedOutputTest, QueryReplacesTheItems) {
  const std::string partition = UniqueKey();
  for (const char* sort : {"a", "b", "c", "d", "e"}) Put({{"PK", partition}, {"SK", sort}});
  const QueryInput five = {.key_condition = Partition(partition)};
  QueryOutput page;
  ASSERT_THAT(table().Query(five, &page), IsOk());
  EXPECT_EQ(page.size(), 5u);
  ASSERT_THAT(table().Query({.key_condition = Partition(partition), .limit = 1}, &page), IsOk());
  EXPECT_EQ(page.size(), 1u);
  EXPECT_THAT(table().Query({.key_condition = Partition(1)}, &page),
              StatusIs(kValidation, testing::_));
  EXPECT_EQ(page.size(), 0u);
  EXPECT_TRUE(page.last_evaluated_key().empty());
}

}  // namespace
}  // namespace dolmen::behaviour
