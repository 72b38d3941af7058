// A fixture for requests on several tables. It adds a table "numbers", which has a number as its
// partition key and no sort key.

#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/behaviour/one_item.h"

namespace dolmen::behaviour {

class SeveralTablesTest : public OneItemTest {
 protected:
  static void SetUpTestSuite() {
    OneItemTest::SetUpTestSuite();
    auto numbers = database().CreateTable(
        {.name = "numbers", .partition_key = {"id", AttributeType::kN}, .sort_key = std::nullopt});
    ASSERT_THAT(numbers, IsOk());
    numbers_ = new Table(*std::move(numbers));
  }
  static void TearDownTestSuite() {
    delete std::exchange(numbers_, nullptr);
    OneItemTest::TearDownTestSuite();
  }

  static const Table& numbers() { return *numbers_; }

  // Returns a number that begins a range of 1000 keys of numbers(). No other call returns a number
  // in this range.
  static int UniqueNumber() {
    static std::atomic<int> next = 0;
    return next += 1000;
  }

  // Returns the handle of a deleted table.
  static Table Deleted() {
    auto table = database().CreateTable({.name = "deleted"});
    EXPECT_THAT(table, IsOk());
    EXPECT_THAT(database().DeleteTable("deleted"), IsOk());
    return *std::move(table);
  }

  // Returns a table that belongs to another database than the fixture's. The table keeps its own
  // database open.
  static Table Stranger() {
    auto database = Database::InMemory();
    EXPECT_THAT(database, IsOk());
    auto table = database->CreateTable({.name = "stranger"});
    EXPECT_THAT(table, IsOk());
    return *std::move(table);
  }

  // Returns `count` keys of table() with the sort keys "0", "1", ...
  std::vector<Item> Keys(int count) const {
    std::vector<Item> keys;
    for (int i = 0; i < count; ++i) keys.push_back(Key(std::to_string(i)));
    return keys;
  }

  // Returns `count` keys of the table numbers(). The keys are the numbers `first`, `first` + 1, ...
  static std::vector<Item> NumberKeys(int first, int count) {
    std::vector<Item> keys;
    for (int i = 0; i < count; ++i) keys.push_back({{"id", first + i}});
    return keys;
  }

  // Returns the item of numbers() with this id, or an empty item if it does not exist.
  static Item GetNumber(int id) {
    const auto got = numbers().GetItem({.key = {{"id", id}}});
    EXPECT_THAT(got, IsOk());
    return got.ok() && got->item ? *got->item->Copy() : Item{};
  }

 private:
  inline static Table* numbers_ = nullptr;
};

inline std::vector<Item> Copies(const std::vector<StoredItem>& items) {
  std::vector<Item> copies;
  for (const StoredItem& item : items) copies.push_back(*item.Copy());
  return copies;
}

// HasNoTable matches the error of a request on a deleted table. RefusesTheStranger matches the
// error of a request on a table of another database.
inline auto HasNoTable() {
  return StatusIs(StatusCode::kResourceNotFound, testing::StrEq("Requested resource not found"));
}
inline auto RefusesTheStranger() { return IsInvalidWith("stranger"); }

}  // namespace dolmen::behaviour
