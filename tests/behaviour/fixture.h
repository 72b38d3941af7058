// A fixture for the behaviour tests: one table in memory for all tests of a file, and partition
// keys that are unique to a test.

#pragma once

#include <dolmen/dolmen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/contents.h"
#include "tests/support/status_matchers.h"

namespace dolmen::behaviour {

using test::IsOk;
using test::IsOkAndHolds;
using test::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

inline constexpr auto kValidation = StatusCode::kValidation;
inline constexpr const char* kKeyMismatch = "The provided key element does not match the schema";
inline constexpr std::size_t kItemBytesMax = 409'600;

// Returns a partition key that no earlier call has returned.
inline std::string UniqueKey() {
  static std::atomic<int> next = 0;
  return "unique-" + std::to_string(next++);
}

class TableTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto database = Database::InMemory();
    ASSERT_THAT(database, IsOk());
    database_ = new Database(*std::move(database));
    auto table = database_->CreateTable(
        {.name = "app",
         .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1"),
                                      {.name = "ByScore",
                                       .partition_key = {{.name = "game"}},
                                       .sort_key = {{"score", AttributeType::kN}}}}});
    ASSERT_THAT(table, IsOk());
    table_ = new Table(*std::move(table));
  }
  static void TearDownTestSuite() {
    delete std::exchange(table_, nullptr);
    delete std::exchange(database_, nullptr);
  }

  static Database& database() { return *database_; }
  static const Table& table() { return *table_; }

  static void Put(const Item& item) { EXPECT_THAT(table().PutItem({.item = item}), IsOk()); }

  // Returns the item, or an empty item if the item does not exist.
  static Item Get(const Item& key) {
    const auto got = table().GetItem({.key = key});
    EXPECT_THAT(got, IsOk());
    if (!got.ok() || !got->item) return {};
    auto copy = got->item->Copy();
    EXPECT_THAT(copy, IsOk());
    return *copy;
  }

  // Returns the attributes that a write returned, or an empty item if it returned none.
  static Item Returned(const Result<WriteItemOutput>& output) {
    EXPECT_THAT(output, IsOk());
    if (!output.ok() || !output->attributes) return {};
    auto copy = output->attributes->Copy();
    EXPECT_THAT(copy, IsOk());
    return *copy;
  }

  // Returns the sort keys of the items on all pages of a query.
  static std::vector<std::string> SortKeys(const QueryInput& input) {
    return test::SortKeys(table(), input);
  }

 private:
  inline static Database* database_ = nullptr;
  inline static Table* table_ = nullptr;
};

}  // namespace dolmen::behaviour
